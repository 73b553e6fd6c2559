"""The small learned scorer beside the symbolic reading: a log-linear model over candidate walks.

score(walk) = w . features + sum of m[word group, key of the walk]

The weights ``w`` speak of no relation by name and come with the package; the memory ``m`` ties
groups of words to walks that training has seen, and is silent about every other. A softmax over the
candidates gives the share of belief that the best walk has; a calibrated logistic function of
that and of what stayed unread gives the confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.ask.reading.features import NAMES, SIZE, grams, memory_keys
from osler.ask.reading.search import Candidate
from osler.records.kb import ClinicalKB

BITS = 18
# Signs that hold whatever a training set says: a word that nothing reads never speaks for a walk,
# and part of a name is still a name ("metformin" in a product's full one).
LIMITS = {
    "covered": (0.0, np.inf),
    "uncovered_unknown": (-np.inf, -0.6),
    "uncovered_known": (-np.inf, -0.1),
    "part_used": (-0.4, np.inf),
    "weak_used": (0.1, np.inf),
    # A prescription's number is no answer for people; a step through one costs little.
    "opaque_answer": (-np.inf, -3.0),
    "through_opaque": (2.0, np.inf),
    "plain_value": (1.0, np.inf),
}
TRUST = (
    "share",
    "covered",
    "unknown",
    "part",
    "edges",
    "lead",
    "target",
    "missed",
    "precise",
    "ending",
    "hole",
)


class Scorer:
    def __init__(
        self,
        weights: np.ndarray,
        *,
        memory: np.ndarray | None = None,
        keys: Sequence[str] = (),
        trust: np.ndarray | None = None,
        floor: float = 0.5,
        words: Sequence[str] = (),
    ) -> None:
        self.weights = weights
        self.memory = memory
        self.keys = frozenset(keys)
        # Words that training questions used again and again: not understood, but no surprise.
        self.words = frozenset(words)
        self.trust = trust if trust is not None else np.zeros(len(TRUST) + 1)
        self.floor = floor
        self._hashes: dict[str, np.uint64] = {}

    def places(
        self,
        kb: ClinicalKB,
        masked: Sequence[str],
        items: Sequence[Candidate],
        *,
        train: bool = False,
    ) -> list[np.ndarray]:
        """Rows of the memory that each candidate touches; none for walks that training never
        saw."""
        found = grams(masked)
        result = []
        for item in items:
            keys = memory_keys(kb, item.walk)
            used = keys if train else [k for k in keys if k in self.keys]
            if not used:
                result.append(np.zeros(0, dtype=np.int64))
                continue
            hashed = np.asarray([self._key(k) for k in used], dtype=np.uint64)
            with np.errstate(over="ignore"):
                mixed = (found[:, None] * np.uint64(0x9E3779B97F4A7C15)) ^ (
                    hashed[None, :] * np.uint64(0xC2B2AE3D27D4EB4F)
                )
                mixed ^= mixed >> np.uint64(29)
                mixed *= np.uint64(0xBF58476D1CE4E5B9)
            result.append((mixed.ravel() >> np.uint64(64 - BITS)).astype(np.int64))
        return result

    def _key(self, key: str) -> np.uint64:
        known = self._hashes.get(key)
        if known is None:
            import zlib

            known = self._hashes[key] = np.uint64(zlib.crc32(key.encode()) * 2654435761 + 1)
        return known

    def scores(
        self, kb: ClinicalKB, masked: Sequence[str], items: Sequence[Candidate]
    ) -> np.ndarray:
        if not items:
            return np.zeros(0)
        result = np.asarray([item.features for item in items]) @ self.weights
        if self.memory is not None and self.keys:
            for at, places in enumerate(self.places(kb, masked, items)):
                if len(places):
                    result[at] += float(self.memory[places].sum())
        return np.asarray(result)

    def confidence(self, facts: np.ndarray) -> float:
        z = float(self.trust[:-1] @ facts + self.trust[-1])
        return float(1.0 / (1.0 + np.exp(-np.clip(z, -30, 30))))

    # folders

    def tensors(self) -> dict[str, np.ndarray]:
        found = {"weights": self.weights.astype(np.float32), "trust": self.trust.astype(np.float32)}
        if self.memory is not None:
            found["memory"] = self.memory.astype(np.float32)
        return found

    def config(self) -> dict[str, Any]:
        return {
            "kind": "reader",
            "features": list(NAMES),
            "trust": list(TRUST),
            "keys": sorted(self.keys),
            "words": sorted(self.words),
            "floor": self.floor,
        }

    @classmethod
    def from_tensors(cls, tensors: dict[str, np.ndarray], config: dict[str, Any]) -> Scorer:
        return cls(
            np.asarray(tensors["weights"], dtype=np.float64),
            memory=np.asarray(tensors["memory"]) if "memory" in tensors else None,
            keys=config.get("keys", ()),
            trust=np.asarray(tensors["trust"], dtype=np.float64),
            floor=float(config.get("floor", 0.5)),
            words=config.get("words", ()),
        )

    @classmethod
    def default(cls, *, encoder: bool = False) -> Scorer:
        """The scorer that comes with the package: weights only, nothing of anyone's records."""
        import json

        path = Path(__file__).with_name("weights.json")
        data = json.loads(path.read_text(encoding="utf-8"))
        known = data["with_encoder" if encoder and "with_encoder" in data else "plain"]
        return cls(
            np.asarray([known["weights"].get(name, 0.0) for name in NAMES]),
            trust=np.asarray(
                [*(known["trust"].get(name, 0.0) for name in TRUST), known["trust"]["bias"]]
            ),
            floor=float(known["floor"]),
        )


