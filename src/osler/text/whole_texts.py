"""Encoders that cut their texts themselves: a graph from strings to vectors.

Universal Sentence Encoder Multilingual (Yang et al. 2020) is one: its word pieces are cut by a node
of ``onnxruntime-extensions``, which ``osler[multilingual]`` brings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import InputError, MissingExtra
from osler.settings import threads
from osler.text.bert import Array
from osler.text.encoding import Encoder
from osler.text.model_folder import Wants, graph_hash
from osler.text.ready_graph import open_session
from osler.text.tokens import Token

# What is beyond tells little of a text's sense in a model that averages, and costs as much.
CHARACTERS = 2_000


class WholeTexts(Encoder):
    """Texts to unit vectors by a graph that takes strings. It shows no word pieces."""

    def __init__(self, session: Any, *, name: str, fingerprint: str, wants: Wants) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        output = session.get_outputs()[0]
        self._output = output.name
        self.dimension = int(output.shape[-1])
        self.fingerprint = fingerprint
        self.languages = frozenset(wants.languages or ("en",))
        self.name = name
        self.query_prefix = wants.query_prefix
        self.passage_prefix = wants.passage_prefix

    def _encode(
        self,
        texts: Sequence[str],
        batch: int,
        progress: Callable[[int, int], None] | None,
    ) -> Array:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        # One text at a time: together, the others' lengths would move its vector.
        with ThreadPoolExecutor(threads(), thread_name_prefix="encode") as pool:
            for place, vector in enumerate(pool.map(self._one, texts)):
                vectors[place] = vector
                if progress is not None and (place + 1) % batch == 0:
                    progress(place + 1, len(texts))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)

    def _one(self, text: str) -> Array:
        given = np.array([text[:CHARACTERS]], object)
        vector: Array = self._session.run([self._output], {self._input: given})[0][0]
        return vector

    def token_vectors(
        self, texts: Sequence[str], *, batch: int = 32
    ) -> list[tuple[list[str], Array]]:
        raise InputError(f"{self.name} gives vectors to whole texts only", cure="name another")

    def pieces(self, text: str) -> list[Token]:
        raise InputError(f"{self.name} gives vectors to whole texts only", cure="name another")


def load_whole_texts(folder: Path, wants: Wants) -> WholeTexts:
    """The encoder of a folder whose graph takes strings."""
    try:
        from onnxruntime_extensions import get_library_path
    except ImportError:
        raise MissingExtra(f"the encoder {folder.name}", "multilingual") from None
    graph = folder / (wants.graph or "model.onnx")
    digest = graph_hash(folder, graph.name)
    session = open_session(graph, fuse=True, extensions=get_library_path())
    return WholeTexts(session, name=folder.name, fingerprint=digest[:16], wants=wants)
