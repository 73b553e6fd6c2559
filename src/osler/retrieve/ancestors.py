"""What stands above a concept, and how much of its weight is left there."""

from __future__ import annotations

from collections.abc import Mapping

from osler.knowledge.graph import Graph

DECAY = 0.4
LEVELS = 2


class Ancestors:
    """A concept and what stands above it, with the weight that is left at each."""

    def __init__(self, graph: Graph, *, decay: float = DECAY, levels: int = LEVELS) -> None:
        self.graph = graph
        self.decay = decay
        self.levels = levels
        self._known: dict[int, dict[int, float]] = {}

    def __call__(self, concept: int) -> dict[int, float]:
        reached = self._known.get(concept)
        if reached is None:
            reached = {concept: 1.0}
            if self.levels:
                for number, level in self.graph.above(concept, self.levels).items():
                    reached[number] = self.decay**level
            self._known[concept] = reached
        return reached

    def expand(self, weights: Mapping[int, float]) -> dict[int, float]:
        """All concepts reached, each with the best weight that leads to it."""
        reached: dict[int, float] = {}
        for concept, weight in weights.items():
            for above, share in self(concept).items():
                value = weight * share
                if value > reached.get(above, 0.0):
                    reached[above] = value
        return reached
