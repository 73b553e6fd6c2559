"""A library of 100,000 question-answer pairs: how long its index takes, and a question.

    python benchmarks/match_size.py --data DIR [--pairs 100000] [--questions 60]

MedQuAD's pairs are multiplied: each copy is about another, made-up illness. Told are seconds of
processor (and by the wall, which count on a quiet machine alone): reading the pairs, making the
index, opening it again, and a question, asked the first time (the answers near it are read by the
encoder) and again after all others (every answer was read before).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from osler.library import Library
from osler.verbs.match import pool_of

SYLLABLES = (
    "ba",
    "co",
    "di",
    "fu",
    "ga",
    "hy",
    "jo",
    "ka",
    "le",
    "mi",
    "no",
    "pe",
    "ri",
    "so",
    "tu",
)


class Clock:
    """Processor's and wall's seconds since it was made."""

    def __init__(self) -> None:
        self.used, self.begun = time.process_time(), time.perf_counter()

    @property
    def both(self) -> tuple[float, float]:
        return time.process_time() - self.used, time.perf_counter() - self.begun

    def __str__(self) -> str:
        used, wall = self.both
        return f"{used:.2f} s of processor ({wall:.2f} s by the wall)"


def made_up(rng: np.random.Generator) -> str:
    return "".join(rng.choice(SYLLABLES, size=4)).capitalize() + "'s disease"


def write(data: Path, place: Path, count: int) -> None:
    rng = np.random.default_rng(0)
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["focus"]]
    with place.open("w", encoding="utf-8") as out:
        for number in range(count):
            row = rows[number % len(rows)]
            name = row["focus"] if number < len(rows) else made_up(rng)
            pair = {
                "id": str(number),
                "question": row["question"].replace(row["focus"], name),
                "answer": row["answer"].replace(row["focus"], name),
            }
            out.write(json.dumps(pair) + "\n")


def asked(library: Library, questions: list[str]) -> tuple[list[float], list[float]]:
    used, wall = [], []
    for question in questions:
        clock = Clock()
        library.match(question, k=5, explain=False)
        one = clock.both
        used.append(one[0] * 1e3)
        wall.append(one[1] * 1e3)
    return used, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "pairs.jsonl"
        write(given.data, place, given.pairs)
        clock = Clock()
        with Library.create(Path(folder) / "library") as library:
            library.add([place])
            print(f"{given.pairs:,} pairs read into the library: {clock}", flush=True)
            clock = Clock()
            pool = pool_of(library)
            print(f"their index made ({len(pool.numbers):,} pieces): {clock}", flush=True)
            size = library.layout.pairs.stat().st_size / 1e6
        with Library.open(Path(folder) / "library") as library:
            clock = Clock()
            pool_of(library)
            print(f"opened again ({size:.0f} MB): {clock}", flush=True)
            some = list(library.pairs_of([str(n) for n in range(7, given.pairs, 1_637)]).values())
            questions = [pair.question for pair in some][: given.questions]
            asked(library, ["What helps against a cold?"])  # what is loaded once is loaded here
            for title in ("asked the first time", "asked again"):
                used, wall = asked(library, questions)
                print(
                    f"{title}, {len(questions)} questions: p50 {statistics.median(used):.0f} ms of "
                    f"processor, p95 {np.percentile(used, 95):.0f} ms (wall {np.median(wall):.0f}, "
                    f"{np.percentile(wall, 95):.0f}); the bar is p50 100 ms",
                    flush=True,
                )


if __name__ == "__main__":
    main()
