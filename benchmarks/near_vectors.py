"""Beyond exact search: how many of the ten nearest the graph finds, and what each way costs.

    python benchmarks/near_vectors.py [--library FOLDER] [--sizes 100000 1000000] [--json FILE]

Vectors are drawn with the spread of real ones: each is a random mixture of two vectors of a
library's papers with noise along their principal axes, so that neighbourhoods are as dense as
among papers. Questions are drawn in the same way and are none of them. The index is the library's
own (``VectorIndex``); exact is the same index told to compare everything. Processor time a
question, and of building the graph.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from beside import Result, Table, json_option, seconds, write
from osler import Library
from osler.settings import EXACT_VECTORS
from osler.store.vectors import Nearest, VectorIndex

Floats = npt.NDArray[np.float32]
K, QUESTIONS, PART = 10, 200, 50_000
NOISE = 0.5
"""How far a drawn vector leaves the mixture, in standard deviations of each axis."""


class Draw:
    """Unit vectors that are spread like those of a library's papers."""

    def __init__(self, real: Floats, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.real = real - real.mean(axis=0)
        self.middle = real.mean(axis=0)
        _, scales, self.axes = np.linalg.svd(self.real, full_matrices=False)
        self.scales = scales / np.sqrt(len(real))

    def __call__(self, count: int) -> Floats:
        first, second = self.rng.integers(0, len(self.real), (2, count))
        share = self.rng.beta(0.5, 0.5, (count, 1)).astype(np.float32)
        mixed = share * self.real[first] + (1 - share) * self.real[second]
        noise = self.rng.normal(0.0, NOISE, (count, len(self.scales))) * self.scales
        drawn = self.middle + mixed + (noise @ self.axes)
        unit: Floats = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
        return unit


def asked(search: Callable[[Floats], Nearest], questions: Floats) -> tuple[list[set[int]], float]:
    """The rows of each answer's best ten, and the median processor time of a question."""
    answers, times = [], []
    for question in questions:
        start = time.process_time()
        nearest = search(question)
        times.append(time.process_time() - start)
        best = np.argsort(-nearest.scores, kind="stable")[:K]
        answers.append(set(nearest.rows[best].tolist()))
    return answers, float(np.median(times))


def measure(size: int, draw: Draw, folder: Path) -> list[str]:
    """One row: size, recall, time of both ways, time of building."""
    index = VectorIndex(folder, dimension=len(draw.middle))
    for start in range(0, size, PART):
        count = min(PART, size - start)
        rows = range(start + 1, start + count + 1)
        index.append(rows, rows, draw(count), applied=start + count)
    questions = draw(QUESTIONS)
    os.environ[EXACT_VECTORS.variable] = str(size)
    exact, slow = asked(lambda question: index.search(question, K), questions)
    os.environ[EXACT_VECTORS.variable] = "1000"
    start_of = time.process_time()
    index.search(questions[0], K)
    building = time.process_time() - start_of
    near, quick = asked(lambda question: index.search(question, K), questions)
    recall = np.mean([len(a & b) / K for a, b in zip(exact, near, strict=True)])
    return [f"{size:,}", f"{recall:.3f}", seconds(quick), seconds(slow), seconds(building)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, default=Path("demo/library"))
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    json_option(parser)
    options = parser.parse_args()
    with Library.open(options.library) as library:
        ids = library.page(limit=20_000)
        _, real = library.vectors(ids)
    rows = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as temporary:
            rows.append(measure(size, Draw(real), Path(temporary) / "vectors"))
            print("  ".join(rows[-1]), flush=True)
    head = ["vectors", "recall@10", "graph, processor time", "exact", "building the graph"]
    table = Table(title="The nearest ten of many vectors", head=head, rows=rows)
    write(Result(name="near_vectors", tables=[table]), options.json)


if __name__ == "__main__":
    main()
