"""How far the confidence of answers is off, set by set: expected calibration error.

python benchmarks/ask_calibration.py --data DIR [--libraries DIR]

Sets: ask_fhir and our own questions (forms over FHIR records), ehrsql (forms over OMOP tables),
mimicsql (the reader, untrained, over typed triples). Beside each error stands what a confidence
that never changes would have.

A form's confidence has three levels (osler/ask/form/certainty.py): the shares of right answers
where nothing, one thing, or more speaks against them. They are counted over wordings that
different hands or different days brought: ask_fhir, ehrsql, and the first looks at our own later
sets and at eighty questions of another hand (ask_questions/first_looks.tsv; a cured set is right
nearly everywhere and teaches nothing). Each of the three is measured with the shares of the other
two: the cross-fitted error. The reader's confidence comes from half of mimicsql's templates and is
measured on the other half.
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
from osler.ask.form.certainty import LEVELS, LIKELY, confidence, level
from osler.ask.form.relation import LibraryFacts

HERE = Path(__file__).parent
Told = list[tuple[float, bool]]
Parts = list[tuple[float, bool, bool]]
"""Of each answer: what doubts left of its certainty, whether its wording is new, whether right."""
Levels = tuple[float, float, float]
UNDER = (1.0, LIKELY, 0.8)
"""What a level may be at most: only where nothing is in doubt is an answer given at 0.9."""


def put_together(rows: Parts, levels: Levels = LEVELS) -> Told:
    return [(confidence(rest, new=new, levels=levels), ok) for rest, new, ok in rows]


def shares(rows: Parts) -> list[tuple[int, int]]:
    """Of each level: how many answers were right, and how many there are."""
    marks: list[list[bool]] = [[], [], []]
    for rest, new, ok in rows:
        marks[level(rest, new=new)].append(ok)
    return [(sum(some), len(some)) for some in marks]


def counted(rows: Parts) -> Levels:
    """The share of right answers at each level, one right and one wrong added."""
    first, second, third = (
        min((right + 1) / (count + 2), most)
        for (right, count), most in zip(shares(rows), UNDER, strict=True)
    )
    return first, second, third


def first_looks() -> dict[str, Parts]:
    looks: dict[str, Parts] = {}
    for line in (HERE / "ask_questions" / "first_looks.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            id, rest, new, ok = line.split("\t")
            looks.setdefault(id[:-3], []).append((float(rest), new == "1", ok == "1"))
    return looks


def cross_fitted(sets: dict[str, Parts]) -> None:
    for name, rows in sets.items():
        levels = counted([row for key, other in sets.items() if key != name for row in other])
        told = put_together(rows, levels)
        sure = [ok for c, ok in told if c >= 0.9]
        print(
            f"{name}: as shipped {calibration(put_together(rows)):.3f}; cross-fitted "
            f"{calibration(told):.3f} over {len(rows)} answers with "
            f"{tuple(round(part, 3) for part in levels)} from the others, wrong at 0.9 and more "
            f"{len(sure) - sum(sure)} of {len(sure)}; right by level {shares(rows)}; "
            f"by chance alone {noise(told):.3f}"
        )
    every = [row for rows in sets.values() for row in rows]
    print(
        f"all together {tuple(round(part, 3) for part in counted(every))}, {shares(every)} "
        f"(shipped: {LEVELS})"
    )


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
    return put_together(rows)


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
        show("ask_fhir", put_together(others_words))
        show("own questions, cured", own(options.data, folder))
    hospital = ehrsql(options.data)
    show("ehrsql", put_together(hospital))
    looks = first_looks()
    for name, rows in looks.items():
        show(f"{name}, first look", put_together(rows))
    first = [row for rows in looks.values() for row in rows]
    cross_fitted({"ask_fhir": others_words, "ehrsql": hospital, "own, first looks": first})
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
