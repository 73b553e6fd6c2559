"""A library's own pairs as candidates: those whose question or answer shares pieces with a
question, found by BM25 over both, before a matcher looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.kinds import Pair
from osler.match.asking import focus
from osler.match.lexicon import Lexicon
from osler.match.matcher import Candidate
from osler.match.splits import key
from osler.match.texts import Texts
from osler.stopping import check_stopped

CANDIDATES = 200
"""Pairs that a matcher gets to see."""
FOCUS = 2.0
FEW = 40
"""... where it was not trained, and a dozen of them are read closely anyway."""


class PairPool:
    """Pairs as sparse rows of BM25 weights over words' pieces: of a pair's two texts, and of its
    question alone, where what the asked question is about counts ``FOCUS`` times."""

    def __init__(self, pairs: Sequence[Pair], texts: Texts) -> None:
        self.pairs = list(pairs)
        whole = [f"{pair.question}\n{pair.answer}" for pair in self.pairs]
        self.lexicon = Lexicon.build(texts.grams, whole)
        self.matrix = self._weights(whole)
        self.questions = self._weights([pair.question for pair in self.pairs])

    def _weights(self, texts: Sequence[str]) -> Any:
        from scipy import sparse

        rows = self.lexicon.rows(texts)
        weights = self.lexicon.saturated(rows) * self.lexicon.idf[rows.ids]
        return sparse.csr_matrix(
            (weights, (rows.owner, rows.ids)), (len(texts), len(self.lexicon))
        ).tocsc()

    def __len__(self) -> int:
        return len(self.pairs)

    def candidates(self, question: str, *, most: int = CANDIDATES) -> list[Candidate]:
        """The nearest pairs' answers, each text once, the nearest first, ties by id."""
        row = self.lexicon.row(question)
        if not len(row.ids) or not self.pairs:
            return []
        about = self.lexicon.row(focus(question))
        # Columns of the asked pieces alone: the rest of a large collection is not touched.
        scores = np.asarray(self.matrix[:, row.ids].sum(1)).ravel()
        if len(about.ids):
            scores = scores + FOCUS * np.asarray(self.questions[:, about.ids].sum(1)).ravel()
        near = np.flatnonzero(scores > 0)
        # A text may stand more than once: a few more than are wanted, and all if that is too few.
        for wanted in (4 * most, len(near)):
            found = self._first(near, scores, wanted, most)
            if len(found) == most or len(near) <= wanted:
                break
        return list(found.values())

    def _first(self, near: Any, scores: Any, wanted: int, most: int) -> dict[str, Candidate]:
        if len(near) > wanted:
            # Those that are level with the last stay together, so that ids decide.
            near = near[scores[near] >= np.partition(scores[near], -wanted)[-wanted]]
        found: dict[str, Candidate] = {}
        for at in sorted(near.tolist(), key=lambda at: (-scores[at], self.pairs[at].id)):
            check_stopped()
            if len(found) == most:
                break
            pair = self.pairs[at]
            found.setdefault(key(pair.answer), Candidate(pair.id, pair.answer, pair.question))
        return found
