"""Vectors of a graph's entities for the networks: by the graph's numbers, trained when needed.

Saved models keep the numbers of the graph that they were trained on: another graph needs another
training, which ``fingerprint`` tells.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import VersionError
from osler.knowledge.embeddings import NumberedTriples, Trainer, models
from osler.knowledge.embeddings.modal_features import joined_features, name_features
from osler.match.known import Known
from osler.match.matcher import Progress, Sources

Ints = NDArray[np.int64]
EPOCHS = 2
"""Rounds over all triples before matching begins; Algorithm 1 goes on from there."""


@dataclass
class GraphVectors:
    """``rows[i]`` is the vector of the graph's entity number ``used[i]``; numbers ascend."""

    used: Ints
    rows: NDArray[np.float32]

    def row_of(self, numbers: Ints) -> Ints:
        """The rows of entities, -1 for those without a vector (they have no edge)."""
        if not len(self.used):
            return np.full(np.shape(numbers), -1, np.int64)
        at = np.minimum(np.searchsorted(self.used, numbers), len(self.used) - 1)
        return np.where(self.used[at] == numbers, at, -1)

    @classmethod
    def trained(
        cls, sources: Sources, *, method: str, dimension: int, progress: Progress | None = None
    ) -> GraphVectors | None:
        """Embeddings of the sources' graph; None where it has no edge."""
        trainer = trainer_of(sources, method=method, dimension=dimension, progress=progress)
        if trainer is None:
            return None
        known = sources.known
        if known is None:
            return None
        rows = trainer.entity["entity"].detach().numpy().copy()
        return cls(used_entities(known), rows)


def used_entities(known: Known) -> Ints:
    """The numbers of the entities that stand in a triple, as the embeddings number them."""
    return np.flatnonzero(known.degrees > 0)


def trainer_of(
    sources: Sources,
    *,
    method: str,
    dimension: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> Trainer | None:
    """A graph-embedding training that has gone ``EPOCHS`` rounds; the sources keep its state with
    what the optimisers remember, so that the next matcher goes on exactly as the first did."""
    known = sources.known
    if known is None or not known.graph.edges:
        return None
    triples: NumberedTriples = NumberedTriples.of(known.graph)
    chosen = models.resolve(method, dimension=dimension)
    features = _features(sources, triples, dimension) if chosen.modal else None
    if chosen.modal and features is None:
        return trainer_of(
            sources, method="transh", dimension=dimension, seed=seed, progress=progress
        )
    trainer = Trainer(triples, chosen, batch=1024, lr=0.1, features=features, seed=seed)
    kept: Any = sources.warm.get((method, dimension, seed))
    if kept is None:
        for epoch in range(1, EPOCHS + 1):
            value = trainer.epoch()
            if progress:
                progress(f"{method}: epoch {epoch} of {EPOCHS}, loss {value:.3f}")
        sources.warm[method, dimension, seed] = trainer.state()
    else:
        trainer.restore(kept)
    return trainer


def _features(sources: Sources, triples: NumberedTriples, dimension: int) -> Any:
    """Linguistic features out of the entities' names, visual ones where the sources hold them."""
    if sources.features is None:
        known = sources.known
        texts = None
        if known is not None and sources.vectors is not None:
            names = {id: known.graph.name(id) for id in triples.entity_ids}
            texts = name_features(names, sources.vectors, cut=sources.texts.words)
        sources.features = joined_features(
            triples.entity_ids, [texts or None, sources.images or None], width=dimension
        )
    return sources.features


def fingerprint(known: Known | None) -> str:
    """Of the entities' numbers: a model that reads them is good for this graph alone."""
    if known is None:
        return ""
    digest = hashlib.sha256(str(len(known)).encode())
    digest.update(np.ascontiguousarray(known.degrees).tobytes())
    digest.update("\x1f".join(known.graph.relations).encode())
    return digest.hexdigest()[:16]


def check_graph(name: str, known: Known | None, trained_on: str) -> None:
    """Raise where a model was trained with another graph than the library's."""
    if trained_on != fingerprint(known):
        raise VersionError(
            f"the model {name!r} was trained with another graph than the library holds now",
            cure="train it again: osler train match LIB",
        )
