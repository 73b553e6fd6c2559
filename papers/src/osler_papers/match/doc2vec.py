"""Doc2Vec (Le and Mikolov 2014; seed 001, 4.2): the cosine of two paragraph vectors.

gensim trains a distributed bag of words (PV-DBOW) with negative sampling on the questions and
answers. A new text's vector is then found by the same loss with the words' vectors held still: our
own descent, seeded by the text, so that a saved model needs no gensim and gives the same scores.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError, MissingExtra
from osler.kinds import Pair
from osler.match.matcher import (
    Candidate,
    Floats,
    Matcher,
    Progress,
    Sources,
    State,
    untrained,
)
from osler.match.texts import Kept

STEPS = 40
NEGATIVES = 5


class Doc2Vec(Matcher):
    """Options: ``dimension`` 150 as in the paper, ``epochs`` over the texts."""

    name = "doc2vec"
    help = "cosine of paragraph vectors (PV-DBOW)"
    learns = True
    trial: ClassVar[Mapping[str, Any]] = {"dimension": 12, "epochs": 2}

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        seed: int = 0,
        dimension: int = 150,
        epochs: int = 20,
    ) -> None:
        super().__init__(sources, seed=seed)
        self.dimension, self.epochs = dimension, epochs
        self.numbers: dict[str, int] = {}
        self.outward: NDArray[np.float32] = np.zeros((0, dimension), np.float32)
        self.noise: NDArray[np.float64] = np.zeros(0)
        self.vector = Kept(self._vector)

    def fit(self, pairs: Sequence[Pair], *, progress: Progress | None = None) -> Self:
        try:
            from gensim.models.doc2vec import Doc2Vec as Model
            from gensim.models.doc2vec import TaggedDocument
        except ImportError:
            raise MissingExtra("Doc2Vec (gensim)", "neural") from None
        cut = self.sources.texts.words
        texts = dict.fromkeys(text for pair in pairs for text in (pair.question, pair.answer))
        tagged = [TaggedDocument(list(cut(text)), [row]) for row, text in enumerate(texts)]
        if not any(document.words for document in tagged):
            raise InputError("there are no words to train on")
        model = Model(
            dm=0,
            vector_size=self.dimension,
            min_count=2 if len(tagged) > 100 else 1,
            negative=NEGATIVES,
            epochs=self.epochs,
            seed=self.seed,
            workers=1,
            hashfxn=lambda word: zlib.crc32(word.encode()),
        )
        model.build_vocab(tagged)
        model.train(tagged, total_examples=len(tagged), epochs=self.epochs)
        words = list(model.wv.index_to_key)
        counts = np.array([model.wv.get_vecattr(word, "count") for word in words], np.float64)
        self._take(words, np.asarray(model.syn1neg, np.float32), counts)
        return self

    def _take(self, words: Sequence[str], outward: Any, counts: Any) -> None:
        self.numbers = {word: number for number, word in enumerate(words)}
        self.outward = np.asarray(outward, np.float32)
        self.counts = np.asarray(counts, np.float64)
        powered = self.counts**0.75
        self.noise = np.cumsum(powered / powered.sum()) if len(powered) else np.zeros(0)
        self.vector = Kept(self._vector)

    def _vector(self, text: str) -> NDArray[np.float32]:
        """argmax of sum log s(d . o_w) + log s(-d . o_noise) over the text's words, by descent."""
        words = self.sources.texts.words(text)
        ids = np.array([self.numbers[w] for w in words if w in self.numbers], np.int64)
        if not len(ids):
            return np.zeros(self.dimension, np.float32)
        rng = np.random.default_rng([self.seed, zlib.crc32(text.encode("utf-8", "replace"))])
        drawn = np.searchsorted(self.noise, rng.random(NEGATIVES * len(ids)))
        false = np.minimum(drawn, len(self.noise) - 1)
        rows = self.outward[np.concatenate([ids, false])]
        aim = np.concatenate([np.ones(len(ids)), np.zeros(len(false))]).astype(np.float32)
        vector = (rng.random(self.dimension) - 0.5).astype(np.float32) / self.dimension
        for step in range(STEPS):
            guess = 1 / (1 + np.exp(-np.clip(rows @ vector, -30, 30)))
            rate = 0.05 * (1 - step / STEPS)
            vector = vector + rate * ((aim - guess) @ rows)
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        if not self.numbers:
            raise untrained(self.name)
        asked = self.vector(question)
        return np.array([float(asked @ self.vector(c.text)) for c in candidates])

    def state(self) -> State:
        if not self.numbers:
            raise untrained(self.name)
        tensors = {"outward": self.outward, "counts": self.counts}
        return tensors, {"words": list(self.numbers), "dimension": self.dimension}

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        self.dimension = int(config["dimension"])
        self._take(config["words"], tensors["outward"], tensors["counts"])
        return self
