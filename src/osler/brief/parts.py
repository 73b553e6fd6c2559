"""The brief as a list of parts that every writer sets in its own way: what is said is said once."""

from __future__ import annotations

from osler.brief.brief import NOTHING, Brief, Quote
from osler.text.counted import counted

SUPPORTING = "What supports it"
AGAINST = "What speaks against it"
BESIDE = "On the subject, taking no side"
LACKING = "Near in words, not naming all that is asked"
NEAREST = "Nearest papers, which do not answer it"
SEARCHED = "What was searched"
LIMITS = "Limits"
_RETRACTED = ("of them is retracted", "of them are retracted")


def quoted(brief: Brief) -> list[tuple[str, tuple[Quote, ...]]]:
    """Headings with their quotes; a heading without quotes is left out."""
    beside = NEAREST if brief.verdict == NOTHING else BESIDE
    parts = [
        (SUPPORTING, brief.supporting),
        (AGAINST, brief.against),
        (beside, brief.beside),
        (LACKING, brief.lacking),
    ]
    return [(heading, quotes) for heading, quotes in parts if quotes]


def told(quote: Quote) -> str:
    """Design, number of people, side: the line above a quote."""
    parts = []
    if quote.design:
        sure = 1.0 if quote.design_probability is None else quote.design_probability
        parts.append(quote.design if sure >= 0.995 else f"{quote.design} ({sure:.0%})")
    if quote.sample_size is not None:
        parts.append(f"n = {quote.sample_size:,}")
    if quote.side:
        # What a program reads is never certain, however it is rounded.
        parts.append(f"{quote.side} ({min(0.99, quote.probability):.0%})")
    return " · ".join(parts)


def place(quote: Quote) -> str:
    """Where the quote stands."""
    return f"{quote.named}, characters {quote.start:,} to {quote.end:,}"


def searched(brief: Brief) -> list[str]:
    """What was done, a line each."""
    done = brief.searched
    lines = [f"Question as typed: {done.query}"]
    share = "" if done.total is None else f"; {done.total:,} share words with the question"
    lines.append(f"{counted(done.papers, 'paper')} in the library{share}")
    lines.append(
        f"{done.read:,} best by the method “{done.method}” were weighed"
        + (f"; {counted(done.retracted, *_RETRACTED)} and left out" if done.retracted else "")
    )
    lines.append(f"Again: {done.command}")
    return lines
