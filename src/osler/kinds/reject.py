"""A record that could not be read: where it stands and why. Never its text."""

from __future__ import annotations

import msgspec


class Reject(msgspec.Struct, frozen=True, omit_defaults=True):
    """``place`` is a line, a record number or an offset, said in words ("line 7", "record 12").

    ``reason`` is ours alone and quotes nothing of the record beyond its id: the record may be a
    patient's.
    """

    file: str
    place: str
    reason: str
    id: str = ""
