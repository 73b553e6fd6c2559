"""TransE (Bordes et al. 2013): a relation moves the head to the tail.

    E(h, r, t) = || h + r - t ||

Entities are kept at length one; relations start at length one and are then free.
"""

from __future__ import annotations

from typing import Any

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Method, Rows, Tensor, models


@models.register("transe")
class TransE(Method):
    """One vector an entity, one a relation."""

    name = "transe"
    help = "TransE: head + relation = tail"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        entity = maths.uniform(count, self.dimension, generator)
        maths.normalise(entity)
        return {"entity": entity}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        translation = maths.uniform(count, self.dimension, generator)
        maths.normalise(translation)
        return {"translation": translation}

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        return maths.distance(head["entity"] + relation["translation"] - tail["entity"], self.norm)

    def constrain_entities(self, rows: Rows) -> None:
        maths.normalise(rows["entity"])

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        sign = 1 if tails else -1
        target = known["entity"] + sign * relation["translation"]
        return maths.all_distances(target, entities["entity"], self.norm)
