"""A probability as people read it."""

from __future__ import annotations

LEAST = 0.01


def chance(probability: float) -> str:
    """Two digits, which never round to a certainty: 0.999 is "over 0.99", 0.001 "under 0.01". What
    is 0 or 1 by itself stays so."""
    if 0.0 < probability < LEAST:
        return f"under {LEAST:.2f}"
    if 1.0 - LEAST < probability < 1.0:
        return f"over {1.0 - LEAST:.2f}"
    return f"{probability:.2f}"
