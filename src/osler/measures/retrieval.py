"""Measures of a ranking against graded judgements, by the names that ir-measures gives them.

``nDCG@10``, ``P@10``, ``R@100``, ``AP``, ``RR`` and the others are trec_eval's own code (through
ir-measures and pytrec_eval), so their values are trec_eval's; how trec_eval breaks ties is said in
``osler.measures.trec``. Averages run over the queries of the qrels: a query that the run lacks
scores zero (trec_eval's ``-c``); a query that only the run has is not counted.

One name is ours: ``nDCG-paper@k``, equation 4 of the paper on semantic enrichment (seed 002). It
discounts rank i by log2(i) from i = 2 and leaves the first two ranks undiscounted, since
log2(2) = 1; trec_eval discounts by log2(i + 1) from i = 1. Gains are the grades in both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from osler.errors import ChoiceError, InputError, LimitError
from osler.kinds import Run
from osler.measures.trec import Qrels

DEFAULT = ("nDCG@10", "P@10", "R@100", "AP")
PAPER = "nDCG-paper"
# trec_eval keeps an array as long as the highest grade.
MAX_GRADE = 10_000
MAX_DEPTH = 1_000_000
_PAPER = re.compile(r"nDCG-paper(?:@([0-9]{1,6}))?")


def evaluate(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    measures: Sequence[str] = DEFAULT,
) -> dict[str, float]:
    """Each measure's mean over the queries of the qrels (its sum, for measures that count)."""
    values = per_query(qrels, run, measures)
    return {name: aggregate(name, values[name]) for name in measures}


def per_query(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    measures: Sequence[str] = DEFAULT,
) -> dict[str, dict[str, float]]:
    """``{measure: {query: value}}`` with every query of the qrels, sorted by id."""
    parsed = {name: parse(name) for name in dict.fromkeys(measures)}
    if not qrels:
        raise InputError("there are no judgements to evaluate against")
    judged = {query: dict(qrels[query]) for query in sorted(qrels)}
    if any(abs(grade) > MAX_GRADE for grades in judged.values() for grade in grades.values()):
        raise LimitError(f"a grade is beyond {MAX_GRADE}, the highest that can be evaluated")
    whole_run: Run = {query: dict(run.get(query, {})) for query in judged}
    theirs = {name: measure for name, measure in parsed.items() if not isinstance(measure, int)}
    values = _ir_measures(judged, whole_run, theirs)
    for name, measure in parsed.items():
        if isinstance(measure, int):
            values[name] = {
                query: _paper_ndcg(judged[query], whole_run[query], measure) for query in judged
            }
    return {name: values[name] for name in parsed}


def parse(name: str) -> Any:
    """ir-measures' object for a name, or the depth of ``nDCG-paper@k`` (0 for no depth)."""
    if match := _PAPER.fullmatch(name):
        depth = int(match[1]) if match[1] else 0
        if match[1] and not depth:
            raise InputError(f"the measure {name!r} has no depth", cure="write it as nDCG-paper@10")
        return depth
    import ir_measures

    try:
        measure = ir_measures.parse_measure(name)
    except (NameError, ValueError, SyntaxError, TypeError, RecursionError):
        raise ChoiceError("measure", name, names()) from None
    try:
        known = _sound(measure.params) and any(p.supports(measure) for p in _providers())
    except AssertionError:  # ir-measures' word for a parameter that is missing
        known = False
    if not known:
        raise InputError(
            f"the measure {name!r} cannot be computed: a parameter is missing or wrong",
            cure=f"write the depth as in P@10; measures: {', '.join(names())}",
        )
    return measure


