"""Writes the table of neighbouring words that our own questions were answered rightly with.

python benchmarks/ask_familiar.py --data DIR [--libraries DIR] [--but SET] [--out FILE]

The table (src/osler/ask/form/familiar.tsv) tells an answer's confidence whether the question is
worded like those that were checked. ``--but`` leaves a set out: written without the last set, it
shows what a set of new questions meets. ask_fhir's questions are not in it: they measure.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from ask_fhir import library_of, right
from ask_own_questions import SETS
from osler.ask.form import familiar
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import LibraryFacts

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, help="built here once, and used again")
    parser.add_argument("--but", choices=[*SETS, ""], default="")
    parser.add_argument("--out", type=Path, default=Path(familiar.__file__).with_suffix(".tsv"))
    options = parser.parse_args()
    known: set[familiar.Neighbours] = set()
    answerers: dict[str, FormAnswerer] = {}
    checked = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.libraries or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in [s for s in SETS if s != options.but]:
            command = [sys.executable, str(HERE / "ask_own_questions.py"), str(options.data), name]
            lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for question in map(json.loads, lines.splitlines()):
                where = question["set"]
                if where not in answerers:
                    library = library_of(where, options.data, folder)
                    answerers[where] = FormAnswerer(LibraryFacts(library.layout.truth))
                reading = answerers[where].read(question["question"])
                answer = answerers[where].ask(question["question"])
                if reading.form is not None and right(question, answer, datetime.date.today()):
                    known.update(familiar.neighbours(reading.spans))
                    checked += 1
    head = f"# Neighbours in {checked} questions that were answered rightly (ask_familiar.py).\n"
    rows = "".join("\t".join(three) + "\n" for three in sorted(known))
    options.out.write_text(head + rows, "utf-8")
    print(f"{len(known)} threes of {checked} questions")


if __name__ == "__main__":
    main()
