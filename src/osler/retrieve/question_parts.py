"""The parts of a question, and which of them a document holds.

A part is a concept that the terminology knows ("muscle pain"), or a word that no concept covers.
Rare parts weigh more: w(p) = ln(1 + (N - n + 0.5) / (n + 0.5)), where n of N documents hold p.
Where there is a terminology, a word that it does not know weighs less: "seeing" a doctor or "put"
to sleep can be said otherwise, and a paper that says it otherwise lacks nothing. Words that tell
little by themselves weigh less, too: w(p) is multiplied by tells(p)^2 (``likeness``).
Words that stand in every fifth document, and words of asking, are no parts: they tell nothing
about what the question is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from osler.kinds import Document
from osler.kinds.query import And, Node, Or, Term
from osler.retrieve.concepts import ConceptIndex, Knowledge
from osler.retrieve.likeness import shipped_likeness, words_of
from osler.retrieve.view import View
from osler.store.analyser import is_chinese, plain_words, terms_of_sentence, terms_within
from osler.store.passages import Passage
from osler.text.bm25 import idf
from osler.text.kept import Kept
from osler.text.scripts import listed
from osler.text.stopwords import FUNCTION_WORDS

COMMON = 0.2
"""A part that so large a share of the documents holds says nothing of any of them."""
SURE = 0.3
"""How sure the linker is of a concept that stands for a part."""
LOOSE = 0.6
"""What a word weighs that no concept covers, beside a concept that is as rare: the middle of a
plateau (0.35 to 0.7) over the sets that teach the verdict, each judged by the others."""
ALIKE = 5
"""Letters that two words of one meaning share at least."""
UNLIKE, SAME = 0.45, 0.75
"""Words this alike and less are different ones, words this alike and more the same; between, the
one counts in part for the other. The middle of a plateau (0.35 to 0.5, 0.7 to 0.8)."""
MOST = 12
"""Parts that are looked at, the weightiest ones: a question has no more, a pasted page has."""

ASKING: frozenset[str] = FUNCTION_WORDS | listed(
    "better best worse good bad help helps helpful use uses used using useful useless work works",
    "worked working cause causes caused causing effect effects effective effectiveness efficacy",
    "treat treats treated treating treatment treatments therapy manage managed management prevent",
    "prevents prevented prevention lead leads raise raises lower risk risks related relation link",
    "linked association associated evidence study studies paper papers trial trials compared",
    "comparison versus vs way ways thing things know known get gets take takes taking taken make",
    "makes need needs needed want long often really safe safety people person patient patients",
    "result results outcome outcomes role give given find found happen happens difference",
)
"""Words of asking, not of what is asked for."""
_TERMS: Kept[set[str]] = Kept(2_000)
_WORDS: Kept[tuple[str, ...]] = Kept(2_000)
"""Papers whose terms and words are kept, some 15 kB each."""
_ASKING_CHINESE = re.compile(
    "什么|如何|怎么|怎样|是否|能否|可以|可否|哪些|以及|治疗|疗效|影响|患者|病人|作用|效果|原因|关系|风险|"
    "研究|引起|预防|有效|进展|应用|[的和与对在吗呢及有能会是用于从被把或了为]"
)
"""The same in Chinese, which has no blanks: what stands between these is a part."""


@dataclass(frozen=True)
class Part:
    """A part of a question: its words as typed, the index terms of these, the concepts that it may
    stand for (by number), how many documents hold it, and what it weighs."""

    words: str
    terms: frozenset[str]
    concepts: frozenset[int]
    documents: int
    weight: float
    unnamed: bool = False
    """Whether it is Chinese, and the terminology has no name of another language for it: then
    papers that are not Chinese cannot be asked for it."""

    @property
    def node(self) -> Node:
        """The query that asks for its words."""
        return _all_words(self.words)


def _all_words(words: str) -> Node:
    return And(tuple(map(Term, words.split())))


def parts_of(text: str, view: View) -> list[Part]:
    """The parts of a question, in its own order."""
    known = view.knowledge
    spans: list[tuple[int, int, frozenset[int]]] = []
    if known is not None:
        spans = _concepts(text, known)
    rest = list(text)
    for start, end, _ in spans:
        rest[start:end] = " " * (end - start)
    pieces = [(text[start:end], concepts) for start, end, concepts in spans]
    pieces += [(word, frozenset[int]()) for word in _loose_words("".join(rest))]
    total = view.total
    likeness = shipped_likeness()
    parts: dict[frozenset[str], Part] = {}
    for words, concepts in pieces:
        terms = frozenset(terms_of_sentence(words))
        holding = _holding(terms, concepts, view, known)
        if not holding and view.engine.search_passages(_all_words(words), 1):
            holding = 1  # in a full text alone, of which nobody keeps counts
        if terms and terms not in parts and holding <= max(COMMON * total, 1):
            unnamed = is_chinese(words) and not _named(concepts, known)
            weight = float(idf(holding, total))
            weight *= LOOSE if known is not None and not concepts else 1.0
            weight *= likeness.tells(words) ** 2 if likeness is not None else 1.0
            parts[terms] = Part(words, terms, concepts, holding, weight, unnamed)
    if len(parts) > MOST:
        least = sorted((part.weight for part in parts.values()), reverse=True)[MOST - 1]
        return [part for part in parts.values() if part.weight >= least][:MOST]
    return list(parts.values())


def _named(concepts: frozenset[int], known: Knowledge | None) -> bool:
    """Whether a concept has a name that is not Chinese."""
    return known is not None and any(
        not is_chinese(name)
        for concept in concepts
        for name in known.graph.names(known.graph.id(concept))
    )


def _concepts(text: str, known: Knowledge) -> list[tuple[int, int, frozenset[int]]]:
    spans = []
    for mention in known.linker.link(text):
        numbers = (known.graph.find(id) for id, score in mention.entities if score >= SURE)
        concepts = frozenset(number for number in numbers if number is not None)
        words = plain_words(text[mention.start : mention.end])
        if concepts and not all(word in ASKING for word in words):
            spans.append((mention.start, mention.end, concepts))
    return spans


def _loose_words(text: str) -> Iterable[str]:
    for word in text.split():
        chinese = is_chinese(word)
        for piece in _ASKING_CHINESE.split(word) if chinese else plain_words(word):
            if len(piece) > 1 and piece not in ASKING:
                yield piece


def _holding(
    terms: frozenset[str], concepts: frozenset[int], view: View, known: Knowledge | None
) -> int:
    """How many documents hold a part, at least: by its rarest word, by its concepts."""
    by_words = min(view.engine.document_frequencies(sorted(terms)).values(), default=0)
    if known is None or not concepts:
        return by_words
    frequencies = [known.index.frequency(concept) for concept in sorted(concepts)]
    # Of several words one alone may stand everywhere: together they are a name, and the
    # terminology says how often it is meant.
    return max(frequencies) if len(terms) > 1 else max(by_words, *frequencies)


@dataclass(frozen=True)
class Held:
    """Which parts a document holds, and which it holds in other words."""

    anywhere: frozenset[int]
    alike: frozenset[int] = frozenset()
    lacking: float = 0.0
    """What the parts weigh that it does not hold; one that it half holds in other words counts
    half."""
    title: bool = False
    """Whether its title holds every part."""

    @property
    def parts(self) -> frozenset[int]:
        return self.anywhere | self.alike


def passages_with(parts: Sequence[Part], view: View, most: int) -> dict[int, set[Passage]]:
    """By row: the passages of full texts that are best for a part, and for all of them."""
    asked = [part.node for part in parts]
    passages: dict[int, set[Passage]] = defaultdict(set)
    for node in [*asked, Or(tuple(asked))]:
        for scored in view.engine.search_passages(node, most):
            passages[scored.row].add(scored.passage)
    return passages


class Holding:
    """The parts of a question, held against one document after the other: what was found out of a
    part or of a concept serves the next document too."""

    def __init__(self, parts: Sequence[Part], index: ConceptIndex | None) -> None:
        self.parts = parts
        self.index = index
        self._said = [_Said.of(part) for part in parts]
        self._concepts = [(at, part.concepts) for at, part in enumerate(parts) if part.concepts]
        self._places: dict[int, list[int]] = {}

    def of(self, document: Document, row: int, passages: Iterable[Passage] = ()) -> Held:
        """Which of the parts (by place) a document holds: in title, abstract and headings, and in
        these ``passages`` of its full text."""
        named, titled = self._named_in(document, row)
        read = (
            document.text,
            *document.keywords,
            *(heading.name for heading in document.headings),
            *(text for passage in passages for text in _text_of(document, passage)),
        )
        anywhere = _inside(self._said, _TERMS.of(read, lambda: terms_within(read)), named)
        title = set(terms_of_sentence(document.title))
        whole = len(_inside(self._said, title, titled)) == len(self.parts)
        others = [at for at in range(len(self.parts)) if at not in anywhere]
        credits = _credits([self.parts[at].words for at in others], read)
        alike = frozenset(at for at, credit in zip(others, credits, strict=True) if credit >= 0.5)
        weighed = zip(others, credits, strict=True)
        lacking = sum(self.parts[at].weight * (1.0 - credit) for at, credit in weighed)
        return Held(anywhere, alike, lacking, whole)

    def _named_in(self, document: Document, row: int) -> tuple[set[int], set[int]]:
        """The parts that a document names by a concept of theirs, or by one that stands below it:
        anywhere, and in its title."""
        named: set[int] = set()
        titled: set[int] = set()
        if self.index is None or not self._concepts:
            return named, titled
        end_of_title = len(document.title)
        known = self._places
        for concept, start, end in self.index.named_in(row):
            places = known.get(concept)
            if places is None:
                above = self.index.ancestors(concept).keys()
                places = [at for at, asked in self._concepts if not asked.isdisjoint(above)]
                known[concept] = places
            if places:
                named.update(places)
                if start >= 0 and end <= end_of_title:
                    titled.update(places)
        return named, titled


def held_by(
    document: Document,
    row: int,
    parts: Sequence[Part],
    index: ConceptIndex | None,
    passages: Iterable[Passage] = (),
) -> Held:
    """Which of the parts one document holds; ``Holding`` is for several."""
    return Holding(parts, index).of(document, row, passages)


def _credits(asked: Sequence[str], read: tuple[str, ...]) -> list[float]:
    """How far a text says in other words what it does not say in these, from 0 to 1."""
    likeness = shipped_likeness()
    if likeness is None or not asked:
        return [0.0] * len(asked)
    alike = likeness.alike(asked, _WORDS.of(read, lambda: tuple(words_of("\n".join(read)))))
    return [min(1.0, max(0.0, (each - UNLIKE) / (SAME - UNLIKE))) for each in alike]


def _text_of(document: Document, passage: Passage) -> Iterable[str]:
    for section in document.full_text[passage.section : passage.section + 1]:
        yield section.text[passage.start : passage.end]


class _Said(NamedTuple):
    """What tells that a text has a part's words: these terms, or one that begins so. "autistic" and
    "autism" are different terms, and mean the same here."""

    terms: frozenset[str]
    begins: str

    @classmethod
    def of(cls, part: Part) -> _Said:
        if part.concepts or len(part.terms) != 1:
            return cls(part.terms, "")
        (term,) = part.terms
        return cls(part.terms, term[: max(ALIKE, len(term) - 2)] if len(term) >= ALIKE else "")


def _inside(said: Sequence[_Said], terms: set[str], named: Collection[int] = ()) -> frozenset[int]:
    """The parts that are named, or whose words are among the terms of a text."""
    listed = ""
    inside = []
    for at, (words, begins) in enumerate(said):
        if at in named or words <= terms:
            inside.append(at)
        elif begins:
            # Looking through one text is many times as fast as asking each term how it begins.
            listed = listed or "\n".join(["", *terms])
            if f"\n{begins}" in listed:
                inside.append(at)
    return frozenset(inside)
