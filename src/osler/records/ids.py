"""How things in patient records are called: one place that makes every id.

``record:<dataset>/<patient>`` is a patient, ``record:<dataset>/<patient>/<type>/<key>`` anything
that stands in that patient's records. The dataset is part of the id because record 164 of one
collection and record 164 of another are two people; nothing of one patient is ever a node of
another. Entities of typed triples of a hospital's own making keep ``type:name``.
"""

from __future__ import annotations

import re

PREFIX = "record:"
_UNSAFE = re.compile(r"[^\w.+-]+")


def key_of(text: str) -> str:
    """A text as part of an id: blanks and slashes become one dash; letters of any script stay."""
    return _UNSAFE.sub("-", text.strip().lower()).strip("-")[:80] or "x"


def patient_id(dataset: str, patient: str) -> str:
    return f"{PREFIX}{dataset}/{_UNSAFE.sub('-', patient.strip())}"


def node_id(patient: str, type: str, key: str | int) -> str:
    """The id of something of a patient; ``patient`` is the patient's own id."""
    return f"{patient}/{key_of(type)}/{key if isinstance(key, int) else key_of(key)}"


def patient_name(number: str) -> str:
    """A record's number as people write it: ``P164``; a name that starts with a letter stays."""
    number = number.strip()
    return f"P{number}" if number[:1].isdigit() else number


def owner(id: str) -> str:
    """The patient whose record holds the entity; empty for an entity that is nobody's."""
    if not id.startswith(PREFIX):
        return ""
    parts = id.split("/", 2)
    return "/".join(parts[:2]) if len(parts) > 1 else ""
