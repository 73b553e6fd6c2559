"""Learned weights of channels: LambdaRank over features that carry over to other collections.

Features are made of one channel's standard scores within one pool, so nothing of a collection
(its words, its lengths, its ids) can be learned: z, 2 tanh(z / 2) (which tires of outliers) and
10 / (10 + rank). For three pairs of channels the lower of the two z says how far both agree. The
score is linear in all of them, so what a channel, or a pair's agreement, contributes is plain to
see. LambdaRank after Burges (MSR-TR-2010-82): pairs of unequal grade, each weighted by the
change of nDCG that swapping them would make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from osler.errors import FormatError, InputError, MissingModel
from osler.learn.card import Card
from osler.learn.saved import CONFIG
from osler.retrieve.channel import Scores
from osler.stopping import check_stopped
from osler.store import models

KIND = "search"
BY_FILE = "weights.json"
SHIPPED = "shipped"
"""The name of the weights inside the package."""
FEATURES = ("z", "tanh", "rank")
CHANNELS = (
    "words",
    "vectors",
    "concepts",
    "word feedback",
    "vector feedback",
    "concept feedback",
)
AGREEMENTS = (
    ("words", "vectors"),
    ("word feedback", "vector feedback"),
    ("concepts", "vectors"),
)
"""Pairs of channels whose agreement is a feature: the lower of their two standard scores."""
SEED = 0

Array = npt.NDArray[Any]


def channel_features(standard: Scores) -> Array:
    """The three features of one channel, for all documents of a pool: (documents, 3)."""
    ordered = np.sort(-standard)
    rank = np.searchsorted(ordered, -standard, side="left")
    return np.stack([standard, 2.0 * np.tanh(standard / 2.0), 10.0 / (10.0 + rank)], axis=1)


def agreement(standard: Mapping[str, Scores], pair: tuple[str, str], size: int) -> Scores:
    """The lower of two channels' standard scores; a channel that is not there stands at 0."""
    nothing = np.zeros(size)
    first, second = (standard.get(name, nothing) for name in pair)
    lower: Scores = np.minimum(first, second)
    return lower


def _joined(pair: tuple[str, str]) -> str:
    return f"{pair[0]} and {pair[1]}"


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    weights: dict[str, dict[str, float]]
    agreements: dict[str, float] = {}
    card: dict[str, Any] = {}


class LearnedWeights:
    """Three weights a channel and one an agreement; a small JSON file holds them with a card."""

    def __init__(
        self,
        weights: Mapping[str, Sequence[float]],
        *,
        agreements: Mapping[str, float] | None = None,
        card: Mapping[str, Any] | None = None,
    ) -> None:
        self.agreements = dict(agreements or {})
        self.weights = {name: tuple(map(float, listed)) for name, listed in weights.items()}
        if any(len(listed) != len(FEATURES) for listed in self.weights.values()):
            raise InputError(f"a channel has {len(FEATURES)} weights: {', '.join(FEATURES)}")
        self.card = dict(card or {})

    @classmethod
    def resolve(cls, choice: str | LearnedWeights | None) -> LearnedWeights | None:
        """``shipped``, a file, a model's folder, or the weights themselves."""
        if choice is None or isinstance(choice, LearnedWeights):
            return choice
        if choice == SHIPPED:
            text = (files("osler.search") / "weights.json").read_bytes()
            return cls.parse(text, where="weights.json")
        path = Path(choice)
        if path.is_dir():
            return cls.load(path)
        if not path.is_file():
            raise MissingModel(
                f"there are no learned weights at {path}", cure="osler train search LIB makes them"
            )
        return cls.parse(path.read_bytes(), where=path.name)

    def save(self, folder: str | Path, card: Card) -> Path:
        """Write the weights as a library's model, and beside it as the file that ``resolve``
        takes."""
        place = models.save(
            folder,
            kind=KIND,
            name="concepts",
            tensors={},
            state=msgspec.json.decode(self.json()),
            card=card,
        )
        (place / BY_FILE).write_bytes(self.json())
        return place

    @classmethod
    def load(cls, folder: str | Path) -> LearnedWeights:
        """The weights in a model's folder; trainings of before wrote the file alone."""
        place = Path(folder)
        if not (place / CONFIG).is_file() and (place / BY_FILE).is_file():
            return cls.parse((place / BY_FILE).read_bytes(), where=BY_FILE)
        _, _, state = models.load(place, kind=KIND, does="weigh a search", verb="search")
        return cls.parse(msgspec.json.encode(state), where=place.name)

    @classmethod
    def parse(cls, data: bytes, *, where: str) -> LearnedWeights:
        try:
            saved = msgspec.json.decode(data, type=_Saved)
            weights = {
                name: [listed[feature] for feature in FEATURES]
                for name, listed in saved.weights.items()
            }
        except (ValueError, KeyError, RecursionError):
            raise FormatError(f"{where} holds no learned weights") from None
        return cls(weights, agreements=saved.agreements, card=saved.card)

    def json(self) -> bytes:
        named = {
            name: dict(zip(FEATURES, (round(w, 5) for w in listed), strict=True))
            for name, listed in self.weights.items()
        }
        agreed = {name: round(weight, 5) for name, weight in self.agreements.items()}
        whole = {"weights": named, "agreements": agreed, "card": self.card}
        encoded = msgspec.json.encode(whole, order="sorted")
        return msgspec.json.format(encoded, indent=1) + b"\n"

    def contributions(self, standard: Mapping[str, Scores]) -> dict[str, Scores]:
        """What each channel and each agreement gives to the score; a channel without weights
        gives nothing."""
        given: dict[str, Scores] = {}
        for name, values in standard.items():
            weights = self.weights.get(name)
            if weights is None:
                given[name] = np.zeros(len(values))
            else:
                given[name] = channel_features(values) @ np.array(weights)
        size = len(next(iter(standard.values()), np.zeros(0)))
        for pair in AGREEMENTS:
            weight = self.agreements.get(_joined(pair), 0.0)
            if weight and any(name in standard for name in pair):
                given[_joined(pair)] = weight * agreement(standard, pair, size)
        return given

    @property
    def flat(self) -> Array:
        """All weights in the order of a lesson's features."""
        nothing = (0.0,) * len(FEATURES)
        channels = [weight for name in CHANNELS for weight in self.weights.get(name, nothing)]
        return np.array([*channels, *(self.agreements.get(_joined(p), 0.0) for p in AGREEMENTS)])

    @classmethod
    def of_flat(cls, flat: Array) -> LearnedWeights:
        size = len(FEATURES)
        listed = flat.tolist()
        return cls(
            {name: listed[i * size : (i + 1) * size] for i, name in enumerate(CHANNELS)},
            agreements=dict(
                zip(map(_joined, AGREEMENTS), listed[size * len(CHANNELS) :], strict=True)
            ),
        )


