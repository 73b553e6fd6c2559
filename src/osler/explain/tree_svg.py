"""What stands around one thing, read from left to right: the thing, its relations, the others.

A tidy tree never crosses its own lines, and lists are what people read: so relations stand in one
column and what they lead to in the next, one a line. What was opened in place goes on to the right
in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

ROW, GAP, MARGIN = 26, 12, 10
ROOT, MIDDLE, LEAF = 220, 170, 360
"""The widest that each column gets."""
SPACE = 44
SIGN = 20
"""Room for one of the signs behind a box: open, hide, pin."""


@dataclass(frozen=True)
class Act:
    """A sign behind a box, and what it does: where it leads, and what it is called."""

    sign: str
    name: str
    href: str


@dataclass(frozen=True)
class Leaf:
    """One end of an edge: what it is called, its class of colour, where it leads; ``state`` where
    it is not simply so (stopped, resolved), which is drawn dashed and said; ``acts`` what can be
    done with it; ``branches`` what stands around it, where it was opened."""

    name: str
    kind: str = "other"
    href: str = ""
    state: str = ""
    acts: tuple[Act, ...] = ()
    branches: tuple[Branch, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name} ({self.state})" if self.state else self.name


@dataclass
class Branch:
    """A relation and what it leads to; ``told`` says more of it to those who ask."""

    relation: str
    leaves: list[Leaf] = field(default_factory=list)
    told: str = ""


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
    whole = Leaf(root.name, root.kind, root.href, root.state, root.acts, tuple(branches))
    if not _grown(whole):
        return ""
    columns = _Columns(whole)
    height = 2 * MARGIN + _height(whole)
    edges: list[str] = []
    nodes: list[str] = []
    _draw(whole, 0, float(MARGIN), columns, edges, nodes)
    width = columns.end + MARGIN
    return (
        f'<svg class="tree" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="group" aria-label="{escape(about)}">'
        f"{''.join(edges)}{''.join(nodes)}</svg>"
    )


def _grown(leaf: Leaf) -> list[Branch]:
    return [branch for branch in leaf.branches if branch.leaves]


def _height(leaf: Leaf) -> float:
    branches = _grown(leaf)
    if not branches:
        return ROW
    sizes = [sum(_height(one) for one in branch.leaves) for branch in branches]
    return max(ROW, sum(sizes) + GAP * (len(branches) - 1))


def _levels(leaf: Leaf) -> Iterator[tuple[list[Leaf], list[Branch]]]:
    """The leaves of each depth, and the branches between them and the next."""
    level = [leaf]
    while level:
        branches = [branch for one in level for branch in _grown(one)]
        yield level, branches
        level = [one for branch in branches for one in branch.leaves]


class _Columns:
    """Where the boxes and the relations of each depth begin and end."""

    def __init__(self, root: Leaf) -> None:
        self.boxes: list[float] = []
        self.relations: list[tuple[float, float]] = []
        x = float(MARGIN)
        for depth, (leaves, branches) in enumerate(_levels(root)):
            self.boxes.append(x)
            x += max(_box(one, _most(depth)) + SIGN * len(one.acts) for one in leaves)
            if branches:
                between = min(MIDDLE, max(width_of(b.relation, 12.0) for b in branches) + 16)
                self.relations.append((x + SPACE, x + SPACE + between))
                x += 2 * SPACE + between
        self.end = x


def _most(depth: int) -> float:
    return LEAF if depth else ROOT


def _draw(
    leaf: Leaf, depth: int, top: float, columns: _Columns, edges: list[str], nodes: list[str]
) -> float:
    """Draws a leaf and what it was opened to; returns the height of its middle."""
    branches = _grown(leaf)
    middle = top + _height(leaf) / 2
    x = columns.boxes[depth]
    nodes.append(_node(x, middle, _most(depth), leaf, "leaf" if depth else "root"))
    behind = x + _box(leaf, _most(depth)) + SIGN * len(leaf.acts)
    y = top
    for branch in branches:
        left, right = columns.relations[depth]
        size = sum(_height(one) for one in branch.leaves)
        centre = y + size / 2
        edges.append(_curve(behind, middle, left, centre))
        told = f"{branch.relation}: {branch.told}" if branch.told else branch.relation
        nodes.append(
            f'<text class="relation" x="{(left + right) / 2:.0f}" y="{centre + 4:.1f}">'
            f"<title>{escape(told)}</title>"
            f"{escape(fitted(branch.relation, MIDDLE - 8, 12.0))}</text>"
        )
        for one in branch.leaves:
            at = _draw(one, depth + 1, y, columns, edges, nodes)
            edges.append(_curve(right, centre, columns.boxes[depth + 1], at))
            y += _height(one)
        y += GAP
    return middle


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
    title = f"<title>{escape(leaf.label)}</title>"
    dashed = " over" if leaf.state else ""
    body = f'<g class="node {role}{dashed} k-{escape(leaf.kind)}">{title}{inner}</g>'
    box = f'<a href="{escape(leaf.href)}">{body}</a>' if leaf.href else body
    return box + _signs(x + _box(leaf, most), y, leaf)


def _signs(x: float, y: float, leaf: Leaf) -> str:
    """What can be done with a leaf, behind its box."""
    return "".join(
        f'<a class="act" href="{escape(act.href)}" aria-label="{escape(act.name)}">'
        f"<title>{escape(act.name)}</title>"
        f'<rect class="ground" x="{x + SIGN * at:.0f}" y="{y - 12:.1f}" width="{SIGN}" '
        f'height="24"/>'
        f'<text x="{x + SIGN * at + 6:.0f}" y="{y + 4.5:.1f}">{escape(act.sign)}</text></a>'
        for at, act in enumerate(leaf.acts)
    )
