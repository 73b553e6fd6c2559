"""a-SupDocNADE: SupDocNADE with attention over words (eq. 5) and word vectors beside the hidden
state (eq. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.kinds import Heat, Reason
from osler.learn import needs
from osler.rank.papers.sup_docnade import SupDocNadeRanker
from osler.rank.pool import Pool
from osler.rank.preprocess import words
from osler.rank.ranker import rankers
from osler.rank.representations.base import unit
from osler.rank.words import Vectors, word_vectors

SHOWN = 8


@rankers.register("a-sup-docnade")
class ASupDocNadeRanker(SupDocNadeRanker):
    """``vectors`` are the sources of extra word features, none, one or several: word vectors, or
    files of them. Those of a word stand side by side, each source's of length 1."""

    name = "a-sup-docnade"
    help = "supervised neural topic model with attention and word vectors (eqs. 5, 6)"

    def __init__(
        self,
        *,
        vectors: Sequence[Vectors | str | Path] | Vectors | str | Path = (),
        hidden: int = 50,
        weight: float = 0.01,
        epochs: int = 30,
        rate: float = 0.01,
        batch: int = 16,
        share: float = 0.25,
        seed: int = 0,
    ) -> None:
        super().__init__(
            hidden=hidden,
            weight=weight,
            epochs=epochs,
            rate=rate,
            batch=batch,
            share=share,
            seed=seed,
        )
        self.vectors_from: list[Any] = [vectors]
        if isinstance(vectors, (list, tuple)):
            self.vectors_from = list(vectors)

    def _build(self, *, features: Any = None) -> Any:
        from osler.rank.networks.docnade import DocNade

        if features is None and self.vectors_from:
            tables = [word_vectors(source, ()) for source in self.vectors_from]
            known = self.vocabulary.words
            # A source's vectors of length 1, scaled to the spread of the hidden state.
            features = np.concatenate(
                [4 * unit(np.asarray(f.vectors(known), dtype=float)) for f in tables], axis=1
            )
        return DocNade(
            len(self.vocabulary),
            self.hidden,
            topics=len(self.topics) + 1,
            attention=True,
            features=features,
        )

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        """The words of largest attention."""
        torch = needs.torch(f"the ranker {self.name}")
        by_paper: list[tuple[Reason, ...]] = []
        for row, text in enumerate(pool.texts):
            ids, mask = self._batches(pool.take([row]))[0]
            with torch.no_grad():
                share = self.network.weights(ids, mask)[0].numpy()
            heat: dict[str, float] = {}
            known = [word for word in words(text) if word in self.vocabulary.index]
            for word, value in zip(known, share, strict=False):
                heat[word] = heat.get(word, 0.0) + float(value)
            warm = sorted(heat.items(), key=lambda pair: (-pair[1], pair[0]))[:SHOWN]
            shown = tuple((word, round(value, 4)) for word, value in warm)
            by_paper.append((Heat("attention", shown),) if shown else ())
        return by_paper
