"""Published numbers of HiCapsRKL's Tables 2, 3 and 4, and how ours are set beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from osler.grade.scale import GRADES, SAMPLE
from osler.measures.significance import wilcoxon

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
RESAMPLES = 2_000
HALVES = 20

# Method: (micro-F1, macro-F1), per cent.
TABLE_2: dict[str, tuple[float, float]] = {
    "rule": (33.1, 24.8),
    "tfidf": (35.5, 30.4),
    "bm25": (38.7, 33.2),
    "knrm": (40.1, 35.2),
    "conv-knrm": (45.2, 40.4),
    "cross-encoder": (59.7, 49.2),
    "siamese": (59.1, 48.4),
    "medl-transh": (58.3, 46.9),
    "medl-rotate": (58.8, 47.9),
    "medl-transd": (59.7, 48.6),
    "medl-transe": (58.4, 49.2),
    "hicapsrkl": (64.9, 54.8),
}
# Method: MRR, MAP, P@10 (each for H / H and F), NDCG@10.
TABLE_3: dict[str, str] = {
    "rule": "54.6/73.5, 43.4/67.7, 47.8/67.7, 76.1",
    "bm25": "53.6/74.8, 43.0/70.7, 42.6/69.4, 74.4",
    "tfidf": "54.8/76.9, 43.3/70.7, 43.4/69.9, 75.8",
    "knrm": "53.9/78.1, 43.2/72.1, 42.7/70.2, 77.1",
    "conv-knrm": "54.1/78.9, 43.3/72.5, 43.5/70.9, 77.5",
    "cross-encoder": "54.0/83.4, 42.4/73.6, 39.1/70.8, 78.2",
    "siamese": "55.2/83.3, 44.6/73.7, 42.9/72.2, 80.1",
    "medl-rotate": "52.7/78.7, 43.5/73.1, 41.7/71.3, 76.7",
    "medl-transh": "57.6/80.3, 44.7/73.4, 43.2/72.0, 78.4",
    "medl-transd": "56.9/82.6, 44.7/73.2, 43.9/71.3, 78.5",
    "medl-transe": "54.7/81.6, 44.9/74.5, 44.6/73.7, 79.2",
    "hicapsrkl": "59.8/83.7, 46.0/75.2, 46.6/74.1, 81.2",
}
# Ablation: micro-F1, macro-F1, NDCG@10.
TABLE_4: dict[str, tuple[float, float, float]] = {
    "HiCapsRKL": (64.9, 54.8, 81.2),
    "w/ CapsR MedL": (64.1, 53.8, 80.4),
    "w/o CapsR KImp": (63.8, 53.1, 80.1),
    "w/o CapsR RCor": (63.5, 52.5, 79.8),
    "w/o CapsR": (63.1, 50.7, 79.1),
    "w/o KImp": (62.2, 50.1, 78.9),
    "w/o RCor": (60.5, 49.2, 78.2),
    "w/o RCor&KImp": (59.7, 49.2, 77.4),
}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table as lines."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def macro_f1(gold: Ints, called: Ints, count: int) -> float:
    """Macro-F1 over ``count`` classes; quick, for resampling."""
    matrix = np.bincount(gold * count + called, minlength=count * count).reshape(count, count)
    hits = np.diag(matrix)
    total = matrix.sum(0) + matrix.sum(1)
    return float(np.mean(np.where(total > 0, 2 * hits / np.where(total == 0, 1, total), 0.0)))


class Scored:
    """A method's cross-validated probabilities, a table a seed, held against the gold labels."""

    def __init__(self, gold: Ints, seeds: Sequence[Floats]) -> None:
        self.gold = gold
        self.gold4 = np.array([GRADES.index(SAMPLE.grades[at]) for at in gold])
        self.raw = [one.argmax(1) for one in seeds]
        self.grades = [SAMPLE.by_grade(one).argmax(1) for one in seeds]
        self.seeds = list(seeds)

    def macro(self, rows: Ints | None = None, *, raw: bool = False) -> float:
        """The mean of the seeds' macro-F1, over four grades or five raw labels."""
        at = np.arange(len(self.gold)) if rows is None else rows
        gold, called, count = (
            (self.gold, self.raw, 5) if raw else (self.gold4, self.grades, len(GRADES))
        )
        return float(np.mean([macro_f1(gold[at], one[at], count) for one in called]))

    def micro(self, *, raw: bool = False) -> float:
        gold, called = (self.gold, self.raw) if raw else (self.gold4, self.grades)
        return float(np.mean([(gold == one).mean() for one in called]))

    def sides(self) -> tuple[float, float]:
        """How often the probabilities of labels, added up, name the right RCor and the right KImp:
        which of the two a method has learned."""
        shares = []
        for levels in (np.array(SAMPLE.rcor), np.array(SAMPLE.kimp)):
            names = np.unique(levels)
            added = [
                np.stack([p[:, levels == n].sum(1) for n in names], axis=1) for p in self.seeds
            ]
            right = [(names[one.argmax(1)] == levels[self.gold]).mean() for one in added]
            shares.append(float(np.mean(right)))
        return shares[0], shares[1]

    def interval(self, *, seed: int = 0) -> tuple[float, float]:
        """95 % of macro-F1 (four grades) over resampled pairs."""
        drawn = [self.macro(rows) for rows in resamples(len(self.gold), seed=seed)]
        low, high = np.quantile(drawn, [0.025, 0.975])
        return float(low), float(high)


