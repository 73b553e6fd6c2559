"""One training, step by step: a batch of triples, their corruptions, the rows that both touch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import ChoiceError, InputError
from osler.knowledge.embeddings.embeddings import Embeddings
from osler.knowledge.embeddings.losses import loss as loss_of
from osler.knowledge.embeddings.method import Method, Rows
from osler.knowledge.embeddings.negatives import Corruptor, Known
from osler.knowledge.embeddings.rows import RowOptimiser
from osler.knowledge.embeddings.rows import optimiser as optimiser_of
from osler.knowledge.embeddings.triples import Ints, NumberedTriples
from osler.learn import needs
from osler.learn.loop import DivergedError


class Trainer:
    """The tables of a method while they learn.

    ``step`` learns from any triples given as numbers, so that another training can take turns with
    this one (Algorithm 1 of seed 001); ``epoch`` goes through all triples once. ``entity`` and
    ``relation`` are the tables, torch tensors that are written in place.

    Each triple meets ``negatives`` corruptions, half of its head and half of its tail (eq. 7); an
    odd one alternates. With ``sides`` "either" all of a triple's corruptions are on one side, heads
    in the first half of a batch and tails in the second, as PyKEEN's basic sampler has it.
    ``filtered`` keeps true triples out of them: those of the graph, and of ``also`` (validation and
    test triples, where they should not be taught as false).
    """

    def __init__(
        self,
        triples: NumberedTriples,
        method: Method,
        *,
        batch: int = 512,
        lr: float = 0.1,
        margin: float = 1.0,
        negatives: int = 2,
        loss: str = "margin",
        optimiser: str = "adagrad",
        filtered: bool = True,
        typed: bool = False,
        sides: str = "both",
        also: Sequence[NumberedTriples] = (),
        features: NDArray[Any] | None = None,
        seed: int = 0,
    ) -> None:
        triples.check()
        if batch < 1 or negatives < 1:
            raise InputError("a batch, and the negatives of a triple, are at least one")
        if sides not in ("both", "either"):
            raise ChoiceError("way to choose sides", sides, ("both", "either"))
        torch = needs.torch("training graph embeddings")
        self.sides = sides
        self.triples = triples
        self.method = method
        self.batch, self.margin, self.negatives = batch, margin, negatives
        self.steps = 0
        self.rng = np.random.default_rng(seed)
        generator = torch.Generator().manual_seed(seed)
        entities, relations = len(triples.entity_ids), len(triples.relation_names)
        self.entity: Rows = method.entity_tables(entities, generator)
        self.relation: Rows = method.relation_tables(relations, generator)
        self.features = self._features(features, entities)
        width = 0 if self.features is None else int(self.features.shape[1])
        self.weights: Rows = method.weights(width, generator)
        make = optimiser_of(optimiser)
        self._optimisers: dict[str, dict[str, RowOptimiser]] = {
            kind: {name: make(table, lr) for name, table in tables.items()}
            for kind, tables in (
                ("entity", self.entity),
                ("relation", self.relation),
                ("weights", self.weights),
            )
        }
        self._loss = loss_of(loss)
        known = None
        if filtered:
            known = Known([triples.rows, *(one.rows for one in also)], entities, relations)
        self._corruptor = Corruptor(triples.rows, entities, relations, known=known, typed=typed)
        self._slots = np.zeros(max(entities, relations), np.int64)

    def _features(self, given: NDArray[Any] | None, entities: int) -> Any:
        if given is None or not self.method.modal:
            return None
        if given.ndim != 2 or len(given) != entities:
            raise InputError("features have one row an entity")
        return needs.torch().from_numpy(np.ascontiguousarray(given, np.float32))

    def step(self, rows: Ints) -> float:
        """Learn from a batch of triples; returns its loss before the step."""
        torch = needs.torch()
        if not len(rows):
            return 0.0
        size = len(rows)
        heads, tails, for_heads, for_tails = self._sides(size)
        bad_heads = self._corruptor.corrupt(rows[for_heads], heads, self.rng, tails=False)
        bad_tails = self._corruptor.corrupt(rows[for_tails], tails, self.rng, tails=True)
        touched, places = self._unique(
            np.concatenate([rows[:, 0], rows[:, 2], bad_heads.ravel(), bad_tails.ravel()])
        )
        kinds, kind_places = self._unique(rows[:, 1])
        entity = _leaves(self.entity, touched)
        relation = _leaves(self.relation, kinds)
        weights = {name: table.requires_grad_() for name, table in self.weights.items()}
        if self.features is not None:
            ready = self.method.derive({**entity, "features": self.features[touched]}, weights)
        else:
            ready = self.method.derive(entity, weights)
        # One look-up and one split: each look-up would send a whole table of gradients back.
        head, tail, wrong_heads, wrong_tails = _split(
            _spread(ready, places), (size, size, bad_heads.size, bad_tails.size)
        )
        head, tail = _wide(head, (size, 1)), _wide(tail, (size, 1))
        kind = _wide(_spread(relation, kind_places), (size, 1))
        false = []
        if bad_heads.size:
            block = _wide(wrong_heads, bad_heads.shape)
            false.append(self.method.energy(block, _at(kind, for_heads), _at(tail, for_heads)))
        if bad_tails.size:
            block = _wide(wrong_tails, bad_tails.shape)
            false.append(self.method.energy(_at(head, for_tails), _at(kind, for_tails), block))
        true = self.method.energy(head, kind, tail)
        joined = torch.cat(false, 1 if self.sides == "both" else 0)
        value = self._loss(true, joined, self.margin)
        number = float(value.detach())
        if not math.isfinite(number):
            raise DivergedError(
                f"training diverged: the loss is {number}", cure="lower the learning rate"
            )
        value.backward()
        with torch.no_grad():
            self._write("entity", self.entity, touched, entity)
            self._write("relation", self.relation, kinds, relation)
            self._write_weights()
        self.steps += 1
        return number

    def _sides(self, size: int) -> tuple[int, int, slice, slice]:
        """How many corruptions of heads and of tails, and for which triples of a batch."""
        if self.sides == "either":
            half = (size + 1) // 2
            return self.negatives, self.negatives, slice(0, half), slice(half, size)
        odd = self.negatives % 2
        tails = self.negatives // 2 + odd * (self.steps % 2 == 0)
        return self.negatives - tails, tails, slice(0, size), slice(0, size)

    def _unique(self, numbers: Ints) -> tuple[Any, Any]:
        """Each number once, and for each given one its place among them.

        The last to write its place into a number's slot stands for all that share the number: no
        sorting is needed.
        """
        torch = needs.torch()
        own = np.arange(len(numbers))
        self._slots[numbers] = own
        owner = self._slots[numbers]
        first = owner == own
        rank = np.cumsum(first) - 1
        return torch.from_numpy(numbers[first]), torch.from_numpy(rank[owner])

    def _write(self, kind: str, tables: Rows, numbers: Any, leaves: Rows) -> None:
        fresh = {}
        for name, leaf in leaves.items():
            value = leaf.detach()
            if leaf.grad is not None:
                value = self._optimisers[kind][name].stepped(numbers, value, leaf.grad)
            fresh[name] = value
        constrain = (
            self.method.constrain_entities if kind == "entity" else self.method.constrain_relations
        )
        constrain(fresh)
        for name, value in fresh.items():
            tables[name][numbers] = value

    def _write_weights(self) -> None:
        every = slice(None)
        for name, table in self.weights.items():
            if table.grad is not None:
                values = table.detach()
                values.copy_(self._optimisers["weights"][name].stepped(every, values, table.grad))
                table.grad = None
                table.requires_grad_(False)

    def epoch(self) -> float:
        """Every triple once, in a fresh order; returns the mean loss of the batches."""
        order = self.rng.permutation(len(self.triples))
        losses = [
            self.step(self.triples.rows[order[start : start + self.batch]])
            for start in range(0, len(order), self.batch)
        ]
        return float(np.mean(losses))

    def state(self) -> dict[str, Any]:
        """A copy of all that a step depends on, for :meth:`restore`: tables, what the optimisers
        remember, the draws, the count of steps."""
        tables = {
            kind: {name: table.detach().clone() for name, table in tables.items()}
            for kind, tables in self._parts()
        }
        return {**tables, "draws": self.rng.bit_generator.state, "steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a state: a training goes on from there as it did the first time."""
        torch = needs.torch()
        with torch.no_grad():
            for kind, tables in self._parts():
                for name, table in tables.items():
                    table.copy_(state[kind][name])
        self.rng.bit_generator.state = state["draws"]
        self.steps = state["steps"]

    def _parts(self) -> list[tuple[str, Rows]]:
        memory = {
            f"{kind} {name} {part}": table
            for kind, optimisers in self._optimisers.items()
            for name, optimiser in optimisers.items()
            for part, table in optimiser.memory().items()
        }
        return [
            ("entity", self.entity),
            ("relation", self.relation),
            ("weights", self.weights),
            ("memory", memory),
        ]

    def ready(self) -> Rows:
        """The rows of all entities that energies work on: the tables, and ``modal`` where the
        method derives it."""
        torch = needs.torch()
        with torch.no_grad():
            rows = dict(self.entity)
            if self.features is not None:
                rows["features"] = self.features
            return self.method.derive(rows, self.weights)

    def embeddings(self) -> Embeddings:
        """What was learned so far, as arrays of its own."""
        return Embeddings(
            self.method,
            self.triples.entity_ids,
            self.triples.relation_names,
            {name: rows.detach().numpy().copy() for name, rows in self.ready().items()},
            {name: rows.detach().numpy().copy() for name, rows in self.relation.items()},
        )


def _leaves(tables: Rows, numbers: Any) -> Rows:
    return {name: table[numbers].requires_grad_() for name, table in tables.items()}


def _at(rows: Rows, part: slice) -> Rows:
    return {name: table[part] for name, table in rows.items()}


def _split(rows: Rows, sizes: Sequence[int]) -> list[Rows]:
    parts = {name: table.split(list(sizes)) for name, table in rows.items()}
    return [{name: part[at] for name, part in parts.items()} for at in range(len(sizes))]


def _wide(rows: Rows, shape: Sequence[int]) -> Rows:
    return {name: table.view(*shape, -1) for name, table in rows.items()}


def _spread(rows: Rows, places: Any) -> Rows:
    torch = needs.torch()
    return {name: torch.nn.functional.embedding(places, table) for name, table in rows.items()}
