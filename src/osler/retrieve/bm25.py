"""BM25 at another setting than the engine's: candidates are scored again.

score(d) = sum over fields f of weight(f) * BM25(f), the formula of :mod:`osler.text.bm25`. The
engine is built for k1 = 1.2, b = 0.75; it brings the candidates, and lengths are counted anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from osler.errors import InputError
from osler.kinds import Document
from osler.kinds.query import Node
from osler.retrieve.channel import Candidates
from osler.retrieve.parse import words_of
from osler.retrieve.view import View
from osler.store.analyser import analyse
from osler.store.compile import DEFAULT_WEIGHTS
from osler.text.bm25 import K1, B, idf, saturated
from osler.text.stopwords import STOPWORDS


class BM25:
    """Scores candidates at its own k1 and b."""

    def __init__(self, *, k1: float = K1, b: float = B) -> None:
        if not (k1 >= 0 and 0 <= b <= 1):
            raise InputError("BM25 takes k1 of 0 or more and b between 0 and 1")
        self.k1 = k1
        self.b = b

    def rescore(
        self,
        node: Node,
        candidates: Candidates,
        view: View,
        *,
        weights: Mapping[str, float] = DEFAULT_WEIGHTS,
    ) -> Candidates:
        words = [w for w in " ".join(words_of(node)).split() if w.lower() not in STOPWORDS]
        terms = Counter(analyse(" ".join(words or words_of(node))))
        documents = view.documents.by_rows(candidates.rows.tolist())
        statistics = {
            field: (
                view.engine.average_length(field),
                {term: self._idf(view, term, field) for term in terms},
            )
            for field in weights
        }
        scores = np.zeros(len(candidates))
        for place, row in enumerate(candidates.rows.tolist()):
            if row in documents:
                scores[place] = self._score(documents[row], terms, weights, statistics)
        return Candidates(candidates.rows, scores, candidates.seqs).among(view.total)

    def _idf(self, view: View, term: str, field: str) -> float:
        return float(idf(view.engine.document_frequency(term, field), view.total))

    def _score(
        self,
        document: Document,
        terms: Counter[str],
        weights: Mapping[str, float],
        statistics: Mapping[str, tuple[float, Mapping[str, float]]],
    ) -> float:
        texts = {
            "title": document.title,
            "abstract": document.abstract,
            "keywords": " . ".join(document.keywords),
        }
        score = 0.0
        for field, weight in weights.items():
            own = analyse(texts.get(field, ""))
            average, rarity = statistics[field]
            if not own or not average:
                continue
            counts = Counter(own)
            for term, times in terms.items():
                tf = counts.get(term, 0)
                if tf:
                    gain = saturated(tf, len(own), average, k1=self.k1, b=self.b)
                    score += weight * times * rarity[term] * gain
        return score
