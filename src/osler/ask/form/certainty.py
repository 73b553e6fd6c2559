"""How sure an answer over facts is: three levels, each the share of right answers at first looks.

An answer whose every word was understood, beside words that it was tried beside, is right nearly
always. One thing that speaks against it, a doubt or a wording that is new, takes it under 0.9; two,
or a doubt that is strong by itself, leave it open. ``python benchmarks/ask_calibration.py`` prints
what share of the answers of each level was right, set by set, and what the levels are worth where
the other sets chose them.
"""

from __future__ import annotations

from osler.ask.form.clause_reading import SLIGHT

SURE = 0.98
"""Nothing in doubt, worded as was tried: 327 of 330 at first looks."""
LIKELY = 0.89
"""One thing speaks against it: 219 of 241, but never 0.9."""
OPEN = 0.6
"""Two things do, or a strong one: 17 of 28."""
LEVELS = (SURE, LIKELY, OPEN)
STRONG = 0.8
"""What a doubt leaves that is strong by itself: a name that is spelled otherwise, words that take
in several results."""


def level(rest: float, *, new: bool) -> int:
    """How many things speak against an answer of whose certainty its doubts left ``rest``: none,
    one, or more. Where a word is only meant a little wider, a new wording adds nothing."""
    if rest <= STRONG:
        return 2
    if SLIGHT <= rest < 1.0:
        return 1
    return int(new) + int(rest < 1.0)


def confidence(rest: float, *, new: bool, levels: tuple[float, float, float] = LEVELS) -> float:
    """The confidence of an answer at its level."""
    return levels[level(rest, new=new)]
