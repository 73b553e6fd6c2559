"""DocNADE (Larochelle and Lauly 2012), unsupervised: topics from words alone (eqs. 2 and 3).

Papers are ranked by the closeness of h(v) to the mean h of the topic's papers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.learn import needs
from osler.learn.batches import padded, shuffled
from osler.learn.options import check_least
from osler.learn.seeds import Rng, seed_everything
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.preprocess import Vocabulary, words
from osler.rank.ranker import (
    Progress,
    TopicRanker,
    check_fit,
    rankers,
    topics_from_data,
    topics_to_data,
)
from osler.rank.representations.base import unit
from osler.rank.topic import Topic

MAX_WORDS = 1_000


@rankers.register("docnade")
class DocNadeRanker(TopicRanker):
    """``hidden`` is H; ``share`` of the positions goes through the vocabulary's softmax at each
    step (an estimate of eq. 2 without bias; 1.0 takes all)."""

    name = "docnade"
    help = "neural topic model, unsupervised; closeness to the topic's papers"
    trial: ClassVar[Mapping[str, Any]] = {"epochs": 3}

    def __init__(
        self,
        *,
        hidden: int = 50,
        epochs: int = 30,
        rate: float = 0.01,
        batch: int = 16,
        share: float = 1.0,
        seed: int = 0,
    ) -> None:
        check_least(1, hidden=hidden, epochs=epochs, batch=batch)
        self.hidden = hidden
        self.epochs = epochs
        self.rate = rate
        self.batch = batch
        self.share = share
        self.seed = seed

    def _build(self, *, features: Any = None) -> Any:
        from osler.rank.networks.docnade import DocNade

        return DocNade(len(self.vocabulary), self.hidden)

    def _loss(self, ids: Any, mask: Any, targets: Any, rng: Rng) -> Any:
        """The mean of -L_unsup over the documents of a batch."""
        return -self._unsupervised(ids, mask, rng).mean()

    def _unsupervised(self, ids: Any, mask: Any, rng: Rng) -> Any:
        if self.share >= 1.0:
            return self.network.log_likelihood(ids, mask)
        torch = needs.torch()
        keep = torch.from_numpy(rng.random(tuple(ids.shape)) < self.share)
        return self.network.log_likelihood(ids, mask, keep=keep) / self.share

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        torch = needs.torch(f"the ranker {self.name}")
        from osler.learn.loop import fit

        check_fit(pool, targets, topics)
        self.topics = list(topics)
        texts = [words(text) for text in pool.texts]
        self.vocabulary = Vocabulary.of(texts)
        rows = [
            (self.vocabulary.ids(text)[:MAX_WORDS], int(y))
            for text, y in zip(texts, targets, strict=True)
        ]
        rows = [row for row in rows if row[0]]
        seed_everything(self.seed)
        self.network = self._build()
        rng = np.random.default_rng(self.seed)

        def loss(batch: list[tuple[list[int], int]]) -> Any:
            # Any order of words is as good to DocNADE: a fresh one each time is its regulariser.
            ids, mask = _tensors([list(rng.permutation(row)) for row, _ in batch])
            return self._loss(ids, mask, torch.tensor([y for _, y in batch]), rng)

        fit(
            self.network,
            loss,
            shuffled(rows, self.batch),
            optimiser=torch.optim.Adam(self.network.parameters(), lr=self.rate),
            epochs=self.epochs,
            clip=5.0,
            seed=self.seed,
            progress=progress,
        )
        self._finish(pool, targets)
        return self

    def _finish(self, pool: Pool, targets: Ints) -> None:
        vectors = unit(self.vectors(pool))
        self.centres = np.stack(
            [vectors[targets == number].mean(axis=0) for number in range(len(self.topics))]
        )

    def _batches(self, pool: Pool) -> list[tuple[Any, Any]]:
        rows = [self.vocabulary.ids(words(text))[:MAX_WORDS] for text in pool.texts]
        return [_tensors(rows[i : i + 64]) for i in range(0, len(rows), 64)]

    def vectors(self, pool: Pool) -> Floats:
        """h(v) of each paper: its place among the topics."""
        torch = needs.torch(f"the ranker {self.name}")
        with torch.no_grad():
            parts = [self.network.document(ids, mask).numpy() for ids, mask in self._batches(pool)]
        return np.concatenate(parts).astype(float) if parts else np.zeros((0, self.hidden))

    def scores(self, pool: Pool) -> Floats:
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        return np.asarray((1 + unit(self.vectors(pool)) @ unit(self.centres).T) / 2)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {f"network.{n}": v.numpy() for n, v in self.network.state_dict().items()}
        if hasattr(self, "centres"):
            tensors["centres"] = self.centres
        return tensors, {
            "topics": topics_to_data(self.topics),
            "words": self.vocabulary.words,
            "options": self._options(),
        }

    def _options(self) -> dict[str, Any]:
        return {"hidden": self.hidden, "seed": self.seed}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        torch = needs.torch(f"the ranker {cls.name}")
        restored = cls(**config["options"])
        restored.topics = topics_from_data(config["topics"])
        restored.vocabulary = Vocabulary(config["words"])
        weights = {
            name.removeprefix("network."): torch.from_numpy(np.array(value))
            for name, value in tensors.items()
            if name.startswith("network.")
        }
        restored.network = restored._build(features=weights.get("e"))
        restored.network.load_state_dict(weights)
        restored.network.eval()
        if "centres" in tensors:
            restored.centres = np.asarray(tensors["centres"])
        return restored


def _tensors(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    torch = needs.torch()
    ids, lengths = padded(rows)
    mask = np.arange(ids.shape[1]) < lengths[:, None]
    return torch.from_numpy(ids), torch.from_numpy(mask)
