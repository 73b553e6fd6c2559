"""TransD (Ji et al. 2015): entity and relation together make the projection of an entity.

    e' = e + (e_p . e) r_p        E(h, r, t) = || h' + r - t' ||

That is the paper's mapping M = r_p e_p^T + I with entities and relations of one dimension. Entities
and relations are no longer than one.
"""

from __future__ import annotations

from typing import Any

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Method, Rows, Tensor, models


@models.register("transd")
class TransD(Method):
    """Two vectors an entity and two a relation: one for what it is, one for how it projects."""

    name = "transd"
    help = "TransD: projections made by entity and relation together"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        entity = maths.uniform(count, self.dimension, generator)
        maths.normalise(entity)
        return {"entity": entity, "projection": maths.uniform(count, self.dimension, generator)}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        translation = maths.uniform(count, self.dimension, generator)
        maths.normalise(translation)
        projection = maths.uniform(count, self.dimension, generator)
        return {"translation": translation, "projection": projection}

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        # h' - t' = (h - t) + (h_p . h - t_p . t) r_p: one product less than projecting both.
        gap = _strength(head) - _strength(tail)
        moved = head["entity"] - tail["entity"] + gap * relation["projection"]
        return maths.distance(moved + relation["translation"], self.norm)

    def constrain_entities(self, rows: Rows) -> None:
        maths.shorten(rows["entity"])

    def constrain_relations(self, rows: Rows) -> None:
        maths.shorten(rows["translation"])

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        import torch

        sign = 1 if tails else -1
        own = known["entity"] + _strength(known) * relation["projection"]
        target = own + sign * relation["translation"]
        distances = torch.empty(len(target), len(entities["entity"]))
        strength = _strength(entities)
        planes, which = torch.unique(relation["projection"], dim=0, return_inverse=True)
        for number, plane in enumerate(planes):
            asked = (which == number).nonzero().squeeze(1)
            projected = entities["entity"] + strength * plane
            distances[asked] = maths.all_distances(target[asked], projected, self.norm)
        return distances


def _strength(rows: Rows) -> Tensor:
    return (rows["projection"] * rows["entity"]).sum(-1, keepdim=True)
