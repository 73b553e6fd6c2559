"""BM25 with thresholds (Robertson and Zaragoza 2009; appendix A.3, A.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from osler.grade.grader import Floats
from osler.grade.pair import Pair
from osler.text.bm25 import idf, saturated
from osler_papers.grade.tfidf import fact_terms, paper_terms
from osler_papers.grade.thresholds import ThresholdGrader


class BM25Grader(ThresholdGrader):
    name = "bm25"
    help = "BM25 of the fact's words with thresholds"
    thresholds = (0.6, 0.45, 0.35)

    def learn(self, pairs: Sequence[Pair]) -> None:
        papers = {pair.text: paper_terms(pair) for pair in pairs}
        self.papers = len(papers)
        self.usual = sum(map(len, papers.values())) / max(1, len(papers)) or 1.0
        self.frequency = dict(Counter(term for paper in papers.values() for term in set(paper)))

    def raw(self, pairs: Sequence[Pair]) -> Floats:
        values = []
        for pair in pairs:
            paper = paper_terms(pair)
            counts = Counter(paper)
            shared = [term for term in set(fact_terms(pair)) if term in counts]
            values.append(
                sum(
                    idf(self.frequency.get(term, 0), self.papers)
                    * saturated(counts[term], len(paper), self.usual)
                    for term in shared
                )
            )
        return np.array(values)

    def own_state(self) -> dict[str, Any]:
        return {"papers": self.papers, "usual": self.usual, "frequency": self.frequency}

    def own_restore(self, config: Mapping[str, Any]) -> None:
        self.papers, self.usual = int(config["papers"]), float(config["usual"])
        self.frequency = {str(term): int(n) for term, n in config["frequency"].items()}
