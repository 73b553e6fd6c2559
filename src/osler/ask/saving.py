"""Trained answerers as folders (``osler.learn.saved``), with a card that holds no record's text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import FormatError


def save(
    folder: str | Path,
    tensors: dict[str, Any],
    config: dict[str, Any],
    *,
    name: str,
    measures: dict[str, float],
) -> None:
    from osler.learn.card import Card, Measured, versions
    from osler.learn.saved import save_model

    card = Card(
        name=f"ask: {name}",
        what="Answers questions about patients with entities of a clinical knowledge base.",
        method=name,
        measures=tuple(Measured(key, value) for key, value in measures.items()),
        versions=versions(),
        intended_use=(
            "Finding facts that stand in records, with their source lines, by people who can "
            "check them."
        ),
        known_failures=(
            "Questions that need reasoning over time, or arithmetic beyond counts and extremes.",
            "Wordings in which the only hint at a relation is a word that training never saw.",
        ),
    )
    save_model(folder, tensors, config, card)


def load(folder: str | Path, kind: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    from osler.learn.saved import load_model

    tensors, config = load_model(folder, framework="numpy")
    if config.get("kind") != kind:
        raise FormatError(
            f"{Path(folder).name} holds a model of another kind",
            cure=f"train one: osler train ask LIB --method {kind}",
        )
    return tensors, config
