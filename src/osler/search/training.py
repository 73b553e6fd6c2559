"""Training the weights of ``concepts``: judged questions of a library as lessons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from osler.errors import InputError
from osler.learn.card import Card, Measured, data_hash, versions
from osler.measures.intervals import bootstrap_interval
from osler.retrieve.learned import LearnedWeights, Lesson, ideal_dcg, ndcg, train
from osler.search.concepts import WEIGHTS, Concepts
from osler.search.judged import rows_of
from osler.search.searcher import DEPTH, Searcher

Progress = Callable[[int, int], None]
HELD_OUT = 5
"""Every fifth question is held out to measure; the weights that are kept learn from all."""


def lessons(
    searcher: Searcher,
    queries: Mapping[str, str],
    judgements: Mapping[str, Mapping[str, int]],
    *,
    ranker: Concepts | None = None,
    progress: Progress | None = None,
) -> list[Lesson]:
    """One lesson a question that has a relevant document. The votes of judged questions play no
    part: they would let a question teach itself."""
    ranker = ranker or Concepts()
    wanted = [id for id in sorted(queries) if any(g > 0 for g in judgements.get(id, {}).values())]
    if not wanted:
        raise InputError("no query has a relevant document", cure="give queries with their qrels")
    rows, _ = rows_of(searcher.view, sorted({d for id in wanted for d in judgements[id]}))
    learned = []
    for number, id in enumerate(wanted, 1):
        request = searcher.request(queries[id], DEPTH, None, plain=True)
        with searcher.truth.snapshot():
            _, pool, standard = ranker.standard(request, searcher.view)
        grade = {rows[d]: float(g) for d, g in judgements[id].items() if d in rows}
        grades = np.array([max(grade.get(row, 0.0), 0.0) for row in pool.rows.tolist()])
        learned.append(Lesson(standard, grades, ideal_dcg(list(judgements[id].values()))))
        if progress:
            progress(number, len(wanted))
    return learned


def train_search(
    searcher: Searcher,
    queries: Mapping[str, str],
    judgements: Mapping[str, Mapping[str, int]],
    *,
    data: str = "judged questions of one library",
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[LearnedWeights, Card]:
    """Weights for ``Concepts(learned=...)`` and their card, measured on held-out questions."""
    learned_from = lessons(searcher, queries, judgements, progress=progress)
    weights = train(learned_from, seed=seed)
    measures = _measured(learned_from, seed)
    taken, verdict = _verdict(measures)
    card = Card(
        name="weights of the concept search",
        what="How much each channel of the ranker ``concepts`` counts: three weights a channel.",
        method="LambdaRank (nDCG@10) over standard scores, their damped form and ranks",
        data=f"{data}: {len(learned_from)} questions",
        data_hash=data_hash(
            f"{q}\t{d}\t{g}" for q in sorted(judgements) for d, g in sorted(judgements[q].items())
        ),
        seed=seed,
        measures=measures,
        taken=taken,
        verdict=verdict,
        versions=versions(("osler", "numpy")),
        intended_use="Searching medical literature; other collections, since no feature holds "
        "anything of one.",
        known_failures=(
            "Learned from one kind of question, it can lose on another: compare it with the fixed "
            "weights on questions of your own before you rely on it.",
        ),
    )
    weights.card = {
        "questions": len(learned_from),
        "method": card.method,
        "data": data,
        "data_hash": card.data_hash,
        "seed": seed,
        "measured": {one.name: one.value for one in card.measures},
    }
    return weights, card


def _verdict(measures: Sequence[Measured]) -> tuple[bool, str]:
    """Whether the learned weights are worth using: not where they lost on held-out questions."""
    if len(measures) < 2:
        return True, "too few questions to compare it with the fixed weights"
    fixed, learned = (one.value or 0.0 for one in measures)
    account = f"nDCG@10 on held-out questions {learned:.4f}, with the fixed weights {fixed:.4f}"
    return learned >= fixed, account


def _measured(lessons_held: Sequence[Lesson], seed: int) -> tuple[Measured, ...]:
    """Fixed and learned weights on every fifth question, learned from the others."""
    held = lessons_held[::HELD_OUT]
    taught = [one for at, one in enumerate(lessons_held) if at % HELD_OUT]
    if len(held) < 2 or not taught:
        return ()
    learned = train(taught, seed=seed)
    fixed = LearnedWeights({name: (weight, 0.0, 0.0) for name, weight in WEIGHTS.items()})
    rows = []
    for name, weights in (("fixed weights", fixed), ("learned weights", learned)):
        values = [ndcg(one, weights) for one in held]
        interval = bootstrap_interval(values)
        rows.append(
            Measured(
                name=f"nDCG@10, {name}",
                value=round(interval.value, 4),
                low=round(interval.low, 4),
                high=round(interval.high, 4),
                on=f"{len(held)} held-out questions, re-ranking their best candidates",
            )
        )
    return tuple(rows)
