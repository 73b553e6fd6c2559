"""When to stop reading: the rules of the field and ours, held against the truth of finished runs.

A rule names the number of papers after which it lets a reviewer go. Judged are the share of what is
relevant that had been found by then, and the share of papers that were left unread.

- so many irrelevant papers in a row: 50; a twentieth of all (as the SAFE procedure advises); a
  quarter of all
- the hypergeometric test of Callaghan and Müller-Hansen (2020) over every start of the last stretch
  (:func:`osler.rank.screening.stopping_p`): the default; and the same where at least 20 papers were
  found, which is what a reader is told: with fewer he should read everything
- ``interval``: the lower end of the interval of recall (:mod:`osler.rank.desk.recall`) reaches the
  target
- ``oracle``: the paper that reaches the target. Nobody can follow it; it bounds the others
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from osler.rank.desk.found_curve import Bools
from osler.rank.desk.recall import SMALL
from osler.rank.desk.simulate import Simulation
from osler.rank.desk.step import RISK, TARGET, Step

IN_A_ROW = 50
SAFE_SHARE, QUARTER = 0.05, 0.25

Run = tuple[Simulation, Sequence[Step]]


class RuleRow(msgspec.Struct, frozen=True):
    """A rule over several runs. ``safe`` is the share of runs that it left at the target or above,
    ``least`` the lowest recall that it left, ``saved`` the mean share of papers unread."""

    rule: str
    safe: float
    recall: float
    least: float
    saved: float


def stop_allowed(found: int, p: float, *, unread: int, risk: float) -> bool:
    """Whether reading may stop: all is read, or recall below the target is improbable and enough
    papers were found for a rule to be trusted at all."""
    return unread == 0 or (p < risk and found >= SMALL)


def stops_after_dry(marks: Bools, dry: int) -> int:
    """The papers read when ``dry`` irrelevant ones came in a row after a relevant one; all of them
    where that never happens."""
    since, any_found = 0, False
    for read, relevant in enumerate(marks, 1):
        any_found = any_found or bool(relevant)
        since = 0 if relevant else since + 1
        if any_found and since >= dry:
            return read
    return len(marks)


def _first(steps: Sequence[Step], holds: Callable[[Step], bool], total: int) -> int:
    return next((step.read for step in steps if holds(step)), total)


def stops(run: Simulation, steps: Sequence[Step], *, target: float = TARGET) -> dict[str, int]:
    """By rule, after how many papers it stops; ``steps`` are those of the run."""
    marks = np.asarray(run.marks, dtype=bool)
    total = len(marks)
    wanted = math.ceil(target * int(marks.sum()) - 1e-9)
    return {
        "50 in a row": stops_after_dry(marks, IN_A_ROW),
        "5 % of all in a row (SAFE)": stops_after_dry(marks, math.ceil(SAFE_SHARE * total)),
        "a quarter of all in a row": stops_after_dry(marks, math.ceil(QUARTER * total)),
        "hypergeometric test (default)": _first(steps, lambda step: step.may_stop, total),
        "the same from 20 found on": _first(
            steps,
            lambda step: stop_allowed(step.found, step.p, unread=total - step.read, risk=RISK),
            total,
        ),
        "interval's lower end at 95 %": _first(steps, lambda step: step.low >= target, total),
        "oracle": int(np.searchsorted(np.cumsum(marks), wanted)) + 1,
    }


def rules_table(runs: Sequence[Run], *, target: float = TARGET) -> list[RuleRow]:
    """All rules over runs whose every paper is marked."""
    reached: dict[str, list[tuple[float, float]]] = {}
    for run, steps in runs:
        marks = np.asarray(run.marks, dtype=bool)
        for rule, read in stops(run, steps, target=target).items():
            recall = float(marks[:read].sum() / marks.sum())
            reached.setdefault(rule, []).append((recall, 1 - read / len(marks)))
    rows = []
    for rule, pairs in reached.items():
        recalls, saved = np.array(pairs).T
        rows.append(
            RuleRow(
                rule,
                float((recalls >= target - 1e-9).mean()),
                float(recalls.mean()),
                float(recalls.min()),
                float(saved.mean()),
            )
        )
    return rows
