"""The vectors of questions and answers, by the encoder that reads the question.

Two encoders are known: the one that ships, which reads English, and a Chinese one that a user
fetches. Only their cosines were weighed; those of another encoder mean other things, so that beside
another one words alone decide. A text is read once; those of a library's own pairs are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from osler.match.texts import Kept

if TYPE_CHECKING:
    from osler.match.memory import VectorMemory
    from osler.text.encoder import Encoder

HELD = 60_000
"""Vectors that are held in memory, by encoder."""
Vector = NDArray[Any]


class TextVectors:
    """``weighed`` are the fingerprints of the encoders whose cosines were weighed."""

    def __init__(
        self,
        encoders: Iterable[Encoder],
        weighed: Collection[str],
        *,
        memory: VectorMemory | None = None,
    ) -> None:
        self.memory = memory
        self._weighed = weighed
        self._known: list[Encoder] = []
        self._unasked = iter(encoders)
        self._lock = Lock()
        self._held: dict[str, Kept[Vector]] = {}

    def reader(self, question: str) -> Encoder | None:
        """Who reads a question, and all that is held against it; an encoder is not loaded before
        those in front of it have been asked."""
        with self._lock:
            for one in self._known:
                if one.reads(question):
                    return one
            for one in self._unasked:
                if one.fingerprint in self._weighed:
                    self._held[one.fingerprint] = Kept(partial(_vector, one), HELD)
                    self._known.append(one)
                    if one.reads(question):
                        return one
        return None

    def of(self, encoder: Encoder, text: str) -> Vector:
        return self._held[encoder.fingerprint](text)

    def read(self, encoder: Encoder, texts: Iterable[str], *, keep: bool = False) -> None:
        """Reads what was not read yet, all of it together; ``keep`` says that it is a library's."""
        held = self._held[encoder.fingerprint]
        missing = [text for text in dict.fromkeys(texts) if text not in held]
        if missing:
            made = self._made(encoder, missing, keep)
            for text, row in zip(missing, made, strict=True):
                held.put(text, np.asarray(row))

    def _made(self, encoder: Encoder, texts: Sequence[str], keep: bool) -> Vector:
        if keep and self.memory is not None:
            return self.memory.encode(encoder, texts)
        return np.asarray(encoder.encode(texts))


def _vector(encoder: Encoder, text: str) -> Vector:
    return np.asarray(np.asarray(encoder.encode([text]))[0])