class Lesson:
    """One judged question: features of its best candidates, their grades, its ideal DCG."""

    def __init__(
        self, standard: Mapping[str, Scores], grades: Array, ideal: float, *, depth: int = 150
    ) -> None:
        """``grades`` are beside the pool; the ``depth`` documents with the best plain sum of
        standard scores are learned from."""
        grades = np.asarray(grades, np.float64)
        total = sum(standard.values(), np.zeros(len(grades)))
        kept = np.lexsort((np.arange(len(total)), -total))[:depth]
        # A question without concepts has no such channel: it teaches nothing about it.
        nothing = np.zeros((len(kept), len(FEATURES)))
        self.features = np.concatenate(
            [
                channel_features(standard[name])[kept] if name in standard else nothing
                for name in CHANNELS
            ]
            + [agreement(standard, pair, len(grades))[kept][:, None] for pair in AGREEMENTS],
            axis=1,
        )
        self.grades = grades[kept]
        self.ideal = max(ideal, 1e-9)


def ideal_dcg(grades: Sequence[float], depth: int = 10) -> float:
    """The best DCG that some grades can give (gains are grades, as trec_eval has them)."""
    best = sorted((g for g in grades if g > 0), reverse=True)[:depth]
    return float(sum(g / np.log2(i + 2) for i, g in enumerate(best)))


def ndcg(lesson: Lesson, weights: LearnedWeights, depth: int = 10) -> float:
    """A lesson's nDCG when its candidates are ordered by some weights."""
    scores = lesson.features @ weights.flat
    best = np.lexsort((np.arange(len(scores)), -scores))[:depth]
    gains = lesson.grades[best] / np.log2(np.arange(2, 2 + len(best)))
    return float(gains.sum() / lesson.ideal)


def train(
    lessons: Sequence[Lesson],
    *,
    epochs: int = 12,
    batch: int = 64,
    rate: float = 0.01,
    decay: float = 0.01,
    seed: int = SEED,
) -> LearnedWeights:
    """Weights by LambdaRank: Adam with decoupled decay and a cosine rate, in numpy alone."""
    taught = [one for one in lessons if len(set(one.grades.tolist())) > 1]
    if not taught:
        raise InputError("no judged question tells two documents apart", cure="judge more results")
    rng = np.random.default_rng(seed)
    weights = np.full(taught[0].features.shape[1], 0.15)
    first, second, step = np.zeros_like(weights), np.zeros_like(weights), 0
    rounds = epochs * -(-len(taught) // batch)
    for _ in range(epochs):
        order = rng.permutation(len(taught))
        for start in range(0, len(order), batch):
            check_stopped()
            chosen = [taught[i] for i in order[start : start + batch]]
            gradient = np.mean([_gradient(one, weights) for one in chosen], axis=0)
            step += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            speed = rate * 0.5 * (1 + np.cos(np.pi * step / rounds))
            moved = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
            weights = weights - speed * (moved + decay * weights)
    return LearnedWeights.of_flat(weights)


def _gradient(lesson: Lesson, weights: Array) -> Array:
    """Of the LambdaRank cost of one question, by the weights."""
    scores = lesson.features @ weights
    rank = np.empty(len(scores), np.int64)
    rank[np.lexsort((np.arange(len(scores)), -scores))] = np.arange(len(scores))
    discount = 1.0 / np.log2(rank + 2.0)
    better = np.maximum(lesson.grades[:, None] - lesson.grades[None, :], 0.0)
    change = better * np.abs(discount[:, None] - discount[None, :]) / lesson.ideal
    margin = np.clip(scores[:, None] - scores[None, :], -30.0, 30.0)
    force = change / (1.0 + np.exp(margin))
    pull = force.sum(axis=1) - force.sum(axis=0)
    result: Array = -(lesson.features.T @ pull)
    return result
