"""Whether a question is worded like those on which the confidence was measured.

A reading may account for every word and still be wrong where words stand together in a way that
nobody tried: of our own questions, asked for the first time, 97 % of the answers were right where
each word had been met beside its neighbours before, and 76 % where one had not. So a question is
reduced to what its words are to the form (a person, a concept, a word that asks when), and each
pair of neighbours is looked up among the pairs of questions whose answers were checked
(``familiar.tsv``, written by benchmarks/ask_familiar.py). A new pair does not forbid an answer; it
makes it less sure.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

from osler.ask.form.lexicon import rows
from osler.ask.form.spans import Span

UNTRIED = 0.91
"""What an answer to a question with an untried pair keeps of its certainty: of some 165 such
answers 88 % were right, on the first look at three sets of ours, at ask_fhir and at ehrsql."""
_VALUED = frozenset(["ask", "verb", "attr", "when"])
_HELPING = frozenset(["be", "do", "have", "empty"])
_SILENT = frozenset(["begin", "empty", "implies", "gone"])


def part(span: Span) -> str:
    """What a span is to the form; empty where it carries nothing."""
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
        return "auxiliary"
    shown = [m for m in span.meanings if m.tag not in _SILENT]
    return "+".join(sorted({f"{m.tag} {m.value}" if m.tag in _VALUED else m.tag for m in shown}))


def pairs(spans: Sequence[Span]) -> list[tuple[str, str]]:
    """Each part of a question with the one after it, from its start to its end."""
    parts = ["start", *(said for span in spans if (said := part(span))), "end"]
    return list(itertools.pairwise(parts))


@lru_cache(maxsize=1)
def tried() -> frozenset[tuple[str, str]]:
    """The pairs of the questions whose answers were checked."""
    return frozenset((first, second) for first, second in rows("familiar"))


def untried(spans: Sequence[Span]) -> list[tuple[str, str]]:
    """The pairs of a question that none of the checked ones has."""
    return [pair for pair in dict.fromkeys(pairs(spans)) if pair not in tried()]
