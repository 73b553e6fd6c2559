"""BM25 with thresholds (Robertson and Zaragoza 2009; appendix A.3, A.4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from osler.grade.grader import Floats, graders
from osler.grade.methods.tfidf import fact_terms, paper_terms
from osler.grade.methods.thresholds import ThresholdGrader
from osler.grade.pair import Pair

K1, B = 1.2, 0.75


@graders.register("bm25")
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
            shortened = K1 * (1 - B + B * len(paper) / self.usual)
            total = 0.0
            for term in set(fact_terms(pair)):
                times = counts.get(term, 0)
                if times:
                    frequency = self.frequency.get(term, 0)
                    idf = math.log(1 + (self.papers - frequency + 0.5) / (frequency + 0.5))
                    total += idf * times * (K1 + 1) / (times + shortened)
            values.append(total)
        return np.array(values)

    def own_state(self) -> dict[str, Any]:
        return {"papers": self.papers, "usual": self.usual, "frequency": self.frequency}

    def own_restore(self, config: Mapping[str, Any]) -> None:
        self.papers, self.usual = int(config["papers"]), float(config["usual"])
        self.frequency = {str(term): int(n) for term, n in config["frequency"].items()}
