"""All simple paths between two sets of entities, by meeting in the middle.

Length counts entities, as in Zhang et al.'s MKHAN (seed 001): length 3 is two edges. Edges are
walked both ways, the inverse labelled. Instead of a depth-first search from each source, partial
paths of half the length grow from both sides as whole arrays, and are joined where they meet.

What would explode is capped and said: entities with more than ``hub`` edges are not walked
through, partial paths are limited to a budget (those through entities with few edges first), and
results to ``limit`` a pair of sets, shortest first. Both hold for each pair of sets by itself, so
that it does not matter which others are looked at beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import LimitError
from osler.kinds import Path, Step
from osler.knowledge.graph import Graph
from osler.stopping import check_stopped

Array = NDArray[Any]

HUB = 10_000
LIMIT = 10_000
BUDGET = 4_000_000
"""Partial paths that are held at once: all of one pair of sets, or of several together."""
SHARE = 20_000
"""Partial paths of each pair of sets where there are many."""
CHUNK = 256
LONGEST = 5


@dataclass
class PathResult:
    """Paths, shortest first, then step by step (the entity's id, then the relation); ``cut`` says
    what was left out."""

    graph: Graph
    tables: list[tuple[Array, Array]]
    cut: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(len(nodes) for nodes, _ in self.tables)

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    @cached_property
    def paths(self) -> list[Path]:
        """The paths as objects, made when they are first asked for."""
        relations = self.graph.relations
        listed: list[Path] = []
        for nodes, labels in self.tables:
            met = list(set(nodes.ravel().tolist()))
            ids = dict(zip(met, self.graph.ids.many(np.array(met, np.int64)), strict=True))
            # A step is made once however many paths take it.
            taken = (nodes[:, 1:] << 32 | labels).T.tolist()
            steps = {
                key: Step(relations[(key & 0xFFFFFFFF) >> 1], ids[key >> 32], key & 1 == 1)
                for key in set().union(*taken)
            }
            columns = (map(steps.__getitem__, column) for column in taken)
            begins = map(ids.__getitem__, nodes[:, 0].tolist())
            listed.extend(map(Path, begins, zip(*columns, strict=True)))
        return listed


@dataclass
class _Partial:
    """Partial paths of one length: which pair each belongs to, its entities, its labels."""

    group: Array
    nodes: Array
    labels: Array

    def __len__(self) -> int:
        return len(self.group)

    def take(self, rows: Array) -> _Partial:
        return _Partial(self.group[rows], self.nodes[rows], self.labels[rows])


def paths(
    graph: Graph,
    sources: Sequence[str],
    targets: Sequence[str],
    max_length: int = 3,
    *,
    hub: int | None = HUB,
    limit: int | None = LIMIT,
) -> PathResult:
    """All simple paths of 2 to ``max_length`` entities from any source to any target."""
    pair = [(sources, targets)]
    return paths_many(graph, pair, max_length, hub=hub, limit=limit, budget=BUDGET)[0]


def paths_many(
    graph: Graph,
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    max_length: int = 3,
    *,
    hub: int | None = HUB,
    limit: int | None = LIMIT,
    budget: int = SHARE,
) -> list[PathResult]:
    """The paths of many (sources, targets) pairs at once; ids that the graph does not hold are
    noted and skipped. ``budget`` is how many partial paths each pair may have."""
    if not 2 <= max_length <= LONGEST:
        raise LimitError(
            f"a path has 2 to {LONGEST} entities, not {max_length}", cure="choose one in between"
        )
    results = [PathResult(graph, []) for _ in pairs]
    named = sorted({id for pair in pairs for side in pair for id in side})
    numbers = dict(zip(named, graph.find_many(named), strict=True))
    size = min(CHUNK, max(1, BUDGET // budget))
    for begin in range(0, len(pairs), size):
        check_stopped()
        chunk = range(begin, min(begin + size, len(pairs)))
        ends = [_starts(pairs, chunk, side, results, numbers) for side in (0, 1)]
        _Search(graph, hub, limit, budget, results).run(ends[0], ends[1], max_length)
    return results


def _starts(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    chunk: range,
    side: int,
    results: list[PathResult],
    numbers: dict[str, int | None],
) -> _Partial:
    groups: list[int] = []
    nodes: list[int] = []
    for group in chunk:
        for id in sorted(set(pairs[group][side])):
            number = numbers[id]
            if number is None:
                results[group].cut.append(f"the graph holds no entity {id[:100]}")
            else:
                groups.append(group)
                nodes.append(number)
    width = np.array(nodes, np.int64).reshape(-1, 1)
    return _Partial(np.array(groups, np.int64), width, np.zeros((len(nodes), 0), np.int64))


class _Search:
    def __init__(
        self,
        graph: Graph,
        hub: int | None,
        limit: int | None,
        budget: int,
        results: list[PathResult],
    ) -> None:
        self.graph = graph
        self.offsets, self.adjacent, self.label = graph.adjacency
        self.hub = hub
        self.limit = limit
        self.budget = budget
        self.results = results

    def run(self, sources: _Partial, targets: _Partial, max_length: int) -> None:
        both = np.intersect1d(sources.group, targets.group)
        if not len(both):
            return
        sources, targets = (p.take(np.isin(p.group, both)) for p in (sources, targets))
        sides = ([sources], [targets])
        for edges in range(1, max_length):
            forth, back = (edges + 1) // 2, edges // 2
            for side, wanted in zip(sides, (forth, back), strict=True):
                while len(side) <= wanted:
                    side.append(self._grow(side[-1], edges))
            joined = self._join(sides[0][forth], sides[1][back], edges)
            self._keep(joined)
            if edges + 1 < max_length:
                sides = self._without_full(sides, edges + 2)

    def _grow(self, partial: _Partial, edges: int) -> _Partial:
        """Each partial path, one edge longer in every way that stays simple."""
        last = partial.nodes[:, -1]
        sizes = self.offsets[last + 1] - self.offsets[last]
        if partial.nodes.shape[1] > 1:
            partial, sizes = self._without_hubs(partial, sizes)
        kept = self._within_budget(partial.group, sizes, f"{edges + 1} entities", "partial paths")
        if kept is not None:
            partial, sizes = partial.take(kept), sizes[kept]
        rows, where = _spread(self.offsets[partial.nodes[:, -1]], sizes)
        reached = self.adjacent[where].astype(np.int64)
        nodes = partial.nodes[rows]
        fresh = nodes[:, 0] != reached
        for column in range(1, nodes.shape[1]):
            fresh &= nodes[:, column] != reached
        if not fresh.all():
            rows, reached, where, nodes = rows[fresh], reached[fresh], where[fresh], nodes[fresh]
        return _Partial(
            partial.group[rows],
            _beside(nodes, reached[:, None]),
            _beside(partial.labels[rows], self.label[where][:, None]),
        )

    def _join(self, forth: _Partial, back: _Partial, edges: int) -> _Partial:
        """Paths from the source side that meet one from the target side at the same entity."""
        count = len(self.graph)
        if back.nodes.shape[1] == 1:
            # The targets themselves, each once and in order: a path ends there or it does not.
            ends = back.group * count + back.nodes[:, 0]
            reached = forth.group * count + forth.nodes[:, -1]
            at = np.minimum(np.searchsorted(ends, reached), len(ends) - 1)
            return forth.take(np.flatnonzero(ends[at] == reached))
        if self.hub is not None:
            last = forth.nodes[:, -1]
            forth, _ = self._without_hubs(forth, self.offsets[last + 1] - self.offsets[last])
        keys = back.group * count + back.nodes[:, -1]
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        wanted = forth.group * count + forth.nodes[:, -1]
        low = np.searchsorted(keys, wanted, "left")
        sizes = np.searchsorted(keys, wanted, "right") - low
        met = np.flatnonzero(sizes)
        low, sizes = low[met], sizes[met]
        kept = self._within_budget(forth.group[met], sizes, f"{edges + 1} entities", "candidates")
        if kept is not None:
            met, low, sizes = met[kept], low[kept], sizes[kept]
        rows, where = _spread(low, sizes)
        rows, other = met[rows], order[where]
        # The target side was walked from the target: turned round, each label changes direction.
        tail = back.nodes[other, -2::-1]
        turned = back.labels[other][:, ::-1] ^ 1
        nodes = _beside(forth.nodes[rows], tail)
        labels = _beside(forth.labels[rows], turned)
        group = forth.group[rows]
        middle = forth.nodes.shape[1]
        # Each half is simple, and the entity where they meet is in both: the rest must differ.
        for left in range(middle - 1):
            for right in range(middle, nodes.shape[1]):
                simple = nodes[:, left] != nodes[:, right]
                if not simple.all():
                    nodes, labels, group = nodes[simple], labels[simple], group[simple]
        return _Partial(group, nodes, labels)

    def _keep(self, partial: _Partial) -> None:
        """Give each pair its paths, in order, up to the limit."""
        if not len(partial):
            return
        if partial.labels.shape[1] > 3:
            # Shorter ones come in order; of these the half from the target's side does not.
            steps = (
                c for pair in zip(partial.nodes.T[1:], partial.labels.T, strict=True) for c in pair
            )
            columns = [partial.group, partial.nodes[:, 0], *steps]
            partial = partial.take(np.lexsort(columns[::-1]))
        begins = np.flatnonzero(np.diff(partial.group, prepend=-1))
        groups = partial.group[begins]
        ends = [*begins[1:].tolist(), len(partial)]
        for group, begin, end in zip(groups.tolist(), begins.tolist(), ends, strict=True):
            check_stopped()
            result = self.results[group]
            room = end - begin if self.limit is None else self.limit - len(result)
            if room < end - begin:
                left = end - begin - max(0, room)
                length = partial.nodes.shape[1]
                result.cut.append(f"{left} paths of {length} entities beyond the limit")
            if room > 0:
                kept = slice(begin, min(end, begin + room))
                result.tables.append((partial.nodes[kept], partial.labels[kept]))

    def _without_full(
        self, sides: tuple[list[_Partial], list[_Partial]], length: int
    ) -> tuple[list[_Partial], list[_Partial]]:
        """The partial paths of pairs that still have room: longer paths of the others would only
        be counted and thrown away."""
        if self.limit is None:
            return sides
        full = [g for g in np.unique(sides[0][0].group).tolist() if self._full(g)]
        if not full:
            return sides
        for group in full:
            self.results[group].cut.append(
                f"paths of {length} entities and more not looked for: {self.limit} are found"
            )
        forth, back = ([p.take(~np.isin(p.group, full)) for p in side] for side in sides)
        return forth, back

    def _full(self, group: int) -> bool:
        return self.limit is not None and len(self.results[group]) >= self.limit

    def _without_hubs(self, partial: _Partial, sizes: Array) -> tuple[_Partial, Array]:
        """Partial paths whose last entity may be walked through."""
        if self.hub is None:
            return partial, sizes
        fine = sizes <= self.hub
        if fine.all():
            return partial, sizes
        hubs = np.unique(np.stack([partial.group[~fine], partial.nodes[~fine, -1]]), axis=1)
        for group, node in hubs.T.tolist():
            degree = int(self.offsets[node + 1] - self.offsets[node])
            note = f"not walked through {self.graph.id(node)}: {degree} edges"
            if note not in self.results[group].cut:
                self.results[group].cut.append(note)
        return partial.take(fine), sizes[fine]

    def _within_budget(
        self, groups: Array, sizes: Array, length: str, what: str
    ) -> NDArray[np.int64] | None:
        """The rows that can be followed within each pair's budget, those of small size first;
        None where all can."""
        wanted = np.bincount(groups, sizes) if len(groups) else np.zeros(0)
        over = np.flatnonzero(wanted > self.budget)
        if not len(over):
            return None
        for group in over.tolist():
            note = f"paths of {length} cut at {self.budget} {what}"
            if note not in self.results[group].cut:
                self.results[group].cut.append(note)
        rank = np.lexsort((sizes, groups))
        spent = np.cumsum(sizes[rank])
        begins = np.flatnonzero(np.diff(groups[rank], prepend=-1))
        before = np.repeat(spent[begins] - sizes[rank][begins], np.diff([*begins, len(rank)]))
        return np.sort(rank[spent - before <= self.budget])


def _beside(left: Array, right: Array) -> Array:
    """Two tables side by side."""
    width = left.shape[1]
    both = np.empty((len(left), width + right.shape[1]), np.int64)
    both[:, :width] = left
    both[:, width:] = right
    return both


def _spread(begins: Array, sizes: Array) -> tuple[Array, Array]:
    """For rows of ``sizes`` items that begin at ``begins``: the row of each item, and its place."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    return rows, begins[rows] + within
