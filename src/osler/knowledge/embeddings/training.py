"""Training embeddings from a graph, in one call."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.kinds import Triple
from osler.knowledge.embeddings.embeddings import Embeddings
from osler.knowledge.embeddings.method import Method, models
from osler.knowledge.embeddings.modal_features import joined_features
from osler.knowledge.embeddings.predicting import link_prediction
from osler.knowledge.embeddings.trainer import Trainer
from osler.knowledge.embeddings.triples import NumberedTriples
from osler.knowledge.graph import Graph
from osler.learn.card import Card, data_hash, versions

logger = logging.getLogger(__name__)

Features = Mapping[str, NDArray[Any]] | NDArray[Any]
"""Vectors by entity id (an entity may lack one), or a matrix with a row an entity."""

VALIDATED = 500
"""Validation triples that an early stop looks at: a sample, drawn once."""


def train_embeddings(
    given: Graph | Iterable[Triple | tuple[str, str, str]] | NumberedTriples,
    *,
    method: str | Method = "transh",
    dimension: int = 150,
    epochs: int = 50,
    batch: int = 512,
    lr: float = 0.1,
    margin: float = 1.0,
    negatives: int = 2,
    norm: int = 2,
    loss: str = "margin",
    optimiser: str = "adagrad",
    filtered: bool = True,
    typed: bool = False,
    sides: str = "both",
    seed: int = 0,
    images: Features | None = None,
    texts: Features | None = None,
    valid: NumberedTriples | None = None,
    also: Sequence[NumberedTriples] = (),
    patience: int | None = None,
    every: int = 5,
    progress: Callable[[str], None] | None = None,
) -> Embeddings:
    """Learn vectors of a graph's entities and relations.

    ``images`` and ``texts`` are features of entities for the multi-modal methods, by id or as a
    matrix: see :mod:`osler.knowledge.embeddings.modal_features` and :mod:`osler.knowledge.images`.
    ``valid`` and ``patience`` stop the training when the mean reciprocal rank of ``valid`` has not
    risen in so many evaluations, one each ``every`` epochs, and keep the best state. The same
    input and seed give the same vectors.
    """
    if epochs < 0:
        raise InputError("a training has no negative number of epochs")
    triples: NumberedTriples = NumberedTriples.of(given)
    triples.check()
    chosen = (
        models.resolve(method, dimension=dimension, norm=norm)
        if isinstance(method, str)
        else method
    )
    features = None
    if chosen.modal:
        features = joined_features(triples.entity_ids, [texts, images], width=chosen.dimension)
    trainer = Trainer(
        triples,
        chosen,
        batch=batch,
        lr=lr,
        margin=margin,
        negatives=negatives,
        loss=loss,
        optimiser=optimiser,
        filtered=filtered,
        typed=typed,
        sides=sides,
        also=also,
        features=features,
        seed=seed,
    )
    watch = _Watch(trainer, valid, patience, seed)
    speed = 0.0
    losses = []
    for epoch in range(1, epochs + 1):
        started = time.perf_counter()
        losses.append(trainer.epoch())
        speed = len(triples) / max(time.perf_counter() - started, 1e-9)
        line = f"epoch {epoch} of {epochs}: loss {losses[-1]:.4f}, {speed:,.0f} triples/s"
        if epoch % every == 0 or epoch == epochs:
            stop = watch.look()
            line += watch.told()
        else:
            stop = False
        logger.debug(line)
        if progress is not None:
            progress(line)
        if stop:
            break
    watch.finish()
    embeddings = trainer.embeddings()
    embeddings.notes = {"epochs": len(losses), "seed": seed, "steps": trainer.steps}
    embeddings.card = _card(
        embeddings,
        triples,
        losses,
        seed,
        {
            "epochs": len(losses),
            "batch": batch,
            "lr": lr,
            "margin": margin,
            "negatives": negatives,
            "loss": loss,
            "optimiser": optimiser,
            "filtered": filtered,
            "typed": typed,
            "sides": sides,
            **chosen.settings(),
        },
    )
    return embeddings


class _Watch:
    """Looks at validation triples now and then, keeps the best state, says when to stop."""

    def __init__(
        self, trainer: Trainer, valid: NumberedTriples | None, patience: int | None, seed: int
    ) -> None:
        self.trainer = trainer
        self.patience = patience
        self.best, self.last, self.waited = -1.0, -1.0, 0
        self.kept: dict[str, Any] | None = None
        self.rows = None
        if valid is not None and patience is not None and len(valid):
            rng = np.random.default_rng(seed)
            picked = rng.permutation(len(valid))[:VALIDATED]
            self.rows = valid.rows[np.sort(picked)]

    def look(self) -> bool:
        if self.rows is None:
            return False
        measured = link_prediction(
            self.trainer.embeddings(), self.rows, known=[self.trainer.triples.rows]
        )
        self.last = measured.mrr
        if self.last > self.best:
            self.best, self.waited = self.last, 0
            self.kept = self.trainer.state()
        else:
            self.waited += 1
        return self.patience is not None and self.waited >= self.patience

    def told(self) -> str:
        return f", MRR {self.last:.4f}" if self.rows is not None else ""

    def finish(self) -> None:
        if self.kept is not None:
            self.trainer.restore(self.kept)


def _card(
    embeddings: Embeddings,
    triples: NumberedTriples,
    losses: Sequence[float],
    seed: int,
    settings: dict[str, Any],
) -> Card:
    lines = ("\t".join(map(str, row)) for row in triples.rows.tolist())
    return Card(
        name=embeddings.method.name,
        what=f"Graph embeddings: {embeddings.method.help}.",
        method=embeddings.method.name,
        data=f"{len(triples):,} triples, {len(embeddings):,} entities, "
        f"{len(embeddings.relation_names):,} relations",
        data_hash=data_hash([*triples.entity_ids, *triples.relation_names, *lines]),
        seed=seed,
        settings=settings | {"last loss": round(losses[-1], 6) if losses else None},
        versions=versions(),
        intended_use="Vectors of entities and relations of this graph, for paths, matching and "
        "guesses at missing triples.",
        known_failures=(
            "An entity with one or two triples is hardly placed by them.",
            "A low energy is no evidence: it says that a triple is like others of the graph.",
        ),
    )
