"""Hits as flat rows, for spreadsheets."""

from __future__ import annotations

from osler.kinds import Hit


def hit_columns() -> list[str]:
    return ["rank", "id", "score", "title", "published", "journal", "retracted", "evidence"]


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
