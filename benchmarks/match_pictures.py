"""What pictures and names add to MKHAN: it beside MKHAN-NM, paired over questions and seeds.

    python benchmarks/match_pictures.py --data DIR --set toyhom --out OUT --seeds 8

Each seed splits the pairs anew (70 % to learn from), draws five false answers a question, and
trains both networks on the same lists with the same graph. A seed's values are kept in OUT, so that
a run that was cut short goes on, and more seeds can be added. The interval comes from drawing seeds
and questions again, both with replacement: a difference counts when it holds for other questions
and other beginnings.

Cheaper than the paper's setting: batches of 40 with steps of 0.002 for 10 with 0.001, at most six
rounds over the pairs, five false answers alone. Both networks get the same.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from osler.match.measure import NDCG, PRECISION
from osler.match.neural import NeuralMatcher, word_vectors
from osler.match.splits import CandidateList
from osler_papers.recipes.match_experiment import Experiment, chinese

METHODS = ("mkhan", "mkhan-nm")
SHARE, FALSE = 70, 5
CHEAP: dict[str, Any] = {"batch": 40, "lr": 0.002, "epochs": 6, "every": 120, "patience": 3}
SAMPLES = 4_000
Values = dict[str, dict[str, float]]


def by_question(matcher: NeuralMatcher, lists: list[CandidateList]) -> Values:
    """Precision and nDCG of each question; a tie counts against the true answer."""
    texts = [(one.question, c.text) for one in lists for c in one.candidates]
    scores = matcher.score_pairs(texts)
    values: Values = {PRECISION: {}, NDCG: {}}
    at = 0
    for one in lists:
        own = dict(zip([c.id for c in one.candidates], scores[at:], strict=False))
        at += len(one.candidates)
        rank = 1 + sum(s >= own[one.true] for id, s in own.items() if id != one.true)
        values[PRECISION][one.id] = float(rank == 1)
        values[NDCG][one.id] = float(1 / np.log2(1 + rank))
    return values


def trained(made: Experiment, seed: int, folder: Path) -> dict[str, Values]:
    """The values of both networks under one seed; those that are kept are read."""
    found: dict[str, Values] = {}
    for method in METHODS:
        place = folder / f"{method}-seed{seed}.json"
        if place.is_file():
            found[method] = json.loads(place.read_text("utf-8"))
            continue
        started = time.process_time()
        sources, train, lists = made._prepared(SHARE, seed)
        if sources.vectors is None:
            sources.vectors = word_vectors(sources, train, seed=seed)
        from osler.match.matcher import matchers

        kind = matchers.get(method)
        matcher = kind(sources, seed=seed, **CHEAP).fit(train, progress=made.progress)
        assert isinstance(matcher, NeuralMatcher)
        found[method] = by_question(matcher, lists[FALSE])
        place.write_text(json.dumps(found[method]), encoding="utf-8")
        means = {name: round(float(np.mean(list(v.values()))), 4)
                 for name, v in found[method].items()}  # fmt: skip
        made.progress(f"{method}, seed {seed}: {means}, {time.process_time() - started:.0f} s")
    return found


def interval(first: list[dict[str, float]], second: list[dict[str, float]]) -> tuple[float, ...]:
    """Mean difference, its 95 % interval, and p, over seeds and questions drawn again."""
    ids = sorted({id for one in first for id in one})
    place = {id: at for at, id in enumerate(ids)}
    differences = np.zeros((len(first), len(ids)))
    there = np.zeros_like(differences)
    for seed, (one, two) in enumerate(zip(first, second, strict=True)):
        for id, value in one.items():
            differences[seed, place[id]] = value - two[id]
            there[seed, place[id]] = 1.0
    mean = float(differences.sum() / there.sum())
    rng = np.random.default_rng(0)
    seeds, questions = differences.shape
    drawn = np.zeros(SAMPLES)
    for at in range(SAMPLES):
        weights = np.bincount(rng.integers(seeds, size=seeds), minlength=seeds)
        often = np.bincount(rng.integers(questions, size=questions), minlength=questions)
        drawn[at] = weights @ differences @ often / (weights @ there @ often)
    low, high = np.quantile(drawn, [0.025, 0.975])
    extreme = int(np.count_nonzero(np.abs(drawn - mean) >= abs(mean)))
    return mean, float(low), float(high), (extreme + 1) / (SAMPLES + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", default="toyhom", choices=("toyhom", "huatuo"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    folder = given.out / given.set
    folder.mkdir(parents=True, exist_ok=True)
    made = chinese(given.set, given.data, folder, lambda line: print(line, flush=True))
    tables = []
    for seed in range(given.seeds):
        tables.append(trained(made, seed, folder))
        for measure in (NDCG, PRECISION):
            sides = [[table[method][measure] for table in tables] for method in METHODS]
            means = [np.mean([np.mean(list(v.values())) for v in side]) for side in sides]
            mean, low, high, p = interval(*sides)
            by_seed = [np.mean(list(a.values())) - np.mean(list(b.values()))
                       for a, b in zip(*sides, strict=True)]  # fmt: skip
            print(
                f"{given.set}, {seed + 1} seeds, {measure}: mkhan {means[0]:.4f}, mkhan-nm "
                f"{means[1]:.4f}, difference {mean:+.4f} [{low:+.4f}, {high:+.4f}], p {p:.4f}; "
                f"by seed {', '.join(f'{one:+.4f}' for one in by_seed)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
