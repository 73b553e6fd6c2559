"""Replicated-Siamese-LSTM for sentences: the topic's words against each sentence, 1 if relevant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from osler.learn import needs
from osler.learn.batches import padded, shuffled
from osler.learn.options import check_least
from osler.learn.seeds import Rng, seed_everything
from osler.rank.pool import Floats
from osler.rank.preprocess import words
from osler.rank.sentence_ranker import (
    Abstract,
    Progress,
    SentenceRanker,
    check_fit,
    sentence_rankers,
)
from osler.rank.words import Table, Vectors, word_vectors

MAX_WORDS = 60


@sentence_rankers.register("siamese-lstm")
class SiameseSentences(SentenceRanker):
    """``vectors``: word vectors, or a file; None trains them on the papers."""

    name = "siamese-lstm"
    help = "Replicated-Siamese-LSTM: likeness of topic and sentence"
    trial: ClassVar[Mapping[str, Any]] = {"epochs": 2, "hidden": 8}

    def __init__(
        self,
        *,
        vectors: Vectors | str | Path | None = None,
        hidden: int = 50,
        epochs: int = 12,
        rate: float = 0.005,
        batch: int = 64,
        seed: int = 0,
    ) -> None:
        check_least(1, hidden=hidden, epochs=epochs, batch=batch)
        self.vectors = vectors
        self.hidden = hidden
        self.epochs = epochs
        self.rate = rate
        self.batch = batch
        self.seed = seed

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        torch = needs.torch(f"the sentence ranker {self.name}")
        from osler.learn.loop import fit

        usable = check_fit(abstracts)
        self._prepare(usable)
        rows = self._rows(usable)
        seed_everything(self.seed)
        self.network = self._build()

        def loss(batch: list[Any]) -> Any:
            gold = torch.tensor([float(row["gold"]) for row in batch])
            return torch.nn.functional.mse_loss(self._forward(batch), gold)

        fit(
            self.network,
            loss,
            _alike_in_length(rows, self.batch),
            optimiser=torch.optim.Adam(
                [p for p in self.network.parameters() if p.requires_grad], lr=self.rate
            ),
            epochs=self.epochs,
            clip=5.0,
            seed=self.seed,
            progress=progress,
        )
        return self

    def _prepare(self, abstracts: Sequence[Abstract]) -> None:
        texts = [abstract.document.text for abstract in abstracts]
        source = word_vectors(self.vectors, texts, seed=self.seed)
        seen = {word for text in texts for word in words(text)}
        seen.update(word for abstract in abstracts for word in words(abstract.topic.words))
        # Words that only later papers use count too, as far as a trained table knows them.
        known = getattr(source, "words", ())
        if len(known) <= 100_000:
            seen.update(known)
        self.table = Table.of(source, sorted(seen))

    def _ids(self, text: str) -> list[int]:
        index = self.table.index
        return [index[word] + 1 for word in words(text) if word in index][:MAX_WORDS]

    def _build(self) -> Any:
        from osler.rank.networks.siamese import SiameseLSTM

        return SiameseLSTM(self._padded_table(), hidden=self.hidden)

    def _padded_table(self) -> Any:
        return np.concatenate([np.zeros((1, self.table.dimension), np.float32), self.table.matrix])

    def _rows(self, abstracts: Sequence[Abstract]) -> list[dict[str, Any]]:
        return [row for abstract in abstracts for row in self._of(abstract)]

    def _of(self, abstract: Abstract) -> list[dict[str, Any]]:
        query = tuple(self._ids(abstract.topic.words))
        gold = abstract.relevant if abstract.chosen else np.zeros(len(abstract), dtype=bool)
        return [
            {"ids": self._ids(sentence), "query": query, "gold": bool(mark)}
            for sentence, mark in zip(abstract.sentences, gold, strict=True)
        ]

    def _pairs(self, batch: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        torch = needs.torch()
        queries = sorted({row["query"] for row in batch})
        ids, lengths = padded([row["ids"] for row in batch])
        query_ids, query_lengths = padded(queries)
        which = [queries.index(row["query"]) for row in batch]
        pairs = {
            "ids": ids,
            "lengths": lengths,
            "query_ids": query_ids,
            "query_lengths": query_lengths,
            "which": np.array(which, dtype=np.int64),
        }
        return {name: torch.from_numpy(value) for name, value in pairs.items()}

    def _forward(self, batch: Sequence[Mapping[str, Any]]) -> Any:
        pairs = self._pairs(batch)
        queries = self.network.encode(pairs["query_ids"], pairs["query_lengths"])
        which = pairs["which"]
        return self.network.likeness(
            self.network.encode(pairs["ids"], pairs["lengths"]),
            (queries[0][which], queries[1][which]),
        )

    def scores(self, abstract: Abstract) -> Floats:
        torch = needs.torch(f"the sentence ranker {self.name}")
        rows = self._of(abstract)
        with torch.no_grad():
            parts = [
                self._forward(rows[start : start + 256]).numpy()
                for start in range(0, len(rows), 256)
            ]
        return np.concatenate(parts).astype(float) if parts else np.zeros(0)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {
            f"network.{name}": value.numpy()
            for name, value in self.network.state_dict().items()
            if not name.endswith("words.weight")
        }
        tensors["table"] = self.table.matrix
        return tensors, {"words": self.table.words, "options": self._options()}

    def _options(self) -> dict[str, Any]:
        return {"hidden": self.hidden, "seed": self.seed}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        torch = needs.torch(f"the sentence ranker {cls.name}")
        restored = cls(**config["options"])
        restored.table = Table(config["words"], tensors["table"])
        restored.network = restored._build()
        weights = {
            name.removeprefix("network."): torch.from_numpy(np.array(value))
            for name, value in tensors.items()
            if name.startswith("network.")
        }
        restored.network.load_state_dict(weights, strict=False)
        restored.network.eval()
        return restored


def _alike_in_length(
    rows: Sequence[Any], size: int
) -> Callable[[Rng], Iterator[list[dict[str, Any]]]]:
    """Shuffled batches, each of sentences about as long as one another: little padding to read."""

    def batches(rng: Rng) -> Iterator[list[dict[str, Any]]]:
        parts: list[list[dict[str, Any]]] = []
        for chunk in shuffled(rows, 8 * size)(rng):
            chunk.sort(key=lambda row: len(row["ids"]))
            parts += [chunk[start : start + size] for start in range(0, len(chunk), size)]
        for place in rng.permutation(len(parts)):
            yield parts[int(place)]

    return batches
