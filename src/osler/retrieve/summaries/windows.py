"""Sentences as windows of tokens that an encoder can read at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """Token ids, interval segments (0 or 1, alternating by sentence), places of the ``[CLS]``."""

    tokens: list[int]
    segments: list[int]
    starts: list[int]


def windows(
    sentences: Sequence[Sequence[int]],
    *,
    first: int,
    last: int,
    width: int,
    longest: int = 128,
) -> list[Window]:
    """Pack sentences (token ids without marks) in order into windows of at most ``width`` tokens.

    ``first`` and ``last`` are the ids of ``[CLS]`` and ``[SEP]``. A sentence is never split over
    two windows: it is cut at ``longest`` tokens, or at the width.
    """
    longest = min(longest, width - 2)
    packed: list[Window] = []
    for number, sentence in enumerate(sentences):
        marked = [first, *sentence[:longest], last]
        if not packed or len(packed[-1].tokens) + len(marked) > width:
            packed.append(Window([], [], []))
        window = packed[-1]
        window.starts.append(len(window.tokens))
        window.tokens.extend(marked)
        window.segments.extend([number % 2] * len(marked))
    return packed
