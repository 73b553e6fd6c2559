"""Bars: the parts of a score, the weights of aspects. Right of the middle helps, left of it
hurts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

ROW, LABEL, SPAN, VALUE = 22, 132, 200, 60


def bars(rows: Sequence[tuple[str, float]], *, about: str) -> str:
    """One bar a row: name, bar, number. ``about`` says what is drawn to those who cannot see it."""
    if not rows:
        return ""
    most = max((abs(value) for _, value in rows), default=0.0) or 1.0
    signed = any(value < 0 for _, value in rows)
    zero = LABEL + (SPAN / 2 if signed else 0)
    scale = (SPAN / 2 if signed else SPAN) / most
    width, height = LABEL + SPAN + VALUE, ROW * len(rows) + 4
    spoken = "; ".join(f"{name} {value:+.2f}" for name, value in rows)
    parts = [
        f'<svg class="bars" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(f"{about}: {spoken}")}">'
    ]
    if signed:
        parts.append(f'<line class="axis" x1="{zero}" y1="0" x2="{zero}" y2="{height}"/>')
    for number, (name, value) in enumerate(rows):
        y = ROW * number + 2
        length = max(1.0, abs(value) * scale)
        x = zero - length if value < 0 else zero
        side = "less" if value < 0 else "more"
        parts.append(f'<text class="name" x="{LABEL - 10}" y="{y + 15}">{escape(name)}</text>')
        parts.append(
            f'<rect class="{side}" x="{x:.1f}" y="{y + 4}" width="{length:.1f}" height="12" '
            'rx="2"/>'
        )
        parts.append(
            f'<text class="value" x="{LABEL + SPAN + VALUE}" y="{y + 15}">{value:+.2f}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)
