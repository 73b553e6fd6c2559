"""The paths of a question with an answer as small tables of one shape, for a network to read.

There can be thousands. Kept are, for each pair of entities, the ``paths`` shortest paths, of equals
those through entities with few edges (a path through a rare disease says more than one through a
hub), and of the pairs of entities the ``pairs`` with the best such path: ``PATHS`` and ``PAIRS``,
unless more are asked for. An entity that both texts
name is a path of one entity where ``shared`` asks for it: the paper leaves it out (e_1 != e_L).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from osler.knowledge.paths import PathResult
from osler.match.known import Known
from osler.stopping import check_stopped

Ints = NDArray[np.int32]
PAIRS, PATHS = 6, 3
CHUNK = 2_000
"""Pairs of texts whose paths are looked for at once: bounds memory."""


@dataclass(frozen=True)
class Walks:
    """``nodes`` (pairs, paths, length) are entity numbers, -1 where there is none; ``labels``
    (pairs, paths, length - 1) are the graph's labels of the edges, -1 likewise."""

    nodes: Ints
    labels: Ints

    @property
    def empty(self) -> bool:
        return bool((self.nodes[0, 0] < 0).all())

    def trimmed(self) -> Walks:
        """The same without the places that nothing stands in, but for one."""
        real = self.nodes[..., 0] >= 0
        pairs, paths = max(1, int(real.any(1).sum())), max(1, int(real.sum(1).max()))
        return Walks(self.nodes[:pairs, :paths].copy(), self.labels[:pairs, :paths].copy())


def no_walks(length: int, *, pairs: int = PAIRS, paths: int = PATHS) -> Walks:
    return Walks(
        np.full((pairs, paths, length), -1, np.int32),
        np.full((pairs, paths, length - 1), -1, np.int32),
    )


def stacked(tables: Sequence[Walks], length: int) -> Walks:
    """Tables of any size as one with a further axis in front, as large as the largest."""
    pairs = max(table.nodes.shape[0] for table in tables)
    paths = max(table.nodes.shape[1] for table in tables)
    whole = Walks(
        np.full((len(tables), pairs, paths, length), -1, np.int32),
        np.full((len(tables), pairs, paths, length - 1), -1, np.int32),
    )
    for at, table in enumerate(tables):
        own, each = table.nodes.shape[:2]
        whole.nodes[at, :own, :each] = table.nodes
        whole.labels[at, :own, :each] = table.labels
    return whole


def walks_of(
    known: Known,
    texts: Sequence[tuple[str, str]],
    *,
    length: int = 3,
    shared: bool = True,
    pairs: int = PAIRS,
    paths: int = PATHS,
) -> list[Walks]:
    """One table a pair of question and answer."""
    if not len(known):
        return [no_walks(length, pairs=pairs, paths=paths) for _ in texts]
    logs = np.log(np.maximum(known.degrees, 1))
    listed: list[Walks] = []
    for start in range(0, len(texts), CHUNK):
        check_stopped()
        part = texts[start : start + CHUNK]
        for (question, answer), result in zip(part, known.paths(part, length=length), strict=True):
            ask, tell = known.link(question), known.link(answer)
            answer_entities = set(tell.main)
            both = [e for e in ask.main if e in answer_entities] if shared else []
            alike = {one * len(known) + two for one, two in ask.alike | tell.alike}
            table = no_walks(length, pairs=pairs, paths=paths)
            listed.append(_chosen(result, both, alike, logs, table))
    return listed


def _chosen(
    result: PathResult,
    both: list[int],
    alike: set[int],
    logs: NDArray[np.float64],
    walks: Walks,
) -> Walks:
    """The table ``walks`` filled with the best paths."""
    pairs, paths, length = walks.nodes.shape
    taken = 0
    for entity in both[: pairs // 2]:
        walks.nodes[taken, 0, 0] = entity
        taken += 1
    if not result.tables:
        return walks
    sizes = [len(nodes) for nodes, _ in result.tables]
    nodes = np.full((sum(sizes), length), -1, np.int64)
    labels = np.full((sum(sizes), length - 1), -1, np.int64)
    last = np.zeros(sum(sizes), np.int64)
    cost = np.zeros(sum(sizes))
    at = 0
    for table, steps in result.tables:
        rows = slice(at, at + len(table))
        width = table.shape[1]
        nodes[rows, :width] = table
        labels[rows, : width - 1] = steps
        last[rows] = table[:, -1]
        # A step costs more than any entity on the way can.
        cost[rows] = 100.0 * width + logs[table[:, 1:-1]].sum(1)
        at += len(table)
    key = nodes[:, 0] * len(logs) + last
    order = np.lexsort((np.arange(len(key)), cost))
    slots: dict[int, int] = {}
    used: dict[int, int] = {}
    for row in order.tolist():
        pair = int(key[row])
        if pair in alike:
            continue
        slot = slots.get(pair)
        if slot is None:
            if taken == pairs:
                continue
            slot = slots[pair] = taken
            taken += 1
        place = used.get(slot, 0)
        if place < paths:
            walks.nodes[slot, place] = nodes[row]
            walks.labels[slot, place] = labels[row]
            used[slot] = place + 1
        elif taken == pairs and len(used) == len(slots) and min(used.values()) == paths:
            break
    return walks
