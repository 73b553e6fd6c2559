"""Hits as flat rows, for spreadsheets."""

from __future__ import annotations

from osler.kinds import Hit, StanceReason

STANCE_COLUMNS = ("stance", "supports", "refutes", "neutral", "no_effect", "design")
"""What hits of a claim have beside."""


def hit_columns(*, stance: bool = False) -> list[str]:
    columns = ["rank", "id", "score", "title", "published", "journal", "retracted", "evidence"]
    return [*columns, *STANCE_COLUMNS] if stance else columns


def stance_cells(hit: Hit) -> list[object]:
    """The cells of ``STANCE_COLUMNS``."""
    reason = next((one for one in hit.reasons if isinstance(one, StanceReason)), None)
    return [getattr(reason, name) if reason else "" for name in STANCE_COLUMNS]


def hit_row(rank: int, hit: Hit) -> list[object]:
    return [
        rank,
        hit.id,
        hit.score,
        hit.title,
        hit.published,
        hit.journal,
        "retracted" if hit.retracted else "",
        hit.evidence.text if hit.evidence else "",
    ]
