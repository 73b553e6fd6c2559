"""The review desk on finished reviews, beside ASReview's default where that is installed.

    python benchmarks/screening.py --data DIR [--seeds 5] [--runs FILE] [--only runs|times]
                                   [--other-label label_abstract] [--fit FILE] [--nested]

DIR holds labelled tables (title, abstract, included). Printed are WSS@95, WSS@100, RRF@10 and ATD
by review over the seeds; how often the recall interval of a model fitted on the other reviews holds
the truth, by stage; what every stopping rule was worth; and the processor time for a new order
after a mark, beside scikit-learn's LinearSVC on the same marks. FILE of --runs keeps the runs, so
that a run that was broken off goes on. --other-label names a second column of decisions: its runs
teach the model of recall too, and a review is left out with both. --fit writes that model. --nested
also chooses the interval's settings anew for each review, by the other ones alone.

ASReview takes part where it can be imported (pip install asreview, in an environment that has Osler
too, or its folder of packages named last in PYTHONPATH).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np

from osler.errors import FormatError
from osler.rank.desk.labelled import Labelled, read_labelled
from osler.rank.desk.margin import balanced_weights
from osler.rank.desk.recall_fit import STAGES, State, coverage, fit_recall, holds, states_of
from osler.rank.desk.screener import COST, Screener
from osler.rank.desk.simulate import Simulation, measures, screened, starting_papers
from osler.rank.desk.stopping import rules_table
from osler.rank.desk.trace import steps_of
from osler.verbs.simulate import write_recall

MEASURES = ("wss95", "wss100", "rrf10", "atd")
SIZES = (500, 5_000, 50_000)
SETTINGS: tuple[dict[str, object], ...] = tuple(
    {"ridge": ridge, "window": window, "tails": tails}
    for ridge in (100.0, 300.0, 1000.0)
    for window in (0.2, 0.3, 0.5)
    for tails in ((0.02, 0.965), (0.015, 0.97), (0.01, 0.975), (0.01, 0.98), (0.025, 0.975))
)
MARKS = 100
AGAIN = 20
OTHER = "osler, other label"
OTHER_STEPS = 150
"""Runs of the second column learn anew so many times: their curve is all that is used of them."""


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


def simulations(
    data: Path, seeds: int, place: Path | None, other: str
) -> dict[str, dict[str, Any]]:
    """Marks in the order of reading, by program and by "review seed"; smaller reviews first."""
    kept: dict[str, dict[str, Any]] = {}
    if place is not None and place.exists():
        kept = json.loads(place.read_text())
    for name in ("osler", "asreview", OTHER):
        kept.setdefault(name, {})
    paths = sorted(data.glob("*.csv*"))

    def keep(program: str, review: Labelled, seed: int, run: Simulation) -> None:
        kept[program][f"{review.name} {seed}"] = [int(mark) for mark in run.marks]
        if place is not None:
            place.write_text(json.dumps(kept))

    def missing(program: str, review: Labelled) -> list[int]:
        return [s for s in range(seeds) if f"{review.name} {s}" not in kept[program]]

    for review in sorted((read_labelled(path) for path in paths), key=_papers):
        if todo := missing("osler", review):
            screener = Screener(review.texts)
            for seed in todo:
                keep("osler", review, seed, osler_run(review, screener, seed))
    for review in _labelled_otherwise(paths, other):
        truth = np.asarray(review.relevant, dtype=bool)
        batch = max(1, len(truth) // OTHER_STEPS)
        if todo := missing(OTHER, review):
            screener = Screener(review.texts)
            for seed in todo:
                keep(OTHER, review, seed, screened(screener, truth, seed=seed, batch=batch))
    # The first seeds of all reviews before the second ones: what is broken off still compares all.
    for seed in range(seeds):
        for review in sorted((read_labelled(path) for path in paths), key=_papers):
            if seed not in missing("asreview", review):
                continue
            run = asreview_run(review, seed)
            if run is None:
                return kept
            keep("asreview", review, seed, run)
    return kept


def _labelled_otherwise(paths: list[Path], other: str) -> list[Labelled]:
    """Reviews by their second column of decisions, where they have one that says something."""
    reviews = []
    for path in paths if other else []:
        with contextlib.suppress(FormatError):
            reviews.append(read_labelled(path, label=other))
    return sorted(reviews, key=_papers)


def as_run(key: str, marks: list[int]) -> Simulation:
    return Simulation(
        int(key.rsplit(" ", 1)[1]), tuple(range(len(marks))), tuple(bool(mark) for mark in marks)
    )


def print_measures(kept: dict[str, dict[str, Any]]) -> None:
    print("review, mean over seeds".ljust(36), *(name.rjust(8) for name in MEASURES))
    for program in ("osler", "asreview"):
        runs = kept[program]
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
            print(f"{program} is not installed: no row (pip install {program})")
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


def _states(runs: dict[str, Any]) -> list[State]:
    return [s for key, marks in runs.items() for s in states_of(key.rsplit(" ", 1)[0], marks)]


def print_recall(kept: dict[str, dict[str, Any]]) -> None:
    """Intervals by leave-one-review-out over both columns of decisions, and over the first."""
    first, second = _states(kept["osler"]), _states(kept[OTHER])
    checked = coverage(first + second)
    own = {id(state) for state in first}
    _print_coverage("decisions included", [one for one in checked if id(one[0]) in own])
    if second:
        _print_coverage("both columns of decisions", checked)


def print_nested(kept: dict[str, dict[str, Any]]) -> None:
    """The same where the settings too were chosen without the review that is left out: of those
    that hold the bars on the others the narrowest, or else the one whose worst stage is best."""
    first, second = _states(kept["osler"]), _states(kept[OTHER])
    states = first + second
    checked = []
    for review in sorted({state.review for state in states}):
        others = [state for state in states if state.review != review]
        chosen = min(SETTINGS, key=lambda options: _badness(coverage(others, **options)))
        model = fit_recall(others, **chosen)  # type: ignore[arg-type]
        checked += [(s, *holds(model, s)) for s in states if s.review == review]
        print(f"  settings chosen without {review}: {chosen}", flush=True)
    own = {id(state) for state in first}
    _print_coverage("settings chosen inside", [one for one in checked if id(one[0]) in own])
    if second:
        _print_coverage("settings chosen inside, both columns", checked)


def _badness(checked: list[tuple[State, bool, float]]) -> tuple[bool, float]:
    worst = min(
        float(np.mean([ok for state, ok, _ in checked if state.stage == stage])) for stage in STAGES
    )
    fails = worst < 0.90 or float(np.mean([ok for _, ok, _ in checked])) < 0.95
    return fails, -worst if fails else float(np.mean([width for *_, width in checked]))


def _print_coverage(what: str, checked: list[tuple[State, bool, float]]) -> None:
    stages = {
        stage: float(np.mean([ok for state, ok, _ in checked if state.stage == stage]))
        for stage in STAGES
    }
    worst = min(stages, key=lambda stage: stages[stage])
    print(
        f"recall interval, a review left out, {what}: holds "
        f"{np.mean([ok for _, ok, _ in checked]):.3f} of {len(checked)} states, worst stage "
        f"{worst:.0%} {stages[worst]:.3f}, mean width {np.mean([w for *_, w in checked]):.3f}"
    )
    print("  by stage:", " ".join(f"{stage:.0%} {held:.2f}" for stage, held in stages.items()))


def print_rules(kept: dict[str, dict[str, Any]]) -> None:
    """Every stopping rule; the interval is of a model that has not seen the review."""
    states = _states(kept["osler"]) + _states(kept[OTHER])
    runs = []
    for review in sorted({state.review for state in states}):
        model = fit_recall([state for state in states if state.review != review])
        for key, marks in kept["osler"].items():
            if key.rsplit(" ", 1)[0] == review:
                run = as_run(key, marks)
                runs.append((run, list(steps_of(run, model=model))))
    heads = ("at 95 % or more", "recall", "least", "work saved")
    print(f"stopping rule, {len(runs)} runs".ljust(36), *(head.rjust(16) for head in heads))
    for row in rules_table(runs):
        values = (row.safe, row.recall, row.least, row.saved)
        print(row.rule.ljust(36), *(f"{value:16.3f}" for value in values))


def write_fit(place: Path, kept: dict[str, dict[str, Any]], other: str) -> None:
    """The model of recall of all runs, rounded, with what it was fitted on."""
    model = fit_recall(_states(kept["osler"]) + _states(kept[OTHER]))
    about = f"{len(kept['osler'])} simulated runs by the column included"
    if kept[OTHER]:
        about += f" and {len(kept[OTHER])} by {other}"
    rounded = {
        name: [round(value, 5) for value in getattr(model, name)]
        for name in ("mean", "spread", "weights", "low", "high")
    }
    write_recall(place, msgspec.structs.replace(model, **rounded, about=about))


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
        ours, theirs = [], []
        for row in others[MARKS - 2 :]:
            began = time.process_time()
            screener.mark({row: truth[row]})
            screener.order()
            ours.append(1000 * (time.process_time() - began))
            began = time.process_time()
            _peer_order(screener)
            theirs.append(1000 * (time.process_time() - began))
        print(
            f"{size:,} papers, {MARKS} marks: a new order in {np.median(ours):.1f} ms of processor "
            f"time (quickest {min(ours):.1f}, slowest {max(ours):.1f}); LinearSVC "
            f"{np.median(theirs):.1f} ms, {np.median(np.array(theirs) / np.array(ours)):.1f} times",
            flush=True,
        )


def _peer_order(screener: Screener) -> Any:
    """The same marks learned anew by scikit-learn, and all papers put in order."""
    from sklearn.svm import LinearSVC

    relevant = np.asarray(screener.relevant, dtype=bool)
    machine = LinearSVC(C=COST)
    machine.fit(screener.matrix[screener.rows], relevant, sample_weight=balanced_weights(relevant))
    return np.argsort(-machine.decision_function(screener.matrix), kind="stable")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--only", choices=("runs", "times"))
    parser.add_argument("--other-label", default="label_abstract")
    parser.add_argument("--fit", type=Path)
    parser.add_argument("--nested", action="store_true")
    asked = parser.parse_args()
    if asked.only != "times":
        kept = simulations(asked.data, asked.seeds, asked.runs, asked.other_label)
        print_measures(kept)
        print_recall(kept)
        if asked.nested:
            print_nested(kept)
        print_rules(kept)
        if asked.fit is not None:
            write_fit(asked.fit, kept, asked.other_label)
    if asked.only != "runs":
        print_times(asked.data)


if __name__ == "__main__":
    main()
