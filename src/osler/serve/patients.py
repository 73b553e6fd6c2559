"""What the page shows beside an answer: the patient it is about, questions to begin with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from osler.errors import QueryError
from osler.serve.reader import Reader
from osler.verbs.ask import AskRequest, ask, facts_answerer, records_of

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.form.answering import FormAnswerer
    from osler.records.kb import ClinicalKB

EXAMPLES = 4
AROUND = 400
"""Edges that are looked at around a patient."""


def answered(reader: Reader, request: AskRequest) -> Answer:
    """The answer; signs without a letter are refused like any other question."""
    from osler.ask.answer import Answer

    try:
        return ask(reader, request)
    except QueryError as error:
        return Answer(question=request.question, note=error.message, method=request.method or "")


class PatientEdge(msgspec.Struct, frozen=True):
    """One edge at a patient: relation, the other end's id, name and type, and its ``state`` where
    it is not simply so now."""

    relation: str
    id: str
    name: str
    type: str
    state: str = ""


class PatientShown(msgspec.Struct, frozen=True):
    """A patient with what the records say, and how much of it is not shown."""

    id: str
    name: str
    around: list[PatientEdge]
    left: int


def patient_of(reader: Reader, answer: Answer) -> PatientShown | None:
    """The patient that an answer is about, with what stands around; None where it is about many."""
    from osler.kinds import PathReason

    kb = records_of(reader)
    named = answer.form.get("who", {}).get("patients", ())
    if len(named) == 1 and (number := kb.number_of.get(named[0])) is not None:
        described = facts_answerer(reader)
        return _around(kb, number, described.states(named[0]) if described is not None else {})
    patients = set(kb.patients.tolist())
    for reason in answer.reasons:
        if isinstance(reason, PathReason):
            for id in reason.path.entities:
                number = kb.number_of.get(id)
                if number is not None and number in patients:
                    return _around(kb, number)
    return None


def _around(
    kb: ClinicalKB, number: int, states: Mapping[str, str] = MappingProxyType({})
) -> PatientShown:
    low, high = int(kb.start[number]), int(kb.start[number + 1])
    edges: list[PatientEdge] = []
    for at in range(low, min(high, low + AROUND)):
        other = int(kb.neighbour[at])
        relation, _ = kb.relation_of(int(kb.code[at]))
        id, type = kb.ids[other], kb.types[int(kb.type_of[other])]
        edges.append(PatientEdge(relation, id, kb.names[other], type, states.get(id, "")))
    return PatientShown(kb.ids[number], kb.names[number], edges, max(0, high - low - AROUND))


def examples(reader: Reader) -> list[str]:
    """Questions that these records can answer, to begin with."""
    described = facts_answerer(reader)
    if described is not None and described.describes():
        return _asked_of(described)
    kb = records_of(reader)
    questions: list[str] = []
    for number in kb.patients[: 3 * EXAMPLES].tolist():
        low, high = int(kb.start[number]), int(kb.start[number + 1])
        kinds = sorted(
            {
                kb.types[int(kb.type_of[int(kb.neighbour[at])])]
                for at in range(low, high)
                if not kb.opaque[int(kb.type_of[int(kb.neighbour[at])])]
            }
        )
        if kinds:
            kind = kinds[len(questions) % len(kinds)].replace("_", " ").lower()
            questions.append(f"What {kind} does patient {kb.names[number]} have?")
        if len(questions) == EXAMPLES:
            break
    return questions


def _asked_of(answerer: FormAnswerer) -> list[str]:
    """Questions about people who are described, and about all of them."""
    names = [p.name for p in list(answerer.people.all.values())[:EXAMPLES]]
    wordings = (
        "What medications is {} currently taking?",
        "When was {} last seen?",
        "What conditions does {} have?",
    )
    questions = [words.format(name) for words, name in zip(wordings, names, strict=False)]
    return [*questions, "How many patients have hypertension but not diabetes?"]


def type_in_records(reader: Reader) -> Callable[[str], str]:
    """The type of an entity of the records."""
    kb = records_of(reader)

    def type_of(id: str) -> str:
        number = kb.number_of.get(id)
        return kb.types[int(kb.type_of[number])] if number is not None else ""

    return type_of
