"""The review desk on finished reviews, beside ASReview's default where that is installed.

    python benchmarks/screening.py --data DIR [--seeds 5] [--runs FILE] [--only runs|times]

DIR holds labelled tables (title, abstract, included). Printed are WSS@95, WSS@100, RRF@10 and ATD
by review over the seeds; how often the recall interval of a model fitted on the other reviews holds
the truth, by stage; what the stopping rule was worth; and the time for a new order after a mark.
FILE keeps the runs, so that a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from osler.rank.desk.labelled import Labelled, read_labelled
from osler.rank.desk.recall_fit import STAGES, coverage, states_of
from osler.rank.desk.screener import Screener
from osler.rank.desk.simulate import Simulation, measures, screened, starting_papers
from osler.rank.desk.trace import steps_of, summary_of

MEASURES = ("wss95", "wss100", "rrf10", "atd")
SIZES = (500, 5_000, 50_000)
MARKS = 100
AGAIN = 20


def osler_run(review: Labelled, screener: Screener, seed: int) -> Simulation:
    return screened(screener, np.asarray(review.relevant, dtype=bool), seed=seed)


def asreview_run(review: Labelled, seed: int) -> Simulation | None:
    """The same start with ASReview's default model; None where it is not installed."""
    try:
        import pandas
        from asreview.learner import ActiveLearningCycle
        from asreview.models.models import get_ai_config
        from asreview.simulation.simulate import Simulate
    except ImportError:
        return None
    truth = np.asarray(review.relevant, dtype=bool)
    start = list(starting_papers(truth, seed))
    papers = pandas.DataFrame({"title": review.texts, "abstract": [""] * len(truth)})
    cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
    simulation = Simulate(papers, truth.astype(int), [cycle], print_progress=False)
    simulation.label(start)
    simulation.review()
    order = [int(row) for row in simulation._results["record_id"]]
    rest = sorted(set(range(len(truth))) - set(order))
    # It ends when all is found: the order of what is left counts for no measure.
    order += rest
    return Simulation(seed, tuple(order), tuple(bool(truth[row]) for row in order))


def _papers(review: Labelled) -> int:
    return len(review.texts)


def simulations(data: Path, seeds: int, place: Path | None) -> dict[str, dict[str, Any]]:
    """Marks in the order of reading, by program and by "review seed"."""
    kept: dict[str, dict[str, Any]] = {"osler": {}, "asreview": {}}
    if place is not None and place.exists():
        kept = json.loads(place.read_text())
    reviews = sorted((read_labelled(path) for path in data.glob("*.csv*")), key=_papers)
    for program in ("osler", "asreview"):
        for review in reviews:
            screener = Screener(review.texts)
            for seed in range(seeds):
                key = f"{review.name} {seed}"
                if key in kept[program]:
                    continue
                if program == "osler":
                    run = osler_run(review, screener, seed)
                elif (run := asreview_run(review, seed)) is None:
                    return kept
                kept[program][key] = [int(mark) for mark in run.marks]
                if place is not None:
                    place.write_text(json.dumps(kept))
    return kept


def as_run(key: str, marks: list[int]) -> Simulation:
    return Simulation(
        int(key.rsplit(" ", 1)[1]), tuple(range(len(marks))), tuple(bool(mark) for mark in marks)
    )


def print_measures(kept: dict[str, dict[str, Any]]) -> None:
    print("review, mean over seeds".ljust(36), *(name.rjust(8) for name in MEASURES))
    for program, runs in kept.items():
        reviews = sorted({key.rsplit(" ", 1)[0] for key in runs})
        table = []
        for review in reviews:
            rows = [
                measures(as_run(k, m)) for k, m in runs.items() if k.rsplit(" ", 1)[0] == review
            ]
            table.append([float(np.mean([row[name] for row in rows])) for name in MEASURES])
            print(f"{program} {review}".ljust(36), *(f"{value:8.3f}" for value in table[-1]))
        if table:
            print(f"{program} all".ljust(36), *(f"{v:8.3f}" for v in np.mean(table, axis=0)))
        else:
            print(f"{program} is not installed: no row")
    both = sorted(set(kept["osler"]) & set(kept["asreview"]))
    if both:
        print_difference(kept, both)


