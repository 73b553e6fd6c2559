"""TF·IDF with thresholds (appendix A.3, A.4): the cosine of fact and paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from osler.grade.grader import Floats
from osler.grade.pair import Pair
from osler.text.tokens import terms
from osler_papers.grade.thresholds import ThresholdGrader


def paper_terms(pair: Pair) -> list[str]:
    return terms(f"{pair.text}\n{' '.join(pair.keywords)}", stopwords=False)


def fact_terms(pair: Pair) -> list[str]:
    return terms(f"{pair.fact.head} {pair.fact.relation} {pair.fact.tail}", stopwords=False)


class TfIdf(ThresholdGrader):
    name = "tfidf"
    help = "TF-IDF cosine with thresholds"
    thresholds = (0.75, 0.6, 0.45)

    def learn(self, pairs: Sequence[Pair]) -> None:
        papers = list({pair.text: set(paper_terms(pair)) for pair in pairs}.values())
        self.papers = len(papers)
        self.frequency = dict(Counter(term for paper in papers for term in paper))

    def _weights(self, found: Sequence[str]) -> dict[str, float]:
        return {
            term: (1 + math.log(n))
            * math.log((1 + self.papers) / (1 + self.frequency.get(term, 0)))
            for term, n in Counter(found).items()
        }

    def raw(self, pairs: Sequence[Pair]) -> Floats:
        values = []
        for pair in pairs:
            fact, paper = self._weights(fact_terms(pair)), self._weights(paper_terms(pair))
            dot = sum(weight * paper.get(term, 0.0) for term, weight in fact.items())
            norm = math.sqrt(sum(w * w for w in fact.values()) * sum(w * w for w in paper.values()))
            values.append(dot / norm if norm else 0.0)
        return np.array(values)

    def own_state(self) -> dict[str, Any]:
        return {"papers": self.papers, "frequency": self.frequency}

    def own_restore(self, config: Mapping[str, Any]) -> None:
        self.papers = int(config["papers"])
        self.frequency = {str(term): int(n) for term, n in config["frequency"].items()}
