"""A time line: one row a name; bars last, dots happened, the chosen ones stand out."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from html import escape

from msgspec import Struct

ROW, LABEL, SPAN, RIGHT = 20, 220, 420, 12
MOST = 30
"""Rows that are drawn; the rest is counted below."""


class Moment(Struct, frozen=True):
    """Something with a beginning; without an end it happened, or goes on where it ``lasts``."""

    name: str
    start: str
    end: str = ""
    note: str = ""
    lasts: bool = False
    chosen: bool = False
    faint: bool = False


def timeline(moments: Sequence[Moment], *, about: str, today: datetime.date) -> str:
    """Rows by name, in the order of their first day. ``about`` tells it to those who cannot see."""
    placed = [(day, m) for m in moments if (day := _day(m.start)) is not None]
    if not placed:
        return ""
    ends = [_day(m.end) or (today.toordinal() if m.lasts else day) for day, m in placed]
    first = min(day for day, _ in placed)
    last = max(max(ends), first + 1)
    scale = SPAN / (last - first)
    rows: dict[str, list[tuple[int, int, Moment]]] = {}
    for (day, moment), end in zip(placed, ends, strict=True):
        rows.setdefault(moment.name, []).append((day, max(end, day), moment))
    listed = sorted(rows.items(), key=lambda r: (min(s for s, _, _ in r[1]), r[0]))
    hidden = max(0, len(listed) - MOST)
    listed = listed[:MOST]
    width, height = LABEL + SPAN + RIGHT, ROW * (len(listed) + 1) + 6
    spoken = "; ".join(
        f"{m.name} {m.start[:10]}{' ' + m.note if m.note else ''}" for _, m in placed
    )
    parts = [
        f'<svg class="timeline" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(f"{about}: {spoken[:2000]}")}">'
    ]
    for at, (name, spans) in enumerate(listed):
        y = ROW * at + 4
        shown = name if len(name) <= 34 else name[:33] + "…"
        parts.append(f'<text class="name" x="{LABEL - 10}" y="{y + 13}">{escape(shown)}</text>')
        for start, end, moment in spans:
            parts.append(_drawn(moment, LABEL + (start - first) * scale, (end - start) * scale, y))
    y = ROW * len(listed) + 14
    for day, anchor, x in ((first, "start", LABEL), (last, "end", LABEL + SPAN)):
        date = datetime.date.fromordinal(day).isoformat()
        parts.append(f'<text class="axis" x="{x}" y="{y}" text-anchor="{anchor}">{date}</text>')
    if hidden:
        parts.append(f'<text class="axis" x="{LABEL - 10}" y="{y}">and {hidden} more</text>')
    parts.append("</svg>")
    return "".join(parts)


def _drawn(moment: Moment, x: float, length: float, y: int) -> str:
    kind = "chosen" if moment.chosen else "faint" if moment.faint else "plain"
    day = moment.start[:10] + (f" to {moment.end[:10]}" if moment.end else "")
    title = escape(" · ".join(p for p in (moment.name, day, moment.note) if p))
    if length < 3:
        shape = f'<circle class="{kind}" cx="{x:.1f}" cy="{y + 9}" r="4">'
        return f"{shape}<title>{title}</title></circle>"
    shape = f'<rect class="{kind}" x="{x:.1f}" y="{y + 4}" width="{length:.1f}" height="10" rx="2">'
    return f"{shape}<title>{title}</title></rect>"


def _day(text: str) -> int | None:
    """The day of an ISO date, perhaps partial: its first."""
    padded = (text[:10] + "-01-01")[:10] if len(text) == 4 else (text[:10] + "-01")[:10]
    try:
        return datetime.date.fromisoformat(padded).toordinal()
    except ValueError:
        return None