def starting_weights() -> np.ndarray:
    """By judgement, where training starts: what is covered and asked for, few edges."""
    given = {
        "covered": 3.0,
        "uncovered_unknown": -0.7,
        "uncovered_known": -0.4,
        "relations_precise": 1.0,
        "last_relation": 1.0,
        "answer_type": 0.5,
        "target_type": 1.5,
        "target_last": 1.0,
        "target_covered": 2.0,
        "patients_asked": 2.0,
        "patients_unasked": -2.0,
        "patients_missed": -2.0,
        "edges": -0.6,
        "hanging": -0.4,
        "hanging_relation": 0.8,
        "weak_used": 0.3,
        "part_used": -0.2,
        "mention_type": 0.3,
        "tests_relation": 1.0,
        "opaque_answer": -4.0,
        "through_opaque": 2.5,
        "plain_value": 1.5,
    }
    return np.asarray([given.get(name, 0.0) for name in NAMES])


def fit_weights(
    rows: Sequence[tuple[np.ndarray, np.ndarray]],
    *,
    epochs: int = 30,
    rate: float = 0.05,
    decay: float = 1e-3,
    start: np.ndarray | None = None,
    seed: int = 0,
) -> np.ndarray:
    """Dense weights by stochastic gradient (AdaGrad) on -log of the share of right candidates.

    ``rows``: for each question the features and which candidates are right.
    """
    weights = starting_weights() if start is None else start.copy()
    anchor = weights.copy()
    low = np.asarray([LIMITS.get(name, (-np.inf, np.inf))[0] for name in NAMES])
    high = np.asarray([LIMITS.get(name, (-np.inf, np.inf))[1] for name in NAMES])
    history = np.full(SIZE, 1e-2)
    rng = np.random.default_rng(seed)
    usable = [(x, y) for x, y in rows if y.any() and not y.all()]
    for _ in range(epochs):
        for at in rng.permutation(len(usable)):
            x, y = usable[at]
            share = _softmax(x @ weights)
            right = share * y
            gradient = x.T @ (share - right / max(right.sum(), 1e-12)) + decay * (weights - anchor)
            history += gradient**2
            weights -= rate * gradient / np.sqrt(history)
            weights = np.clip(weights, low, high)
    return weights


def fit_memory(
    scorer: Scorer,
    rows: Sequence[tuple[np.ndarray, np.ndarray, list[np.ndarray]]],
    *,
    epochs: int = 4,
    rate: float = 0.15,
    seed: int = 0,
) -> np.ndarray:
    """The memory on top of fixed weights; ``rows`` hold features, right ones, memory places."""
    memory = np.zeros(1 << BITS, dtype=np.float32)
    history = np.full(1 << BITS, 1e-1, dtype=np.float32)
    rng = np.random.default_rng(seed)
    base = [x @ scorer.weights for x, _, _ in rows]
    usable = [i for i, (_, y, _) in enumerate(rows) if y.any() and not y.all()]
    for _ in range(epochs):
        for at in rng.permutation(usable):
            _, y, places = rows[at]
            logits = base[at] + np.asarray([memory[p].sum() for p in places])
            share = _softmax(logits)
            right = share * y
            push = share - right / max(right.sum(), 1e-12)
            strong = np.flatnonzero(np.abs(push) > 1e-3)
            for i in strong:
                p = places[i]
                if len(p):
                    step = push[i] / np.sqrt(len(p))
                    history[p] += step * step
                    memory[p] -= rate * step / np.sqrt(history[p])
    return memory


def _softmax(values: np.ndarray) -> np.ndarray:
    shifted = np.exp(values - values.max())
    return np.asarray(shifted / shifted.sum())
