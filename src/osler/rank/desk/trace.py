"""What a reviewer would have been told at every step of a simulated review."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from osler.rank.desk.recall import RecallModel, found_so_far
from osler.rank.desk.simulate import Simulation, measures
from osler.rank.desk.step import RISK, TARGET, Step
from osler.rank.desk.stopping import rules_table
from osler.rank.screening import stopping_p

COLUMNS = ("seed", "read", "found", "low", "estimate", "high", "may_stop")


def steps_of(
    run: Simulation,
    *,
    every: int = 1,
    model: RecallModel | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Step]:
    """The steps of a run; ``every`` papers, and always the last."""
    total = len(run.marks)
    every_mark = np.asarray(run.marks, dtype=bool)
    for read in range(run.prior, total + 1):
        if (read - run.prior) % every and read < total:
            continue
        marks = every_mark[:read]
        now = found_so_far(marks, total, model=model)
        p = stopping_p(marks, total, target=TARGET)
        yield Step(run.seed, read, now.found, now.low, now.estimate, now.high, p < RISK, p)
        if progress:
            progress(read, total)


def summary_of(run: Simulation, steps: Sequence[Step]) -> dict[str, float | int | bool | None]:
    """Measures of a run, and what the stopping rule and the interval were worth."""
    every = sum(run.marks)
    stop = next((step for step in steps if step.may_stop), None)
    inside = [step.low <= step.found / every <= step.high for step in steps]
    return {
        "seed": run.seed,
        "papers": len(run.marks),
        "relevant": every,
        **measures(run),
        "stopped_after": stop.read if stop else None,
        "recall_at_stop": stop.found / every if stop else None,
        "work_saved_at_stop": 1 - stop.read / len(run.marks) if stop else 0.0,
        "interval_holds": float(np.mean(inside)),
        "interval_width": float(np.mean([step.high - step.low for step in steps])),
    }


def write_trace(
    folder: Path, runs: Sequence[tuple[Simulation, Sequence[Step]]], *, name: str, method: str
) -> dict[str, object]:
    """``steps.tsv`` and ``summary.json`` in a folder; what the summary holds."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "steps.tsv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(COLUMNS)
        for _, steps in runs:
            for step in steps:
                table.writerow(
                    (
                        step.seed,
                        step.read,
                        step.found,
                        f"{step.low:.6f}",
                        f"{step.estimate:.6f}",
                        f"{step.high:.6f}",
                        int(step.may_stop),
                    )
                )
    by_seed = [summary_of(run, steps) for run, steps in runs]
    names = ("wss95", "wss100", "rrf10", "atd")
    summary: dict[str, object] = {
        "name": name,
        "method": method,
        **{measure: {str(row["seed"]): row[measure] for row in by_seed} for measure in names},
        "mean": {measure: float(np.mean([row[measure] for row in by_seed])) for measure in names},
        "runs": by_seed,
        "stopping_rules": [msgspec.structs.asdict(row) for row in rules_table(runs)],
    }
    (folder / "summary.json").write_text(
        json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return summary
