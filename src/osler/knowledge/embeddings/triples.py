"""A graph's triples as numbers: what a training works on, and its split into three parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.kinds import Triple
from osler.knowledge.graph import Graph

Ints = NDArray[np.int64]


class NumberedTriples:
    """Triples over numbered entities and relations; ``rows`` are (head, relation, tail).

    Entities and relations are numbered in the order of their ids, so that the same triples give
    the same numbers in whatever order they come. A triple that stands twice is kept once.
    """

    def __init__(
        self, entity_ids: Sequence[str], relation_names: Sequence[str], rows: NDArray[Any]
    ) -> None:
        self.entity_ids = list(entity_ids)
        self.relation_names = list(relation_names)
        self.rows: Ints = np.ascontiguousarray(rows, dtype=np.int64).reshape(-1, 3)
        self._numbers: dict[str, int] | None = None

    @classmethod
    def of(cls, given: Graph | Iterable[Triple | tuple[str, str, str]] | NumberedTriples) -> Any:
        """From a graph, from triples (head, relation, tail), or as it is."""
        if isinstance(given, NumberedTriples):
            return given
        if isinstance(given, Graph):
            return cls._of_graph(given)
        read = [
            (one.head, one.relation, one.tail) if isinstance(one, Triple) else tuple(one)
            for one in given
        ]
        entities = sorted({end for head, _, tail in read for end in (head, tail)})
        relations = sorted({relation for _, relation, _ in read})
        entity = {id: number for number, id in enumerate(entities)}
        kind = {name: number for number, name in enumerate(relations)}
        rows = np.array([(entity[h], kind[r], entity[t]) for h, r, t in read], np.int64)
        return cls(entities, relations, np.unique(rows.reshape(-1, 3), axis=0))

    @classmethod
    def _of_graph(cls, graph: Graph) -> NumberedTriples:
        offsets, neighbours, labels = graph.adjacency
        owners = np.repeat(np.arange(len(graph)), np.diff(offsets))
        forward = (np.asarray(labels) & 1) == 0
        rows = np.stack(
            [owners[forward], np.asarray(labels)[forward] >> 1, np.asarray(neighbours)[forward]], 1
        ).astype(np.int64)
        # Entities without an edge learn nothing: they would only be noise among the candidates.
        used = np.unique(rows[:, [0, 2]])
        kinds = np.unique(rows[:, 1])
        rows[:, [0, 2]] = np.searchsorted(used, rows[:, [0, 2]])
        rows[:, 1] = np.searchsorted(kinds, rows[:, 1])
        ids = [graph.id(int(number)) for number in used]
        return cls(ids, [graph.relations[int(kind)] for kind in kinds], np.unique(rows, axis=0))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each entity, by id."""
        if self._numbers is None:
            self._numbers = {id: number for number, id in enumerate(self.entity_ids)}
        return self._numbers

    def take(self, rows: NDArray[Any]) -> NumberedTriples:
        """Other triples over the same entities and relations."""
        return NumberedTriples(self.entity_ids, self.relation_names, rows)

    def check(self) -> None:
        """Raise where there is nothing to learn from."""
        if not len(self.rows):
            raise InputError(
                "the graph is empty: there is no triple to learn from",
                cure="add triples: osler add LIB triples.tsv",
            )

    def split(
        self, *, valid: float = 0.1, test: float = 0.2, seed: int = 0
    ) -> tuple[NumberedTriples, NumberedTriples, NumberedTriples]:
        """Training, validation and test triples, drawn at random.

        Every entity and relation keeps a triple in training: one that was drawn away from its
        last triple gets it back, so validation and test may be a little smaller than asked for.
        """
        self.check()
        if valid < 0 or test < 0 or valid + test >= 1:
            raise InputError("the shares held out are positive and below 1 together")
        order = np.random.default_rng(seed).permutation(len(self.rows))
        held_out = _spare(self.rows, order, round((valid + test) * len(self.rows)))
        kept = np.ones(len(self.rows), bool)
        kept[held_out] = False
        tests = round(len(held_out) * test / (valid + test)) if valid + test else 0
        return (
            self.take(self.rows[kept]),
            self.take(self.rows[np.sort(held_out[tests:])]),
            self.take(self.rows[np.sort(held_out[:tests])]),
        )


def _spare(rows: Ints, order: Ints, wanted: int) -> Ints:
    """Up to ``wanted`` triples, in the order given, whose entities and relation all stand in
    another triple that stays."""
    ends = np.bincount(rows[:, [0, 2]].ravel()).tolist()
    kinds = np.bincount(rows[:, 1]).tolist()
    spared: list[int] = []
    for place in order.tolist():
        if len(spared) == wanted:
            break
        head, kind, tail = rows[place].tolist()
        needed = 2 if head == tail else 1
        if ends[head] > needed and ends[tail] > needed and kinds[kind] > 1:
            ends[head] -= 1
            ends[tail] -= 1
            kinds[kind] -= 1
            spared.append(place)
    return np.array(spared, np.int64)
