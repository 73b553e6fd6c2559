"""How sure an answer over facts is: constants that were chosen over first looks at new questions.

An answer whose every word was understood, beside words that it was tried beside, is right nearly
always. A wording that is new costs something; a doubt costs little where the wording was tried (but
keeps the answer under 0.9), and its whole factor where it was not.
``python benchmarks/ask_calibration.py`` chooses the constants by cross-validation and prints what
they are worth.
"""

from __future__ import annotations

SURE = 0.98
"""An answer without a doubt, worded as was tried: 166 of 170 at the first looks at five sets."""
UNTRIED = 0.91
"""What is left of it where three neighbouring words are new."""
DOUBTED = 0.89
"""The most that is left where there is a doubt, or where the wording is new."""
MILD = 0.25
"""The power of the doubts' factor where the wording was tried."""
STRONG = 0.8
"""A factor up to which a doubt counts whole, tried or not: a name that is spelled otherwise, words
that take in several results."""


def confidence(
    rest: float, *, new: bool, sure: float = SURE, untried: float = UNTRIED, mild: float = MILD
) -> float:
    """The confidence of an answer of whose certainty its doubts left ``rest``."""
    if new:
        return min(sure * untried * rest, DOUBTED)
    if rest >= 1.0:
        return sure
    return min(sure * (rest**mild if rest > STRONG else rest), DOUBTED)
