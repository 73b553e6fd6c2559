"""How a question may have been meant: words that nothing knows, as the library spells them.

A word that neither the papers nor the terminology hold, or hardly any paper, is compared with those
that they do hold and that begin alike (or with the first two letters swapped). Near is one slip for
short words and two for long ones, where a slip is a letter changed, left out, put in, or swapped
with its neighbour. Of the spellings those win that make words of the question a name of the
terminology ("hart atack": heart attack); then those with the fewest slips; then those that stand in
most papers. Nothing is searched for unasked.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from osler.kinds.query import Term
from osler.retrieve.concepts import Knowledge
from osler.retrieve.expansion import term_of
from osler.retrieve.question_parts import ASKING
from osler.retrieve.view import Request, View
from osler.stopping import check_stopped
from osler.store.analyser import plain_words

SHORTEST = 4
LONG = 8
"""From so many letters on two slips are forgiven."""
FEW = 0.001
"""A word in less of the papers than this may be a slip of another that makes a name."""
CANDIDATES = 6
"""Spellings of one word that are tried together with those of its neighbours."""
WORDS = 4
"""Words of a question that may be misspelt; more of them are another language."""
SHOWN = 5
"""Papers that show how a term is written."""
TERMS = 50_000
"""Words with one beginning that are compared at most."""

_WORD = re.compile(r"[^\W\d_]+")


class Spelling(NamedTuple):
    """A way to spell a word: how many slips off it is, and in how many papers it stands."""

    word: str
    slips: int
    papers: int


def respelled(request: Request, view: View) -> str:
    """The question as it may have been meant; empty where no word looks misspelt."""
    if request.structured or request.unknown:
        return ""
    text = request.text
    doubtful: dict[tuple[int, int], list[Spelling]] = {}
    for place in _WORD.finditer(text):
        check_stopped()
        if spellings := _spellings(place.group().lower(), view):
            doubtful[place.span()] = spellings
    if not doubtful or len(doubtful) > WORDS:
        return ""

    def rank(chosen: tuple[Spelling, ...]) -> tuple[float, int, float]:
        check_stopped()
        slips = sum(each.slips for each in chosen)
        papers = sum(math.log1p(each.papers) for each in chosen)
        return _named(_put(text, doubtful, chosen), view.knowledge), -slips, papers

    best = max(itertools.product(*doubtful.values()), key=rank)
    meant = _put(text, doubtful, best)
    return meant if meant.lower() != text.lower() else ""


def _put(text: str, places: Mapping[tuple[int, int], object], chosen: tuple[Spelling, ...]) -> str:
    """The text with other spellings at some places."""
    pieces, at = [], 0
    for (start, end), spelling in zip(places, chosen, strict=True):
        pieces += [text[at:start], spelling.word]
        at = end
    return "".join([*pieces, text[at:]])


def _named(text: str, known: Knowledge | None) -> float:
    """How much of a text names of several words cover: one word alone is a name too easily."""
    if known is None:
        return 0.0
    mentions = known.linker.link(text)
    words = [len(plain_words(text[mention.start : mention.end])) for mention in mentions]
    return float(sum(count for count in words if count > 1))


def _spellings(word: str, view: View) -> list[Spelling]:
    """How a word may be meant, itself among them where a few papers hold it; empty where there is
    no doubt of it, or nothing near."""
    if len(word) < SHORTEST or not word.isascii() or word in ASKING:
        return []
    papers = view.engine.document_frequency(term_of(word))
    if papers > max(1.0, FEW * view.total):
        return []
    known = view.knowledge
    if not papers and known is not None and known.linker.knows(word):
        return []
    near = _near(word, view)
    return [Spelling(word, 0, papers), *near] if papers and near else near


def _near(word: str, view: View) -> list[Spelling]:
    """Words of the papers and of the terminology that are a slip or two away, best first."""
    from rapidfuzz.distance import OSA

    slips = 2 if len(word) >= LONG else 1
    beginnings = {word[0], word[1]}
    known = view.knowledge
    vocabulary = {
        other
        for beginning in beginnings
        if known is not None
        for other in known.linker.words_from(beginning, _about(len(word), slips))
    }
    stem = term_of(word) or word
    # An ending may be all that a stem lacks, and a slip may be in it.
    whole, short = _about(len(word), slips + 3), _about(len(stem), slips)
    lengths = range(max(whole.start, short.start), min(whole.stop, short.stop))
    stems = {
        term for beginning in beginnings for term in view.engine.terms(beginning, TERMS, lengths)
    }
    near: dict[str, Spelling] = {}
    for other, distance in _alike(word, vocabulary, slips):
        near[other] = Spelling(other, distance, view.engine.document_frequency(term_of(other)))
    alike = _alike(stem, stems, slips)
    frequencies = view.engine.document_frequencies([other for other, _ in alike])
    common = sorted(alike, key=lambda pair: (pair[1], -frequencies[pair[0]], pair[0]))
    for other, _ in common[:CANDIDATES]:
        for surface in _surfaces(other, view):
            distance = OSA.distance(word, surface)
            if distance <= slips:
                near[surface] = Spelling(surface, distance, frequencies[other])
    near.pop(word, None)
    kept = [each for each in near.values() if each.papers or each.slips == 1]
    return sorted(kept, key=lambda each: (each.slips, -each.papers, each.word))[:CANDIDATES]


def _about(length: int, slips: int) -> range:
    """The lengths that so many slips leave."""
    return range(length - slips, length + slips + 1)


def _alike(word: str, others: Iterable[str], slips: int) -> list[tuple[str, int]]:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    listed = sorted(others)
    scored = process.cdist([word], listed, scorer=OSA.distance, score_cutoff=slips)[0]
    return [(listed[at], int(scored[at])) for at in (scored <= slips).nonzero()[0].tolist()]


def _surfaces(term: str, view: View) -> set[str]:
    """How papers write an index term: the index holds stems, and nobody types those."""
    scored = view.engine.search_words(Term(term, prefix=True), SHOWN)[:SHOWN]
    written: set[str] = set()
    for document in view.documents.by_rows([each.row for each in scored]).values():
        # A stem begins as its words do.
        words = {word for word in plain_words(document.text) if word[:1] == term[:1]}
        written |= {word for word in words if term_of(word) == term}
    return written
