"""Several runs against the first: means, differences, tests, Holm's correction.

Holm's family is every comparison of one table: each further run, on each measure. The three tests
are corrected apart, since they are three answers to one question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from osler.errors import InputError
from osler.measures.intervals import Interval, bootstrap_interval
from osler.measures.retrieval import DEFAULT, aggregate, per_query
from osler.measures.significance import Difference, bootstrap, holm, paired_t, wilcoxon


class Comparison(msgspec.Struct, frozen=True):
    """One run against the base on one measure. ``difference`` is the run's mean minus the base's;
    the ``*_holm`` values are the p-values corrected over the whole table."""

    run: str
    base: str
    measure: str
    difference: Difference
    wins: int
    losses: int
    wilcoxon: float
    t: float
    bootstrap: float
    wilcoxon_holm: float
    t_holm: float
    bootstrap_holm: float


class Evaluation(msgspec.Struct, frozen=True):
    """Means with their bootstrap intervals by run and measure, values by query, comparisons."""

    queries: int
    measures: tuple[str, ...]
    means: dict[str, dict[str, Interval]]
    per_query: dict[str, dict[str, dict[str, float]]]
    comparisons: tuple[Comparison, ...] = ()


def compare(
    qrels: Mapping[str, Mapping[str, int]],
    runs: Mapping[str, Mapping[str, Mapping[str, float]]],
    measures: Sequence[str] = DEFAULT,
    *,
    base: str | None = None,
    samples: int = 10_000,
    seed: int = 0,
) -> Evaluation:
    """Evaluate runs by name; with several, compare each with ``base`` (the first, by default)."""
    if not runs:
        raise InputError("there is no run to evaluate")
    measures = tuple(dict.fromkeys(measures))
    if not measures:
        raise InputError("there is no measure to evaluate by")
    base = next(iter(runs)) if base is None else base
    if base not in runs:
        raise InputError(f"there is no run {base!r} to compare with")
    values = {name: per_query(qrels, run, measures) for name, run in runs.items()}
    means = {name: _means(table, samples=samples, seed=seed) for name, table in values.items()}
    rows = []
    for name in runs:
        if name == base:
            continue
        for measure in measures:
            # per_query sorts by query, so the two lists are paired.
            ours = list(values[name][measure].values())
            theirs = list(values[base][measure].values())
            rows.append((name, measure, ours, theirs))
    compared = [
        (
            wilcoxon(ours, theirs).p,
            paired_t(ours, theirs).p,
            bootstrap(ours, theirs, samples=samples, seed=seed),
        )
        for _, _, ours, theirs in rows
    ]
    by_wilcoxon = holm([p for p, _, _ in compared])
    by_t = holm([p for _, p, _ in compared])
    by_bootstrap = holm([difference.p for _, _, difference in compared])
    comparisons = tuple(
        Comparison(
            run=name,
            base=base,
            measure=measure,
            difference=compared[i][2],
            wins=sum(a > b for a, b in zip(ours, theirs, strict=True)),
            losses=sum(a < b for a, b in zip(ours, theirs, strict=True)),
            wilcoxon=compared[i][0],
            t=compared[i][1],
            bootstrap=compared[i][2].p,
            wilcoxon_holm=by_wilcoxon[i],
            t_holm=by_t[i],
            bootstrap_holm=by_bootstrap[i],
        )
        for i, (name, measure, ours, theirs) in enumerate(rows)
    )
    queries = len(next(iter(next(iter(values.values())).values())))
    return Evaluation(queries, measures, means, values, comparisons)


def _means(
    table: Mapping[str, Mapping[str, float]], *, samples: int, seed: int
) -> dict[str, Interval]:
    means = {}
    for measure, values in table.items():
        interval = bootstrap_interval(list(values.values()), samples=samples, seed=seed)
        total = aggregate(measure, values)
        # A count is summed, not averaged: its interval grows by the number of queries.
        factor = total / interval.value if interval.value else 1.0
        means[measure] = Interval(total, interval.low * factor, interval.high * factor)
    return means
