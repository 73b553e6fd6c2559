"""A query tree as tantivy's query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Any

import tantivy
from tantivy import Occur, Query

from osler.corpus.fields import language
from osler.errors import ChoiceError, LimitError
from osler.kinds.query import And, Exact, Filter, Node, Not, Or, Phrase, Span, Term, Weighted
from osler.settings import MAX_CLAUSES
from osler.store.analyser import analyse, plain_words, terms_of_sentence
from osler.store.wildcards import pieces, word_pattern
from osler.text import names
from osler.text.design.names import DESIGN_MARK
from osler.text.stopwords import STOPWORDS

DEFAULT_WEIGHTS: Mapping[str, float] = {"title": 0.5, "abstract": 1.0, "keywords": 0.2}
"""Weights of the fields that a word without a field name is looked for in. Chosen on the
development sets: a title's short length already raises its BM25."""

_FIRST_YEAR = -100_000
TEXT_FIELDS = ("title", "abstract", "keywords", "headings", "authors", "affiliation")
EXACT_FIELDS = (
    "id",
    "language",
    "journal",
    "type",
    "heading",
    "keyword",
    "author",
    "major",
    "subheading",
)
WIDE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "tiab": ("title", "abstract"),
    "tw": ("title", "abstract", "keywords", "headings"),
    "all": ("title", "abstract", "keywords", "headings", "authors", "affiliation"),
}
"""Names for several fields together, as PubMed has them."""


NEAR = 240
"""How far apart words may stand that are looked for near each other, times how many they are. The
ways to choose a place for each multiply: eight words within 99 places took 19 seconds."""


@cache
def _stop_tokens() -> frozenset[str]:
    return frozenset(token for word in STOPWORDS for token in analyse(word))


