"""Other names of diseases, injuries, procedures, drugs and parts of the body.

``called.tsv`` is made from WordNet (benchmarks/ask_synonyms.py). A collarbone is a clavicle by
itself; that "broken" means a fracture only a longer name shows, which the records must bear whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from osler.ask.form.lexicon import Phrase, rows
from osler.ask.form.tokens import name_words

POINTERS = frozenset(["a", "an", "the", "his", "her", "their", "my", "your", "our", "both"])


@lru_cache(maxsize=1)
def _names() -> tuple[dict[Phrase, list[Phrase]], dict[Phrase, list[Phrase]]]:
    """For a name the other names of the same thing: by itself, and within a longer name."""
    alone: dict[Phrase, list[Phrase]] = {}
    within: dict[Phrase, list[Phrase]] = {}
    for row in rows("called"):
        names, parts = ([name_words(n) for n in cell.split("|") if n] for cell in row)
        for name in names:
            alone.setdefault(name, []).extend(n for n in names if n != name)
        for name in (*names, *parts):
            within.setdefault(name, []).extend(n for n in (*names, *parts) if n != name)
    return alone, within


def pointless(phrase: Phrase) -> Phrase:
    """The same without words that only point: "broken a collarbone"."""
    return tuple(word for word in phrase if word not in POINTERS)


def other_names(phrase: Phrase, *, hurt: bool = False) -> Iterator[Phrase]:
    """What else a thing may be called: the whole name, or one or two parts of a longer one. "Burnt
    himself" says by itself that it is an injury."""
    alone, within = _names()
    yield from (within if hurt else alone).get(phrase, ())
    if len(phrase) < 2:
        return
    once = list(_replaced(phrase, within))
    yield from once
    for other in once:
        yield from _replaced(other, within)


def _replaced(phrase: Phrase, within: dict[Phrase, list[Phrase]]) -> Iterator[Phrase]:
    for at in range(len(phrase)):
        for end in range(at + 1, min(at + 3, len(phrase)) + 1):
            if end - at < len(phrase):
                for name in within.get(phrase[at:end], ()):
                    yield (*phrase[:at], *name, *phrase[end:])
