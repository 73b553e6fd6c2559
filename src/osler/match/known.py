"""What the graph knows of a question and an answer: mentions, entities, the paths between them.

A name that stands under several types (a disease that is also listed as a symptom) means the one
that the graph says most about, and up to ``SENSES`` of them. Hubs such as 药物治疗, which join
nearly everything, are not walked through: an entity with more than ``HUB`` edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.knowledge.paths import PathResult, paths_many
from osler.match.texts import CUT, Kept
from osler.stopping import check_stopped

Ints = NDArray[np.int64]

HUB = 1_000
LIMIT = 2_000
"""Paths of one question with one answer that are looked at."""
SENSES = 2
MOST_ENTITIES = 40
"""Entities of one text that take part, in the order of their mention."""


@dataclass(frozen=True)
class Linked:
    """The mentions of a text, (start, end, entity's number), and its entities by first mention."""

    spans: tuple[tuple[int, int, int], ...]
    entities: tuple[int, ...]
    main: tuple[int, ...]
    """The first sense of each mention alone."""
    senses: tuple[tuple[int, ...], ...] = ()
    """What each of the spans may mean, the likeliest first."""
    alike: frozenset[tuple[int, int]] = frozenset()
    """Two senses of one mention: a path between them would say nothing."""


class Known:
    """A graph and its linker, as matching needs them."""

    def __init__(self, graph: Graph, linker: Linker, *, hub: int = HUB) -> None:
        self.graph = graph
        self.linker = linker
        self.hub = hub
        self.offsets, self.adjacent, self.labels = graph.adjacency
        self.degrees: Ints = np.diff(self.offsets).astype(np.int64)
        self.link = Kept(self._link)
        self.near = Kept(self._near)

    def __len__(self) -> int:
        return len(self.graph)

    def names(self) -> Iterator[str]:
        """All names of the graph, for the dictionary that Chinese is cut with."""
        for entity in self.graph.entities():
            yield from entity.names

    def _link(self, text: str) -> Linked:
        spans: list[tuple[int, int, int]] = []
        meant: list[tuple[int, ...]] = []
        order: dict[int, None] = {}
        main: dict[int, None] = {}
        alike: set[tuple[int, int]] = set()
        for mention in self.linker.link(text[:CUT]):
            numbers = [self.graph.find(id) for id, _ in mention.entities[: 3 * SENSES]]
            senses = sorted(
                (number for number in numbers if number is not None),
                key=lambda number: (-int(self.degrees[number]), number),
            )
            if not senses:
                continue
            spans.append((mention.start, mention.end, senses[0]))
            meant.append(tuple(senses[:SENSES]))
            main[senses[0]] = None
            for sense in senses[:SENSES]:
                order[sense] = None
            alike.update((one, two) for one in senses for two in senses if one != two)
        few = tuple(order)[:MOST_ENTITIES]
        return Linked(
            tuple(spans), few, tuple(main)[:MOST_ENTITIES], tuple(meant), frozenset(alike)
        )

    def _near(self, text: str) -> dict[int, int]:
        """The entities one edge from those of a text that are no hubs: entity -> label."""
        numbers: dict[int, int] = {}
        for number in self.link(text).entities:
            if self.degrees[number] > self.hub:
                continue
            start, end = int(self.offsets[number]), int(self.offsets[number + 1])
            others, labels = self.adjacent[start:end].tolist(), self.labels[start:end].tolist()
            for other, label in zip(others, labels, strict=True):
                numbers.setdefault(other, label)
        return numbers

    def paths(self, pairs: Sequence[tuple[str, str]], *, length: int = 3) -> list[PathResult]:
        """The paths between the entities of questions and of answers, shortest first."""
        asked = []
        for question, answer in pairs:
            check_stopped()
            ends = (self.link(question).entities, self.link(answer).entities)
            asked.append(tuple([self.graph.id(number) for number in side] for side in ends))
        return paths_many(
            self.graph,
            asked,  # type: ignore[arg-type]
            length,
            hub=self.hub,
            limit=LIMIT,
        )
