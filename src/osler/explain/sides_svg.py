"""Papers by side and by design of study: one bar a design, its parts the sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

ROW, LABEL, SPAN, VALUE = 26, 170, 330, 40


def sides_chart(rows: Mapping[str, Mapping[str, int]], sides: Sequence[str], *, about: str) -> str:
    """One bar a design; ``sides`` gives their order. Each part carries its count, and its class
    ``side-0``, ``side-1`` ..., so that colour is never the only sign."""
    if not rows:
        return ""
    most = max(sum(counts.values()) for counts in rows.values()) or 1
    width, height = LABEL + SPAN + VALUE, ROW * (len(rows) + 1) + 8
    spoken = "; ".join(
        f"{design or 'not told'}: " + ", ".join(f"{counts[side]} {side}" for side in counts)
        for design, counts in rows.items()
    )
    parts = [
        f'<svg class="sides" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(f"{about}: {spoken}")}">'
    ]
    for number, (design, counts) in enumerate(rows.items()):
        y, x = ROW * number + 4, float(LABEL)
        parts.append(
            f'<text class="name" x="{LABEL - 10}" y="{y + 15}" text-anchor="end">'
            f"{escape(design or 'not told')}</text>"
        )
        for at, side in enumerate(sides):
            count = counts.get(side, 0)
            if not count:
                continue
            length = SPAN * count / most
            parts.append(
                f'<rect class="side-{at}" x="{x:.1f}" y="{y}" width="{length:.1f}" height="20"/>'
                f'<text class="count-{at}" x="{x + length / 2:.1f}" y="{y + 15}" '
                f'text-anchor="middle">{count}</text>'
            )
            x += length
    parts.append(_legend(sides, rows, ROW * len(rows) + 10))
    parts.append("</svg>")
    return "".join(parts)


def _legend(sides: Sequence[str], rows: Mapping[str, Mapping[str, int]], y: int) -> str:
    """The sides that are there, each with its patch."""
    shown = [
        (at, side)
        for at, side in enumerate(sides)
        if any(counts.get(side) for counts in rows.values())
    ]
    parts, x = [], 0
    for at, side in shown:
        parts.append(
            f'<rect class="side-{at}" x="{x}" y="{y}" width="12" height="12"/>'
            f'<text class="legend" x="{x + 17}" y="{y + 10}">{escape(side)}</text>'
        )
        x += 30 + 7 * len(side)
    return "".join(parts)
