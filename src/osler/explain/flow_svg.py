"""Weighted paths drawn from left to right: where they begin, what lies between, where they end.

Each entity stands in the column of its place on the path, and once in a column, however many
paths lead through it. Lines are as thick as the paths on them weigh. Rows are put in an order in
which lines cross little (two sweeps of the barycentre method of Sugiyama et al. 1981).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from osler.explain.marks_html import kind_of
from osler.explain.tree_svg import fitted, width_of
from osler.kinds import PathReason

ROW, BOX, MARGIN, BETWEEN, WIDEST = 40, 26, 12, 150, 220
MOST = 24
"""Paths that are drawn, the heaviest first."""
SWEEPS = 4
AFTER = 0.7
"""How far along its line a label stands."""

Node = tuple[int, str]
EMPTY = "\0"
"""Begins the name of a place that is kept free, so that a long line passes no box."""


@dataclass
class _Edge:
    weight: float = 0.0
    labels: dict[str, None] = field(default_factory=dict)
    via: tuple[Node, ...] = ()

    @property
    def told(self) -> str:
        return ", ".join(self.labels)


def flow(
    reasons: Sequence[PathReason],
    *,
    about: str,
    type_of: Callable[[str], str],
    href: Callable[[str], str] | None = None,
) -> str:
    """An SVG; empty where there is no path. ``about`` tells what is drawn, ``type_of`` an entity's
    type (for its colour), ``href`` where a click on it leads."""
    chosen = [reason for reason in reasons if reason.path.steps]
    chosen = sorted(chosen, key=lambda r: (-r.weight, r.path.entities))[:MOST]
    if not chosen:
        return ""
    last = max(len(reason.path.steps) for reason in chosen)
    names: dict[str, str] = {}
    edges: dict[tuple[Node, Node], _Edge] = defaultdict(_Edge)
    weights: dict[Node, float] = defaultdict(float)
    for reason in chosen:
        names.update(reason.names)
        entities, count = reason.path.entities, len(reason.path.steps)
        # A short path is stretched: all begin in the first column and end in the last.
        nodes = [(round(i * last / count), entity) for i, entity in enumerate(entities)]
        for node in nodes:
            weights[node] += reason.weight
        for step, left, right in zip(reason.path.steps, nodes, nodes[1:], strict=False):
            edge = edges[left, right]
            edge.weight += reason.weight
            passed = range(left[0] + 1, right[0])
            edge.via = tuple((column, f"{EMPTY}{left}{right}") for column in passed)
            for node in edge.via:
                weights[node] += reason.weight
            edge.labels[f"← {step.relation}" if step.inverse else f"{step.relation} →"] = None
    columns = _ordered(weights, edges, last)
    return _drawn(columns, edges, names, about, type_of, href)


def _ordered(
    weights: dict[Node, float], edges: dict[tuple[Node, Node], _Edge], last: int
) -> list[list[Node]]:
    """Nodes by column, in rows that cross little."""
    columns: list[list[Node]] = [[] for _ in range(last + 1)]
    for node in sorted(weights, key=lambda n: (-weights[n], n[1])):
        columns[node[0]].append(node)
    around: dict[Node, list[tuple[Node, float]]] = defaultdict(list)
    for (left, right), edge in edges.items():
        stops = (left, *edge.via, right)
        for one, other in pairwise(stops):
            around[one].append((other, edge.weight))
            around[other].append((one, edge.weight))
    for sweep in range(SWEEPS):
        place = {
            node: row - len(column) / 2 for column in columns for row, node in enumerate(column)
        }
        order = range(last + 1) if sweep % 2 == 0 else range(last, -1, -1)
        for at in order:
            centre = {
                node: sum(place[o] * w for o, w in around[node])
                / max(sum(w for _, w in around[node]), 1e-9)
                for node in columns[at]
            }
            columns[at].sort(key=lambda node: (centre[node], node[1]))
            size = len(columns[at])
            place.update({node: row - size / 2 for row, node in enumerate(columns[at])})
    return columns


def _drawn(
    columns: list[list[Node]],
    edges: dict[tuple[Node, Node], _Edge],
    names: dict[str, str],
    about: str,
    type_of: Callable[[str], str],
    href: Callable[[str], str] | None,
) -> str:
    def label(node: Node) -> str:
        return fitted(names.get(node[1], node[1]), WIDEST - 20)

    def wide(node: Node) -> float:
        return 0.0 if node[1].startswith(EMPTY) else width_of(label(node)) + 22

    widths = [max(map(wide, column), default=0.0) for column in columns]
    lefts, x = [], float(MARGIN)
    for width in widths:
        lefts.append(x)
        x += width + BETWEEN
    total = x - BETWEEN + MARGIN
    height = max(len(column) for column in columns) * ROW + 2 * MARGIN
    y = {
        node: height / 2 + (row - (len(column) - 1) / 2) * ROW
        for column in columns
        for row, node in enumerate(column)
    }
    most = max((edge.weight for edge in edges.values()), default=0.0) or 1.0
    starts = Counter(left for left, _ in edges)
    ends = Counter(right for _, right in edges)
    lines, texts = [], []
    taken: list[tuple[float, float, float]] = []
    for (left, right), edge in sorted(edges.items(), key=lambda item: -item[1].weight):
        x1, y1 = lefts[left[0]] + wide(left), y[left]
        drawn, x2, y2 = f"M{x1:.0f} {y1:.1f}", x1, y1
        for stop in (*edge.via, right):
            x1, y1, x2, y2 = x2, y2, lefts[stop[0]], y[stop]
            bend = (x1 + x2) / 2
            drawn += f"C{bend:.0f} {y1:.1f} {bend:.0f} {y2:.1f} {x2:.0f} {y2:.1f}"
            if stop is not right:
                x2 += widths[stop[0]]
                drawn += f"H{x2:.0f}"
        thick = 1 + 4 * edge.weight / most
        lines.append(
            f'<path class="edge" d="{drawn}" stroke-width="{thick:.1f}">'
            f"<title>{escape(edge.told)}: {edge.weight:.2f}</title></path>"
        )
        # Where lines fan out, labels stand near their ends; where they gather, near their begins.
        fans, gathers = starts[left], ends[right]
        along = 0.5 if fans == gathers else AFTER if fans > gathers else 1 - AFTER
        shown = fitted(edge.told, BETWEEN - 16, 12.0)
        half = width_of(shown, 12.0) / 2
        place_x = x1 + (x2 - x1) * (1.5 * along * (1 - along) + along**3)
        # Between the boxes, never under one.
        place_x = max(x1 + half + 4, min(place_x, x2 - half - 6))
        at = y1 + (y2 - y1) * along * along * (3 - 2 * along)
        while any(abs(at - b) < 13 and abs(place_x - a) < half + c for a, b, c in taken):
            at += 13
        taken.append((place_x, at, half))
        texts.append(
            f'<text class="relation" x="{place_x:.0f}" y="{at + 4:.1f}">{escape(shown)}</text>'
        )
    boxes = [
        _box(node, label(node), names, lefts, y, type_of, href)
        for node in y
        if not node[1].startswith(EMPTY)
    ]
    room = max([height, *(other + MARGIN for _, other, _ in taken)])
    return (
        f'<svg class="tree flow" viewBox="0 0 {total:.0f} {room:.0f}" width="{total:.0f}" '
        f'height="{room:.0f}" role="group" aria-label="{escape(about)}">'
        f"{''.join(lines)}{''.join(texts)}{''.join(boxes)}</svg>"
    )


def _box(
    node: Node,
    shown: str,
    names: dict[str, str],
    lefts: Sequence[float],
    y: dict[Node, float],
    type_of: Callable[[str], str],
    href: Callable[[str], str] | None,
) -> str:
    x, at = lefts[node[0]], y[node]
    body = (
        f'<g class="node k-{kind_of(type_of(node[1]))}">'
        f"<title>{escape(names.get(node[1], node[1]))}</title>"
        f'<rect class="box" x="{x:.0f}" y="{at - BOX / 2:.1f}" '
        f'width="{width_of(shown) + 22:.0f}" height="{BOX}" rx="4"/>'
        f'<text x="{x + 10:.0f}" y="{at + 4.5:.1f}">{escape(shown)}</text></g>'
    )
    return f'<a href="{escape(href(node[1]))}">{body}</a>' if href is not None else body
