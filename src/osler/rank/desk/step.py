"""A moment of a simulated review."""

from __future__ import annotations

import msgspec

TARGET, RISK = 0.95, 0.05


class Step(msgspec.Struct, frozen=True):
    """After ``read`` papers: what was found, what was said of the rest, whether the test lets a
    reader stop. ``p`` is the chance of what was read lately, were recall below the target."""

    seed: int
    read: int
    found: int
    low: float
    estimate: float
    high: float
    may_stop: bool
    p: float = 1.0
