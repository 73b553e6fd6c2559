"""What the second question costs: ``Library.ask`` again and again over one open library.

    python benchmarks/asking_again.py --patients 10000

Records of nobody are made as triples. Printed are the seconds of the first question (which opens
the records), the median of those after it, and of those after a mark of relevance in between.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from osler import Document, Library

FACTS = 20
"""What the records say of one patient."""
ASKED = 5


def write(path: Path, patients: int) -> None:
    """A table of triples: each patient takes drugs and has problems."""
    rng = random.Random(0)
    drugs = [f"drug{number}" for number in range(400)]
    problems = [f"problem{number}" for number in range(400)]
    lines = ["head\thead_type\trelation\ttail\ttail_type"]
    for number in range(patients):
        for drug in rng.sample(drugs, FACTS // 2):
            lines.append(f"P{number}\tpatient\ttakes\t{drug}\tdrug")
        for problem in rng.sample(problems, FACTS // 2):
            lines.append(f"P{number}\tpatient\thas problem\t{problem}\tproblem")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def asked(library: Library, number: int) -> float:
    """Seconds of one question."""
    started = time.perf_counter()
    answer = library.ask(f"Which drugs does P{number} take?")
    assert len(answer.answers) == FACTS // 2, answer
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=2_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "records.tsv"
        write(table, given.patients)
        with Library.create(Path(folder) / "library") as library:
            library.add_documents([Document(id="1", title="A paper")])
            library.add([table])
            first = asked(library, 0)
            again = [asked(library, number) for number in range(1, ASKED + 1)]
            marked = []
            for number in range(ASKED):
                library.judge({"q": {"1": number % 2}}, {"q": "a question"})
                marked.append(asked(library, number))
    print(
        f"{given.patients:,} patients: first question {first:.2f} s, the next "
        f"{statistics.median(again):.3f} s, after a mark {statistics.median(marked):.3f} s"
    )


if __name__ == "__main__":
    main()
