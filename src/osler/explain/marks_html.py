"""Text with marks in it, as HTML: concepts by their type, words of the question, one sentence.

Everything is escaped; what is marked is told by classes, never by styles, so that a page with a
strict content policy can show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from osler.text.scripts import CJK_CHARACTER

KINDS = {
    "disease": "disease",
    "disorder": "disease",
    "疾病": "disease",
    "phenotype": "sign",
    "symptom": "sign",
    "sign": "sign",
    "finding": "sign",
    "problem": "disease",
    "症状": "sign",
    "chemical": "drug",
    "drug": "drug",
    "compound": "drug",
    "medication": "drug",
    "药": "drug",
    "anatomy": "body",
    "部位": "body",
    "organism": "life",
    "gene": "life",
    "protein": "life",
    "technique": "care",
    "procedure": "care",
    "treatment": "care",
    "health care": "care",
    "test": "care",
    "检查": "care",
    "治疗": "care",
    "psychology": "mind",
    "phenomenon": "mind",
    "person": "people",
    "patient": "people",
    "科室": "people",
}


def kind_of(type: str) -> str:
    """The class under which an entity's type is coloured: one of a few, ``other`` for the rest."""
    lowered = type.lower()
    for word, kind in KINDS.items():
        if word in lowered:
            return kind
    return "other"


@dataclass(frozen=True, order=True)
class Span:
    """A part of a text. ``kind`` is its class; ``title`` is told on hover, ``href`` is a link."""

    start: int
    end: int
    kind: str = "word"
    title: str = ""
    href: str = ""


def apart(spans: Iterable[Span]) -> list[Span]:
    """Spans that do not overlap: the earlier one wins, of two that begin together the longer."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if span.end > span.start and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def marked(text: str, spans: Iterable[Span], *, shift: int = 0) -> str:
    """The text as HTML with its spans marked; ``shift`` is where the text begins in the one that
    the spans count in."""
    parts: list[str] = []
    at = 0
    for span in apart(spans):
        low, high = max(span.start - shift, 0), min(span.end - shift, len(text))
        if high <= at or low >= high:
            continue
        low = max(low, at)
        parts.append(escape(text[at:low]))
        parts.append(_one(text[low:high], span))
        at = high
    parts.append(escape(text[at:]))
    return "".join(parts)


def _one(text: str, span: Span) -> str:
    title = f' title="{escape(span.title)}"' if span.title else ""
    name = f"c c-{escape(span.kind)}"
    if span.href:
        return f'<a class="{name}" href="{escape(span.href)}"{title}>{escape(text)}</a>'
    if span.kind == "word":
        return f"<mark>{escape(text)}</mark>"
    return f'<span class="{name}"{title}>{escape(text)}</span>'


def with_sentence(
    text: str, spans: Sequence[Span], sentence: tuple[int, int] | None, *, shift: int = 0
) -> str:
    """As ``marked``, with one sentence of it set off."""
    if sentence is None:
        return marked(text, spans, shift=shift)
    low, high = max(sentence[0] - shift, 0), min(sentence[1] - shift, len(text))
    if low >= high:
        return marked(text, spans, shift=shift)
    inside = marked(text[low:high], spans, shift=shift + low)
    return (
        marked(text[:low], spans, shift=shift)
        + f'<span class="evidence">{inside}</span>'
        + marked(text[high:], spans, shift=shift + high)
    )


def heat_level(value: float, most: float, levels: int = 5) -> int:
    """0 for cold (below a tenth of the warmest) up to ``levels``."""
    if most <= 0 or value <= 0:
        return 0
    return min(levels, round(levels * value / most))


def heat(words: Sequence[tuple[str, float]]) -> str:
    """Words by their heat, each with its number on hover; Chinese words stand without blanks."""
    most = max((value for _, value in words), default=0.0)
    parts, before = [], ""
    for word, value in words:
        close = before and CJK_CHARACTER.search(before[-1]) and CJK_CHARACTER.search(word[:1])
        parts.append("" if close or not before else " ")
        level = heat_level(value, most)
        parts.append(f'<span class="h h{level}" title="{value:.3f}">{escape(word)}</span>')
        before = word
    return "".join(parts)
