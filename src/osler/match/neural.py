"""What the matchers that learn by gradient share: numbers for words, hinge loss, early stop.

Eq. 20 of seed 001: a true answer shall score higher by one than a false one of the same department.
Evaluation every 400 batches on a tenth that is held out, stop after 5 rounds without gain (4.3). Of
our own are a bound on the rounds (12, so that a training ends) and on the words that are read of a
question (50) and of an answer (70); ``rounds``, ``epochs``, ``question_words`` and ``answer_words``
change them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.kinds import Pair
from osler.learn import needs
from osler.learn.loop import fit
from osler.learn.seeds import Rng, seed_everything
from osler.learn.vocabulary import Vocabulary, padded
from osler.match.matcher import Candidate, Floats, Matcher, Progress, Sources, State, untrained
from osler.match.splits import false_answers, folds
from osler.stopping import check_stopped
from osler.text.word_vectors import WordVectors

Ints = NDArray[np.int64]
TextPair = tuple[str, str]
FEWEST = 20
CHUNK = 240
"""Pairs of texts that a network reads at once."""


class NeuralMatcher(Matcher):
    """A matcher with a torch network. Subclasses make the network and its inputs.

    ``epochs`` says how often all questions are gone through; without it ``rounds`` evaluations,
    ``every`` so many batches, bound the training.
    """

    learns = True
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})
    trial: ClassVar[Mapping[str, Any]] = {"dimension": 12, "rounds": 1, "every": 4, "batch": 8}

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        seed: int = 0,
        dimension: int = 150,
        batch: int = 10,
        lr: float = 1e-3,
        every: int = 400,
        patience: int = 5,
        rounds: int = 12,
        epochs: int | None = None,
        negatives: int = 6,
        question_words: int = 50,
        answer_words: int = 70,
    ) -> None:
        super().__init__(sources, seed=seed)
        self.dimension, self.batch, self.lr = dimension, batch, lr
        self.every, self.patience, self.rounds = every, patience, rounds
        self.epochs = epochs
        self.negatives = negatives
        self.question_words, self.answer_words = question_words, answer_words
        self.vocabulary: Vocabulary | None = None
        self.network: Any = None

    def settings(self) -> dict[str, Any]:
        """The options that :meth:`__init__` takes, for the saved configuration."""
        return {
            "dimension": self.dimension,
            "question_words": self.question_words,
            "answer_words": self.answer_words,
        }

    # What a subclass says ---------------------------------------------------------------------

    @abstractmethod
    def build(self, vectors: Any) -> Any:
        """The network, its word embedding beginning with ``vectors``."""

    def inputs(self, texts: Sequence[TextPair]) -> tuple[Any, ...]:
        """What the network is called with, for pairs of a question and an answer."""
        return self.words(texts)

    def prepare(self, texts: Sequence[TextPair], progress: Progress | None) -> None:
        """Called once before training with all pairs that it will meet."""

    def score(self, inputs: tuple[Any, ...]) -> Any:
        """The network's scores."""
        return self.network(*inputs)

    def before_step(self, texts: Sequence[TextPair]) -> None:
        """Called before each batch is learned from."""

    def optimiser(self) -> Any:
        torch = needs.torch()
        return torch.optim.Adam(self.network.parameters(), lr=self.lr, fused=True)

    # Shared -----------------------------------------------------------------------------------

    def words(self, texts: Sequence[TextPair]) -> tuple[Any, Any]:
        torch = needs.torch()
        if self.vocabulary is None:
            raise untrained(self.name)
        cut = self.sources.texts.words
        asked = [self.vocabulary.ids(cut(q), self.question_words) for q, _ in texts]
        answer_ids = [self.vocabulary.ids(cut(a), self.answer_words) for _, a in texts]
        return torch.from_numpy(padded(asked, least=4)), torch.from_numpy(
            padded(answer_ids, least=4)
        )

    def fit(self, pairs: Sequence[Pair], *, progress: Progress | None = None) -> Self:
        torch = needs.torch(f"training {self.name}")
        if len(pairs) < FEWEST:
            raise InputError(
                f"{len(pairs)} pairs are too few to learn from", cure=f"give {FEWEST} or more"
            )
        cut = self.sources.texts.words
        held = set(folds(pairs, 10, seed=self.seed)[0])
        train = [pair for row, pair in enumerate(pairs) if row not in held]
        valid = [pair for row, pair in enumerate(pairs) if row in held]
        texts = [text for pair in train for text in (pair.question, pair.answer)]
        self.vocabulary = Vocabulary.build(cut(text) for text in texts)
        vectors = self.sources.vectors
        if vectors is None or vectors.dimension != self.dimension:
            vectors = word_vectors(self.sources, train, dimension=self.dimension, seed=self.seed)
        seed_everything(self.seed)
        first = torch.from_numpy(self.vocabulary.matrix(vectors, self.dimension, seed=self.seed))
        lists = _texts(train, self.negatives, self.seed)
        checks = _texts(valid, 5, self.seed)[:300]
        every_pair = [pair for one in (*lists, *checks) for pair in one]
        if not lists:
            raise InputError("no question has a false answer to learn from")
        self.prepare(every_pair, progress)
        self.network = self.build(first)
        if progress:
            progress(f"{self.name}: {len(lists):,} questions, {len(self.vocabulary):,} words")

        def batches(rng: Rng) -> Iterator[list[TextPair]]:
            order = rng.permutation(len(lists))
            for start in range(0, len(order), self.batch):
                chosen = [lists[at] for at in order[start : start + self.batch]]
                false = [one[1 + int(rng.integers(len(one) - 1))] for one in chosen]
                yield [one[0] for one in chosen] + false

        def loss(texts: list[TextPair]) -> Any:
            self.before_step(texts)
            scores = self.score(self.inputs(texts))
            half = len(texts) // 2
            return hinge(scores[:half], scores[half:])

        steps = self.every * self.rounds
        a_round = max(1, -(-len(lists) // self.batch))
        history = fit(
            self.network,
            loss,
            batches,
            optimiser=self.optimiser(),
            epochs=self.epochs or max(1, -(-steps // a_round)),
            evaluate=(lambda: self._precision(checks)) if checks else None,
            every=min(self.every, a_round * 2),
            patience=self.patience,
            seed=self.seed,
        )
        self.measures = {"validation precision": history.best or 0.0, "batches": history.steps}
        if progress:
            progress(
                f"{self.name}: {history.steps:,} batches, "
                f"validation precision {history.best or 0.0:.3f}"
            )
        return self

    def _precision(self, checks: list[list[TextPair]]) -> float:
        """The share of validation questions whose true answer is first, and, to part equals, a
        hundredth of how near it is."""
        right, at = 0.0, 0
        values = self.score_pairs([pair for one in checks for pair in one])
        for one in checks:
            own = values[at : at + len(one)]
            better = int((own[1:] >= own[0]).sum())
            right += (better == 0) + 0.01 / np.log2(2 + better)
            at += len(one)
        return right / len(checks)

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        return self.score_pairs([(question, candidate.text) for candidate in candidates])

    def score_pairs(self, texts: Sequence[TextPair]) -> Floats:
        """The scores of pairs of a question and an answer, ``CHUNK`` of them at a time: many small
        lists are read faster together than one by one."""
        if self.network is None:
            raise untrained(self.name)
        torch = needs.torch(f"the matcher {self.name}")
        scores = np.zeros(len(texts))
        self.network.eval()
        with torch.no_grad():
            for start in range(0, len(texts), CHUNK):
                check_stopped()
                part = texts[start : start + CHUNK]
                scores[start : start + len(part)] = self.score(self.inputs(part)).numpy()
        return scores

    def state(self) -> State:
        if self.network is None or self.vocabulary is None:
            raise untrained(self.name)
        tensors = {f"net.{name}": value for name, value in self.network.state_dict().items()}
        return tensors, {"settings": self.settings(), "vocabulary": self.vocabulary.words}

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        torch = needs.torch(f"the matcher {self.name}")
        for name, value in config["settings"].items():
            setattr(self, name, value)
        self.vocabulary = Vocabulary(config["vocabulary"])
        self.network = self.build(torch.zeros(len(self.vocabulary), self.dimension))
        own = {
            name.removeprefix("net."): torch.as_tensor(np.asarray(value))
            for name, value in tensors.items()
            if name.startswith("net.")
        }
        self.network.load_state_dict(own)
        self.network.eval()
        return self


def hinge(true: Any, false: Any) -> Any:
    """Eq. 20: how far each true answer is from being one above its false one, at the mean."""
    return needs.torch().relu(1 - true + false).mean()


def _texts(pairs: Sequence[Pair], negatives: int, seed: int) -> list[list[TextPair]]:
    """A list a question: with its answer first, then with false ones."""
    return [
        [(pairs[row].question, pairs[at].answer) for at in (row, *false)]
        for row, false in false_answers(pairs, negatives, seed=seed, fewer=True)
    ]


def word_vectors(
    sources: Sources, pairs: Sequence[Pair], *, dimension: int = 150, seed: int = 0
) -> WordVectors:
    """Skip-gram vectors of the pairs' words, cut as the matchers cut them."""
    cut = sources.texts.words
    texts = dict.fromkeys(text for pair in pairs for text in (pair.question, pair.answer))
    return WordVectors.train(
        [cut(text) for text in texts], dimension=dimension, least=2, epochs=5, seed=seed
    )
