"""Measures of this room: average precision of scores, hits of a sentence ranker, and the forms in
which the paper's tables print them.

Table 5's recall and F1 follow from the accuracy alone: gold has one class ("relevant") of two, so
its macro averages are accuracy / 2 and accuracy / (1 + accuracy). They are printed beside the
accuracy because the paper prints them; they say nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from osler.rank.pool import Floats, Ints
from osler.rank.sentence_ranker import Abstract, SentenceRanker


def average_precision(scores: Floats, relevant: npt.NDArray[np.bool_]) -> float:
    """Precision at each relevant paper, averaged; papers in the order of scores, ties by row."""
    if not relevant.any():
        return 0.0
    ranked = relevant[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float(precision[ranked].mean())


def mean_average_precision(scores: Floats, targets: Ints) -> float:
    """Over all papers: each topic ranks every one of them."""
    return float(
        np.mean([average_precision(scores[:, t], targets == t) for t in range(scores.shape[1])])
    )


def clustered_map(scores: Floats, labels: Ints, targets: Ints) -> float:
    """As the paper seems to have measured: each topic ranks only the papers that were predicted to
    be its own, and relevant papers that went to another cluster are not missed."""
    values = []
    for topic in range(scores.shape[1]):
        own = labels == topic
        if (targets[own] == topic).any():
            values.append(average_precision(scores[own, topic], targets[own] == topic))
    return float(np.mean(values)) if values else 0.0


def sentence_hits(ranker: SentenceRanker, abstracts: Sequence[Abstract]) -> list[float]:
    """1 for each paper whose best sentence is, as it stands, one that was chosen, else 0."""
    hits = []
    for abstract in abstracts:
        scores = ranker.scores(abstract)
        right = len(scores) > 0 and abstract.sentences[int(np.argmax(scores))] in abstract.chosen
        hits.append(float(right))
    return hits


def printed_recall(accuracy: float) -> float:
    """Table 5's "recall"."""
    return accuracy / 2


def printed_f1(accuracy: float) -> float:
    """Table 5's "F1"."""
    return accuracy / (1 + accuracy)
