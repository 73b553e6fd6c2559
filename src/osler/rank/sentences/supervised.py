"""The supervised sentence ranker of section 3.5.2: rows #4 (beta 0) and #5 (beta 1) of Table 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.learn import needs
from osler.rank.bm25 import FEATURES, Bm25Extra
from osler.rank.pool import Floats
from osler.rank.preprocess import words
from osler.rank.representations.qar import query_aware
from osler.rank.sentence_ranker import Abstract, sentence_rankers
from osler.rank.sentences.siamese import SiameseSentences
from osler.rank.words import Vectors


@sentence_rankers.register("supervised")
class SupervisedSentences(SiameseSentences):
    """``beta`` is how much the title counts; ``projection`` the width of G."""

    name = "supervised"
    help = "learned distance of sentence to topic and title, siamese LSTM and BM25-Extra together"

    def __init__(
        self,
        *,
        beta: float = 0.0,
        projection: int = 50,
        vectors: Vectors | str | Path | None = None,
        hidden: int = 50,
        epochs: int = 5,
        rate: float = 0.005,
        batch: int = 64,
        seed: int = 0,
    ) -> None:
        super().__init__(
            vectors=vectors, hidden=hidden, epochs=epochs, rate=rate, batch=batch, seed=seed
        )
        self.beta = beta
        self.projection = projection

    def _prepare(self, abstracts: Sequence[Abstract]) -> None:
        super()._prepare(abstracts)
        self.bm25 = Bm25Extra().fit(s for abstract in abstracts for s in abstract.sentences)

    def _build(self) -> Any:
        from osler.rank.networks.sentence import SupervisedSentence

        return SupervisedSentence(
            self._padded_table(),
            beta=self.beta,
            projection=self.projection,
            hidden=self.hidden,
            extra=len(FEATURES),
        )

    def _of(self, abstract: Abstract) -> list[dict[str, Any]]:
        rows = super()._of(abstract)
        query = self._vectors(abstract.topic.words)
        title = self._vectors(abstract.document.title)
        extra = self.bm25.table(abstract.topic.words, abstract.sentences)
        for row, sentence, features in zip(rows, abstract.sentences, extra, strict=True):
            row["phi"] = _flat(query_aware(query, self._vectors(sentence)))
            row["q"], row["t"] = _flat(query.sum(axis=0)), _flat(title.sum(axis=0))
            row["extra"] = features
        return rows

    def _vectors(self, text: str) -> Floats:
        return np.asarray(self.table.vectors(words(text)), dtype=float)

    def _forward(self, batch: Sequence[Mapping[str, Any]]) -> Any:
        torch = needs.torch()
        made = self._pairs(batch)
        for name, key in (("phi", "phi"), ("query", "q"), ("title", "t"), ("extra", "extra")):
            rows = np.stack([row[key] for row in batch])
            made[name] = torch.from_numpy(rows.astype(np.float32))
        return self.network(made)

    def scores(self, abstract: Abstract) -> Floats:
        return super().scores(abstract)

    def probabilities(self, abstract: Abstract) -> Floats | None:
        """r_f as the paper has it, in [0, 1]; a regression's guess, not calibrated."""
        return np.asarray(np.clip(self.scores(abstract), 0.0, 1.0))

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, config = super().state()
        return tensors, {**config, "bm25": self.bm25.state()}

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "beta": self.beta, "projection": self.projection}

    def _restored(self, config: Mapping[str, Any]) -> None:
        self.bm25 = Bm25Extra.restore(config["bm25"])


def _flat(vector: Floats) -> Floats:
    """An L1 norm of 1; zeros stay."""
    size = float(np.abs(vector).sum())
    return np.asarray(vector / size if size > 0 else vector)
