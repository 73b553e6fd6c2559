"""One question over all seven topics in one knowledge base: median time, beside a plain lookup.

python benchmarks/ask.py [SCALE]   (1 is the paper's size: at least 400,000 triples)

The peer is the floor under any answerer: finding the patient's name in a dictionary and listing the
neighbours. The ratio says what reading the question costs.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time

from osler.ask.reader import ReaderAnswerer
from osler.records.kb import ClinicalKB, merge
from osler.records.making import question_set
from osler_papers.simulator import WRITERS, simulate


def main() -> None:
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as folder:
        written = simulate(folder, scale=scale)
        kb = merge(
            [ClinicalKB.read(path, format=WRITERS[topic][2]) for topic, path in written.items()]
        )
    asked = question_set(kb, scale=0.03)
    reader = ReaderAnswerer(kb)
    reader.warm()
    reading, looking = [], []
    for question in asked:
        started = time.perf_counter()
        reader.ask(question.question)
        reading.append(time.perf_counter() - started)
        started = time.perf_counter()
        for word in question.question.replace("?", " ").replace(".", " ").split():
            for node in kb.by_name.get(word.lower(), ())[:5]:
                kb.neighbours(node)
        looking.append(time.perf_counter() - started)
    ours, theirs = statistics.median(reading), statistics.median(looking)
    print(f"{len(kb.triples):,} triples, {len(asked)} questions")
    slow = 1000 * sorted(reading)[len(reading) * 95 // 100]
    print(f"ask: median {1000 * ours:.1f} ms, 95 % under {slow:.1f} ms")
    print(f"plain lookup: median {1000 * theirs:.2f} ms; ratio {ours / max(theirs, 1e-9):.0f}")


if __name__ == "__main__":
    main()
