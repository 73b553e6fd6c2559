"""How far the confidence of answers is off, set by set: expected calibration error.

python benchmarks/ask_calibration.py --data DIR [--libraries DIR]

Sets: ask_fhir and our own questions (forms over FHIR records), ehrsql (forms over OMOP tables),
mimicsql (the reader, untrained, over typed triples). Beside each error stands what a confidence
that never changes would have.

A form's confidence has three constants (osler/ask/form/certainty.py). They are chosen by
cross-validation over wordings that different hands or different days brought: ask_fhir, ehrsql and
the first looks at our later sets and at eighty questions of another hand
(ask_questions/first_looks.tsv; a cured set is right nearly everywhere and teaches nothing). Each is
measured with constants that the others chose: the cross-fitted error. The reader's confidence comes
from half of mimicsql's templates and is measured on the other half.
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
from osler.ask.form.certainty import MILD, SURE, UNTRIED, confidence
from osler.ask.form.relation import LibraryFacts

HERE = Path(__file__).parent
Told = list[tuple[float, bool]]
Parts = list[tuple[float, bool, bool]]
"""Of each answer: what doubts left of its certainty, whether its wording is new, whether right."""
Constants = tuple[float, float, float]
SHIPPED: Constants = (SURE, UNTRIED, MILD)
GRID: list[Constants] = [
    (sure / 1000, untried / 100, mild)
    for sure in range(950, 1000, 10)
    for untried in range(84, 94)
    for mild in (0.25, 0.5, 1.0)
    if sure * untried < 90_000
]
"""Constants that are tried: a wording that is new stays under 0.9."""


def put_together(rows: Parts, constants: Constants) -> Told:
    sure, untried, mild = constants
    return [
        (confidence(rest, new=new, sure=sure, untried=untried, mild=mild), ok)
        for rest, new, ok in rows
    ]


def first_looks() -> dict[str, Parts]:
    looks: dict[str, Parts] = {}
    for line in (HERE / "ask_questions" / "first_looks.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            id, rest, new, ok = line.split("\t")
            looks.setdefault(id[:-3], []).append((float(rest), new == "1", ok == "1"))
    return looks


def best(sets: list[Parts]) -> Constants:
    """The constants with the least mean error; of equals the most careful."""

    def error(constants: Constants) -> float:
        return sum(calibration(put_together(rows, constants)) for rows in sets) / len(sets)

    return min(GRID, key=lambda constants: (round(error(constants), 4), sum(constants[:2])))


def cross_fitted(sets: dict[str, Parts]) -> None:
    looks: Told = []
    for name, rows in sets.items():
        chosen = best([other for key, other in sets.items() if key != name])
        told = put_together(rows, chosen)
        shipped = calibration(put_together(rows, SHIPPED))
        wrong = sum(not ok and c >= 0.9 for c, ok in told)
        print(
            f"{name}: as shipped {shipped:.3f}; cross-fitted {calibration(told):.3f} over "
            f"{len(rows)} answers with {chosen} from the others, wrong at 0.9 and more {wrong}; "
            f"by chance alone {noise(told):.3f}"
        )
        looks += told if "first look" in name else []
    print(
        f"all first looks, each with the others' constants: {calibration(looks):.3f} over "
        f"{len(looks)} answers, wrong at 0.9 and more {sum(not ok and c >= 0.9 for c, ok in looks)}"
    )
    print(f"all together choose {best(list(sets.values()))} (shipped: {SHIPPED})")


def noise(told: Told, times: int = 200) -> float:
    """What the error would be by chance alone, were each confidence exactly right: the mean over
    draws of as many answers."""
    rng = Random(0)
    draws = [calibration([(c, rng.random() < c) for c, _ in told]) for _ in range(times)]
    return sum(draws) / times


def fhir(lines: str, data: Path, folder: Path) -> Parts:
    answerers: dict[str, FormAnswerer] = {}
    rows: Parts = []
    for question in (json.loads(line) for line in lines.splitlines() if line.strip()):
        name = question["set"]
        if name not in answerers:
            library = library_of(name, data, folder)
            answerers[name] = FormAnswerer(LibraryFacts(library.layout.truth))
        answer, rest, new = answerers[name].weighed(question["question"])
        if answer.answers:
            rows.append((rest, new, right(question, answer, datetime.date.today())))
    return rows


def own(data: Path, folder: Path) -> Told:
    rows: Parts = []
    for name in SETS:
        command = [sys.executable, str(HERE / "ask_own_questions.py"), str(data), name]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows += fhir(lines, data, folder)
    return put_together(rows, SHIPPED)


def ehrsql(data: Path) -> Parts:
    questions = read(data)
    hospital = Hospital(questions, Random(11))
    rows: Parts = []
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
                answer, rest, new = answerer.weighed(question["question"])
                if not answer.refused:
                    ok = possible and same(answer, gold or [], question["sql"])
                    rows.append((rest, new, ok))
    return rows


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
        show("ask_fhir", put_together(others_words, SHIPPED))
        show("own questions, cured", own(options.data, folder))
    hospital = ehrsql(options.data)
    show("ehrsql", put_together(hospital, SHIPPED))
    sets = {"ask_fhir": others_words, "ehrsql": hospital}
    cross_fitted(sets | {f"{name}, first look": rows for name, rows in first_looks().items()})
    show("mimicsql", mimicsql(options.data))


def show(name: str, told: Told) -> None:
    share = sum(ok for _, ok in told) / max(len(told), 1)
    constant = calibration([(0.96, ok) for _, ok in told])
    wrong = sum(not ok and sure >= 0.9 for sure, ok in told)
    print(
        f"{name}: calibration error {calibration(told):.3f} over {len(told)} answers, "
        f"{share:.3f} right, wrong at 0.9 and more {wrong}; always 0.96: {constant:.3f}"
    )


if __name__ == "__main__":
    main()
