"""Link prediction: each test triple's tail, and head, among all entities.

Filtered as usual (Bordes et al. 2013): other true triples do not count against a test triple. Ties
share the mean of their ranks, so that a model that gives all the same energy gains nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.knowledge.embeddings.embeddings import Embeddings
from osler.knowledge.embeddings.triples import Ints
from osler.learn import needs

CELLS = 12_000_000
"""Energies that are held at once."""


class LinkPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """Mean reciprocal rank and Hits@k over both sides; ``heads`` and ``tails`` are the sides' own
    mean reciprocal ranks."""

    mrr: float
    hits: dict[int, float]
    mean_rank: float
    heads: float
    tails: float
    triples: int
    candidates: int


def link_prediction(
    embeddings: Embeddings,
    test: Ints,
    *,
    known: Sequence[Ints] = (),
    k: Sequence[int] = (1, 3, 10),
) -> LinkPrediction:
    """Rank the true head and tail of each test triple; ``known`` are the other true triples."""
    if not len(test):
        raise InputError("there is no test triple to predict")
    tails = ranks(embeddings, test, known=known, tails=True)
    heads = ranks(embeddings, test, known=known, tails=False)
    both = np.concatenate([heads, tails])
    return LinkPrediction(
        mrr=float((1 / both).mean()),
        hits={limit: float((both <= limit).mean()) for limit in k},
        mean_rank=float(both.mean()),
        heads=float((1 / heads).mean()),
        tails=float((1 / tails).mean()),
        triples=len(test),
        candidates=len(embeddings),
    )


def ranks(
    embeddings: Embeddings, test: Ints, *, known: Sequence[Ints], tails: bool
) -> NDArray[np.float64]:
    """The filtered rank of each test triple's tail (or head) among all entities."""
    torch = needs.torch("link prediction")
    entity, relation = embeddings.tensors()
    given, asked = (0, 2) if tails else (2, 0)
    others = _Others([test, *known], given, asked, len(embeddings.relation_names))
    # Queries of one relation go together: methods project all entities once a relation.
    order = np.argsort(test[:, 1], kind="stable")
    by_triple = np.empty(len(test), np.float64)
    step = max(1, CELLS // max(1, len(embeddings)))
    with torch.no_grad():
        for start in range(0, len(order), step):
            at = order[start : start + step]
            part = test[at]
            energies = embeddings.method.nearest(
                {n: rows[torch.from_numpy(part[:, given])] for n, rows in entity.items()},
                {n: rows[torch.from_numpy(part[:, 1])] for n, rows in relation.items()},
                entity,
                tails=tails,
            )
            answer = torch.from_numpy(part[:, [asked]])
            own = energies.gather(1, answer)
            rows, columns = others.of(part)
            energies[torch.from_numpy(rows), torch.from_numpy(columns)] = float("inf")
            energies.scatter_(1, answer, own)
            lower = (energies < own).sum(1)
            same = (energies == own).sum(1)
            by_triple[at] = (lower + (same + 1) / 2.0).numpy()
    return by_triple


class _Others:
    """All true answers to a question (an end and a relation), sorted to be found at once."""

    def __init__(self, parts: Sequence[Ints], given: int, asked: int, relations: int) -> None:
        rows = np.concatenate(list(parts))
        self.given, self.relations = given, relations
        keys = self._keys(rows)
        order = np.argsort(keys, kind="stable")
        self.keys, self.answers = keys[order], rows[order, asked]

    def _keys(self, rows: Ints) -> Ints:
        keys: Ints = rows[:, self.given] * self.relations + rows[:, 1]
        return keys

    def of(self, part: Ints) -> tuple[Ints, Ints]:
        """Places (row of the part, answer) of every true answer."""
        keys = self._keys(part)
        low = np.searchsorted(self.keys, keys, "left")
        high = np.searchsorted(self.keys, keys, "right")
        counts = high - low
        rows = np.repeat(np.arange(len(part)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, self.answers[np.repeat(low, counts) + within]
