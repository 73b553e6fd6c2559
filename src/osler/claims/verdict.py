"""What a text says to a claim: the kinds that leave this room."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from osler.text.counted import counted

SUPPORTS = "supports"
REFUTES = "refutes"
NO_EFFECT = "no effect found"
NO_SIDE = "reports without a side"
MENTIONS = "only mentions"
UNCLEAR = "unclear"
STANCES = (SUPPORTS, REFUTES, NO_EFFECT, NO_SIDE, MENTIONS, UNCLEAR)


class Stance(msgspec.Struct, frozen=True, kw_only=True):
    """The side of a text. ``supports``, ``refutes`` and ``neutral`` are probabilities that sum to
    one; ``no_effect`` is the part of ``refutes`` that says "no effect was found". ``sentence`` is
    the one that carries it, with its place in the text; ``why`` says what held the side back."""

    stance: str
    supports: float
    refutes: float
    neutral: float
    no_effect: float = 0.0
    sentence: str = ""
    start: int = 0
    end: int = 0
    why: tuple[str, ...] = ()

    @property
    def probability(self) -> float:
        """Of the stance that was told."""
        if self.stance == SUPPORTS:
            return self.supports
        if self.stance in (REFUTES, NO_EFFECT):
            return self.refutes
        return self.neutral


def sides_in_words(papers: Mapping[str, int]) -> str:
    """How many papers take which side: "1 supports it, 2 refute it, 0 found no effect"."""
    return ", ".join(
        (
            counted(papers[SUPPORTS], "supports it", "support it"),
            counted(papers[REFUTES], "refutes it", "refute it"),
            counted(papers[NO_EFFECT], "found no effect", "found no effect"),
        )
    )


def sideless_in_words(papers: int) -> str:
    """How many papers take none."""
    return counted(papers, "takes no side", "take no side")
