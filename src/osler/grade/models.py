"""Trained graders on disk: folders with a card, without pickles."""

from __future__ import annotations

from pathlib import Path

from osler.errors import MissingModel
from osler.grade.grader import Grader, graders
from osler.learn.card import Card
from osler.learn.saved import load_model, save_model

KIND = "grade"


def save_grader(folder: str | Path, grader: Grader, card: Card) -> Path:
    """Write a trained grader; :func:`load_grader` reads it."""
    tensors, config = grader.state()
    return save_model(folder, tensors, {"kind": KIND, "name": grader.name, "state": config}, card)


def load_grader(folder: str | Path) -> Grader:
    tensors, config = load_model(folder, framework="numpy")
    if config.get("kind") != KIND:
        raise MissingModel(
            f"the model {Path(folder).name} does not grade", cure="train one: osler train grade"
        )
    return graders.get(config["name"]).restore(tensors, config["state"])
