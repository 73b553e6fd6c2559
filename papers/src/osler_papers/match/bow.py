"""BOW, the paper's first baseline: the cosine of two vectors of word counts (seed 001, 4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import numpy as np

from osler.match.matcher import Candidate, Floats, Matcher


class BOW(Matcher):
    """Nothing is learned: every word counts alike."""

    name = "bow"
    help = "cosine of word counts"

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        asked = Counter(self.sources.texts.words(question))
        length = _length(asked)
        found = np.zeros(len(candidates))
        for at, candidate in enumerate(candidates):
            told = Counter(self.sources.texts.words(candidate.text))
            shared = sum(count * told[word] for word, count in asked.items())
            found[at] = shared / (length * _length(told)) if shared else 0.0
        return found


def _length(counts: Counter[str]) -> float:
    return sqrt(sum(count * count for count in counts.values()))
