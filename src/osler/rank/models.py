"""Trained rankers on disk: folders with a card, without pickles."""

from __future__ import annotations

from pathlib import Path

from osler.errors import MissingModel
from osler.learn.card import Card
from osler.learn.saved import load_model, save_model
from osler.rank.ranker import Ranker, rankers
from osler.rank.sentence_ranker import SentenceRanker, sentence_rankers

PAPERS = "papers"
SENTENCES = "sentences"


def save_ranker(folder: str | Path, ranker: Ranker | SentenceRanker, card: Card) -> Path:
    """Write a trained ranker; :func:`load_ranker` or :func:`load_sentence_ranker` reads it."""
    tensors, config = ranker.state()
    kind = PAPERS if isinstance(ranker, Ranker) else SENTENCES
    return save_model(folder, tensors, {"kind": kind, "name": ranker.name, "state": config}, card)


def load_ranker(folder: str | Path) -> Ranker:
    tensors, config = load_model(folder, framework="numpy")
    _check(folder, config.get("kind"), PAPERS)
    return rankers.get(config["name"]).restore(tensors, config["state"])


def load_sentence_ranker(folder: str | Path) -> SentenceRanker:
    tensors, config = load_model(folder, framework="numpy")
    _check(folder, config.get("kind"), SENTENCES)
    return sentence_rankers.get(config["name"]).restore(tensors, config["state"])


def _check(folder: str | Path, kind: object, wanted: str) -> None:
    if kind != wanted:
        raise MissingModel(
            f"the model {Path(folder).name} does not rank {wanted}",
            cure="train one with 'osler train rank'",
        )
