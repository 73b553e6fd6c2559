"""A question with its answer, as services keep them."""

from __future__ import annotations

import msgspec


class Pair(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    question: str
    answer: str
    department: str = ""
    metadata: dict[str, str] = {}
