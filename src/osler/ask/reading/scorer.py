"""The small learned scorer beside the symbolic reading: a log-linear model over candidate walks.

score(walk) = w . features + sum of m[word group, key of the walk]

The weights ``w`` speak of no relation by name and come with the package; the memory ``m`` ties
groups of words to walks that training has seen, and is silent about every other. A softmax over the
candidates gives the share of belief that the best walk has; a calibrated logistic function of
that and of what stayed unread gives the confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from osler.ask.reading.search import Candidate
from osler.ask.reading.walk_evidence import MEMORY_KEYS, NAMES, SIZE, grams, memory_keys
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
    # A value that the question names and nothing else reads must be met.
    "value_unused": (-np.inf, -1.0),
    "past_patients": (1.0, np.inf),
    "extreme_value": (0.5, np.inf),
    "names_event": (0.5, np.inf),
    "narrowed": (-np.inf, -0.5),
    "qualified": (-np.inf, -0.5),
    "polar_end": (0.5, np.inf),
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
    "unmet",
    "unmet_target",
    "unread",
    "strange_target",
    "value_unused",
    "constraints",
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
        curve: np.ndarray | None = None,
    ) -> None:
        self.weights = weights
        self.memory = memory
        self.keys = frozenset(keys)
        # Words that training questions used again and again: not understood, but no surprise.
        self.words = frozenset(words)
        self.trust = trust if trust is not None else np.zeros(len(TRUST) + 1)
        self.curve = curve
        self.floor = floor
        self._hashes: dict[str, np.uint64] = {}
        self._known = np.asarray([self._key(k) for k in sorted(self.keys)], dtype=np.uint64)

    def key_hashes(self, kb: ClinicalKB, items: Sequence[Candidate]) -> np.ndarray:
        """What the memory may know of each candidate: one row of hashed keys a walk."""
        rows = [[self._key(k) for k in memory_keys(kb, item.walk)] for item in items]
        return np.asarray(rows, dtype=np.uint64).reshape(len(items), MEMORY_KEYS)

    def _key(self, key: str) -> np.uint64:
        known = self._hashes.get(key)
        if known is None:
            import zlib

            known = self._hashes[key] = np.uint64(zlib.crc32(key.encode()) * 2654435761 + 1)
        return known

    def remembered(self, hashes: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The memory's word for each candidate; silent about walks that training never saw."""
        if self.memory is None or not len(self._known):
            return np.zeros(len(keys))
        seen = np.isin(keys, self._known)
        result = np.zeros(len(keys))
        at = np.flatnonzero(seen.any(axis=1))
        if len(at):
            values = self.memory[places(hashes, keys[at])].sum(axis=1)
            result[at] = (values * seen[at]).sum(axis=1)
        return result

    def scores(
        self, kb: ClinicalKB, masked: Sequence[str], items: Sequence[Candidate]
    ) -> np.ndarray:
        if not items:
            return np.zeros(0)
        result = np.asarray([item.features for item in items]) @ self.weights
        if self.memory is not None and self.keys:
            result = result + self.remembered(grams(masked), self.key_hashes(kb, items))
        return np.asarray(result)

    def confidence(self, facts: np.ndarray) -> float:
        z = float(self.trust[:-1] @ facts + self.trust[-1])
        raw = np.asarray([1.0 / (1.0 + np.exp(-np.clip(z, -30, 30)))])
        return float(np.clip(corrected(raw, self.curve)[0], 0.001, 0.999))

    # folders

    def tensors(self) -> dict[str, np.ndarray]:
        arrays = {
            "weights": self.weights.astype(np.float32),
            "trust": self.trust.astype(np.float32),
        }
        if self.curve is not None:
            arrays["curve"] = self.curve.astype(np.float32)
        if self.memory is not None:
            arrays["memory"] = self.memory.astype(np.float32)
        return arrays

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
            curve=np.asarray(tensors["curve"], dtype=np.float64) if "curve" in tensors else None,
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
            curve=np.asarray(known["curve"]) if "curve" in known else None,
            words=known.get("words", ()),
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
        "past_patients": 2.5,
        "value_unused": -1.5,
        "extreme_value": 1.0,
        "names_event": 1.0,
        "narrowed": -1.5,
        "qualified": -1.0,
        "hanging_steps": -0.4,
        "polar_end": 2.0,
        "element_used": -0.3,
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


def corrected(values: np.ndarray, curve: np.ndarray | None) -> np.ndarray:
    """Confidences after the curve that calibration found; as they are where there is none."""
    return values if curve is None else np.asarray(np.interp(values, curve[0], curve[1]))


@dataclass(frozen=True)
class Row:
    """One training question: features of its best candidates, which are right, and what the memory
    ties together (hashed groups of words, hashed keys of each walk)."""

    features: np.ndarray
    right: np.ndarray
    grams: np.ndarray
    keys: np.ndarray
    # Names of the right walks' keys, and the question's words.
    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def places(hashes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Rows of the memory: for each candidate and each of its keys, one for each group of words."""
    with np.errstate(over="ignore"):
        mixed = (hashes[None, :, None] * np.uint64(0x9E3779B97F4A7C15)) ^ (
            keys[:, None, :] * np.uint64(0xC2B2AE3D27D4EB4F)
        )
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray((mixed >> np.uint64(64 - BITS)).astype(np.int32))


def fit_memory(
    weights: np.ndarray,
    rows: Sequence[Row],
    *,
    epochs: int = 4,
    rate: float = 0.15,
    seed: int = 0,
) -> np.ndarray:
    """The memory on top of fixed weights."""
    memory = np.zeros(1 << BITS, dtype=np.float32)
    history = np.full(1 << BITS, 1e-1, dtype=np.float32)
    rng = np.random.default_rng(seed)
    usable = [row for row in rows if row.right.any() and not row.right.all()]
    for _ in range(epochs):
        for at in rng.permutation(len(usable)):
            row = usable[at]
            where = places(row.grams, row.keys).reshape(len(row.keys), -1)
            share = _softmax(row.features @ weights + memory[where].sum(axis=1))
            right = share * row.right
            push = share - right / max(right.sum(), 1e-12)
            for i in np.flatnonzero(np.abs(push) > 1e-3):
                p = where[i]
                step = push[i] / np.sqrt(len(p))
                history[p] += step * step
                memory[p] -= rate * step / np.sqrt(history[p])
    return memory


def _softmax(values: np.ndarray) -> np.ndarray:
    shifted = np.exp(values - values.max())
    return np.asarray(shifted / shifted.sum())
