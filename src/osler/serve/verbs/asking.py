"""Asking about patients: the answerer is kept until the records change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from osler.errors import InputError, QueryError
from osler.serve.reader import Reader
from osler.store.graph_rows import GraphRows

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.answerer import Answerer
    from osler.records.kb import ClinicalKB

MODEL = "ask"
EXAMPLES = 4
AROUND = 400
"""Edges that are looked at around a patient."""


class Around(msgspec.Struct, frozen=True):
    """One edge at a patient: relation, the other end's id, name and type."""

    relation: str
    id: str
    name: str
    type: str


class Patient(msgspec.Struct, frozen=True):
    """A patient with what the records say, and how much of it is not shown."""

    id: str
    name: str
    around: list[Around]
    left: int


def answerer(reader: Reader) -> Answerer:
    """The default answerer with the model that was trained in the library, if there is one."""
    from osler.ask.answerer import answerers

    rows = GraphRows(reader.truth)
    folder = reader.layout.models / MODEL
    trained = folder / "model.safetensors"

    def make() -> Answerer | InputError:
        try:
            made = answerers.get("reader")(reader.records())
        except InputError as error:
            return error  # that there are no records is as dear to find out
        if trained.is_file():
            made.load(folder)
        return made

    stamp = (
        rows.last_seq("records"),
        rows.last_seq("knowledge"),
        trained.stat().st_mtime_ns if trained.is_file() else 0,
    )
    held = reader.shared.keep("answerer", stamp, make)
    if isinstance(held, InputError):
        raise InputError(held.message, cure=held.cure)
    return held


def ask(reader: Reader, question: str) -> Answer:
    """The answer with its reasons. Signs without a letter are refused like any other question."""
    from osler.ask.answer import Answer

    held = answerer(reader)
    try:
        return held.ask(question, explain=True)
    except QueryError as error:
        return Answer(question=question, note=error.message, method=held.name)


def patient_of(reader: Reader, answer: Answer) -> Patient | None:
    """The patient that an answer is about, with what stands around; None where it is about many."""
    from osler.kinds import PathReason

    kb = answerer(reader).kb
    patients = set(kb.patients.tolist())
    for reason in answer.reasons:
        if isinstance(reason, PathReason):
            for id in reason.path.entities:
                number = kb.number_of.get(id)
                if number is not None and number in patients:
                    return _around(kb, number)
    return None


def _around(kb: ClinicalKB, number: int) -> Patient:
    low, high = int(kb.start[number]), int(kb.start[number + 1])
    edges: list[Around] = []
    for at in range(low, min(high, low + AROUND)):
        other = int(kb.neighbour[at])
        relation, _ = kb.relation_of(int(kb.code[at]))
        edges.append(
            Around(relation, kb.ids[other], kb.names[other], kb.types[int(kb.type_of[other])])
        )
    return Patient(kb.ids[number], kb.names[number], edges, max(0, high - low - AROUND))


def examples(reader: Reader) -> list[str]:
    """Questions that these records can answer, to begin with."""
    kb = answerer(reader).kb
    made: list[str] = []
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
            kind = kinds[len(made) % len(kinds)].replace("_", " ").lower()
            made.append(f"What {kind} does patient {kb.names[number]} have?")
        if len(made) == EXAMPLES:
            break
    return made


def type_in_records(reader: Reader) -> Callable[[str], str]:
    """The type of an entity of the records."""
    kb = answerer(reader).kb

    def type_of(id: str) -> str:
        number = kb.number_of.get(id)
        return kb.types[int(kb.type_of[number])] if number is not None else ""

    return type_of
