"""An answer to a question about patients: entities, how sure, by which path, from which lines."""

from __future__ import annotations

from typing import Any

import msgspec

from osler.kinds import Reason


class Quoted(msgspec.Struct, frozen=True, omit_defaults=True):
    """A source as its text, with the words that say it marked by their offsets."""

    fact: str
    text: str
    start: int = 0
    end: int = 0
    file: str = ""
    place: str = ""


class LeftOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that is about what was asked and was not counted, and why."""

    name: str
    why: str
    patient: str = ""
    date: str = ""


class Bearer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of several patients whom a name may mean, or a row of a cohort."""

    id: str
    name: str
    born: str = ""
    sex: str = ""


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact on the patient's time line of the kind that was asked for."""

    name: str
    start: str
    end: str = ""
    status: str = ""
    value: str = ""
    chosen: bool = False


class Answer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """``answers`` are names for people, ``entities`` the ids behind them; both empty is a
    refusal, and
    ``note`` says why. ``sources`` are the places in the records that the answer rests on.

    An answer from facts also holds its form (as JSON and in words), its sources as text, what was
    left out and why, the concepts' names that were taken in, and the namesakes among whom the
    question does not say which one it means.
    """

    question: str
    answers: list[str] = []
    entities: list[str] = []
    confidence: float = 0.0
    path: str = ""
    sources: list[str] = []
    reasons: tuple[Reason, ...] = ()
    note: str = ""
    method: str = ""
    form: dict[str, Any] = {}
    form_text: str = ""
    quoted: list[Quoted] = []
    left_out: list[LeftOut] = []
    taken_in: dict[str, list[str]] = {}
    candidates: list[Bearer] = []
    patients: list[Bearer] = []
    timeline: list[Moment] = []
    model: str = ""
    """The trained model of the library that answered; empty where none did."""

    @property
    def refused(self) -> bool:
        return not self.answers

    def line(self, id: str) -> dict[str, Any]:
        """One line of an answers file (``osler ask LIB --questions Q.jsonl --out A.jsonl``)."""
        said = {
            "id": id,
            "answers": self.answers,
            "entities": self.entities,
            "confidence": round(self.confidence, 4),
            "path": self.path,
        }
        return said | ({"form": self.form} if self.form else {})
