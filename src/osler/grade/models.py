"""Trained graders on disk (``osler.store.models``)."""

from __future__ import annotations

from pathlib import Path

from osler.grade.grader import Grader, graders
from osler.learn.card import Card
from osler.store import models

KIND = "grade"


def save_grader(folder: str | Path, grader: Grader, card: Card) -> Path:
    """Write a trained grader; :func:`load_grader` reads it."""
    tensors, state = grader.state()
    return models.save(folder, kind=KIND, name=grader.name, tensors=tensors, state=state, card=card)


def load_grader(folder: str | Path) -> Grader:
    """The grader that :func:`save_grader` wrote."""
    name, tensors, state = models.load(folder, kind=KIND, does="grade", verb="grade")
    return graders.get(name).restore(tensors, state)
