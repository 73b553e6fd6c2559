"""Training and measuring graph embeddings on a library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from osler.errors import InputError, NeedsError
from osler.learn.card import data_hash
from osler.verbs.graph import embeddings_of, images_of, texts_of, triples_of

if TYPE_CHECKING:
    from osler.knowledge.embeddings import Embeddings, NumberedTriples
    from osler.knowledge.embeddings.classifying import Classification
    from osler.knowledge.embeddings.predicting import LinkPrediction
    from osler.library import Library

Progress = Callable[[str], None]
STOPPING = 0.05
"""The share of triples that an early stop looks at, where nothing else is held out."""


class MeasuredEmbeddings(msgspec.Struct, frozen=True, kw_only=True):
    """What embeddings are worth on held-out triples; ``on`` says on which."""

    method: str
    on: str
    triples: int
    classification: Classification
    links: LinkPrediction


def parts_of(
    triples: NumberedTriples, hold_out: float, seed: int
) -> tuple[NumberedTriples, NumberedTriples, NumberedTriples]:
    """Training, validation (a third of what is held out) and test."""
    if not 0 <= hold_out < 1:
        raise InputError("the share held out lies between 0 and 1", cure="--hold-out 0.3")
    return triples.split(valid=hold_out / 3, test=hold_out * 2 / 3, seed=seed)


def train_library(
    library: Library,
    *,
    method: str = "transh",
    hold_out: float = 0.0,
    patience: int | None = None,
    images: str | Path | None = None,
    image_encoder: str = "efficientnet-lite0",
    word_vectors: str | Path | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Embeddings:
    """Train on a library's graph, and note what was held out.

    Further options are those of ``osler.knowledge.embeddings.train_embeddings``.
    """
    from osler.knowledge.embeddings import models, train_embeddings

    chosen = models.get(method)
    whole = triples_of(library)
    train, valid, test = parts_of(whole, hold_out, seed)
    if patience is not None and not len(valid):
        train, valid, _ = whole.split(valid=STOPPING, test=0.0, seed=seed)
    features: dict[str, Any] = {}
    if chosen.modal:
        features = features_of(
            library,
            whole,
            images=images,
            image_encoder=image_encoder,
            word_vectors=word_vectors,
            progress=progress,
        )
    trained = train_embeddings(
        train,
        method=method,
        seed=seed,
        valid=valid if len(valid) else None,
        also=[valid, test],
        patience=patience,
        progress=progress,
        **features,
        **options,
    )
    trained.notes |= {
        "hold out": hold_out,
        "split seed": seed,
        "stopped on": len(valid) if patience is not None else 0,
        "graph": graph_hash(whole),
        "pictures": len(features.get("images") or ()),
        "names": len(features.get("texts") or ()),
    }
    return trained


def features_of(
    library: Library,
    triples: NumberedTriples,
    *,
    images: str | Path | None,
    image_encoder: str,
    word_vectors: str | Path | None,
    progress: Progress | None,
) -> dict[str, Any]:
    """Features of pictures and names for a multi-modal method; each where there are such."""
    from osler.knowledge.images import image_features

    tell = progress or (lambda line: None)
    features: dict[str, Any] = {}
    pictures = images_of(library, images)
    if pictures.rejects:
        tell(
            f"{len(pictures.rejects):,} rows of the table of pictures cannot be used; the first: "
            f"{pictures.rejects[0].place}, {pictures.rejects[0].reason}"
        )
    if len(pictures):
        features["images"] = image_features(pictures, image_encoder, progress=progress)
        tell(f"{len(pictures):,} entities have {pictures.count:,} pictures")
    try:
        texts = texts_of(library, word_vectors, triples.entity_ids)
    except NeedsError as error:
        if word_vectors is not None or not features:
            raise
        tell(f"names are left out: {error}")
    else:
        if texts:
            features["texts"] = texts
            tell(f"{len(texts):,} entities have a linguistic feature")
    if not features:
        raise InputError(
            "no entity has a picture or a name that can be read",
            cure="osler add-images LIB TABLE, or --word-vectors FILE for names",
        )
    return features


def evaluate_library(
    library: Library, model: str | Path | None = None, *, seed: int = 0, tested: int = 2_000
) -> MeasuredEmbeddings:
    """Measure trained embeddings on the triples that their training held out.

    Embeddings that were trained on everything are measured on triples that they know, and the
    answer says so. ``tested`` bounds the triples of link prediction, drawn by the seed.
    """
    embeddings = embeddings_of(library, model)
    whole = triples_of(library)
    notes = embeddings.notes
    if notes.get("graph") != graph_hash(whole):
        raise InputError(
            "the graph has changed since these embeddings were trained",
            cure="train them again: osler train graph LIB --hold-out 0.3",
        )
    hold_out = float(notes.get("hold out", 0.0))
    train, valid, test = parts_of(whole, hold_out or 0.3, int(notes.get("split seed", seed)))
    on = "held-out triples" if hold_out else "triples that training has seen"
    return measure(embeddings, train, valid, test, on=on, seed=seed, tested=tested)


def measure(
    embeddings: Embeddings,
    train: NumberedTriples,
    valid: NumberedTriples,
    test: NumberedTriples,
    *,
    on: str = "held-out triples",
    seed: int = 0,
    tested: int = 2_000,
) -> MeasuredEmbeddings:
    """Triple classification on all test triples, link prediction on up to ``tested`` of them."""
    from osler.knowledge.embeddings.classifying import classify_triples
    from osler.knowledge.embeddings.predicting import link_prediction

    picked = np.random.default_rng(seed).permutation(len(test))[:tested]
    known = [train.rows, valid.rows, test.rows]
    return MeasuredEmbeddings(
        method=embeddings.method.name,
        on=on,
        triples=len(test),
        classification=classify_triples(
            embeddings, valid.rows, test.rows, known=[train.rows], seed=seed
        ),
        links=link_prediction(embeddings, test.rows[np.sort(picked)], known=known),
    )


def graph_hash(triples: NumberedTriples) -> str:
    """A SHA-256 of a graph's triples."""
    rows = triples.rows.astype("<i8").tobytes().hex()
    return data_hash([*triples.entity_ids, *triples.relation_names, rows])
