"""Whether a question is worded like those on which the confidence was measured.

A reading may account for every word and still be wrong where words stand together in a way that
nobody tried. So a question is reduced to what its words are to the form (a person, a concept, a
word that asks when), and each three neighbours are looked up among those of questions whose answers
were checked (``familiar.tsv``, written by benchmarks/ask_familiar.py). At first looks at new
questions 333 of 337 answers without a doubt were right where all of them had been met. New
neighbours do not forbid an answer; they make it less sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from osler.ask.form.lexicon import rows
from osler.ask.form.spans import Span

Neighbours = tuple[str, str, str]
_VALUED = frozenset(["ask", "verb", "attr", "when"])
_HELPING = frozenset(["be", "do", "have", "empty"])
_SILENT = frozenset(["begin", "empty", "implies", "gone"])


def part(span: Span) -> str:
    """What a span is to the form; empty where it carries nothing or only helps a verb."""
    if span.empty:
        return ""
    if span.person is not None:
        return "person"
    if span.time is not None:
        return "time"
    if span.number is not None:
        return "number"
    if span.means("concept"):
        return "concept"
    tags = {m.tag for m in span.meanings}
    if tags <= _HELPING:
        return ""
    shown = [m for m in span.meanings if m.tag not in _SILENT]
    return "+".join(sorted({f"{m.tag} {m.value}" if m.tag in _VALUED else m.tag for m in shown}))


def neighbours(spans: Sequence[Span]) -> list[Neighbours]:
    """Each part of a question with the two after it, from its start to its end."""
    parts = ["start", *(said for span in spans if (said := part(span))), "end"]
    return list(zip(parts, parts[1:], parts[2:], strict=False))


@lru_cache(maxsize=1)
def tried() -> frozenset[Neighbours]:
    """The neighbours of the questions whose answers were checked."""
    return frozenset((one, two, three) for one, two, three in rows("familiar"))


def untried(spans: Sequence[Span]) -> list[Neighbours]:
    """The neighbours of a question that none of the checked ones has."""
    return [three for three in dict.fromkeys(neighbours(spans)) if three not in tried()]
