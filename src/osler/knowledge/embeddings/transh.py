"""TransH (Wang et al. 2014): head and tail are projected on the relation's hyperplane, then moved.

    e' = e - (w . e) w        E(h, r, t) = || h' + d - t' ||

The normal w has length one, d lies in the hyperplane (the paper's soft constraint, here exact after
each step), and entities are no longer than one.
"""

from __future__ import annotations

from typing import Any

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Method, Rows, Tensor, models


@models.register("transh")
class TransH(Method):
    """One vector an entity; a translation and a normal a relation."""

    name = "transh"
    help = "TransH: a translation on the relation's hyperplane"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        entity = maths.uniform(count, self.dimension, generator)
        maths.normalise(entity)
        return {"entity": entity}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        tables = {
            "translation": maths.uniform(count, self.dimension, generator),
            "normal": maths.uniform(count, self.dimension, generator),
        }
        maths.normalise(tables["translation"])
        self.constrain_relations(tables)
        return tables

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        # The projection is linear: projecting h - t once gives h' - t'.
        moved = maths.onto(head["entity"] - tail["entity"], relation["normal"])
        return maths.distance(moved + relation["translation"], self.norm)

    def constrain_entities(self, rows: Rows) -> None:
        maths.shorten(rows["entity"])

    def constrain_relations(self, rows: Rows) -> None:
        maths.normalise(rows["normal"])
        rows["translation"].copy_(maths.onto(rows["translation"], rows["normal"]))

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        return on_planes(known, relation, entities, self.norm, tails=tails, table="entity")


def on_planes(
    known: Rows, relation: Rows, entities: Rows, norm: int, *, tails: bool, table: str
) -> Tensor:
    """Distances on hyperplanes of each known end to every entity, a relation's rows at a time."""
    import torch

    sign = 1 if tails else -1
    target = maths.onto(known[table], relation["normal"]) + sign * relation["translation"]
    on_plane = torch.empty(len(target), len(entities[table]))
    # Queries of one relation share a hyperplane: entities are projected once for them.
    normals, which = torch.unique(relation["normal"], dim=0, return_inverse=True)
    for number, normal in enumerate(normals):
        asked = (which == number).nonzero().squeeze(1)
        projected = maths.onto(entities[table], normal)
        on_plane[asked] = maths.all_distances(target[asked], projected, norm)
    return on_plane