def resamples(count: int, *, seed: int = 0, samples: int = RESAMPLES) -> list[Ints]:
    generator = np.random.default_rng(seed)
    return [generator.integers(0, count, size=count) for _ in range(samples)]


def paired_p(first: Scored, second: Scored, *, seed: int = 0) -> float:
    """Two-sided p of a paired bootstrap over pairs: macro-F1 of four grades."""
    gaps = np.array(
        [first.macro(rows) - second.macro(rows) for rows in resamples(len(first.gold), seed=seed)]
    )
    tail = min(float((gaps <= 0).mean()), float((gaps >= 0).mean()))
    return min(1.0, 2 * max(tail, 1 / len(gaps)))


def drawn_p(first: Scored, second: Scored, *, seed: int = 0) -> float:
    """The same with the seeds of each method drawn too: whether other trainings of the two would
    stand in this order on other pairs."""
    generator = np.random.default_rng(seed)
    gaps = []
    for rows in resamples(len(first.gold), seed=seed):
        means = []
        for one in (first, second):
            drawn = generator.integers(0, len(one.grades), size=len(one.grades))
            gold = one.gold4[rows]
            by_seed = {
                int(at): macro_f1(gold, one.grades[int(at)][rows], len(GRADES)) for at in set(drawn)
            }
            means.append(float(np.mean([by_seed[int(at)] for at in drawn])))
        gaps.append(means[0] - means[1])
    tail = min(float(np.mean(np.array(gaps) <= 0)), float(np.mean(np.array(gaps) >= 0)))
    return min(1.0, 2 * max(tail, 1 / len(gaps)))


def published_p(first: Scored, second: Scored, *, seed: int = 0) -> float:
    """Section 4.4: Wilcoxon's test over 20 half-samples. They overlap, so that it overstates."""
    generator = np.random.default_rng(seed)
    halves = [generator.permutation(len(first.gold))[: len(first.gold) // 2] for _ in range(HALVES)]
    return wilcoxon([first.macro(h) for h in halves], [second.macro(h) for h in halves]).p


def per_cent(value: float) -> str:
    return f"{100 * value:.1f}"


def retrieval_row(found: Mapping[str, float]) -> list[str]:
    """MRR, MAP, P@10 for H / H and F, and NDCG@10."""
    pairs = (("RR(rel=2)", "RR"), ("AP(rel=2)", "AP"), ("P(rel=2)@10", "P@10"))
    cells = [f"{per_cent(found[a])}/{per_cent(found[b])}" for a, b in pairs]
    return [*cells, per_cent(found["nDCG@10"])]
