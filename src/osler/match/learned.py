"""The small tables that came with the package (``answering.json``), taught by MedQuAD (CC BY 4.0).

How much English words say of what a question is about (rare among health answers, and found in
names), which kinds of answer a question asks for, which words speak for which kind (a treatment, a
cause, a test ...), and how the signs of an answer are weighed.
``benchmarks/teach_match.py`` makes the file again.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

import msgspec

from osler.match.kind_shares import KindTable

FILE = "answering.json"
RAREST = 9.0
"""The rarity of a word that no answer of the teaching held."""


class Weighed(msgspec.Struct, frozen=True):
    """A logistic score over named signs, and how it was taught."""

    weights: dict[str, float]
    bias: float

    def parts(self, signs: dict[str, float]) -> dict[str, float]:
        """What each sign adds to the log-odds, and the bias."""
        return {**{name: w * signs[name] for name, w in self.weights.items()}, "bias": self.bias}

    def log_odds(self, signs: dict[str, float]) -> float:
        return sum(self.parts(signs).values())

    def probability(self, signs: dict[str, float]) -> float:
        """That an answer with such signs answers."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.log_odds(signs)))))


class Learned(msgspec.Struct, frozen=True):
    """``rarity`` by word (as :class:`osler.match.texts.Texts` cuts it); ``kinds`` by word, a weight
    for each of ``kind_names``; ``heads`` by what is at hand: stored questions, an encoder."""

    source: str
    rarity: dict[str, float]
    kind_names: tuple[str, ...]
    kind_bias: tuple[float, ...]
    kinds: dict[str, tuple[float, ...]]
    heads: dict[str, Weighed]
    least: float
    """Probability below which nothing is said to answer."""
    perhaps: float = 0.15
    """Probability from which on the nearest may answer, though nothing is said to."""
    asked: KindTable = KindTable()
    """What a question asks for, by its vector and its cues."""
    encoder: str = ""
    """The fingerprint of the encoder whose cosines were weighed: those of another mean other
    things, so that beside another encoder words alone are weighed."""
    chinese: str = ""
    """The same of the encoder that reads Chinese."""

    @property
    def encoders(self) -> tuple[str, ...]:
        return tuple(one for one in (self.encoder, self.chinese) if one)


@cache
def learned() -> Learned:
    return msgspec.json.decode(files("osler.match").joinpath(FILE).read_bytes(), type=Learned)
