"""Questions over FHIR records, worded by somebody else, with gold from the raw data.

python benchmarks/ask_fhir.py --data DIR [--questions FILE] [--wrong] [--libraries DIR]

Prints exact accuracy by kind and by family of wording, answers that are wrong at a confidence of
0.9 or more, refusals, and the calibration error. The match rules are those of the set's README.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from osler import Library
from osler.ask.answer import Answer
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import LibraryFacts

SETS = {
    "handmade": "ask_fhir/handmade",
    "synthea5": "synthea_fhir_r4/bundles",
    "synthea615": "synthea_fhir_r4",
}
_TAG = re.compile(r"\s*\([a-z/ ]+\)\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", _TAG.sub("", text.casefold())).split())


def names_match(answers: list[str], gold: list[Any]) -> bool:
    wanted = [{plain(n) for n in (g if isinstance(g, list) else [g])} for g in gold]
    said = {plain(a) for a in answers}
    return all(any(s in w for w in wanted) for s in said) and all(w & said for w in wanted)


def numbers_match(answers: list[str], gold: list[Any]) -> bool:
    said = []
    for answer in answers:
        match = _NUMBER.search(answer)
        if match is None:
            return False
        said.append(
            (answer.strip()[:1] if answer.strip()[:1] in "<>" else "", float(match.group()))
        )
    wanted = []
    for item in gold:
        text = str(item)
        sign = text[0] if text[:1] in "<>" else ""
        wanted.append((sign, float(text.lstrip("<>= "))))
    if len(said) != len(wanted):
        return False
    pairs = zip(sorted(said, key=lambda s: s[1]), sorted(wanted, key=lambda s: s[1]), strict=True)
    return all(
        abs(a - b) <= max(0.003 * abs(b), 0.006) and (not gs or gs == s)
        for (s, a), (gs, b) in pairs
    )


def right(question: dict[str, Any], answer: Answer, today: datetime.date) -> bool:
    """Whether an answer counts as exact."""
    golds = [question["gold"], *(question.get("alt") or ())]
    if question["gold"] == "refusal":
        return not answer.answers
    if question["gold"] == "ambiguous":
        if not answer.answers:
            return True
        text = " ".join([*answer.answers, *answer.entities, answer.note])
        return all(any(mark in text for mark in bearer) for bearer in question["between"])
    if not answer.answers:
        return bool(question.get("or_refusal")) or question["gold"] == []
    return any(_one(question, gold, answer, today) for gold in golds)


def _one(question: dict[str, Any], gold: list[Any], answer: Answer, today: datetime.date) -> bool:
    rule, said = question["rule"], answer.answers
    if rule == "names":
        return names_match(said, gold)
    if rule == "number":
        return numbers_match(said, gold)
    if rule == "date":
        return {a[:10] for a in said} == {str(g)[:10] for g in gold}
    if rule == "count":
        wanted = str(gold[0])
        return (len(said) == 1 and said[0] == wanted) or (
            not said[0].isdigit() and len(said) == int(wanted)
        )
    if rule == "bool":
        return [a.casefold() for a in said] == [str(g) for g in gold]
    if rule == "age":
        return said[0] in {_years(str(g), today) for g in gold} | {str(g) for g in gold}
    if rule == "trend":
        return str(gold[0]) in said[0]
    if rule == "contains":
        text = plain(" ".join(said))
        return all(any(plain(n) in text for n in (g if isinstance(g, list) else [g])) for g in gold)
    if rule == "patients":
        ids = question.get("ids") or []
        got = {e.rsplit("/", 1)[-1] for e in answer.entities}
        same = got == set(ids) if ids and gold is question["gold"] else True
        return names_match(said, gold) and same
    raise ValueError(rule)


def _years(born: str, today: datetime.date) -> str:
    """The age today of somebody whose birth date is the gold."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", born):
        return ""
    day = datetime.date.fromisoformat(born)
    return str(today.year - day.year - ((today.month, today.day) < (day.month, day.day)))


def library_of(name: str, data: Path, folder: Path) -> Library:
    path = folder / name
    if path.exists():
        return Library.open(path)
    library = Library.create(path)
    source = data / SETS[name]
    if name == "synthea615":
        tables = folder / "tables"
        tables.mkdir(exist_ok=True)
        for table in source.glob("*.tsv.gz"):
            (tables / table.name).symlink_to(table.resolve())
        source = tables
    library.add([source])
    return library


def calibration(rows: list[tuple[float, bool]]) -> float:
    """Expected calibration error over ten equal bins of confidence."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, ok in rows:
        bins[min(int(confidence * 10), 9)].append((confidence, ok))
    total = sum(
        abs(sum(c for c, _ in b) / len(b) - sum(ok for _, ok in b) / len(b)) * len(b)
        for b in bins.values()
    )
    return total / max(len(rows), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--libraries", type=Path, help="built here once, and used again")
    parser.add_argument(
        "--wrong", action="store_true", help="print each question that is not exact"
    )
    options = parser.parse_args()
    path = options.questions or options.data / "ask_fhir" / "questions.jsonl"
    questions = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    today = datetime.date.today()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.libraries or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        answerers: dict[str, FormAnswerer] = {}
        by_kind: dict[str, list[bool]] = defaultdict(list)
        by_family: dict[str, list[bool]] = defaultdict(list)
        told: list[tuple[float, bool]] = []
        refused = wrong_and_sure = wrong = 0
        for question in questions:
            name = question["set"]
            if name not in answerers:
                library = library_of(name, options.data, folder)
                answerers[name] = FormAnswerer(LibraryFacts(library.layout.truth))
            answer = answerers[name].ask(question["question"])
            ok = right(question, answer, today)
            by_kind[question["kind"]].append(ok)
            by_family[question["family"]].append(ok)
            refused += not answer.answers
            if answer.answers:
                told.append((answer.confidence, ok))
                wrong += not ok
                wrong_and_sure += not ok and answer.confidence >= 0.9
            if options.wrong and not ok:
                print(
                    f"{question['id']} [{question['kind']}/{question['family']}] "
                    f"{question['question']}"
                )
                print(f"    gold {json.dumps(question['gold'], ensure_ascii=False)[:200]}")
                print(
                    f"    said {answer.answers[:8]} {answer.confidence:.2f} | {answer.note[:150]}"
                )
                print(f"    form {answer.form_text}")
        count = len(questions)
        exact = sum(sum(v) for v in by_kind.values())
        for title, table in (("kind", by_kind), ("family", by_family)):
            print(
                f"by {title}: "
                + "; ".join(f"{k} {sum(v)}/{len(v)}" for k, v in sorted(table.items()))
            )
        print(f"exact {exact}/{count} = {exact / count:.3f}")
        print(f"wrong answers {wrong}, at confidence >= 0.9: {wrong_and_sure}; refused {refused}")
        print(f"calibration error {calibration(told):.3f} over {len(told)} answers")


if __name__ == "__main__":
    main()
