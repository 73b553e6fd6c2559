"""How far the confidence of answers is off, set by set: expected calibration error.

python benchmarks/ask_calibration.py --data DIR [--libraries DIR]

Sets: ask_fhir and our own questions (forms over FHIR records), ehrsql (forms over OMOP tables),
mimicsql (the reader, untrained, over typed triples). Beside each error stands what a confidence
that never changes would have.

A form's confidence has two constants: how often an answer is right whose words were tried beside
their neighbours (SURE), and what is left of it where they were not (UNTRIED). They are chosen by
cross-validation over wordings that different hands or different days brought: ask_fhir, ehrsql and
the first looks at two sets of ours (ask_questions/first_looks.tsv; a cured set is right nearly
everywhere and teaches nothing). Each of the four is measured with constants that the other three
chose: the cross-fitted error. The reader's confidence comes from half of mimicsql's templates and
is measured on the other half.
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
from osler.ask.form.familiar import UNTRIED
from osler.ask.form.relation import LibraryFacts
from osler.ask.form.running import SURE

HERE = Path(__file__).parent
Told = list[tuple[float, bool]]
Parts = list[tuple[float, bool, bool]]
"""Of each answer: what doubts left of its certainty, whether its wording is new, whether right."""
GRID = [
    (sure / 1000, untried / 100)
    for sure in range(950, 1000, 5)
    for untried in range(80, 100)
    if sure * untried < 90_000
]
"""Constants that are tried: a wording that is new stays under 0.9."""


def parts(told: Told, notes: list[str]) -> Parts:
    """Confidences taken apart into what the constants gave and the rest."""
    rows = []
    for (confidence, ok), note in zip(told, notes, strict=True):
        new = "worded unlike" in note
        rows.append((confidence / SURE / (UNTRIED if new else 1.0), new, ok))
    return rows


def put_together(rows: Parts, sure: float, untried: float) -> Told:
    return [(min(rest * sure * (untried if new else 1.0), 1.0), ok) for rest, new, ok in rows]


def first_looks() -> dict[str, Parts]:
    looks: dict[str, Parts] = {}
    for line in (HERE / "ask_questions" / "first_looks.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            id, rest, new, ok = line.split("\t")
            looks.setdefault(id[:4], []).append((float(rest), new == "1", ok == "1"))
    return looks


def best(sets: list[Parts]) -> tuple[float, float]:
    """The constants with the least mean error; of equals the most careful."""

    def error(constants: tuple[float, float]) -> float:
        return sum(calibration(put_together(rows, *constants)) for rows in sets) / len(sets)

    return min(GRID, key=lambda constants: (round(error(constants), 4), sum(constants)))


def cross_fitted(sets: dict[str, Parts]) -> None:
    for name, rows in sets.items():
        others = [other for key, other in sets.items() if key != name]
        sure, untried = best(others)
        error = calibration(put_together(rows, sure, untried))
        shipped = calibration(put_together(rows, SURE, UNTRIED))
        wrong = sum(not ok and c >= 0.9 for c, ok in put_together(rows, sure, untried))
        print(
            f"{name}: as shipped {shipped:.3f}; cross-fitted {error:.3f} over {len(rows)} answers "
            f"with {sure:.3f} and {untried:.2f} from the others, wrong at 0.9 and more {wrong}"
        )
    sure, untried = best(list(sets.values()))
    print(f"all four together choose {sure:.3f} and {untried:.2f} (shipped: {SURE}, {UNTRIED})")


def fhir(lines: str, data: Path, folder: Path) -> tuple[Told, list[str]]:
    answerers: dict[str, FormAnswerer] = {}
    told: Told = []
    notes: list[str] = []
    for question in (json.loads(line) for line in lines.splitlines() if line.strip()):
        name = question["set"]
        if name not in answerers:
            library = library_of(name, data, folder)
            answerers[name] = FormAnswerer(LibraryFacts(library.layout.truth))
        answer = answerers[name].ask(question["question"])
        if answer.answers:
            told.append((answer.confidence, right(question, answer, datetime.date.today())))
            notes.append(answer.note)
    return told, notes


def own(data: Path, folder: Path) -> Told:
    told: Told = []
    for name in SETS:
        command = [sys.executable, str(HERE / "ask_own_questions.py"), str(data), name]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        told += fhir(lines, data, folder)[0]
    return told


def ehrsql(data: Path) -> tuple[Told, list[str]]:
    questions = read(data)
    hospital = Hospital(questions, Random(11))
    told: Told = []
    notes: list[str] = []
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
                    notes.append(answer.note)
    return told, notes


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
        others_words = fhir(lines, options.data, folder)
        show("ask_fhir", others_words[0])
        show("own questions, cured", own(options.data, folder))
    hospital = ehrsql(options.data)
    show("ehrsql", hospital[0])
    sets = {"ask_fhir": parts(*others_words), "ehrsql": parts(*hospital)}
    cross_fitted(sets | {f"{name}, first look": rows for name, rows in first_looks().items()})
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
