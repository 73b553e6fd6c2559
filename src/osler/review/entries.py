"""What the log of a project holds: one struct a kind of entry."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["include", "exclude", "maybe", "skip"]
Stage = Literal["abstract", "full text"]
STAGES: tuple[Stage, ...] = ("abstract", "full text")


class Began(msgspec.Struct, frozen=True, kw_only=True, tag="began", omit_defaults=True):
    """The project itself; a later one replaces it. ``reviewers`` is how many must agree."""

    question: str = ""
    criteria: str = ""
    reasons: tuple[str, ...] = ()
    reviewers: int = 1
    at: str = ""


class Searched(msgspec.Struct, frozen=True, kw_only=True, tag="searched", omit_defaults=True):
    """A search: as it was typed, what it found, how many it counted."""

    query: str
    source: str = ""
    identified: int = 0
    documents: tuple[str, ...] = ()
    at: str = ""


class Decided(msgspec.Struct, frozen=True, kw_only=True, tag="decided", omit_defaults=True):
    """One reviewer's word on a paper; ``resolves`` marks the word that ends a conflict."""

    document: str
    verdict: Verdict
    reviewer: str
    stage: Stage = "abstract"
    reason: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    resolves: bool = False
    at: str = ""


class TakenBack(msgspec.Struct, frozen=True, kw_only=True, tag="taken back", omit_defaults=True):
    """An entry that no longer counts, by its number."""

    seq: int
    reviewer: str
    at: str = ""


Entry = Began | Searched | Decided | TakenBack
