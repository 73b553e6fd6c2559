"""An answer to a question about patients: entities, how sure, by which path, from which lines."""

from __future__ import annotations

from typing import Any

import msgspec

from osler.kinds import Reason


class Answer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """``answers`` are names for people, ``entities`` the ids behind them; both empty is a
    refusal, and
    ``note`` says why. ``sources`` are the places in the records that the answer rests on."""

    question: str
    answers: list[str] = []
    entities: list[str] = []
    confidence: float = 0.0
    path: str = ""
    sources: list[str] = []
    reasons: tuple[Reason, ...] = ()
    note: str = ""
    method: str = ""
    model: str = ""
    """The trained model of the library that answered; empty where none did."""

    @property
    def refused(self) -> bool:
        return not self.answers

    def line(self, id: str) -> dict[str, Any]:
        """One line of an answers file (``osler ask LIB --questions Q.jsonl --out A.jsonl``)."""
        return {
            "id": id,
            "answers": self.answers,
            "entities": self.entities,
            "confidence": round(self.confidence, 4),
            "path": self.path,
        }
