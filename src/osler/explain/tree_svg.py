"""What stands around one thing, read from left to right: the thing, its relations, the others.

A tidy tree never crosses its own lines, and lists are what people read: so relations stand in one
column and what they lead to in the next, one a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

ROW, GAP, MARGIN = 26, 12, 10
ROOT, MIDDLE, LEAF = 220, 170, 360
"""The widest that each column gets."""
SPACE = 44


@dataclass(frozen=True)
class Leaf:
    """One end of an edge: what it is called, its class of colour, where it leads; ``state`` where
    it is not simply so (stopped, resolved), which is drawn dashed and said."""

    name: str
    kind: str = "other"
    href: str = ""
    state: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} ({self.state})" if self.state else self.name


@dataclass
class Branch:
    """A relation and what it leads to."""

    relation: str
    leaves: list[Leaf] = field(default_factory=list)


def few(leaves: list[Leaf], most: int) -> list[Leaf]:
    """The first of them, and how many there are beyond."""
    if len(leaves) <= most:
        return leaves
    return [*leaves[: most - 1], Leaf(f"and {len(leaves) - most + 1:,} more")]


def width_of(text: str, size: float = 13.0) -> float:
    """Roughly how wide a text is: a Chinese character is a square, a Latin letter about half."""
    return sum(size if ord(letter) > 0x2E7F else size * 0.56 for letter in text)


def fitted(text: str, width: float, size: float = 13.0) -> str:
    """The text, or its beginning with an ellipsis."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def tree(root: Leaf, branches: Sequence[Branch], *, about: str) -> str:
    """An SVG. ``about`` says what is drawn to those who cannot see it."""
    branches = [branch for branch in branches if branch.leaves]
    if not branches:
        return ""
    lines = sum(len(branch.leaves) for branch in branches)
    height = 2 * MARGIN + ROW * lines + GAP * (len(branches) - 1)
    between = min(MIDDLE, max(width_of(branch.relation, 12.0) for branch in branches) + 16)
    widest = max(_box(leaf, LEAF) for branch in branches for leaf in branch.leaves)
    middle = height / 2
    left = MARGIN + _box(root, ROOT)
    second = left + SPACE
    third = second + between + SPACE
    width = third + widest + MARGIN
    edges: list[str] = []
    nodes = [_node(MARGIN, middle, ROOT, root, "root")]
    y = float(MARGIN)
    for branch in branches:
        size = ROW * len(branch.leaves)
        centre = y + size / 2
        edges.append(_curve(left, middle, second, centre))
        nodes.append(
            f'<text class="relation" x="{second + between / 2:.0f}" y="{centre + 4:.1f}">'
            f"<title>{escape(branch.relation)}</title>"
            f"{escape(fitted(branch.relation, MIDDLE - 8, 12.0))}</text>"
        )
        for number, leaf in enumerate(branch.leaves):
            at = y + ROW * number + ROW / 2
            edges.append(_curve(second + between, centre, third, at))
            nodes.append(_node(third, at, LEAF, leaf, "leaf"))
        y += size + GAP
    return (
        f'<svg class="tree" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="group" aria-label="{escape(about)}">'
        f"{''.join(edges)}{''.join(nodes)}</svg>"
    )


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    bend = (x1 + x2) / 2
    return (
        f'<path class="edge" d="M{x1:.0f} {y1:.1f}C{bend:.0f} {y1:.1f} {bend:.0f} {y2:.1f} '
        f'{x2:.0f} {y2:.1f}"/>'
    )


def _box(leaf: Leaf, most: float) -> float:
    return min(most, width_of(_shown(leaf, most)) + 22)


def _shown(leaf: Leaf, most: float) -> str:
    """The name with its state; where there is no room, the name is cut, never the state."""
    if not leaf.state:
        return fitted(leaf.name, most - 20)
    state = f" ({leaf.state})"
    return fitted(leaf.name, most - 20 - width_of(state)) + state


def _node(x: float, y: float, most: float, leaf: Leaf, role: str) -> str:
    inner = (
        f'<rect class="box" x="{x:.0f}" y="{y - 11:.1f}" width="{_box(leaf, most):.0f}" '
        f'height="22" rx="4"/>'
        f'<text x="{x + 10:.0f}" y="{y + 4.5:.1f}">{escape(_shown(leaf, most))}</text>'
    )
    told = f"<title>{escape(leaf.label)}</title>"
    dashed = " over" if leaf.state else ""
    body = f'<g class="node {role}{dashed} k-{escape(leaf.kind)}">{told}{inner}</g>'
    return f'<a href="{escape(leaf.href)}">{body}</a>' if leaf.href else body
