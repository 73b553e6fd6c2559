"""The evidence sentence: the sentence of a document that answers what was asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from osler.kinds import Document, EvidenceSentence
from osler.kinds.document import section_names
from osler.retrieve.finding import Features, Sentences, part_of_label, shipped
from osler.store.analyser import is_chinese, terms_of_word
from osler.store.passages import Passage
from osler.text.kept import Kept
from osler.text.sentences import sentences

_WORD = re.compile(r"[^\W_]+")
_KEPT: Kept[tuple[list[tuple[int, int]], Sentences]] = Kept(2_000)
"""Texts whose sentences are kept, some 15 kB each."""


def best_sentence(
    document: Document, weights: Mapping[str, float], passage: Passage | None = None
) -> EvidenceSentence | None:
    """The sentence that answers best; the earlier of two equals. ``passage`` is the part of the
    full text that was found: its sentences count too.

    ``weights`` maps index terms to their worth (idf). A sentence must share a term with the
    question wherever one does; among those a learned ranker prefers what states a finding to what
    echoes the question (``finding.py``). Titles are shown anyway, so a sentence of the abstract is
    preferred wherever there is one.
    """
    chosen = evidence_of(document, weights, passage)
    return None if chosen is None else chosen[0]


def evidence_of(
    document: Document, weights: Mapping[str, float], passage: Passage | None = None
) -> tuple[EvidenceSentence, bool] | None:
    """``best_sentence``, and whether it states a finding: where it does not, the paper has no such
    sentence that speaks of the question."""
    start = len(document.title) + 1
    body = document.text[start:]
    parts = _parts(document)
    if not body.strip():
        body, start, parts = document.title, 0, []
    best = _best(body, weights, parts)
    if passage is not None:
        section = document.full_text[passage.section]
        inside = _best(section.text[passage.start : passage.end], weights, [])
        if inside is not None and (best is None or inside[:2] > best[:2]):
            _, score, low, high, states = inside
            low, high = low + passage.start, high + passage.start
            label = section_names(document.full_text)[passage.section]
            sentence = section.text[low:high]
            return EvidenceSentence(sentence, low, high, round(score, 6), label), states
    if best is None:
        return None
    _, score, low, high, states = best
    return EvidenceSentence(body[low:high], start + low, start + high, round(score, 6)), states


def _parts(document: Document) -> list[tuple[int, str]]:
    """Where the labelled sections of an abstract begin, and which part each is."""
    starts, at = [], 0
    for section in document.sections:
        if section.text:
            if section.label:
                starts.append((at, part_of_label(section.label)))
            at += len(section.text) + 1
    return starts


def _best(
    text: str, weights: Mapping[str, float], starts: list[tuple[int, str]]
) -> tuple[bool, float, int, int, bool] | None:
    """(shares a term with the question, score, start, end, states a finding) of the best one."""
    spans, read_of = _KEPT.of((text, tuple(starts)), lambda: _read(text, starts))
    ranker = shipped()
    best: tuple[bool, float, int, int] | None = None
    chosen: Features = {}
    overlaps = read_of.overlaps(weights)
    most = max(overlaps, default=0.0)
    for at, overlap in enumerate(overlaps):
        # One that shares nothing is never better than one that shares something.
        row = read_of.row(at, overlap, most) if overlap > 0 or most <= 0 else None
        if row is None:
            continue
        candidate = (overlap > 0, ranker.score(row), *spans[at])
        if best is None or candidate[:2] > best[:2]:
            best, chosen = candidate, row
    return None if best is None else (*best, ranker.states(chosen))


def _read(text: str, starts: list[tuple[int, str]]) -> tuple[list[tuple[int, int]], Sentences]:
    """The sentences of a text by their places, and what they hold."""
    spans = list(sentences(text))
    parts = []
    if starts:
        begins = [begin for begin, _ in starts]
        for low, _ in spans:
            at = bisect_right(begins, low) - 1
            parts.append(starts[at][1] if at >= 0 else "")
    return spans, Sentences([text[low:high] for low, high in spans], parts)


def highlight(text: str, weights: Mapping[str, float]) -> tuple[tuple[int, int], ...]:
    """Where a text holds one of the terms: whole words, or pairs of Chinese characters, joined."""
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        places = [(start, match.end(), word)]
        if not word.isascii() and len(word) > 2 and is_chinese(word):
            places = [(start + i, start + i + 2, word[i : i + 2]) for i in range(len(word) - 1)]
        for low, high, piece in places:
            if any(weights.get(term, 0.0) > 0 for term in terms_of_word(piece)):
                if spans and low <= spans[-1][1]:
                    spans[-1] = (spans[-1][0], high)
                else:
                    spans.append((low, high))
    return tuple(spans)
