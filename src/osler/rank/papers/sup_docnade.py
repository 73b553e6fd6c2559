"""SupDocNADE: DocNADE trained with the hybrid cost of eq. 4; ranks by p(q | v)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from osler.errors import InputError
from osler.learn import needs
from osler.learn.seeds import Rng
from osler.rank.papers.docnade import DocNadeRanker
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import rankers


@rankers.register("sup-docnade")
class SupDocNadeRanker(DocNadeRanker):
    """``weight`` is lambda of eq. 4, in [0, 1]."""

    name = "sup-docnade"
    help = "supervised neural topic model (hybrid cost, eq. 4)"
    trial: ClassVar[Mapping[str, Any]] = {"epochs": 6}

    def __init__(
        self,
        *,
        hidden: int = 50,
        weight: float = 0.01,
        epochs: int = 30,
        rate: float = 0.01,
        batch: int = 16,
        share: float = 0.25,
        seed: int = 0,
    ) -> None:
        super().__init__(
            hidden=hidden, epochs=epochs, rate=rate, batch=batch, share=share, seed=seed
        )
        if not 0 <= weight <= 1:
            raise InputError(f"lambda is not {weight:g}", cure="it lies between 0 and 1")
        self.weight = weight

    def _build(self, *, features: Any = None) -> Any:
        from osler.rank.networks.docnade import DocNade

        return DocNade(len(self.vocabulary), self.hidden, topics=len(self.topics) + 1)

    def _loss(self, ids: Any, mask: Any, targets: Any, rng: Rng) -> Any:
        """-L_hybrid, averaged over the batch."""
        torch = needs.torch()
        cost = torch.nn.functional.cross_entropy(self.network.logits(ids, mask), targets)
        if self.weight == 0:
            return cost
        return cost - self.weight * self._unsupervised(ids, mask, rng).mean()

    def _finish(self, pool: Pool, targets: Ints) -> None:
        """Nothing: p(q | v) is the network's own."""

    def scores(self, pool: Pool) -> Floats:
        torch = needs.torch(f"the ranker {self.name}")
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        with torch.no_grad():
            parts = [
                torch.softmax(self.network.logits(ids, mask), dim=1).numpy()
                for ids, mask in self._batches(pool)
            ]
        return np.concatenate(parts).astype(float)[:, : len(self.topics)]

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "weight": self.weight}
