"""What a training learned: vectors of entities and relations, and the energy of any triple."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from osler.errors import DamageError, UnknownId
from osler.knowledge.embeddings.method import Method, Rows, models
from osler.learn import needs
from osler.learn.card import Card
from osler.learn.saved import load_card, load_model, save_model

Floats = NDArray[np.float32]
KIND = "graph-embeddings"
CHUNK = 50_000
"""Triples whose energies are computed at once."""


class Embeddings:
    """Vectors of a graph's entities and relations, as NumPy arrays.

    ``entities`` and ``relations`` have a row each; ``modal`` is the multi-modal vector of a method
    that has one. The vectors need no torch; ``energy`` does.
    """

    def __init__(
        self,
        method: Method,
        entity_ids: Sequence[str],
        relation_names: Sequence[str],
        entity_tables: Mapping[str, Floats],
        relation_tables: Mapping[str, Floats],
        *,
        card: Card | None = None,
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.entity_ids = list(entity_ids)
        self.relation_names = list(relation_names)
        self.entity_tables = dict(entity_tables)
        self.relation_tables = dict(relation_tables)
        self.card = card
        self.notes: dict[str, Any] = dict(notes or {})
        self._numbers: dict[str, int] | None = None
        self._relations = {name: number for number, name in enumerate(self.relation_names)}

    # Vectors ----------------------------------------------------------------------------------

    @property
    def entities(self) -> Floats:
        """The structural vectors, a row an entity."""
        return next(iter(self.entity_tables.values()))

    @property
    def relations(self) -> Floats:
        """The translations (or rotations), a row a relation."""
        return next(iter(self.relation_tables.values()))

    @property
    def modal(self) -> Floats | None:
        """The multi-modal vectors, a row an entity; None where the method has none."""
        return self.entity_tables.get("modal")

    @property
    def joined(self) -> Floats:
        """Structural and multi-modal vectors beside each other (section 3.3.3 of seed 001)."""
        if self.modal is None:
            return self.entities
        return np.concatenate([self.entities, self.modal], 1)

    @property
    def dimension(self) -> int:
        return int(self.entities.shape[1])

    def __len__(self) -> int:
        return len(self.entity_ids)

    def __contains__(self, id: str) -> bool:
        return id in self.numbers

    @property
    def numbers(self) -> dict[str, int]:
        """The row of each entity, by id."""
        if self._numbers is None:
            self._numbers = {id: number for number, id in enumerate(self.entity_ids)}
        return self._numbers

    def number(self, id: str) -> int:
        number = self.numbers.get(id)
        if number is None:
            raise UnknownId(f"the embeddings hold no entity {id[:100]!r}")
        return number

    def relation(self, name: str) -> int:
        """The row of a relation."""
        if name not in self._relations:
            raise UnknownId(f"the embeddings hold no relation {name[:100]!r}")
        return self._relations[name]

    def vector(self, id: str) -> Floats:
        """An entity's structural vector."""
        row: Floats = self.entities[self.number(id)]
        return row

    def similar(self, id: str, k: int = 10) -> list[tuple[str, float]]:
        """The entities whose vectors point the same way, by cosine."""
        rows = self.joined
        one = rows[self.number(id)]
        lengths = np.linalg.norm(rows, axis=1) * max(float(np.linalg.norm(one)), 1e-12)
        cosine = rows @ one / np.maximum(lengths, 1e-12)
        order = np.lexsort((np.arange(len(rows)), -cosine))
        nearest = [(self.entity_ids[at], float(cosine[at])) for at in order[: k + 1].tolist()]
        return [pair for pair in nearest if pair[0] != id][:k]

    # Energies ---------------------------------------------------------------------------------

    def energy(self, heads: ArrayLike, relations: ArrayLike, tails: ArrayLike) -> Floats:
        """Energies of triples given as numbers (rows); the lower, the more believed."""
        torch = needs.torch("energies of triples")
        head, kind, tail = (
            np.asarray(given, np.int64) for given in np.broadcast_arrays(heads, relations, tails)
        )
        shape = head.shape
        flat = [torch.from_numpy(part.ravel().copy()) for part in (head, kind, tail)]
        entity, relation = self.tensors()
        energies = np.empty(head.size, np.float32)
        with torch.no_grad():
            for start in range(0, head.size, CHUNK):
                at = slice(start, start + CHUNK)
                energies[at] = self.method.energy(
                    _rows(entity, flat[0][at]),
                    _rows(relation, flat[1][at]),
                    _rows(entity, flat[2][at]),
                ).numpy()
        return energies.reshape(shape)

    def energies(self, triples: Iterable[tuple[str, str, str]]) -> Floats:
        """Energies of triples given as ids."""
        rows = [(self.number(h), self.relation(r), self.number(t)) for h, r, t in triples]
        numbers = np.array(rows, np.int64).reshape(-1, 3)
        return self.energy(numbers[:, 0], numbers[:, 1], numbers[:, 2])

    def tensors(self) -> tuple[Rows, Rows]:
        """The tables as torch tensors that share the arrays' memory."""
        torch = needs.torch("energies of triples")
        return (
            {name: torch.from_numpy(rows) for name, rows in self.entity_tables.items()},
            {name: torch.from_numpy(rows) for name, rows in self.relation_tables.items()},
        )

    # On disk ----------------------------------------------------------------------------------

    def save(self, folder: str | Path) -> Path:
        """Write ``model.safetensors``, ``config.json`` and ``card.md``."""
        tensors = {f"entity.{name}": rows for name, rows in self.entity_tables.items()}
        tensors |= {f"relation.{name}": rows for name, rows in self.relation_tables.items()}
        config = {
            "kind": KIND,
            "method": self.method.name,
            "settings": self.method.settings(),
            "entity_ids": self.entity_ids,
            "relation_names": self.relation_names,
            "entity_tables": list(self.entity_tables),
            "relation_tables": list(self.relation_tables),
            "notes": self.notes,
        }
        card = self.card or Card(name=Path(folder).name, what="Graph embeddings.")
        return save_model(folder, tensors, config, card)

    @classmethod
    def load(cls, folder: str | Path) -> Embeddings:
        """Read them back; nothing in the folder is run."""
        tensors, config = load_model(folder, framework="numpy")
        name = Path(folder).name
        try:
            if config["kind"] != KIND:
                raise DamageError(f"{name} holds a {config['kind']}, not graph embeddings")
            entity = {part: tensors[f"entity.{part}"] for part in config["entity_tables"]}
            relation = {part: tensors[f"relation.{part}"] for part in config["relation_tables"]}
            method = models.resolve(config["method"], **config["settings"])
            ids, names = config["entity_ids"], config["relation_names"]
            sound = all(len(rows) == len(ids) for rows in entity.values()) and all(
                len(rows) == len(names) for rows in relation.values()
            )
        except (KeyError, TypeError):
            raise DamageError(
                f"{name} holds no whole graph embeddings", cure="train them again"
            ) from None
        if not sound or not entity or not relation:
            raise DamageError(f"the tables of {name} do not fit its entities")
        return cls(
            method, ids, names, entity, relation, card=load_card(folder), notes=config["notes"]
        )


def _rows(tables: Rows, numbers: Any) -> Rows:
    return {name: table[numbers] for name, table in tables.items()}
