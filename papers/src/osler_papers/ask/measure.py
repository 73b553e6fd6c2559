"""Measures of Table 5: sets of predicted entities against sets of gold ones.

Precision, recall and micro-F1 count entities over all questions; accuracy is the share of
questions whose predicted set equals the gold set; macro-F1 is the mean of per-question F1; Hits@1
asks for one right answer among those given (the first, where an order is given).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Scores:
    answers: int
    gold: int
    precision: float
    recall: float
    accuracy: float
    micro_f1: float
    macro_f1: float
    hits_at_1: float
    refused: float

    def as_dict(self) -> dict[str, float]:
        return {name: float(value) for name, value in asdict(self).items()}


def measure(predicted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> Scores:
    """``predicted[i]`` and ``gold[i]`` are the entities of question i, best first where ordered."""
    right = given = wanted = exact = hits = refused = 0
    f1s: list[float] = []
    for answers, truth in zip(predicted, gold, strict=True):
        p, g = set(answers), set(truth)
        shared = len(p & g)
        right, given, wanted = right + shared, given + len(p), wanted + len(g)
        exact += p == g
        refused += not p
        hits += bool(answers) and answers[0] in g
        f1s.append(2 * shared / (len(p) + len(g)) if p or g else 1.0)
    count = max(len(f1s), 1)
    return Scores(
        answers=given,
        gold=wanted,
        precision=right / given if given else 0.0,
        recall=right / wanted if wanted else 0.0,
        accuracy=exact / count,
        micro_f1=2 * right / (given + wanted) if given + wanted else 0.0,
        macro_f1=sum(f1s) / count,
        hits_at_1=hits / count,
        refused=refused / count,
    )
