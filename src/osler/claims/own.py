"""A head of one's own, taught by claims that a person labelled: supports, refutes, neutral.

What the shipped heads and rules say of a pair, joined by vectors of the claim and the text (their
difference and product, of the whole text and of its nearest sentence), in one softmax regression
that is held back strongly: a few hundred claims teach little. Each block of features is brought to
mean zero and to a length of one, so that many features do not outshout few.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from osler.claims.recipe import recipe_features
from osler.claims.verdict import NO_SIDE, REFUTES, SUPPORTS, Stance
from osler.errors import InputError, StorageError
from osler.text.encoding import Encoder
from osler.text.sentences import sentences

SIDES = ("supports", "refutes", "neutral")
STRENGTH = 0.1
"""The larger, the less the weights are held back."""
LEAST = 30
"""Fewer labelled claims than this teach nothing."""
Floats = npt.NDArray[np.float64]


class Labelled(msgspec.Struct, frozen=True):
    """A claim with a text and its side."""

    claim: str
    text: str
    label: str


class OwnHead(msgspec.Struct, frozen=True, kw_only=True):
    """Means, scales and weights by feature; the encoder's fingerprint, without which the vectors
    mean nothing."""

    names: tuple[str, ...]
    mean: list[float]
    scale: list[float]
    weights: list[list[float]]
    bias: list[float]
    encoder: str
    taught_by: int

    def probabilities(self, features: Floats) -> Floats:
        """Rows of supports, refutes, neutral."""
        scaled = (features - np.asarray(self.mean)) * np.asarray(self.scale)
        return _softmax(scaled @ np.asarray(self.weights) + np.asarray(self.bias))

    def judge(self, pairs: Sequence[tuple[str, str]], encoder: Encoder) -> list[Stance]:
        """The side of each text to its claim."""
        if encoder.fingerprint != self.encoder:
            raise InputError(
                "the head was taught with another encoder", cure="teach it again with this one"
            )
        features = Features(encoder).rows(pairs, self.names)
        told = []
        for p in self.probabilities(features):
            side = (SUPPORTS, REFUTES, NO_SIDE)[int(p.argmax())]
            supports, refutes = round(float(p[0]), 4), round(float(p[1]), 4)
            told.append(
                Stance(
                    stance=side,
                    supports=supports,
                    refutes=refutes,
                    neutral=round(1 - supports - refutes, 4),
                )
            )
        return told

    def save(self, path: Path) -> None:
        try:
            path.write_bytes(msgspec.json.encode(self))
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}") from None


def load_own(path: Path) -> OwnHead:
    """A head that was saved."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=OwnHead)
    except (OSError, msgspec.DecodeError):
        raise InputError(
            f"{path} holds no head for claims", cure="osler stance --teach FILE --out HEAD"
        ) from None


class Features:
    """Features of pairs; each text is encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.vectors: dict[str, Floats] = {}

    def rows(self, pairs: Sequence[tuple[str, str]], names: Sequence[str] | None = None) -> Floats:
        """One row a pair. ``names`` are the rules' features that a head was taught with; without
        them those of these pairs, sorted."""
        told = [_plain(recipe_features(claim, text)) for claim, text in pairs]
        named = sorted({name for row in told for name in row}) if names is None else names
        self.names = tuple(named)
        rules = np.asarray([[row.get(name, 0.0) for name in named] for row in told])
        parts = [_sentences(text) for _, text in pairs]
        self._encode([*(t for pair in pairs for t in pair), *(s for one in parts for s in one)])
        vectors = [self._pair(pair, cut) for pair, cut in zip(pairs, parts, strict=True)]
        return np.hstack([rules.reshape(len(pairs), len(named)), np.asarray(vectors)])

    def _encode(self, texts: Sequence[str]) -> None:
        wanted = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        if wanted:
            encoded = np.asarray(self.encoder.encode(wanted), dtype=np.float64)
            norms = np.linalg.norm(encoded, axis=1, keepdims=True).clip(1e-9)
            self.vectors |= dict(zip(wanted, encoded / norms, strict=True))

    def _pair(self, pair: tuple[str, str], cut: Sequence[str]) -> Floats:
        claim, text = self.vectors[pair[0]], self.vectors[pair[1]]
        single = np.asarray([self.vectors[one] for one in cut])
        near = single @ claim
        best = single[int(near.argmax())]
        likeness = [near.max(), near.mean(), near[-1]]
        return np.concatenate(
            [likeness, abs(claim - text), claim * text, abs(claim - best), claim * best, text]
        )

    @property
    def blocks(self) -> list[int]:
        """How many features stand in each block: rules, likeness, whole text, nearest sentence,
        the text alone."""
        width = self.encoder.dimension
        return [len(self.names), 3, 2 * width, 2 * width, width]


def teach_own(rows: Sequence[Labelled], encoder: Encoder) -> OwnHead:
    """A head taught by labelled claims."""
    wrong = sorted({row.label for row in rows} - set(SIDES))
    if wrong:
        raise InputError(f"{wrong[0]!r} is no side", cure=f"one of {', '.join(SIDES)}")
    if len(rows) < LEAST or len({row.label for row in rows}) < 2:
        raise InputError(f"a head needs {LEAST} labelled claims at least, of two sides or more")
    features = Features(encoder)
    matrix = features.rows([(row.claim, row.text) for row in rows])
    return fit_own(
        matrix,
        [row.label for row in rows],
        features.blocks,
        names=features.names,
        encoder=encoder.fingerprint,
    )


def fit_own(
    matrix: Floats,
    labels: Sequence[str],
    blocks: Sequence[int],
    *,
    names: tuple[str, ...] = (),
    encoder: str = "",
    strength: float = STRENGTH,
) -> OwnHead:
    """Softmax regression; each class counts the same in all, however rare it is."""
    from scipy.optimize import minimize

    mean, spread = matrix.mean(0), matrix.std(0)
    width = np.repeat(np.sqrt(np.asarray(blocks, float)), blocks)
    scale = np.where(spread > 1e-9, 1.0 / np.maximum(spread, 1e-9), 0.0) / width
    scaled = (matrix - mean) * scale
    target = np.asarray([[float(label == side) for side in SIDES] for label in labels])
    counts = target.sum(0)
    share = np.where(counts > 0, len(labels) / (len(SIDES) * counts.clip(1)), 0.0)
    weight = target @ share
    size = matrix.shape[1]

    def loss(flat: Floats) -> tuple[float, Floats]:
        w = flat.reshape(size + 1, len(SIDES))
        p = _softmax(scaled @ w[:-1] + w[-1])
        error = weight[:, None] * (p - target)
        value = -(weight * np.log((p * target).sum(1).clip(1e-300))).sum()
        held = (w[:-1] ** 2).sum() / (2 * strength)
        slope = np.vstack([scaled.T @ error + w[:-1] / strength, error.sum(0)[None]])
        return float(value + held), slope.ravel()

    start = np.zeros((size + 1) * len(SIDES))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    learned = best.reshape(size + 1, len(SIDES))
    return OwnHead(
        names=names,
        mean=_rounded(mean),
        scale=_rounded(scale),
        weights=[_rounded(row) for row in learned[:-1]],
        bias=_rounded(learned[-1]),
        encoder=encoder,
        taught_by=len(labels),
    )


def _plain(features: dict[str, float]) -> dict[str, float]:
    """Without the counted words: they name drugs and viruses, not sides."""
    return {name: value for name, value in features.items() if name[1:2] != ":"}


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)] or [text]


def _softmax(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True), dtype=np.float64)


def _rounded(values: Floats) -> list[float]:
    return [float(f"{value:.6g}") for value in values]
