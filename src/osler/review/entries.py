"""What the log of a project holds: one struct a kind of entry."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["include", "exclude", "maybe", "skip"]
Stage = Literal["abstract", "full text"]
VERDICTS: tuple[Verdict, ...] = ("include", "exclude", "maybe", "skip")
FINAL: tuple[Verdict, ...] = ("include", "exclude")
STAGES: tuple[Stage, ...] = ("abstract", "full text")


class Began(msgspec.Struct, frozen=True, kw_only=True, tag="began", omit_defaults=True):
    """The project itself; a later one replaces it. ``reviewers`` is how many must agree; one that
    is ``put_away`` is whole, and stands apart from those at work."""

    question: str = ""
    population: str = ""
    intervention: str = ""
    comparison: str = ""
    outcome: str = ""
    criteria: str = ""
    sources: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    highlights: tuple[str, ...] = ()
    reviewers: int = 1
    put_away: bool = False
    at: str = ""


class Searched(msgspec.Struct, frozen=True, kw_only=True, tag="searched", omit_defaults=True):
    """A search or a file: the query as typed and as run, how many records the source counted, and
    the papers that came of them, one for each record that could be used (so a paper may stand in
    it twice)."""

    query: str = ""
    ran: str = ""
    source: str = ""
    file: str = ""
    identified: int = 0
    documents: tuple[str, ...] = ()
    at: str = ""


class Grouped(msgspec.Struct, frozen=True, kw_only=True, tag="grouped", omit_defaults=True):
    """Records that are one paper; the first stands for all. Taken back, they are apart again."""

    documents: tuple[str, ...]
    reviewer: str = ""
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


class NotRetrieved(
    msgspec.Struct, frozen=True, kw_only=True, tag="not retrieved", omit_defaults=True
):
    """A paper whose full text was sought and could not be had."""

    document: str
    reviewer: str
    note: str = ""
    at: str = ""


class TakenBack(msgspec.Struct, frozen=True, kw_only=True, tag="taken back", omit_defaults=True):
    """An entry that no longer counts, by its number."""

    seq: int
    reviewer: str
    at: str = ""


Entry = Began | Searched | Grouped | Decided | NotRetrieved | TakenBack
