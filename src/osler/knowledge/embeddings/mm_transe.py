"""The TransE-based multi-modal baseline (Mousselly-Sergieh et al. 2018; "Base" in Table 5 of seed
001): the five energies of the multi-modal method without a hyperplane.

    E = || h^S + r - t^S || + || h^M + r - t^M || + || h^C + r - t^C ||
      + || h^M + r - t^S || + || h^S + r - t^M ||,   e^C = e^S + e^M
"""

from __future__ import annotations

from typing import Any

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Rows, Tensor, models
from osler.knowledge.embeddings.modal import Modal, five_energies


@models.register("mm-transe")
class MultiModalTransE(Modal):
    """Structural and multi-modal vectors of entities, one translation a relation."""

    name = "mm-transe"
    help = "the TransE-based multi-modal baseline"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        entity = maths.uniform(count, self.dimension, generator)
        maths.normalise(entity)
        return {"entity": entity}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        translation = maths.uniform(count, self.dimension, generator)
        maths.normalise(translation)
        return {"translation": translation}

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        return five_energies(head, tail, relation["translation"], None, self.norm)

    def constrain_entities(self, rows: Rows) -> None:
        maths.shorten(rows["entity"])

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        sign = 1 if tails else -1
        shift = sign * relation["translation"]
        return five_distances(known, entities, shift, self.norm)


def five_distances(known: Rows, entities: Rows, shift: Tensor, norm: int) -> Tensor:
    """The five energies of each known end with every entity, rows already projected. Swapping the
    ends swaps E_SM with E_MS, which their sum does not notice."""
    structural, modal = known["entity"] + shift, known["modal"] + shift
    own, other = entities["entity"], entities["modal"]
    return (
        maths.all_distances(structural, own, norm)
        + maths.all_distances(modal, other, norm)
        + maths.all_distances(structural + known["modal"], own + other, norm)
        + maths.all_distances(modal, own, norm)
        + maths.all_distances(structural, other, norm)
    )
