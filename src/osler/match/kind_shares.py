"""How likely a question asks for each kind of answer, beside the cues that it has.

A cue is a word that somebody thought of ("how is ... treated"); people ask otherwise ("what can be
done about it"). Where the encoder that was taught reads the question, a softmax over its vector and
the cues tells how likely each kind is; elsewhere the narrowest cue does, wholly or not at all.
"""

from __future__ import annotations

import math
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.match.asking import KINDS, asked_kind, has_cue

Shares = dict[str, float]
SURE = 0.5
"""A kind is named to a reader from this share on."""
DOUBT = 0.02
"""Two questions that seem to ask for different things may still ask for one."""
UNREAD = 0.3
"""Where one of two questions says nothing of what it asks for, both ask for the same this often."""


class KindTable(msgspec.Struct, frozen=True, dict=True):
    """Weights by kind: of each number of a vector, and of each cue (present, and narrowest)."""

    names: tuple[str, ...] = ()
    bias: tuple[float, ...] = ()
    by_vector: tuple[tuple[float, ...], ...] = ()
    by_cue: tuple[tuple[float, ...], ...] = ()

    @cached_property
    def _vector(self) -> NDArray[np.float64]:
        return np.array(self.by_vector)

    @cached_property
    def _cue(self) -> NDArray[np.float64]:
        return np.array(self.by_cue)

    def shares(self, question: str, vector: NDArray[np.floating] | None = None) -> Shares:
        """The kinds with their probabilities, which sum to one; nothing where none is read."""
        if vector is None or len(vector) != len(self.by_vector):
            kind = asked_kind(question)
            return {kind: 1.0} if kind else {}
        scores = np.array(self.bias) + vector @ self._vector + cues(question) @ self._cue
        grown = np.exp(scores - scores.max())
        return dict(zip(self.names, (grown / grown.sum()).tolist(), strict=True))


def cues(question: str) -> NDArray[np.float64]:
    """Which kinds a question has a cue of, and which of them is the narrowest."""
    narrowest = asked_kind(question)
    there = [has_cue(kind, question) for kind in KINDS]
    return np.array([*there, *(kind == narrowest for kind in KINDS)], float)


def likeliest(shares: Shares) -> str:
    """The kind that a question asks for, if one is likelier than not."""
    kind = max(shares, key=lambda name: shares[name], default="")
    return kind if shares.get(kind, 0.0) >= SURE else ""


def agreement(first: Shares, second: Shares) -> float:
    """The log of how likely two questions ask for the same kind."""
    both = sum(share * second.get(kind, 0.0) for kind, share in first.items())
    if not first or not second:
        both = UNREAD
    return math.log(DOUBT + (1.0 - DOUBT) * min(both, 1.0))
