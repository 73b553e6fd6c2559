"""A fact of a patient: what is said, when, whether it is true, and whose it is.

The graph of seed 004 is derived from the facts that are true; a question is answered from the
facts themselves. ``id`` is the source's own id of the row inside a named source, byte for byte.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal[
    "patient",
    "condition",
    "medication",
    "observation",
    "procedure",
    "encounter",
    "allergy",
    "immunization",
    "care plan",
    "report",
    "device",
    "note",
    "other",
]
Status = Literal[
    "active",
    "completed",
    "stopped",
    "on hold",
    "planned",
    "not done",
    "entered in error",
    "unknown",
]
Certainty = Literal["confirmed", "provisional", "refuted", "absent", "conditional"]
Role = Literal["own", "family member", "other"]


class FactSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a fact was read: the file, the place in it (a line, an entry), offsets of the words in
    ``text``, and the text itself, so that it can be shown without the file."""

    file: str = ""
    place: str = ""
    start: int = 0
    end: int = 0
    text: str = ""


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row of a patient's record.

    Dates are ISO and may be partial. ``value`` stands as it was written, ``number`` is what it
    measures; ``low`` and ``high`` are the reference range's ends. A fact of kind ``patient`` holds
    one thing about the person: its ``name`` says which (``name``, ``birth date``, ``sex``,
    ``city``, ``death``, ``marital status``, ``language`` ...), its ``value`` what.

    A record of the source is one fact with an empty ``part_of``, followed by its parts (components
    of an observation, names of a person); ``content`` is a hash of the whole record, so that one
    that comes again changed replaces the old one with all its parts. ``revised`` is when the source
    last changed it: an older one never replaces a newer. ``relation`` is the patient's edge to
    ``entity`` in the graph. Role ``other`` is what is no known patient's: a specimen of a pond, a
    result that names nobody; ``relative`` then says whose, where that is said.
    """

    id: str
    patient: str
    kind: Kind
    name: str
    codes: tuple[tuple[str, str], ...] = ()
    other_names: tuple[str, ...] = ()
    entity: str = ""
    status: Status = "active"
    certainty: Certainty = "confirmed"
    role: Role = "own"
    relative: str = ""
    start: str = ""
    end: str = ""
    recorded: str = ""
    value: str = ""
    number: float | None = None
    unit: str = ""
    comparator: str = ""
    low: float | None = None
    high: float | None = None
    interpretation: str = ""
    dose: str = ""
    reason: str = ""
    author: str = ""
    encounter: str = ""
    part_of: str = ""
    relation: str = ""
    revised: str = ""
    content: str = ""
    detail: dict[str, str] = {}
    source: FactSource = FactSource()

    @property
    def true(self) -> bool:
        """Whether it may be told as a fact of this patient: not refuted, erroneous, undone or of
        somebody else."""
        return (
            self.role == "own"
            and self.certainty in ("confirmed", "provisional")
            and self.status not in ("not done", "entered in error", "planned")
        )
