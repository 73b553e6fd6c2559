"""Names that begin as somebody types: what a field offers while a fact or an entity is named."""

from __future__ import annotations

from bisect import bisect_left

from osler.knowledge.graph import Graph
from osler.serve.models import Concept
from osler.serve.reader import Reader


class Completion:
    """All names of a graph in order, each with its entity."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        pairs: set[tuple[str, int]] = set()
        for number in range(len(graph)):
            for name in graph.names(graph.id(number)):
                pairs.add((name.casefold(), number))
        ordered = sorted(pairs)
        self._names = [name for name, _ in ordered]
        self._numbers = [number for _, number in ordered]

    def starting(self, text: str, limit: int) -> list[Concept]:
        """Entities one of whose names begins so; the shortest names first, then by id."""
        key = text.strip().casefold()
        if not key:
            return []
        best: dict[int, int] = {}
        low = bisect_left(self._names, key)
        # Enough to rank by length; "a" alone would begin half of a terminology.
        for at in range(low, min(low + 2_000, len(self._names))):
            name = self._names[at]
            if not name.startswith(key):
                break
            number = self._numbers[at]
            best[number] = min(best.get(number, len(name)), len(name))
        chosen = sorted(best, key=lambda number: (best[number], number))[:limit]
        ids = [self.graph.id(number) for number in chosen]
        return [Concept(id=id, name=self.graph.name(id), type=self.graph.type(id)) for id in ids]


def complete(reader: Reader, text: str, limit: int) -> list[Concept]:
    """Entities whose name begins with a text; the index is made when it is first asked for."""
    graph = reader.graph
    held = reader.shared.keep("completion", id(graph), lambda: Completion(graph))
    return held.starting(text, limit)
