"""Questions in many styles over hospitals that were made up for them, nothing trained.

Each hospital has its own relation names (flat, camel case with events, upper-case codes, Chinese).
The questions were written first and the reader was then mended where it failed, so they guard what
works and measure nothing new. Some have no answer: to say so is right. The bars leave room for the
few that are known to fail.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from osler.ask.answer import Answer
from osler.ask.reader import ReaderAnswerer
from osler.records.kb import ClinicalKB

HOSPITALS = Path(__file__).parent / "hospitals"
"""``*.tsv`` the records, ``*.jsonl`` the questions, ``*.read.txt`` how each is read and answered;
after a wanted change ``python tests/ask/test_hospitals.py`` writes the last anew, to be read."""
NAMES = ("clinic", "network", "registry", "zh")
EVERY = ("children", *NAMES)


@lru_cache(maxsize=len(EVERY))
def reader(name: str) -> ReaderAnswerer:
    return ReaderAnswerer(ClinicalKB.read(HOSPITALS / f"{name}.tsv"))


def asked(name: str) -> list[dict[str, Any]]:
    lines = (HOSPITALS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@lru_cache(maxsize=len(NAMES))
def answered(name: str) -> list[tuple[dict[str, Any], Answer]]:
    return [(row, reader(name).ask(row["question"])) for row in asked(name)]


def steps(name: str) -> Iterator[str]:
    """How each question is read, step by step, and what is answered."""
    asker = reader(name)
    for row in asked(name):
        question = row["question"]
        reading, _, items = asker.prepare(question)
        answer = asker.ask(question, explain=True)
        yield f"? {question}"
        for m in reading.mentions:
            flags = " ".join(w for w in ("weak", "patient", "negated", "choice") if getattr(m, w))
            yield f"  names {m.first}-{m.last} {m.name!r} {m.how} {len(m.nodes)} {flags}".rstrip()
        for f in reading.tests:
            yield f"  tests {f.kind} {list(f.tests)} {f.start}-{f.end}"
        said = [w for w in ("count", "polar", "asks_patients", "population") if getattr(reading, w)]
        yield f"  asks {said} {reading.extreme} {reading.unknown_patient} {reading.holes}"
        clues = [
            f"{c.text}:{c.weight:g}{'*' * c.target}{'' if c.known else '?'}" for c in reading.clues
        ]
        yield f"  clues {' '.join(clues)}"
        summed = np.sum([i.features for i in items], axis=0) if items else np.zeros(1)
        yield f"  walks {len(items)} {' '.join(f'{v + 0:.2f}' for v in summed.ravel())}"
        yield f"  says {answer.answers} {answer.confidence:.3f} | {answer.path} | {answer.note}"
        yield f"  from {answer.sources[:5]} {len(answer.reasons)}"


@pytest.mark.parametrize("name", EVERY)
def test_each_step_of_reading(name: str) -> None:
    expected = (HOSPITALS / f"{name}.read.txt").read_text("utf-8").splitlines()
    assert list(steps(name)) == expected


def right(row: dict[str, Any], answer: Answer) -> bool:
    accepted = [set(row["answers"]), *([set(row["also"])] if "also" in row else [])]
    return set(answer.answers) in accepted


@pytest.mark.parametrize("name", NAMES)
def test_most_are_answered_right(name: str) -> None:
    rows = [(r, a) for r, a in answered(name) if r["answers"]]
    wrong = [r["question"] for r, a in rows if not right(r, a)]
    assert len(wrong) <= 0.1 * len(rows), wrong


@pytest.mark.parametrize("name", NAMES)
def test_what_is_absent_is_refused(name: str) -> None:
    rows = [(r, a) for r, a in answered(name) if not r["answers"]]
    wrong = [r["question"] for r, a in rows if not a.refused]
    assert len(wrong) <= 0.15 * len(rows), wrong
    assert all(a.note for _, a in rows if a.refused)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_another_patient(name: str) -> None:
    """Whatever is asked about one patient, the answer is that patient's own or nobody's."""
    kb = reader(name).kb
    for row, answer in answered(name):
        patients = [n for n in kb.patients.tolist() if kb.names[n] in row["question"]]
        if len(patients) == 1 and answer.entities:
            nodes = [kb.number_of[i] for i in answer.entities]
            owners = {int(kb.owner[n]) for n in nodes}
            assert owners <= {patients[0], -1}, row["question"]


if __name__ == "__main__":
    for hospital in EVERY:
        text = "\n".join(steps(hospital)) + "\n"
        (HOSPITALS / f"{hospital}.read.txt").write_text(text, "utf-8")
