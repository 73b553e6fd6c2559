"""A library's own pairs as candidates: those whose question or answer shares pieces with a
question, found by BM25 over both, before a matcher looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.kinds import Pair
from osler.match.lexicon import Lexicon
from osler.match.matcher import Candidate
from osler.match.splits import key
from osler.match.texts import Texts
from osler.stopping import check_stopped

CANDIDATES = 200
"""Pairs that a matcher gets to see."""


class PairPool:
    """Pairs as sparse rows of BM25 weights over words' pieces."""

    def __init__(self, pairs: Sequence[Pair], texts: Texts) -> None:
        from scipy import sparse

        self.pairs = list(pairs)
        whole = [f"{pair.question}\n{pair.answer}" for pair in self.pairs]
        self.lexicon = Lexicon.build(texts.grams, whole)
        rows = self.lexicon.rows(whole)
        weights = self.lexicon.saturated(rows) * self.lexicon.idf[rows.ids]
        shape = (len(self.pairs), len(self.lexicon))
        matrix: Any = sparse.csr_matrix((weights, (rows.owner, rows.ids)), shape)
        self.matrix = matrix

    def __len__(self) -> int:
        return len(self.pairs)

    def candidates(self, question: str, *, most: int = CANDIDATES) -> list[Candidate]:
        """The nearest pairs' answers, each text once, ties by id."""
        row = self.lexicon.row(question)
        if not len(row.ids) or not self.pairs:
            return []
        asked = np.zeros(len(self.lexicon))
        asked[row.ids] = 1.0
        scores = self.matrix @ asked
        near = np.flatnonzero(scores > 0)
        order = sorted(near.tolist(), key=lambda at: (-scores[at], self.pairs[at].id))
        found: dict[str, Candidate] = {}
        for at in order:
            check_stopped()
            if len(found) == most:
                break
            pair = self.pairs[at]
            found.setdefault(key(pair.answer), Candidate(pair.id, pair.answer))
        return list(found.values())
