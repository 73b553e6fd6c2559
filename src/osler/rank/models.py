"""Trained rankers on disk (``osler.store.models``): one of papers, one of sentences."""

from __future__ import annotations

from pathlib import Path

from osler.learn.card import Card
from osler.rank.ranker import TopicRanker, rankers
from osler.rank.sentence_ranker import SentenceRanker, sentence_rankers
from osler.store import models

PAPERS = "papers"
SENTENCES = "sentences"


def save_ranker(folder: str | Path, ranker: TopicRanker | SentenceRanker, card: Card) -> Path:
    """Write a trained ranker; :func:`load_ranker` or :func:`load_sentence_ranker` reads it."""
    tensors, state = ranker.state()
    kind = PAPERS if isinstance(ranker, TopicRanker) else SENTENCES
    return models.save(folder, kind=kind, name=ranker.name, tensors=tensors, state=state, card=card)


def load_ranker(folder: str | Path) -> TopicRanker:
    name, tensors, state = models.load(folder, kind=PAPERS, does="rank papers", verb="rank")
    return rankers.get(name).restore(tensors, state)


def load_sentence_ranker(folder: str | Path) -> SentenceRanker:
    name, tensors, state = models.load(folder, kind=SENTENCES, does="rank sentences", verb="rank")
    return sentence_rankers.get(name).restore(tensors, state)