def print_difference(kept: dict[str, dict[str, Any]], both: list[str]) -> None:
    """Osler less ASReview on the same starts; the interval resamples reviews."""
    reviews = sorted({key.rsplit(" ", 1)[0] for key in both})
    rng = np.random.default_rng(0)
    for name in MEASURES:
        by_review = np.array(
            [
                np.mean(
                    [
                        measures(as_run(key, kept["osler"][key]))[name]
                        - measures(as_run(key, kept["asreview"][key]))[name]
                        for key in both
                        if key.rsplit(" ", 1)[0] == review
                    ]
                )
                for review in reviews
            ]
        )
        draws = by_review[rng.integers(0, len(reviews), (10_000, len(reviews)))].mean(axis=1)
        low, high = np.quantile(draws, [0.025, 0.975])
        print(f"osler - asreview {name}: {by_review.mean():+.4f} ({low:+.4f} to {high:+.4f})")


def print_recall(runs: dict[str, Any]) -> None:
    """Intervals by leave-one-review-out, and the stopping rule, over all runs."""
    states = [s for key, marks in runs.items() for s in states_of(key.rsplit(" ", 1)[0], marks)]
    checked = coverage(states)
    inside = [ok for _, ok, _ in checked]
    stages = {
        stage: float(np.mean([ok for state, ok, _ in checked if state.stage == stage]))
        for stage in STAGES
    }
    worst = min(stages, key=lambda stage: stages[stage])
    width = float(np.mean([wide for _, _, wide in checked]))
    print(
        f"recall interval, a review left out: holds {np.mean(inside):.3f} of {len(inside)} states, "
        f"worst stage {worst:.0%} {stages[worst]:.3f}, mean width {width:.3f}"
    )
    rows = []
    for key, marks in runs.items():
        run = as_run(key, marks)
        rows.append(summary_of(run, list(steps_of(run))))
    safe = np.mean([(row["recall_at_stop"] or 0.0) >= 0.95 for row in rows])
    saved = np.mean([row["work_saved_at_stop"] for row in rows])
    print(f"stopping at 95 %: recall reached in {safe:.3f} of {len(rows)} runs, saved {saved:.3f}")


def print_times(data: Path) -> None:
    """A mark and a new order: papers of the reviews, again and again up to the size."""
    texts: list[str] = []
    relevant: list[bool] = []
    for path in sorted(data.glob("*.csv*")):
        review = read_labelled(path)
        texts += review.texts
        relevant += review.relevant
    rng = np.random.default_rng(0)
    for size in SIZES:
        rows = np.resize(rng.permutation(len(texts)), size)
        screener = Screener([texts[row] for row in rows])
        truth = [relevant[row] for row in rows]
        start = [truth.index(True), truth.index(False)]
        others = [row for row in range(size) if row not in start][: MARKS - 2 + AGAIN]
        screener.mark({row: truth[row] for row in start + others[: MARKS - 2]})
        screener.order()
        times = []
        for row in others[MARKS - 2 :]:
            began = time.perf_counter()
            screener.mark({row: truth[row]})
            screener.order()
            times.append(1000 * (time.perf_counter() - began))
        print(
            f"{size:,} papers, {MARKS} marks: a new order in {np.median(times):.1f} ms "
            f"(quickest {min(times):.1f}, slowest {max(times):.1f})",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--only", choices=("runs", "times"))
    asked = parser.parse_args()
    if asked.only != "times":
        kept = simulations(asked.data, asked.seeds, asked.runs)
        print_measures(kept)
        print_recall(kept["osler"])
    if asked.only != "runs":
        print_times(asked.data)


if __name__ == "__main__":
    main()
