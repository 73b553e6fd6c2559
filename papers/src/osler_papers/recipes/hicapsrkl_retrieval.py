"""Table 3: the retrieval rows ranked by each method, as it scores and with an order on top.

The order (``osler.grade.order``: how much a paper names the two entities, cues of this and of other
relations in its title) is fitted on the 250 training rows, never on the rows that it is judged by:
ridge regression of their gains on the method's held-out score and the three parts. Every method
is given it in the same way, BM25, TF-IDF and a constant too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from osler.grade.grader import Floats
from osler.grade.order import parts
from osler.grade.pair import Pair
from osler.grade.scale import SAMPLE
from osler.measures.retrieval import evaluate, per_query
from osler.measures.significance import bootstrap
from osler_papers.recipes.hicapsrkl_tables import TABLE_3, per_cent, retrieval_row, table

MEASURES = ("nDCG@10", "RR(rel=2)", "RR", "AP(rel=2)", "AP", "P(rel=2)@10", "P@10")
RIDGE = 1.0
FITTED = ", fitted order"
RIVALS = ("bm25", "tfidf")


class Ranked:
    """A method's rankings of the retrieval rows, one a seed: measures by seed, nDCG@10 by fact."""

    def __init__(self, retrieval: Sequence[Pair], scores: Sequence[Floats]) -> None:
        qrels: dict[str, dict[str, int]] = {}
        for pair in retrieval:
            # The retrieval rows' own scale: 2 is best (H), 1 is F, 0 is neither.
            qrels.setdefault(pair.fact.text, {})[pair.paper_id] = int(str(pair.label))
        runs = [_run(retrieval, one) for one in scores]
        kept = [evaluate(qrels, run, MEASURES) for run in runs]
        self.means = {name: float(np.mean([one[name] for one in kept])) for name in MEASURES}
        by_fact = [per_query(qrels, run, ("nDCG@10",))["nDCG@10"] for run in runs]
        self.facts = {fact: float(np.mean([one[fact] for one in by_fact])) for fact in qrels}

    @property
    def ndcg(self) -> float:
        return self.means["nDCG@10"]


def fitted_order(
    rows: Sequence[Pair], held: Floats, retrieval: Sequence[Pair], scores: Floats
) -> Floats:
    """The method's scores of the retrieval rows with an order learned from the training rows:
    ``held`` are its scores of those, each from a grader that had not seen it."""
    gains = np.array([SAMPLE.gains[SAMPLE.place(str(pair.label))] for pair in rows])
    seen = np.column_stack([held, parts(rows)])
    mean, spread = seen.mean(0), seen.std(0)
    spread = np.where(spread == 0, 1.0, spread)
    table_ = (seen - mean) / spread
    weights = np.linalg.solve(
        table_.T @ table_ + RIDGE * np.eye(table_.shape[1]), table_.T @ (gains - gains.mean())
    )
    asked = (np.column_stack([scores, parts(retrieval)]) - mean) / spread
    return np.asarray(asked @ weights, dtype=np.float64)


def table_3(ranked: Mapping[str, Ranked], got: dict[str, float]) -> list[str]:
    """Rows in the order of NDCG@10, and gaps with intervals over the facts."""
    heads = ("method", "MRR", "MAP", "P@10", "NDCG@10", "published MRR, MAP, P@10, NDCG@10")
    cells = []
    for name, one in sorted(ranked.items(), key=lambda item: -item[1].ndcg):
        cells.append([name, *retrieval_row(one.means), TABLE_3.get(name, "")])
        got[f"{name} nDCG@10"] = one.ndcg
    lines = ["## Table 3: the retrieval rows (5 facts, 170 papers)", "", *table(heads, cells), ""]
    for name in ("hicapsrkl", "evidence", "constant"):
        for rival in RIVALS:
            first, second = ranked.get(name + FITTED), ranked.get(rival + FITTED)
            if first is None or second is None:
                continue
            facts = sorted(first.facts)
            gap = bootstrap(
                [first.facts[f] for f in facts], [second.facts[f] for f in facts], samples=2_000
            )
            wins = sum(first.facts[f] > second.facts[f] for f in facts)
            lines.append(
                f"{name} less {rival}, both with the fitted order: {per_cent(gap.mean)} "
                f"({per_cent(gap.low)} to {per_cent(gap.high)}), better in {wins} of "
                f"{len(facts)} facts, p = {gap.p:.3f}"
            )
            got[f"{name} over {rival}, fitted order, nDCG@10"] = gap.mean
    lines.append("Five facts: even five wins of five have p = 0.06 by a sign test.")
    return [*lines, ""]


def _run(pairs: Sequence[Pair], scores: Floats) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = {}
    for pair, score in zip(pairs, scores.tolist(), strict=True):
        run.setdefault(pair.fact.text, {})[pair.paper_id] = score
    return run
