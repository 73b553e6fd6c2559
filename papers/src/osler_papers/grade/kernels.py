"""What K-NRM and Conv-KNRM share as graders: words as numbers, kernel features, a linear layer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from osler.grade.grader import Ints, State
from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair
from osler.text.chinese import segment
from osler.text.scripts import CJK_CHARACTER
from osler.text.tokens import terms
from osler.text.word_vectors import WordVectors

DIMENSION = 64
MOST_WORDS = {"fact": 12, "paper": 96}


@lru_cache(maxsize=20_000)
def words(text: str) -> list[str]:
    """The words of a text; kept, for a paper is read again with every fact and fold."""
    if CJK_CHARACTER.search(text):
        return [token.text.casefold() for token in segment(text)]
    return terms(text, stopwords=False)


class KernelGrader(NeuralGrader):
    """``vectors`` are word vectors to start from; without them word2vec is trained on the papers
    at hand."""

    reads = ()

    def __init__(self, *, vectors: WordVectors | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.vectors = vectors
        self.vocabulary: Any = None
        self.matrix: Any = None

    @abstractmethod
    def kernel_network(self) -> Any:
        """The kernel network; its ``pooled`` gives ``kernels`` features."""

    @property
    @abstractmethod
    def kernels(self) -> int:
        """How many features the kernels give."""

    def _encoder(self, pairs: Sequence[Pair]) -> Any:
        return None

    def prepare(self, pairs: Sequence[Pair], rows: Ints) -> None:
        from osler.learn.vocabulary import Vocabulary

        texts = [words(pairs[row].text) for row in rows]
        texts += [words(pairs[row].fact.text) for row in rows]
        vectors = self.vectors or WordVectors.train(texts, dimension=DIMENSION, epochs=5)
        self.vocabulary = Vocabulary.build(texts, least=1, most=30_000)
        self.matrix = self.vocabulary.matrix(vectors, vectors.dimension)

    def beside(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        from osler.learn.vocabulary import padded

        found = {}
        for which, longest in MOST_WORDS.items():
            texts = [pair.fact.text if which == "fact" else pair.text for pair in pairs]
            rows = [self.vocabulary.ids(words(text), longest) for text in texts]
            found[which] = padded(rows)
        return found

    def head(self) -> Any:
        from torch import nn

        # Sums of logarithms differ by orders of magnitude from kernel to kernel: scale them first.
        return nn.ModuleDict(
            {
                "kernels": self.kernel_network(),
                "scaled": nn.BatchNorm1d(self.kernels),
                "out": nn.Linear(self.kernels, len(self.scale.labels)),
            }
        )

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        pooled = head["kernels"].pooled(inputs["fact"], inputs["paper"])
        return head["out"](head["scaled"](pooled)), None, None

    def own_state(self) -> State:
        return {"matrix": self.matrix}, {"words": self.vocabulary.words}

    def own_restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        from osler.learn.vocabulary import Vocabulary

        self.vocabulary = Vocabulary(config["words"])
        self.matrix = np.array(tensors["matrix"])
