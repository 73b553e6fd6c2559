"""What a method of embedding is: its tables, its energy, its constraints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from osler.errors import InputError
from osler.registry import Registry

Tensor = Any
Rows = dict[str, Tensor]
"""Rows of several tables, by the table's name; the last axis is the vector."""


class Method(ABC):
    """Scores triples by an energy: the lower, the more a triple is believed.

    A method keeps tables with a row an entity and tables with a row a relation. Only rows that a
    batch touches are ever read or written. ``weights`` are the few parameters that all rows share
    (a layer over features).
    """

    name: ClassVar[str]
    help: ClassVar[str]
    modal: ClassVar[bool] = False
    """Whether it takes features of pictures and names."""

    def __init__(self, *, dimension: int = 150, norm: int = 2) -> None:
        if dimension < 1:
            raise InputError("an embedding has at least one dimension")
        if norm not in (1, 2):
            raise InputError("the norm of an energy is 1 or 2")
        self.dimension = dimension
        self.norm = norm

    def settings(self) -> dict[str, Any]:
        """What :meth:`__init__` takes, for the configuration of a saved model."""
        return {"dimension": self.dimension, "norm": self.norm}

    @abstractmethod
    def entity_tables(self, count: int, generator: Any) -> Rows:
        """Fresh tables with a row an entity; the first is what ``Embeddings.entities`` shows."""

    @abstractmethod
    def relation_tables(self, count: int, generator: Any) -> Rows:
        """Fresh tables with a row a relation; the first is what ``Embeddings.relations`` shows."""

    def weights(self, features: int, generator: Any) -> Rows:
        """Parameters that all rows share, for features of that width."""
        return {}

    def derive(self, entities: Rows, weights: Mapping[str, Tensor]) -> Rows:
        """The rows that the energy works on, out of the rows of the tables and the features."""
        return entities

    @abstractmethod
    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        """Energies; the rows broadcast against each other, their last axis is summed over."""

    def constrain_entities(self, rows: Rows) -> None:
        """Bring rows back to where they are allowed to be, in place, after a step."""
        return

    def constrain_relations(self, rows: Rows) -> None:
        """The same for relations."""
        return

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        """Energies of each known end (a row) with every entity (a column) as the other end."""
        wide = {name: rows[:, None, :] for name, rows in known.items()}
        kind = {name: rows[:, None, :] for name, rows in relation.items()}
        every = {name: rows[None, :, :] for name, rows in entities.items()}
        return self.energy(wide, kind, every) if tails else self.energy(every, kind, wide)


models: Registry[Method] = Registry(
    "method of graph embedding",
    group="osler.graph_embeddings",
    builtin=(
        "osler.knowledge.embeddings.transe",
        "osler.knowledge.embeddings.transh",
        "osler.knowledge.embeddings.transd",
        "osler.knowledge.embeddings.rotate",
        "osler.knowledge.embeddings.mm_transe",
        "osler.knowledge.embeddings.mm_transh",
    ),
)
