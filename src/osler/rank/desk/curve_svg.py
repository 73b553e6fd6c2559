"""Recall against papers read, drawn: one line a run, the interval of the first behind it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from osler.rank.desk.simulate import Simulation
from osler.rank.desk.step import Step

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 56, 48, 34, 16
INK, LINE, BAND, MUTED = "#1f2933", "#1f6f8b", "#cfe3ea", "#8a97a3"


def recall_svg(
    title: str, runs: Sequence[tuple[Simulation, Sequence[Step]]], *, points: int = 200
) -> str:
    """An SVG picture of how recall grew. The dashed line is a random order."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-weight="600">{escape(title)}</text>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = _x(share), _y(share)
        parts += [
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e8eb"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>',
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{share:.0%}</text>',
        ]
    parts.append(
        f'<text x="{_x(0.5):.1f}" y="{HEIGHT - 10}" text-anchor="middle">papers read</text>'
    )
    if runs and runs[0][1]:
        parts.append(_band(runs[0][1], len(runs[0][0].marks), points))
    parts.append(
        f'<line x1="{_x(0):.1f}" y1="{_y(0):.1f}" x2="{_x(1):.1f}" y2="{_y(1):.1f}" '
        f'stroke="{MUTED}" stroke-dasharray="4 4"/>'
    )
    for run, _ in runs:
        marks = np.asarray(run.marks, dtype=float)
        recall = np.concatenate([[0.0], np.cumsum(marks) / max(1.0, marks.sum())])
        at = np.unique(np.linspace(0, len(marks), points).astype(int))
        line = " ".join(f"{_x(i / len(marks)):.1f},{_y(recall[i]):.1f}" for i in at)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    return "\n".join([*parts, "</svg>\n"])


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def _band(steps: Sequence[Step], total: int, points: int) -> str:
    some = [steps[i] for i in np.unique(np.linspace(0, len(steps) - 1, points).astype(int))]
    above = [f"{_x(step.read / total):.1f},{_y(step.high):.1f}" for step in some]
    below = [f"{_x(step.read / total):.1f},{_y(step.low):.1f}" for step in reversed(some)]
    return f'<polygon points="{" ".join(above + below)}" fill="{BAND}"/>'
