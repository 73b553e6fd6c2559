"""The supervised sentence ranker of section 3.5.2: rows #4 (beta 0) and #5 (beta 1) of Table 5.

The Replicated-Siamese-LSTM is trained first, on its own (section 4.1). It soon knows its training
sentences by heart, so the regression, which must learn how far to trust it, sees for each paper
the likeness of a siamese that was trained without that paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from osler.learn import needs
from osler.learn.batches import shuffled
from osler.learn.options import check_least
from osler.learn.seeds import seed_everything
from osler.rank.bm25 import FEATURES, Bm25Extra
from osler.rank.pool import Floats
from osler.rank.preprocess import words
from osler.rank.representations.qar import query_aware
from osler.rank.sentence_ranker import (
    Abstract,
    Progress,
    SentenceRanker,
    check_fit,
    sentence_rankers,
)
from osler.rank.sentences.siamese import SiameseSentences
from osler.rank.splits import folds
from osler.rank.words import Vectors


class Likeness(msgspec.Struct):
    """A trained siamese, and the scores of its training papers by siameses that had not seen them;
    two rankers that differ in beta alone can share it."""

    siamese: SiameseSentences
    held: list[Floats]


def likeness(
    make: Any, abstracts: Sequence[Abstract], *, cross: int = 3, progress: Progress | None = None
) -> Likeness:
    """Train a siamese on all papers, and ``cross`` more to score each paper unseen."""
    usable = check_fit(abstracts)
    siamese = make().fit(usable, progress=progress)
    held: list[Floats] = [np.zeros(0)] * len(usable)
    if len(usable) < 2 * cross:
        return Likeness(siamese, [siamese.scores(abstract) for abstract in usable])
    for fold in folds(np.zeros(len(usable), dtype=np.int64), cross):
        out = set(fold.tolist())
        other = make().fit([a for place, a in enumerate(usable) if place not in out])
        for place in fold:
            held[int(place)] = other.scores(usable[int(place)])
    return Likeness(siamese, held)


@sentence_rankers.register("supervised")
class SupervisedSentences(SentenceRanker):
    """``beta`` is how much the title counts; ``projection`` the width of G, ``rounds`` its epochs;
    ``hidden`` and ``epochs`` are the siamese's. ``likeness`` gives one that is trained."""

    name = "supervised"
    help = "learned distance of sentence to topic and title, siamese LSTM and BM25-Extra together"
    trial: ClassVar[Mapping[str, Any]] = {"epochs": 2, "hidden": 8, "projection": 8}

    def __init__(
        self,
        *,
        beta: float = 0.0,
        projection: int = 50,
        rounds: int = 5,
        rate: float = 0.01,
        vectors: Vectors | str | Path | None = None,
        hidden: int = 50,
        epochs: int = 12,
        likeness: Likeness | None = None,
        seed: int = 0,
    ) -> None:
        check_least(0, beta=beta)
        check_least(1, hidden=hidden, epochs=epochs, projection=projection, rounds=rounds)
        self.beta = beta
        self.projection = projection
        self.rounds = rounds
        self.rate = rate
        self.vectors = vectors
        self.hidden = hidden
        self.epochs = epochs
        self.likeness = likeness
        self.seed = seed

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        torch = needs.torch(f"the sentence ranker {self.name}")
        from osler.learn.loop import fit

        usable = check_fit(abstracts)
        known = self.likeness or likeness(self._siamese, usable, progress=progress)
        self.siamese = known.siamese
        self.bm25 = Bm25Extra().fit(s for abstract in usable for s in abstract.sentences)
        parts = [self._of(a, alike) for a, alike in zip(usable, known.held, strict=True)]
        gold = torch.from_numpy(np.concatenate([a.relevant for a in usable]).astype(np.float32))
        every = _joined(parts)
        seed_everything(self.seed)
        self.network = self._build()
        self.network.scale(every)
        self.network.solve(every, gold)

        def loss(rows: list[int]) -> Any:
            return torch.nn.functional.mse_loss(self.network(_rows(every, rows)), gold[rows])

        fit(
            self.network,
            loss,
            shuffled(list(range(len(gold))), 64),
            optimiser=torch.optim.Adam(self.network.parameters(), lr=self.rate),
            epochs=self.rounds,
            seed=self.seed,
            progress=progress,
        )
        self.network.solve(every, gold)
        return self

    def _siamese(self) -> SiameseSentences:
        return SiameseSentences(
            vectors=self.vectors, hidden=self.hidden, epochs=self.epochs, seed=self.seed
        )

    def _build(self) -> Any:
        from osler.rank.networks.sentence import SupervisedSentence

        return SupervisedSentence(
            self.siamese.table.dimension,
            beta=self.beta,
            projection=self.projection,
            extra=1 + len(FEATURES),
        )

    def _vectors(self, text: str) -> Floats:
        return np.asarray(self.siamese.table.vectors(words(text)), dtype=float)

    def _of(self, abstract: Abstract, alike: Floats) -> dict[str, Any]:
        """What the network reads of a paper: Phi of each sentence, q~, t~, the other scores."""
        torch = needs.torch()
        query = self._vectors(abstract.topic.words)
        title = self._vectors(abstract.document.title).sum(axis=0)
        phi = [query_aware(query, self._vectors(sentence)) for sentence in abstract.sentences]
        extra = self.bm25.table(abstract.topic.words, abstract.sentences)
        arrays = {
            "phi": _flat(np.stack(phi)),
            "query": _flat(query.sum(axis=0)[None]),
            "title": _flat(title[None]),
            "extra": np.concatenate([alike[:, None], extra], axis=1),
        }
        tensors = {name: torch.from_numpy(rows.astype(np.float32)) for name, rows in arrays.items()}
        none = torch.zeros(len(abstract), dtype=torch.int64)
        return {**tensors, "of_query": none, "of_title": none}

    def scores(self, abstract: Abstract) -> Floats:
        torch = needs.torch(f"the sentence ranker {self.name}")
        if not len(abstract):
            return np.zeros(0)
        with torch.no_grad():
            scores = self.network(self._of(abstract, self.siamese.scores(abstract)))
        return np.asarray(scores.numpy(), dtype=float)

    def probabilities(self, abstract: Abstract) -> Floats | None:
        """r_f as the paper has it, in [0, 1]; a regression's guess, not calibrated."""
        return np.asarray(np.clip(self.scores(abstract), 0.0, 1.0))

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, siamese = self.siamese.state()
        kept = {f"siamese.{name}": value for name, value in tensors.items()}
        kept.update({f"own.{n}": v.numpy() for n, v in self.network.state_dict().items()})
        return kept, {
            "siamese": siamese,
            "bm25": self.bm25.state(),
            "options": {"beta": self.beta, "projection": self.projection, "seed": self.seed},
        }

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        torch = needs.torch(f"the sentence ranker {cls.name}")
        restored = cls(**config["options"])
        restored.siamese = SiameseSentences.restore(_under("siamese.", tensors), config["siamese"])
        restored.bm25 = Bm25Extra.restore(config["bm25"])
        restored.network = restored._build()
        own = {n: torch.from_numpy(np.array(v)) for n, v in _under("own.", tensors).items()}
        restored.network.load_state_dict(own)
        restored.network.eval()
        return restored


def _under(prefix: str, tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {n.removeprefix(prefix): v for n, v in tensors.items() if n.startswith(prefix)}


def _joined(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Papers as one batch: each brings one query and one title."""
    torch = needs.torch()
    batch = {
        name: torch.cat([part[name] for part in parts])
        for name in ("phi", "query", "title", "extra")
    }
    sizes = torch.tensor([len(part["phi"]) for part in parts])
    owner = torch.repeat_interleave(torch.arange(len(parts)), sizes)
    return {**batch, "of_query": owner, "of_title": owner}


def _rows(batch: Mapping[str, Any], rows: Sequence[int]) -> dict[str, Any]:
    """Some rows of a batch, with the queries and titles of their papers alone."""
    torch = needs.torch()
    at = torch.as_tensor(rows)
    papers, owner = batch["of_title"][at].unique(return_inverse=True)
    return {
        "phi": batch["phi"][at],
        "extra": batch["extra"][at],
        "query": batch["query"][papers],
        "title": batch["title"][papers],
        "of_query": owner,
        "of_title": owner,
    }


def _flat(rows: Floats) -> Floats:
    """Rows of an L1 norm of 1; zeros stay."""
    sizes = np.abs(rows).sum(axis=1, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0, sizes, 1))
