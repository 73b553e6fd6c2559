"""A query tree made ready for Milvus: analysed tokens in place of words, labels in place of values.

The same tree says three things: which words bring candidates (``bag``), what an expression of
Milvus can say of the matches (``filters``), and how a candidate scores (``score``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from osler.errors import ChoiceError, InputError, LimitError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Span, Term, Weighted
from osler.settings import MAX_CLAUSES
from osler.store.analyser import analyse, plain_words
from osler.store.compile import (
    EXACT_FIELDS,
    TEXT_FIELDS,
    WIDE_FIELDS,
    near,
    orders,
    without_stopwords,
)
from osler.store.milvus.tokens import labels_for, prefixes, token


@dataclass(frozen=True)
class Nothing:
    """Matches no document."""


@dataclass(frozen=True)
class Every:
    """Matches all, each with a score of 1."""


@dataclass(frozen=True)
class Word:
    """A token, or several that follow each other, in one field."""

    field: str
    tokens: tuple[str, ...]
    weight: float
    slop: int = 0


@dataclass(frozen=True)
class Stem:
    """Any of the tokens that a truncated word stands for in a field: a match counts ``weight``."""

    tokens: tuple[str, ...]
    weight: float


@dataclass(frozen=True)
class Years:
    low: int | None
    high: int | None


@dataclass(frozen=True)
class Labelled:
    """Any of some labels: a match counts ``weight``."""

    labels: tuple[int, ...]
    weight: float


@dataclass(frozen=True)
class AnyOf:
    parts: tuple[tuple[Plan, float], ...]


@dataclass(frozen=True)
class AllOf:
    parts: tuple[Plan, ...]
    without: tuple[Plan, ...] = ()


Plan = Nothing | Every | Word | Stem | Years | Labelled | AnyOf | AllOf


class Planner:
    """Makes plans for one index. ``starting_with`` lists the tokens that begin so."""

    def __init__(
        self,
        weights: Mapping[str, float],
        starting_with: Callable[[str], list[str]],
        *,
        widest: int,
    ) -> None:
        self.weights = weights
        self.starting_with = starting_with
        self.widest = widest
        self._clauses = 0

    def plan(self, node: Node) -> Plan:
        self._clauses = 0
        return self._node(node)

    def _count(self) -> None:
        self._clauses += 1
        limit = MAX_CLAUSES.get()
        if self._clauses > limit:
            raise LimitError(f"the query has more than {limit} words and phrases")

    def _node(self, node: Node) -> Plan:
        match node:
            case Term():
                return self._term(node)
            case Phrase():
                return self._phrase(node)
            case Span():
                if node.field != "year":
                    raise InputError("this engine finds papers by year, not by month or day")
                return Years(node.low, node.high)
            case Exact():
                self._count()
                return self._exact(node)
            case Or():
                parts = without_stopwords(node.parts)
                return AnyOf(tuple((self._node(part), 1.0) for part in parts))
            case And():
                return self._and(node)
            case Not():
                return AllOf((Every(),), (self._node(node.part),))
            case Weighted():
                return AnyOf(tuple((self._node(p), share) for p, share in node.parts if share > 0))

    def _and(self, node: And) -> Plan:
        must = tuple(self._node(part) for part in node.parts if not isinstance(part, Not))
        without = tuple(self._node(part.part) for part in node.parts if isinstance(part, Not))
        return AllOf(must or (Every(),), without)

    def _fields(self, field: str) -> Mapping[str, float]:
        if not field:
            return self.weights
        if field in WIDE_FIELDS:
            return dict.fromkeys(WIDE_FIELDS[field], 1.0)
        if field not in TEXT_FIELDS:
            raise ChoiceError("field", field, (*TEXT_FIELDS, *EXACT_FIELDS, "year", "mesh"))
        return {field: 1.0}

    def _term(self, term: Term) -> Plan:
        self._count()
        if term.wild:
            raise _no_wildcards(term.text)
        if term.prefix:
            return self._prefix(term)
        terms = analyse(term.text)
        if len(terms) > 1:
            return self._phrase(Phrase(term.text, term.field, boost=term.boost))
        return self._words(terms, term.field, term.boost, 0)

    def _phrase(self, phrase: Phrase) -> Plan:
        self._count()
        if phrase.prefix:
            raise LimitError(
                f'"{phrase.text[:60]}*": this engine truncates single words only',
                cure="write the phrase out, or join its words by AND",
            )
        if phrase.wild:
            raise _no_wildcards(phrase.text)
        tokens, slop = near(phrase)
        return _one_or_any(
            [
                self._words(order, phrase.field, phrase.boost, slop)
                for order in orders(tokens, phrase)
            ]
        )

    def _words(self, terms: list[str], field: str, boost: float, slop: int) -> Plan:
        if not terms:
            return Nothing()
        return _one_or_any(
            [
                Word(name, tuple(token(name, term) for term in terms), weight * boost, slop)
                for name, weight in self._fields(field).items()
            ]
        )

    def _prefix(self, term: Term) -> Plan:
        words = plain_words(term.text)
        if not words:
            return Nothing()
        # Terms are stems: the truncated word may be longer than the stem it stands for.
        stem = analyse(words[-1])[0]
        parts: list[Plan] = []
        for name, weight in self._fields(term.field).items():
            tokens = [t for start in prefixes(name, words[-1]) for t in self.starting_with(start)]
            if len(tokens) > self.widest:
                raise LimitError(
                    f"{term.text}* stands for more than {self.widest} words",
                    cure="cut it off later",
                )
            parts.append(Word(name, (token(name, stem),), weight * term.boost))
            if tokens:
                parts.append(Stem(tuple(tokens), weight * term.boost))
        return _one_or_any(parts)

    def _exact(self, node: Exact) -> Plan:
        if node.field not in EXACT_FIELDS:
            raise ChoiceError("field", node.field, (*TEXT_FIELDS, *EXACT_FIELDS, "year", "mesh"))
        if not node.values:
            return Nothing()
        return Labelled(tuple(labels_for(node.field, node.values)), node.boost)


def _no_wildcards(text: str) -> LimitError:
    return LimitError(
        f"{text[:60]}: this engine truncates single words at their end only",
        cure="write the words out, joined by OR",
    )


def _one_or_any(parts: list[Plan]) -> Plan:
    return parts[0] if len(parts) == 1 else AnyOf(tuple((part, 1.0) for part in parts))


def leaves(plan: Plan, weight: float = 1.0) -> Iterator[tuple[Word | Stem, float]]:
    """The words that add to a score, each with its weight in the whole."""
    match plan:
        case Word() | Stem():
            yield plan, weight * plan.weight
        case AnyOf():
            for part, share in plan.parts:
                yield from leaves(part, weight * share)
        case AllOf():
            for part in plan.parts:
                yield from leaves(part, weight)


def every_word(plan: Plan) -> Iterator[Word]:
    """All words of a plan, those that must not be there too."""
    match plan:
        case Word():
            yield plan
        case AnyOf():
            for part, _ in plan.parts:
                yield from every_word(part)
        case AllOf():
            for part in (*plan.parts, *plan.without):
                yield from every_word(part)


def is_flat(plan: Plan) -> bool:
    """Whether a plan is a sum of single words: what BM25 itself brings the candidates of."""
    match plan:
        case Word():
            return len(plan.tokens) == 1
        case AnyOf():
            return all(is_flat(part) for part, _ in plan.parts)
        case Nothing():
            return True
        case _:
            return False


MOST_TIMES = 20
"""How often a word stands in BM25's query at most: there a weight is a number of times."""


def bag(plan: Plan) -> str:
    """The words that bring candidates, each as often as it weighs."""
    weights: dict[str, float] = {}
    for leaf, weight in leaves(plan):
        if isinstance(leaf, Word):
            for each in leaf.tokens:
                weights[each] = weights.get(each, 0.0) + weight
    if not weights:
        return ""
    unit = max(max(weights.values()) / MOST_TIMES, min(weights.values()))
    return " ".join(
        " ".join([each] * max(1, round(weight / unit))) for each, weight in sorted(weights.items())
    )
