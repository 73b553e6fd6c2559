"""What pictures and names add to MKHAN: it beside MKHAN-NM, paired over questions and seeds.

    python benchmarks/match_pictures.py --data DIR --set toyhom --out OUT --seeds 8

Each seed splits the pairs anew (70 % to learn from), draws false answers to each question, and
trains both networks three times on the same lists with the same graph. What is finished is kept in
OUT, so that a run that was cut short goes on, and more seeds can be added (``--first`` begins
later: two processes may share the work; ``--tell`` reads what is kept). The interval comes from
drawing seeds and questions again, both with replacement: a difference counts when it holds for
other questions and other beginnings.

The difference that is looked for is smaller than what one training differs from the next by, so
that chance is kept out where it can be. MKHAN begins as the very function that MKHAN-NM begins as:
its weights hold those of the narrower network, and what reads the multi-modal half of a vector
begins at zero and learns from there. Both see the same batches, false triples and dropped numbers
in the same order, and learn for the same number of rounds with steps that shrink to nothing (where
no step is the last that mattered); no round is picked by a validation part. Each test question is
asked before a dozen false answers, and told is what five drawn from them give at the mean, exactly.

Cheaper than the paper's setting: batches of 40 with steps of 0.002 at first for 10 with 0.001,
four rounds over the pairs, vectors of 64 numbers for 150 (``--dimension``), five false answers
alone. Both networks get the same.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, cast

import numpy as np
import torch
from scipy import stats

from osler.kinds import Pair
from osler.match.matcher import matchers
from osler.match.measure import NDCG, PRECISION
from osler.match.mkhan import MKHAN
from osler.match.networks import mkhan as networks
from osler.match.neural import NeuralMatcher, TextPair, word_vectors
from osler.match.splits import false_answers, split
from osler.match.walks import Walks
from osler_papers.recipes.match_experiment import Experiment, chinese

METHODS = ("mkhan", "mkhan-nm")
SHARE, FALSE, BESIDE = 70, 5, 12
TURNS = 3
"""Trainings on one split: other beginnings and batches, the same lists, paths and vectors of the
graph, which cost as much as the training."""
CHEAP: dict[str, Any] = {"batch": 40, "lr": 0.002, "epochs": 4, "every": 1_000_000}
SAMPLES = 4_000
Values = dict[str, dict[str, float]]


class Shrinking:
    """Steps of an optimiser that shrink evenly to nothing over ``steps``."""

    def __init__(self, together: Any, steps: int) -> None:
        self.together, self.steps, self.at = together, steps, 0
        self.groups = [(g, g["lr"]) for one in together.optimisers for g in one.param_groups]

    def zero_grad(self) -> None:
        self.together.zero_grad()

    def step(self) -> None:
        for group, lr in self.groups:
            group["lr"] = lr * max(0.0, 1 - self.at / self.steps)
        self.at += 1
        self.together.step()


class SameChance(torch.nn.Module):  # type: ignore[misc]
    """Dropout whose numbers depend on the seed and the call alone, by blocks of ``width``: the
    structural half loses the same numbers whether or not another half stands beside it."""

    def __init__(self, seed: int, width: int, rate: float = 0.2) -> None:
        super().__init__()
        self.seed, self.width, self.rate, self.calls = seed, width, rate, 0

    def forward(self, rows: Any) -> Any:
        if not self.training:
            return rows
        chance = torch.Generator().manual_seed(self.seed * 1_000_003 + self.calls)
        self.calls += 1
        blocks = rows.split(self.width, dim=1)
        kept = [torch.rand(one.shape, generator=chance) >= self.rate for one in blocks]
        return rows * torch.cat(kept, 1) / (1 - self.rate)


def nest(narrow: torch.nn.Module, wide: torch.nn.Module, width: int) -> None:
    """Give ``wide`` the weights of ``narrow``; what is its alone becomes zero. A side of a weight
    is as long in both, or longer by the multi-modal half, which stands behind the structural one:
    behind the first ``width`` numbers of an entity's vector, and behind the question's as well
    where that stands before it."""
    held = dict(wide.named_parameters())
    with torch.no_grad():
        for name, small in narrow.named_parameters():
            large = held[name]
            places = []
            for short, long in zip(small.shape, large.shape, strict=True):
                before = short if short == long else width if short == width else 2 * width
                numbers = torch.arange(short)
                places.append(numbers + (long - short) * (numbers >= before))
            large.zero_()
            large[torch.meshgrid(*places, indexing="ij")] = small


def steady(kind: type[MKHAN], steps: int, walked: dict[TextPair, Walks]) -> type[MKHAN]:
    """A network that begins alike and ends calmly; ``walked`` keeps paths, which both share."""

    class Steady(kind):  # type: ignore[misc, valid-type]
        looks = 0

        def build(self, vectors: Any) -> Any:
            network = super().build(vectors)
            torch.manual_seed(self.seed)
            relations = network.relations.num_embeddings - 1
            narrow = networks.MKHAN(vectors.clone(), self.dimension, relations, form=self.form)
            nest(narrow, network, self.dimension)
            network.drop = SameChance(self.seed, self.dimension)
            return network

        def optimiser(self) -> Any:
            return Shrinking(super().optimiser(), steps)

        def _precision(self, checks: Any) -> float:
            # The last round is kept, whatever a validation part would say of it.
            self.looks += 1
            return float(self.looks)

        def _walked(self, known: Any, texts: Sequence[TextPair]) -> dict[TextPair, Walks]:
            missing = [pair for pair in texts if pair not in walked]
            walked.update(super()._walked(known, missing) if missing else {})
            return {pair: walked[pair] for pair in texts}

    return Steady


def by_question(matcher: NeuralMatcher, pairs: Sequence[Pair], seed: int) -> Values:
    """Precision and nDCG of each question at the mean over all lists of ``FALSE`` that can be drawn
    from its false answers; a tie counts against the true answer."""
    lists = [(row, false) for row, false in false_answers(pairs, BESIDE, seed=seed, fewer=True)
             if len(false) >= FALSE]  # fmt: skip
    texts = [(pairs[row].question, pairs[at].answer) for row, false in lists
             for at in (row, *false)]  # fmt: skip
    scores = matcher.score_pairs(texts)
    values: Values = {PRECISION: {}, NDCG: {}}
    start = 0
    for row, false in lists:
        own = scores[start : start + 1 + len(false)]
        start += len(own)
        above = int(np.count_nonzero(own[1:] >= own[0]))
        drawn = np.arange(FALSE + 1)
        share = stats.hypergeom.pmf(drawn, len(false), above, FALSE)
        values[PRECISION][pairs[row].id] = float(share[0])
        values[NDCG][pairs[row].id] = float(share @ (1 / np.log2(2 + drawn)))
    return values


def trained(made: Experiment, seed: int, dimension: int, folder: Path) -> dict[str, Values]:
    """The values of both networks on one split, at the mean over ``TURNS`` trainings; those that
    are kept are read."""
    walked: dict[TextPair, Walks] = {}
    for turn in range(TURNS):
        for method in METHODS:
            place = kept(folder, method, seed, turn)
            if not place.is_file():
                values = once(made, method, (seed, turn), dimension, walked)
                place.write_text(json.dumps(values), encoding="utf-8")
    return read(folder, seed)


def once(
    made: Experiment,
    method: str,
    numbers: tuple[int, int],
    dimension: int,
    walked: dict[TextPair, Walks],
) -> Values:
    """One training on the split of the first number, begun and dealt by both."""
    started = time.process_time()
    seed, turn = numbers
    sources, train, _ = made._prepared(SHARE, seed)
    if sources.vectors is None:
        sources.vectors = word_vectors(sources, train, dimension=dimension, seed=seed)
    steps = CHEAP["epochs"] * -(-len(train) * 9 // (10 * CHEAP["batch"]))
    kind = steady(cast(type[MKHAN], matchers.get(method)), steps, walked)
    own = seed + 1000 * turn
    # A further training on the split goes on from the same vectors of the graph.
    first = (kind.embedding, dimension, seed)
    if first in sources.warm:
        sources.warm.setdefault((kind.embedding, dimension, own), sources.warm[first])
    matcher = kind(sources, seed=own, dimension=dimension, **CHEAP)
    matcher.fit(train, progress=made.progress)
    _, test = split(made.pairs, SHARE / 100, seed=seed)
    values = by_question(matcher, test, seed)
    means = {name: round(mean(v.values()), 4) for name, v in values.items()}
    made.progress(f"{method}, seed {own}: {means}, {time.process_time() - started:.0f} s")
    return values


def kept(folder: Path, method: str, seed: int, turn: int) -> Path:
    return folder / f"{method}-seed{seed}-turn{turn}.json"


def read(folder: Path, seed: int) -> dict[str, Values]:
    """What is kept of a split: of the turns that both networks have finished, at the mean."""
    turns = [turn for turn in range(TURNS)
             if all(kept(folder, method, seed, turn).is_file() for method in METHODS)]  # fmt: skip
    values: dict[str, Values] = {}
    for method in METHODS if turns else ():
        tables = [json.loads(kept(folder, method, seed, turn).read_text("utf-8"))
                  for turn in turns]  # fmt: skip
        values[method] = {
            name: {id: mean([table[name][id] for table in tables]) for id in tables[0][name]}
            for name in (PRECISION, NDCG)
        }
    return values


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
    centre = float(differences.sum() / there.sum())
    rng = np.random.default_rng(0)
    seeds, questions = differences.shape
    drawn = np.zeros(SAMPLES)
    for at in range(SAMPLES):
        weights = np.bincount(rng.integers(seeds, size=seeds), minlength=seeds)
        often = np.bincount(rng.integers(questions, size=questions), minlength=questions)
        drawn[at] = weights @ differences @ often / (weights @ there @ often)
    low, high = np.quantile(drawn, [0.025, 0.975])
    extreme = int(np.count_nonzero(np.abs(drawn - centre) >= abs(centre)))
    return centre, float(low), float(high), (extreme + 1) / (SAMPLES + 1)


def by_seeds(first: list[dict[str, float]], second: list[dict[str, float]]) -> str:
    """The interval of Student's t over the seeds' means: wider than the other where seeds are few,
    which drawing again cannot know."""
    each = [mean(a.values()) - mean(b.values()) for a, b in zip(first, second, strict=True)]
    if len(each) < 2:
        return f"by seed {each[0]:+.4f}"
    test = stats.ttest_1samp(each, 0.0)
    low, high = test.confidence_interval(0.95)
    return (
        f"over seeds [{low:+.4f}, {high:+.4f}], p {test.pvalue:.4f}, spread {stdev(each):.4f}: "
        f"{', '.join(f'{one:+.4f}' for one in each)}"
    )


def tell(name: str, tables: list[dict[str, Values]]) -> None:
    for measure in (NDCG, PRECISION):
        sides = [[table[method][measure] for table in tables] for method in METHODS]
        means = [mean([mean(v.values()) for v in side]) for side in sides]
        centre, low, high, p = interval(*sides)
        print(
            f"{name}, {len(tables)} seeds, {measure}: mkhan {means[0]:.4f}, mkhan-nm "
            f"{means[1]:.4f}, difference {centre:+.4f} [{low:+.4f}, {high:+.4f}], p {p:.4f}; "
            f"{by_seeds(*sides)}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", default="toyhom", choices=("toyhom", "huatuo"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="The seed to begin with.")
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--tell", action="store_true", help="Train nothing; read what is kept.")
    given = parser.parse_args()
    folder = given.out / given.set
    folder.mkdir(parents=True, exist_ok=True)
    if given.tell:
        seeds = range(given.first, given.first + given.seeds)
        tables = [values for values in (read(folder, seed) for seed in seeds) if values]
        tell(given.set, tables)
        return
    made = chinese(given.set, given.data, folder, lambda line: print(line, flush=True))
    tables = []
    for seed in range(given.first, given.first + given.seeds):
        tables.append(trained(made, seed, given.dimension, folder))
        tell(given.set, tables)


if __name__ == "__main__":
    main()
