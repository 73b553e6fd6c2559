"""The share found over the papers read, with its interval: what a reviewer was told, and when."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 240, 48, 14, 12, 40
EARLY = 0.4
"""The width of an interval above which it is too early to tell."""
INK, RULE, BAND, LINE = "#1d2226", "#dedad0", "#cfe3ea", "#0b5a66"


class Said(Protocol):
    """What was said after ``read`` papers."""

    @property
    def read(self) -> int: ...
    @property
    def low(self) -> float: ...
    @property
    def estimate(self) -> float: ...
    @property
    def high(self) -> float: ...


def estimate_svg(moments: Sequence[Said], total: int, *, about: str) -> str:
    """An SVG; empty where nothing could be said yet."""
    if not moments or total < 1:
        return ""

    def x(read: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * read / total

    def y(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    last = moments[-1]
    spoken = f"{about}: after {last.read:,} of {total:,} papers {last.low:.0%} to {last.high:.0%}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="recall" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(spoken)}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">'
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(share):.1f}" '
            f'y2="{y(share):.1f}" stroke="{RULE}"/>'
            f'<text x="{LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        )
    above = [f"{x(one.read):.1f},{y(one.high):.1f}" for one in moments]
    below = [f"{x(one.read):.1f},{y(one.low):.1f}" for one in reversed(moments)]
    # A middle is drawn only where the interval tells something.
    sure = [one for one in moments if one.high - one.low <= EARLY]
    middle = [f"{x(one.read):.1f},{y(one.estimate):.1f}" for one in sure]
    parts += [
        f'<polygon class="between" points="{" ".join(above + below)}" fill="{BAND}"/>',
        f'<polyline class="middle" points="{" ".join(middle)}" fill="none" stroke="{LINE}" '
        'stroke-width="2"/>',
        f'<text x="{LEFT}" y="{HEIGHT - 22}">0</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 22}" text-anchor="end">{total:,}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">'
        "papers read; share of the relevant ones that is found</text>",
    ]
    return "".join([*parts, "</svg>"])
