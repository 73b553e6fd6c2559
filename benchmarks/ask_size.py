"""Questions over a hospital's worth of facts: 10,000 patients, 5 million facts by default.

python benchmarks/ask_size.py [--patients N] [--facts N] [--library DIR]

The facts are generated (names as Synthea has them, drawn by a seed), written through the store as
any reader's are. Each question has its gold, counted over the generated facts alone (of one patient
they are generated again, of many they are counted while the library is written). Printed: how long
opening takes, and the first question; a question's p50 and p95 in process, by kind of question, how
many answers are right, wrong, or refused rightly because nothing is on record; the memory of the
process that asks.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from osler import Library
from osler.kinds import Fact, FactSource
from osler.store.facts import FactRows

GIVEN = [
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kay",
    "Leo",
    "Mia",
    "Ned",
    "Oda",
    "Pia",
    "Quin",
    "Ron",
    "Sue",
    "Tom",
]
FAMILY = [
    "Abbott",
    "Baker",
    "Carver",
    "Dyer",
    "Fisher",
    "Glover",
    "Hunter",
    "Mason",
    "Potter",
    "Sawyer",
    "Turner",
    "Weaver",
]
CONDITIONS = [
    *("Hypertension", "Diabetes", "Asthma", "Gout", "Stroke", "Atrial Fibrillation", "Prediabetes"),
    *("Osteoporosis (disorder)", "Chronic sinusitis (disorder)", "Hyperlipidemia", "Epilepsy"),
    *(f"Fracture of {part}" for part in ("ankle", "rib", "clavicle", "forearm")),
    *(f"Condition number {n}" for n in range(300)),
]
DRUGS = [
    *("Hydrochlorothiazide 25 MG", "Simvastatin 20 MG Oral Tablet", "Warfarin 5 MG Oral Tablet"),
    *(
        "Metformin 500 MG Oral Tablet",
        "Metoprolol 100 MG Oral Tablet",
        "Lisinopril 10 MG Oral Tablet",
    ),
    *("Ibuprofen 200 MG Oral Tablet", "Amoxicillin 250 MG Oral Capsule", "Insulin glargine"),
    *(f"Drugnamium{n} 10 MG Oral Tablet" for n in range(300)),
]
RESULTS = [
    *(
        ("Body Weight", "kg", 40, 130),
        ("Body Mass Index", "kg/m2", 16, 45),
        ("Glucose", "mg/dL", 60, 300),
    ),
    *(("Systolic Blood Pressure", "mmHg", 90, 190), ("Diastolic Blood Pressure", "mmHg", 50, 110)),
    *(
        ("Creatinine", "mg/dL", 0.4, 5),
        ("Potassium", "mmol/L", 2.8, 6.2),
        ("Sodium", "mmol/L", 125, 150),
    ),
    *(
        ("Hemoglobin A1c/Hemoglobin.total in Blood", "%", 4, 13),
        ("Total Cholesterol", "mg/dL", 120, 320),
    ),
    *((f"Result number {n}", "U/L", 1, 100) for n in range(40)),
]


def full_name(number: int) -> str:
    """A name that nobody else bears: the number stands in letters behind the family name."""
    letters = ""
    rest = number
    while True:
        letters += "bdfgklmnprstvz"[rest % 14] + "aeiou"[rest // 14 % 5]
        rest //= 70
        if not rest:
            break
    return f"{GIVEN[number % 20]} {FAMILY[number % 12]}{letters}"


def facts_of(number: int, count: int) -> Iterator[Fact]:
    random = Random(f"ward {number}")
    patient = f"record:ward/{number}"
    source = FactSource(file="ward.ndjson", place=f"line {number}", text="{}")

    def fact(at: int | str, kind: str, name: str, **more: object) -> Fact:
        id = patient if at == "id" else f"{patient}/{kind}/{at}"
        return Fact(id=id, patient=patient, kind=kind, name=name, source=source, **more)  # type: ignore[arg-type]

    def day() -> str:
        return f"{random.randint(1990, 2025)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"

    name = full_name(number)
    yield fact("id", "patient", "id", value=str(number))
    born = f"{random.randint(1930, 2010)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    told = {
        "name": name,
        "birth date": born,
        "sex": random.choice(["female", "male"]),
        "city": "Lynn",
    }
    for at, (what, value) in enumerate(told.items()):
        yield fact(at, "patient", what, value=value, start=value if what == "birth date" else "")
    for at in range(count - 5):
        draw = random.random()
        if draw < 0.04:
            over = random.random() < 0.5
            status = "completed" if over else "active"
            yield fact(
                at,
                "condition",
                random.choice(CONDITIONS),
                status=status,
                start=day(),
                end=day() if over else "",
            )
        elif draw < 0.12:
            status = random.choice(["active", "stopped", "completed"])
            yield fact(at, "medication", random.choice(DRUGS), status=status, start=day(), dose="1")
        elif draw < 0.2:
            yield fact(at, "encounter", "General practice visit", status="completed", start=day())
        elif draw < 0.28:
            yield fact(
                at,
                "procedure",
                f"Procedure number {random.randint(1, 200)}",
                status="completed",
                start=day(),
            )
        else:
            name, unit, low, high = random.choice(RESULTS)
            value = round(random.uniform(low, high), 1)
            yield fact(
                at,
                "observation",
                name,
                status="completed",
                start=day(),
                value=str(value),
                number=value,
                unit=unit,
            )


# -- gold: what the generated facts say, counted without Osler -------------------------------------

Ward = Sequence[Fact]
TODAY = datetime.date.today().isoformat()


def has(facts: Ward, kind: str, start: str, *, ever: bool = False) -> bool:
    return any(
        f.kind == kind and f.name.startswith(start) and (ever or f.status == "active")
        for f in facts
    )


def series(facts: Ward, name: str, first: str = "", last: str = "9999") -> list[tuple[str, float]]:
    rows = [(f.start, f.number) for f in facts if f.kind == "observation" and f.name == name]
    return sorted((day, value) for day, value in rows if value and first <= day <= last)


def newest(facts: Ward, name: str) -> list[float]:
    rows = series(facts, name)
    return [value for day, value in rows if day == rows[-1][0]]


def told(facts: Ward, what: str) -> str:
    return next(f.value for f in facts if f.kind == "patient" and f.name == what)


def years(facts: Ward) -> int:
    born = told(facts, "birth date")
    return int(TODAY[:4]) - int(born[:4]) - (TODAY[5:] < born[5:])


COHORTS: dict[str, Callable[[Ward], bool]] = {
    "How many patients have diabetes?": lambda w: has(w, "condition", "Diabetes"),
    "Which patients take warfarin?": lambda w: has(w, "medication", "Warfarin"),
    "How many patients are on a statin?": lambda w: has(w, "medication", "Simvastatin"),
    "How many women with hypertension take metformin?": lambda w: (
        told(w, "sex") == "female"
        and has(w, "condition", "Hypertension")
        and has(w, "medication", "Metformin")
    ),
    "How many patients have hypertension but not diabetes?": lambda w: (
        has(w, "condition", "Hypertension") and not has(w, "condition", "Diabetes")
    ),
    "How many patients have a potassium above 5.5?": lambda w: any(
        v > 5.5 for v in newest(w, "Potassium")
    ),
    "Which patients had a creatinine over 4 in 2018?": lambda w: any(
        v > 4 for _, v in series(w, "Creatinine", "2018", "2018-12-31")
    ),
    "How many patients have a body weight over 120?": lambda w: any(
        v > 120 for v in newest(w, "Body Weight")
    ),
    "How many patients have ever had a fracture?": lambda w: has(
        w, "condition", "Fracture", ever=True
    ),
    "How many patients over 80 have gout?": lambda w: years(w) > 80 and has(w, "condition", "Gout"),
}


def medications(facts: Ward) -> list[str]:
    return sorted({f.name for f in facts if f.kind == "medication" and f.status == "active"})


def creatinine(facts: Ward) -> list[str]:
    return sorted(f"{value} mg/dL" for value in set(newest(facts, "Creatinine")))


def hypertension(facts: Ward) -> list[str]:
    if has(facts, "condition", "Hypertension"):
        return ["yes"]
    return ["no"] if has(facts, "condition", "Hypertension", ever=True) else []


def last_seen(facts: Ward) -> list[str]:
    days = [f.start for f in facts if f.kind == "encounter"]
    return [max(days)] if days else []


def potassium(facts: Ward) -> list[str] | None:
    """Rising or falling from the first day to the last; None where one day has two values."""
    rows = series(facts, "Potassium", "2010", "2020-12-31")
    first = [v for d, v in rows if d == rows[0][0]]
    last = [v for d, v in rows if d == rows[-1][0]]
    if not rows or rows[0][0] == rows[-1][0]:
        return []
    if len(first) > 1 or len(last) > 1 or first == last:
        return None
    return ["rising" if last > first else "falling"]


ONE: dict[str, Callable[[Ward], list[str] | None]] = {
    "What medications is {who} currently taking?": medications,
    "What was {who}'s last creatinine?": creatinine,
    "Does {who} have hypertension?": hypertension,
    "When was {who} last seen?": last_seen,
    "Did {who}'s potassium rise or fall between 2010 and 2020?": potassium,
}


def build(path: Path, patients: int, facts: int) -> None:
    library = Library.create(path)
    rows = FactRows(library.truth)
    started = time.perf_counter()
    batch: list[Fact] = []
    members: dict[str, list[str]] = {question: [] for question in COHORTS}
    for number in range(patients):
        own = list(facts_of(number, facts // patients))
        batch += own
        for question, holds in COHORTS.items():
            if holds(own):
                members[question].append(full_name(number))
        if len(batch) >= 25_000 or number == patients - 1:
            with library.truth.transaction() as connection:
                rows.write(connection, batch, 0)
            batch = []
    library.close()
    gold_file(path).write_text(json.dumps(members), "utf-8")
    print(f"written: {facts:,} facts in {time.perf_counter() - started:.0f} s", flush=True)


def gold_file(path: Path) -> Path:
    return path.with_name(path.name + ".gold.json")


def questions(
    path: Path, patients: int, facts: int
) -> dict[str, list[tuple[str, list[str] | None]]]:
    """Questions with their gold: an empty one where nothing is on record, None where the facts
    leave it open."""
    random = Random(3)
    one = []
    for _ in range(25):
        for text, gold in ONE.items():
            number = random.randrange(patients)
            own = list(facts_of(number, facts // patients))
            one.append((text.format(who=full_name(number)), gold(own)))
    members = json.loads(gold_file(path).read_text("utf-8"))
    many = [
        (text, [str(len(names))] if text.startswith("How many") else sorted(names))
        for text, names in members.items()
    ]
    return {"one patient": one, "many patients": many * 4}


def ask(path: Path, patients: int, facts: int) -> None:
    asked_of = questions(path, patients, facts)
    started = time.perf_counter()
    library = Library.open(path)
    opened = time.perf_counter() - started
    from osler.ask.form.answering import FormAnswerer
    from osler.ask.form.relation import LibraryFacts

    answerer = FormAnswerer(LibraryFacts(library.layout.truth))
    started = time.perf_counter()
    answerer.warm()
    warm = time.perf_counter() - started
    print(
        f"open {opened:.2f} s, names and people {warm:.2f} s, "
        f"together {opened + warm:.2f} s (bar 2)"
    )
    every: list[float] = []
    for kind, asked in asked_of.items():
        times: list[float] = []
        marks = dict.fromkeys(("right", "silent", "wrong", "missed", "open"), 0)
        by_text: dict[str, float] = {}
        for question, gold in asked:
            started = time.perf_counter()
            answer = answerer.ask(question)
            times.append(time.perf_counter() - started)
            by_text[question] = times[-1]
            mark = marked(answer.answers, gold)
            marks[mark] += 1
            if mark in ("wrong", "missed"):
                print(f"  {mark}: {question} gold {str(gold)[:80]} said {answer.answers[:3]}")
        every += times
        slow = sorted(times)[int(len(times) * 0.95)]
        print(
            f"{kind}: p50 {1000 * statistics.median(times):.0f} ms, p95 {1000 * slow:.0f} ms; of "
            f"{len(asked)} {marks['right']} right, {marks['silent']} refused because nothing is on "
            f"record, {marks['wrong']} wrong, {marks['missed']} refused without need, "
            f"{marks['open']} that the facts leave open"
        )
        if kind == "many patients":
            for text, seconds in sorted(by_text.items(), key=lambda t: -t[1])[:5]:
                print(f"  {1000 * seconds:.0f} ms  {text}")
    slow = sorted(every)[int(len(every) * 0.95)]
    print(
        f"all: p50 {1000 * statistics.median(every):.0f} ms (bar 100), "
        f"p95 {1000 * slow:.0f} ms (bar 500)"
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory {peak:.0f} MB (bar 1,000)")


def marked(answers: Sequence[str], gold: list[str] | None) -> str:
    """Right, silent (rightly nothing), wrong, missed (refused without need) or open."""
    if gold is None:
        return "open"
    if not answers:
        return "missed" if gold else "silent"
    said = sorted(answers)
    if gold in (["rising"], ["falling"]):
        return "right" if gold[0] in said[0] else "wrong"
    return "right" if said == gold else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=5_000_000)
    parser.add_argument("--library", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = options.library or Path(scratch) / "ward"
        if not path.exists():
            build(path, options.patients, options.facts)
        # A process of its own: what writing needed is not what asking needs.
        asking = multiprocessing.get_context("spawn").Process(
            target=ask, args=(path, options.patients, options.facts)
        )
        asking.start()
        asking.join()


if __name__ == "__main__":
    main()
