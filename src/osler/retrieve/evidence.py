"""The evidence sentence: the sentence of a document that says most of what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from osler.kinds import Document, EvidenceSentence
from osler.stopping import check_stopped
from osler.store.analyser import is_chinese, terms_of_sentence, terms_of_word
from osler.store.passages import Passage
from osler.text.sentences import sentences

_WORD = re.compile(r"[^\W_]+")
# A sentence of this many terms is neither favoured nor held back for its length.
_USUAL_TERMS = 25


def best_sentence(
    document: Document, weights: Mapping[str, float], passage: Passage | None = None
) -> EvidenceSentence | None:
    """The sentence whose terms weigh most; the earlier of two equals. ``passage`` is the part of
    the full text that was found: its sentences count too.

    ``weights`` maps index terms to their worth (idf). Long sentences hold more terms by chance:
    the sum is damped by length, gently. Titles are shown anyway, so a sentence of the abstract is
    preferred wherever there is one.
    """
    start = len(document.title) + 1
    body = document.text[start:]
    if not body.strip():
        body, start = document.title, 0
    best = _best(body, weights)
    if passage is not None:
        section = document.full_text[passage.section]
        inside = _best(section.text[passage.start : passage.end], weights)
        if inside is not None and (best is None or inside[0] > best[0]):
            score, low, high = inside
            low, high = low + passage.start, high + passage.start
            label = section.label or f"section {passage.section + 1}"
            return EvidenceSentence(section.text[low:high], low, high, round(score, 6), label)
    if best is None:
        return None
    score, low, high = best
    return EvidenceSentence(body[low:high], start + low, start + high, round(score, 6))


def _best(text: str, weights: Mapping[str, float]) -> tuple[float, int, int] | None:
    best: tuple[float, int, int] | None = None
    for low, high in sentences(text):
        check_stopped()
        terms = terms_of_sentence(text[low:high])
        if not terms:
            continue
        held = set(terms)
        # In the order of the question, so that the sum is the same in every run.
        found = sum([weight for term, weight in weights.items() if term in held])
        score = found / (0.75 + 0.25 * len(terms) / _USUAL_TERMS)
        if best is None or score > best[0]:
            best = (score, low, high)
    return best


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