def _sound(params: Mapping[str, Any]) -> bool:
    # trec_eval's C code trusts these: a depth of 0 would end the process.
    def whole(value: object, low: int) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= MAX_DEPTH

    def share(value: object) -> bool:
        return isinstance(value, int | float) and 0 <= value <= 1

    checks: dict[str, Callable[[Any], bool]] = {
        "cutoff": lambda value: whole(value, 1),
        "rel": lambda value: whole(value, 1),
        "recall": share,
        "p": share,
        "beta": lambda value: isinstance(value, int | float) and 0 < value <= 100,
        "gains": lambda value: (
            isinstance(value, dict)
            and all(
                whole(k, -MAX_GRADE) and whole(v, 0) and v <= MAX_GRADE for k, v in value.items()
            )
        ),
        "dcg": lambda value: value == "log2",
    }
    return all(
        checks[name](value) if name in checks else isinstance(value, bool)
        for name, value in params.items()
    )


def names() -> list[str]:
    """Names of measures that can be asked for; most take a depth after ``@``."""
    return sorted(
        {PAPER, *(m.NAME for provider in _providers() for m in provider.SUPPORTED_MEASURES)}
    )


def _providers() -> list[Any]:
    """Those of ir-measures' back ends that run in this process and need nothing installed.

    trec_eval comes first, so the others only add what it lacks (``RR`` with a depth, ``Judged``,
    ``Compat``). The rest would start a Perl script, or need other packages.
    """
    import ir_measures

    return [
        provider
        for provider in (
            ir_measures.pytrec_eval,
            ir_measures.judged,
            ir_measures.msmarco,
            ir_measures.compat,
        )
        if provider.is_available()
    ]


def aggregate(name: str, values: Mapping[str, float]) -> float:
    """The mean over queries; the sum for counts such as ``NumRel``."""
    if _PAPER.fullmatch(name):
        return _mean(values.values())
    aggregator = parse(name).aggregator()
    for value in values.values():
        aggregator.add(value)
    return float(aggregator.result())


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Documents as trec_eval sees them: single-precision score, then id, both descending."""
    documents = sorted(scores, reverse=True)
    singles = np.array([scores[document] for document in documents], dtype=np.float32)
    return [documents[i] for i in np.argsort(-singles, kind="stable")]


def _ir_measures(qrels: Qrels, run: Run, parsed: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    # Some back ends break ties the other way round. Scores that say the rank leave them none. A
    # query without documents scores zero, and not every back end can be shown one.
    computed = {
        query: {document: -float(i) for i, document in enumerate(trec_order(scores))}
        for query, scores in run.items()
        if scores
    }
    values = {
        name: {query: float(measure.DEFAULT) for query in qrels} for name, measure in parsed.items()
    }
    if not parsed:
        return values
    import ir_measures

    pipeline = ir_measures.providers.FallbackProvider(_providers())
    by_measure: dict[Any, list[str]] = {}
    for name, measure in parsed.items():
        by_measure.setdefault(measure, []).append(name)
    # trec_eval fails on a query whose grades are all negative; nothing is relevant there.
    gradable = {
        query: grades for query, grades in qrels.items() if max(grades.values(), default=-1) >= 0
    }
    for metric in pipeline.iter_calc(list(by_measure), gradable, computed):
        for name in by_measure[metric.measure]:
            values[name][metric.query_id] = float(metric.value)
    return values


def _paper_ndcg(judged: Mapping[str, int], scores: Mapping[str, float], depth: int) -> float:
    """Eq. 4 of seed 002 for one query, the ideal taken over all its judged documents."""
    ideal = _paper_dcg(sorted((max(grade, 0) for grade in judged.values()), reverse=True), depth)
    if not ideal:
        return 0.0
    gains = [max(judged.get(document, 0), 0) for document in trec_order(scores)]
    return _paper_dcg(gains, depth) / ideal


def _paper_dcg(gains: Sequence[int], depth: int) -> float:
    """DCG_p = rel_1 + sum over i = 2 .. p of rel_i / log2(i)."""
    taken = gains[:depth] if depth else gains
    if not taken:
        return 0.0
    return float(taken[0] + sum(gain / math.log2(i) for i, gain in enumerate(taken[1:], 2)))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else 0.0
