"""KABLSTM as a matcher (Shen et al. 2018; seed 001, 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.learn import needs
from osler.learn.vocabulary import padded
from osler.match.graph_vectors import GraphVectors
from osler.match.matcher import Progress, State
from osler.match.neural import NeuralMatcher, TextPair

ENTITIES = 16
"""Entities of a text that are read, in its order."""


class KABLSTM(NeuralMatcher):
    """Words by a BiLSTM, entities by their graph embeddings."""

    name = "kablstm"
    help = "KABLSTM: BiLSTM over words beside knowledge embeddings"

    graph_vectors: GraphVectors | None = None

    def prepare(self, texts: Sequence[TextPair], progress: Progress | None) -> None:
        self.graph_vectors = GraphVectors.trained(
            self.sources, method="transh", dimension=self.dimension, progress=progress
        )

    def build(self, vectors: Any) -> Any:
        from osler_papers.match.networks import kablstm

        torch = needs.torch()
        rows = (
            self.graph_vectors.rows
            if self.graph_vectors is not None
            else np.zeros((1, self.dimension), np.float32)
        )
        none = np.zeros((1, rows.shape[1]), np.float32)
        return kablstm.KABLSTM(vectors, torch.from_numpy(np.concatenate([none, rows])))

    def inputs(self, texts: Sequence[TextPair]) -> tuple[Any, ...]:
        torch = needs.torch()
        first, second = self.words(texts)
        asked = padded([self._entities(q) for q, _ in texts])
        told = padded([self._entities(a) for _, a in texts])
        shared = np.array([self._shared(*pair) for pair in texts], np.float32)
        return (first, second, *map(torch.from_numpy, (asked, told, shared)))

    def _entities(self, text: str) -> Any:
        known = self.sources.known
        if known is None or self.graph_vectors is None:
            return np.zeros(0, np.int64)
        rows = self.graph_vectors.row_of(np.array(known.link(text).main[:ENTITIES], np.int64))
        return rows[rows >= 0] + 1

    def _shared(self, question: str, answer: str) -> tuple[float, float]:
        cut = self.sources.texts.words
        asked, told = set(cut(question)), set(cut(answer))
        both = len(asked & told)
        return both / max(len(asked), 1), both / max(len(told), 1)

    def state(self) -> State:
        tensors, config = super().state()
        if self.graph_vectors is not None:
            tensors["graph.used"] = self.graph_vectors.used
            config["entities"] = len(self.graph_vectors.rows)
        return tensors, config

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        if "graph.used" in tensors:
            rows = np.asarray(tensors["net.entities.weight"], np.float32)[1:]
            self.graph_vectors = GraphVectors(np.asarray(tensors["graph.used"]), rows)
        return super().restore(tensors, config)
