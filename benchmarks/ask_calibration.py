"""How far the confidence of answers is off, set by set: expected calibration error.

python benchmarks/ask_calibration.py --data DIR [--libraries DIR]

Sets: ask_fhir and our own questions (forms over FHIR records), ehrsql (forms over OMOP tables),
mimicsql (the reader, untrained, over typed triples). Beside each error stands what a confidence
that never changes would have: the share of right answers told for all of them.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from ask_ehrsql import NOW, Hospital, read, same
from ask_fhir import calibration, library_of, right
from ask_own_questions import SETS
from osler import Library
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import LibraryFacts

HERE = Path(__file__).parent
Told = list[tuple[float, bool]]


def fhir(lines: str, data: Path, folder: Path) -> Told:
    answerers: dict[str, FormAnswerer] = {}
    told: Told = []
    for question in (json.loads(line) for line in lines.splitlines() if line.strip()):
        name = question["set"]
        if name not in answerers:
            library = library_of(name, data, folder)
            answerers[name] = FormAnswerer(LibraryFacts(library.layout.truth))
        answer = answerers[name].ask(question["question"])
        if answer.answers:
            told.append((answer.confidence, right(question, answer, datetime.date.today())))
    return told


def own(data: Path, folder: Path) -> Told:
    told: Told = []
    for name in SETS:
        command = [sys.executable, str(HERE / "ask_own_questions.py"), str(data), name]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        told += fhir(lines, data, folder)
    return told


def ehrsql(data: Path) -> Told:
    questions = read(data)
    hospital = Hospital(questions, Random(11))
    told: Told = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "omop"
        folder.mkdir()
        hospital.write(folder)
        with Library.create(Path(scratch) / "lib") as library:
            library.add([folder])
            today = datetime.date.fromisoformat(NOW[:10])
            answerer = FormAnswerer(LibraryFacts(library.layout.truth), today=lambda: today)
            for question in questions:
                possible = not question["is_impossible"]
                gold = hospital.gold(question["sql"]) if possible else None
                if possible and not gold:
                    continue
                answer = answerer.ask(question["question"])
                if not answer.refused:
                    ok = possible and same(answer, gold or [], question["sql"])
                    told.append((answer.confidence, ok))
    return told


def mimicsql(data: Path) -> Told:
    from osler.ask.reader import ReaderAnswerer
    from osler_papers.recipes.clinical_sql_ward import ward

    kb, asked = ward(data / "mimicsql" / "questions.jsonl.gz")
    reader = ReaderAnswerer(kb)
    told: Told = []
    for question in (one for one in asked if not one.learn):
        answer = reader.ask(question.question)
        if not answer.refused:
            told.append((answer.confidence, question.right(answer.answers, answer.entities)))
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, help="built here once, and used again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.libraries or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        lines = (options.data / "ask_fhir" / "questions.jsonl").read_text("utf-8")
        show("ask_fhir", fhir(lines, options.data, folder))
        show("own questions", own(options.data, folder))
    show("ehrsql", ehrsql(options.data))
    show("mimicsql", mimicsql(options.data))


def show(name: str, told: Told) -> None:
    share = sum(ok for _, ok in told) / max(len(told), 1)
    constant = calibration([(0.96, ok) for _, ok in told])
    wrong = sum(not ok and confidence >= 0.9 for confidence, ok in told)
    print(
        f"{name}: calibration error {calibration(told):.3f} over {len(told)} answers, "
        f"{share:.3f} right, wrong at 0.9 and more {wrong}; always 0.96: {constant:.3f}"
    )


if __name__ == "__main__":
    main()