def near(phrase: Phrase) -> tuple[list[str], int]:
    """The tokens of a phrase, and how far they may stand from each other. Where they need not
    follow each other, stop words are left out: they stand near everything, and each multiplies
    the work; and the more words there are, the nearer they must stand. A word with wildcards stays
    as it is written."""
    tokens = pieces(phrase.text) if phrase.wild else analyse(phrase.text)
    if phrase.slop and len(tokens) > 2:
        tokens = [token for token in tokens if token not in _stop_tokens()]
        if not tokens:
            raise LimitError(
                f'"{phrase.text[:60]}" has only stop words, which stand near each other everywhere',
                cure="name a word that tells, or leave the ~ out",
            )
    return tokens, min(phrase.slop, NEAR // max(1, len(tokens)))


FREELY = 3
"""Words that are looked for in every order; more of them in theirs and in the opposite one."""


def orders(tokens: Sequence[str], phrase: Phrase) -> list[list[str]]:
    """The orders in which the words of a phrase may stand."""
    if not phrase.free or len(tokens) < 2:
        return [list(tokens)]
    if len(tokens) <= FREELY:
        return [list(order) for order in dict.fromkeys(permutations(tokens))]
    return [list(tokens), list(reversed(tokens))]


class Compiler:
    """Compiles trees for one index. Empty queries compile to one that matches nothing."""

    def __init__(self, schema: Any, *, weights: Mapping[str, float] = DEFAULT_WEIGHTS) -> None:
        self.schema = schema
        self.weights = dict(weights)
        self._clauses = self._most = 0

    def compile(self, node: Node, filter: Filter | None = None) -> Any:
        self._clauses, self._most = 0, MAX_CLAUSES.get()
        query = self._node(node)
        clauses = filter_clauses(self.schema, filter) if filter else []
        if not clauses:
            return query
        return Query.boolean_query([(Occur.Must, query), *((Occur.Must, c) for c in clauses)])

    def _count(self) -> None:
        self._clauses += 1
        if self._clauses > self._most:
            raise LimitError(f"the query has more than {self._most} words and phrases")

    def _node(self, node: Node) -> Any:
        match node:
            case Term():
                return self._term(node)
            case Phrase():
                return self._phrase(node)
            case Span():
                return date_range(self.schema, node.field, node.low, node.high)
            case Exact():
                self._count()
                return self._exact(node)
            case Or():
                # A flat Or of plain words is the usual ranked query: its stop words only cost time.
                parts = without_stopwords(node.parts)
                return Query.boolean_query([(Occur.Should, self._node(part)) for part in parts])
            case And():
                return self._and(node.parts)
            case Not():
                return Query.boolean_query(
                    [(Occur.Must, _every()), (Occur.MustNot, self._node(node.part))]
                )
            case Weighted():
                return Query.boolean_query(
                    [
                        (Occur.Should, Query.boost_query(self._node(part), weight))
                        for part, weight in node.parts
                        if weight > 0
                    ]
                )

    def _and(self, parts: Sequence[Node]) -> Any:
        clauses = [
            (Occur.MustNot, self._node(part.part))
            if isinstance(part, Not)
            else (Occur.Must, self._node(part))
            for part in parts
        ]
        if all(occur == Occur.MustNot for occur, _ in clauses):
            clauses.append((Occur.Must, _every()))
        return Query.boolean_query(clauses)

    def _fields(self, field: str) -> Mapping[str, float]:
        if not field:
            return self.weights
        if field in WIDE_FIELDS:
            return dict.fromkeys(WIDE_FIELDS[field], 1.0)
        if field not in TEXT_FIELDS:
            raise ChoiceError("field", field, (*TEXT_FIELDS, *EXACT_FIELDS, "year", "mesh"))
        return {field: 1.0}

    def _term(self, term: Term) -> Any:
        self._count()
        if term.wild:
            return self._wild(term)
        if term.prefix:
            return self._prefix(term)
        tokens = terms_of_sentence(term.text)
        if not tokens:
            return Query.empty_query()
        if len(tokens) > 1:
            return self._phrase(Phrase(term.text, term.field, boost=term.boost))
        return self._over_fields(
            term.field,
            term.boost,
            lambda field: Query.term_query(self.schema, field, tokens[0], index_option="freq"),
        )

    def _prefix(self, term: Term) -> Any:
        words = plain_words(term.text)
        if not words:
            return Query.empty_query()
        # Terms are stems: the truncated word may be longer than the stem it stands for.
        stem = analyse(words[-1])[0]

        def either(field: str) -> Any:
            return Query.boolean_query(
                [
                    (Occur.Should, Query.regex_query(self.schema, field, f"{words[-1]}.*")),
                    (Occur.Should, Query.term_query(self.schema, field, stem)),
                ]
            )

        return self._over_fields(term.field, term.boost, either)

    def _wild(self, term: Term) -> Any:
        patterns = [word_pattern(piece) for piece in pieces(term.text)]
        if len(patterns) != 1:
            return self._phrase(Phrase(term.text, term.field, boost=term.boost, wild=True))
        return self._over_fields(
            term.field,
            term.boost,
            lambda field: Query.regex_query(self.schema, field, patterns[0]),
        )

    def _phrase(self, phrase: Phrase) -> Any:
        self._count()
        tokens, slop = near(phrase)
        if not tokens:
            return Query.empty_query()
        if phrase.prefix:
            # Terms are stems, as with a single word.
            last = plain_words(phrase.text)[-1]
            if len(tokens) == 1:
                return self._prefix(Term(last, phrase.field, phrase.boost, prefix=True))
            ending = f"({re.escape(last)}.*|{re.escape(tokens[-1])})"
            return self._patterns(phrase, [*map(re.escape, tokens[:-1]), ending], slop)
        if phrase.wild:
            return self._patterns(phrase, [word_pattern(token) for token in tokens], slop)
        if len(tokens) == 1:
            return self._over_fields(
                phrase.field,
                phrase.boost,
                lambda field: Query.term_query(self.schema, field, tokens[0], index_option="freq"),
            )
        return self._in_orders(
            phrase,
            orders(tokens, phrase),
            lambda field, words: Query.phrase_query(self.schema, field, words, slop=slop),
        )

    def _patterns(self, phrase: Phrase, patterns: list[str], slop: int) -> Any:
        """A phrase of patterns of index terms."""
        if len(patterns) == 1:
            return self._over_fields(
                phrase.field,
                phrase.boost,
                lambda field: Query.regex_query(self.schema, field, patterns[0]),
            )
        return self._in_orders(
            phrase,
            orders(patterns, phrase),
            lambda field, words: Query.regex_phrase_query(self.schema, field, words, slop=slop),
        )

    def _in_orders(self, phrase: Phrase, ordered: list[list[str]], make: Any) -> Any:
        def either(field: str) -> Any:
            queries = [make(field, words) for words in ordered]
            if len(queries) == 1:
                return queries[0]
            return Query.boolean_query([(Occur.Should, query) for query in queries])

        return self._over_fields(phrase.field, phrase.boost, either)

    def _over_fields(self, field: str, boost: float, make: Any) -> Any:
        parts = [
            Query.boost_query(make(name), weight * boost) if weight * boost != 1.0 else make(name)
            for name, weight in self._fields(field).items()
        ]
        if len(parts) == 1:
            return parts[0]
        return Query.boolean_query([(Occur.Should, part) for part in parts])

    def _exact(self, node: Exact) -> Any:
        if node.field not in EXACT_FIELDS:
            raise ChoiceError("field", node.field, (*TEXT_FIELDS, *EXACT_FIELDS, "year", "mesh"))
        values = [fold(node.field, value) for value in node.values]
        if not values:
            return Query.empty_query()
        # A set of ids says whether, not how well: each match counts the same.
        query = Query.term_set_query(self.schema, node.field, values)
        return Query.const_score_query(query, node.boost)


def without_stopwords(parts: Sequence[Node]) -> Sequence[Node]:
    """The parts of an Or, its stop words left out unless there is nothing else."""
    kept = [
        part
        for part in parts
        if not (isinstance(part, Term) and not part.field and part.text.lower() in STOPWORDS)
    ]
    return kept or parts


def fold(field: str, value: str) -> str:
    """Exact fields are compared without regard to case, ids as they are, authors without accents,
    languages by their code: eng, English and en are one."""
    if field == "author":
        return names.asked(value)
    if field == "language":
        return language(value)
    return value if field == "id" else value.casefold()


def date_range(schema: Any, field: str, low: int | None, high: int | None) -> Any:
    """A range of years or, as ``counting.day`` writes them, of days."""
    if low is None and field == "day":
        low = 1  # 0 stands for no date
    elif low is None and high is None:
        low = _FIRST_YEAR  # a range without ends still asks that there be a year
    query = Query.range_query(schema, field, tantivy.FieldType.Integer, low, high)
    return Query.const_score_query(query, 0.0)


def _every() -> Any:
    """All documents, each with a score of 1; plain "all" queries beside each other would be merged
    by tantivy and count once."""
    return Query.const_score_query(Query.all_query(), 1.0)


def filter_clauses(schema: Any, filter: Filter) -> list[Any]:
    """What must hold, as clauses that add nothing to the score."""
    clauses: list[Any] = []

    def among(field: str, values: tuple[str, ...]) -> None:
        if values:
            folded = [fold(field, value) for value in values]
            clauses.append(Query.term_set_query(schema, field, folded))

    if filter.years:
        clauses.append(date_range(schema, "year", *filter.years))
    among("language", filter.languages)
    among("journal", filter.journals)
    among("type", filter.types)
    among("type", tuple(DESIGN_MARK + design for design in filter.designs))
    among("heading", filter.headings)
    among("keyword", filter.keywords)
    if filter.has_abstract is not None:
        clauses.append(Query.term_query(schema, "abstracted", filter.has_abstract))
    if filter.exclude_retracted:
        clauses.append(Query.term_query(schema, "retracted", False))
    if filter.ids is not None:
        clauses.append(
            Query.term_set_query(schema, "id", list(filter.ids))
            if filter.ids
            else Query.empty_query()
        )
    return [Query.const_score_query(clause, 0.0) for clause in clauses]


def plain_text_only(node: Node) -> bool:
    """Whether a tree names no field: what an index of passages can be asked."""
    match node:
        case Term() | Phrase():
            return not node.field
        case And() | Or():
            return all(plain_text_only(part) for part in node.parts)
        case Weighted():
            return all(plain_text_only(part) for part, _ in node.parts)
        case _:
            return False
