"""The evidence sentence: the sentence of a document that says most of what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from osler.kinds import Document, EvidenceSentence
from osler.store.analyser import analyse, is_chinese
from osler.text.sentences import sentences

_WORD = re.compile(r"[^\W_]+")
# A sentence of this many terms is neither favoured nor held back for its length.
_USUAL_TERMS = 25


def best_sentence(document: Document, weights: Mapping[str, float]) -> EvidenceSentence | None:
    """The sentence whose terms weigh most; the earlier of two equals.

    ``weights`` maps index terms to their worth (idf). Long sentences hold more terms by chance:
    the sum is damped by length, gently. Titles are shown anyway, so a sentence of the abstract is
    preferred wherever there is one.
    """
    text = document.text
    start = len(document.title) + 1
    body = text[start:]
    if not body.strip():
        body, start = document.title, 0
    best: tuple[float, int, int] | None = None
    for low, high in sentences(body):
        terms = analyse(body[low:high])
        if not terms:
            continue
        found = sum(weights.get(term, 0.0) for term in set(terms))
        score = found / (0.75 + 0.25 * len(terms) / _USUAL_TERMS)
        if best is None or score > best[0]:
            best = (score, low, high)
    if best is None:
        return None
    score, low, high = best
    return EvidenceSentence(body[low:high], start + low, start + high, round(score, 6))


def highlight(text: str, weights: Mapping[str, float]) -> tuple[tuple[int, int], ...]:
    """Where a text holds one of the terms: whole words, or pairs of Chinese characters, joined."""
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        places = [(start, match.end(), word)]
        if not word.isascii() and len(word) > 2 and is_chinese(word):
            places = [(start + i, start + i + 2, word[i : i + 2]) for i in range(len(word) - 1)]
        for low, high, piece in places:
            if any(weights.get(term, 0.0) > 0 for term in analyse(piece)):
                if spans and low <= spans[-1][1]:
                    spans[-1] = (spans[-1][0], high)
                else:
                    spans.append((low, high))
    return tuple(spans)
