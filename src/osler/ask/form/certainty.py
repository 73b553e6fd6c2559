"""How sure an answer over facts is: four constants, chosen over first looks at new questions.

An answer whose every word was understood, beside words that it was tried beside, is right nearly
always. A wording that is new costs something, a doubt costs little alone (but keeps the answer
under 0.9), and both together cost much: where the wording is new, a doubt is mostly the sign that
the question was misread. ``python benchmarks/ask_calibration.py`` chooses the constants by
cross-validation and prints what they are worth.
"""

from __future__ import annotations

SURE = 0.98
"""An answer without a doubt, worded as was tried."""
UNTRIED = 0.91
"""What is left of it where three neighbouring words are new."""
STEEP = 3.0
"""The power of the doubts' factor where the wording is new."""
DOUBTED = 0.89
"""The most that is left where there is a doubt."""
MILD = 0.5
"""The power of the doubts' factor where the wording was tried."""


def confidence(
    rest: float,
    *,
    new: bool,
    sure: float = SURE,
    untried: float = UNTRIED,
    steep: float = STEEP,
    mild: float = MILD,
) -> float:
    """The confidence of an answer of whose certainty its doubts left ``rest``."""
    if new:
        return min(sure * untried * rest**steep, DOUBTED)
    return sure if rest >= 1.0 else min(sure * rest**mild, DOUBTED)
