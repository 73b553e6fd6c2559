"""From the lines of a PDF to its text: reading order, running heads, hyphens.

Columns: narrow lines leave a gutter free that no narrow line crosses. What spans the gutter (a
title, a wide figure's legend) parts the page into bands; in each band the columns are read one
after the other. Running heads and feet: what stands at the edge of a page, its numbers aside, on
nearly half of the pages or more. Hyphens: "treat-" and "ment" become "treatment" unless the paper
writes the word with its hyphen elsewhere.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from osler.files.pdf_pages import Line, PageLines, PdfLines

EDGE = 0.12
"""The part of a page's height, above and below, where running heads stand."""
OFTEN = 0.4
"""The share of the pages on which a running head stands: left and right pages may differ."""
PAGES = 3
"""Shorter papers have no running heads that could be told from text."""
GUTTER = 6.0
"""Points between two columns at least."""
WIDE = 0.6
"""A line that takes up so much of the text's width spans the columns."""
PARAGRAPH = 0.7
"""A gap of so many heights between two lines begins a paragraph."""

_DIGITS = re.compile(r"\d+|\b[ivxl]+\b")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u00ad\u2010\x02]$")
_CONTINUED = re.compile(r"([^\W\d_]+)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")


def page_texts(pdf: PdfLines) -> list[str]:
    """The text of each page, in reading order."""
    heads = running_heads(pdf.pages)
    ordered = [
        reading_order([line for line in page.lines if not _is_head(line, page, heads)])
        for page in pdf.pages
    ]
    known = Counter(
        word.lower() for lines in ordered for line in lines for word in _WORD.findall(line.text)
    )
    return [joined(lines, known) for lines in ordered]


def _mark(text: str) -> str:
    return _DIGITS.sub("#", " ".join(text.lower().split()))


def _at_edge(line: Line, page: PageLines) -> bool:
    middle = (line.top + line.bottom) / 2
    return middle > (1 - EDGE) * page.height or middle < EDGE * page.height


def running_heads(pages: Sequence[PageLines]) -> frozenset[str]:
    """What stands at the edge of many pages, numbers aside."""
    if len(pages) < PAGES:
        return frozenset()
    counts = Counter(
        mark
        for page in pages
        for mark in {_mark(line.text) for line in page.lines if _at_edge(line, page)}
    )
    least = max(2, OFTEN * len(pages))
    return frozenset(mark for mark, count in counts.items() if count >= least)


def _is_head(line: Line, page: PageLines, heads: frozenset[str]) -> bool:
    if not _at_edge(line, page):
        return False
    mark = _mark(line.text)
    return mark in heads or mark == "#"


def reading_order(lines: Sequence[Line]) -> list[Line]:
    """Lines as they are read: down each column of a band, band after band."""
    if not lines:
        return []
    columns = _columns(lines)
    if len(columns) < 2:
        return sorted(lines, key=lambda line: (-round(line.bottom), line.left))
    ordered: list[Line] = []
    band: list[list[Line]] = [[] for _ in columns]
    for line in sorted(lines, key=lambda line: (-round(line.bottom), line.left)):
        inside = [
            at
            for at, (left, right) in enumerate(columns)
            if line.left < right and line.right > left
        ]
        if len(inside) == 1:
            band[inside[0]].append(line)
            continue
        for column in band:
            ordered += column
            column.clear()
        ordered.append(line)
    for column in band:
        ordered += column
    return ordered


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The columns that the narrow lines leave gutters between, from left to right."""
    left = min(line.left for line in lines)
    width = max(line.right for line in lines) - left
    narrow = sorted(
        (line.left, line.right) for line in lines if line.right - line.left < WIDE * width
    )
    merged: list[tuple[float, float]] = []
    for low, high in narrow:
        if merged and low - merged[-1][1] < GUTTER:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    # A short word beside the text is no column.
    counts = [
        sum(low <= line.left and line.right <= high for line in lines) for low, high in merged
    ]
    return [column for column, count in zip(merged, counts, strict=True) if count >= 3]


def joined(lines: Iterable[Line], known: Counter[str]) -> str:
    """Lines as running text: words that a line's end cut are whole, paragraphs are lines."""
    text = ""
    before: Line | None = None
    for line in lines:
        piece = _CONTROL.sub("", line.text.replace("\x02", "-")).strip()
        piece = " ".join(piece.split())
        if not piece:
            continue
        if before is None:
            text = piece
        elif (cut := _BROKEN.search(text)) and (rest := _CONTINUED.match(piece)):
            text = text[: cut.end(1)] + _hyphen(cut[1], rest[1], known) + piece
        else:
            gap = before.bottom - line.top
            apart = gap > PARAGRAPH * before.height or gap < -2 * before.height
            text += ("\n" if apart and _ends(text) else " ") + piece
        before = line
    return text


def _ends(text: str) -> bool:
    """Whether a paragraph may end here; one that a column's end cuts goes on."""
    return not text or text[-1] in ".!?:;)" or not text[-1].isalnum() or len(text) < 80


def _hyphen(begun: str, rest: str, known: Counter[str]) -> str:
    """What stands between the halves of a word that a line's end cut."""
    whole, hyphened = (begun + rest).lower(), f"{begun}-{rest}".lower()
    if rest[:1].isupper():
        return "-"
    return "-" if known[hyphened] > known[whole] else ""


def title_of(page: PageLines, text: str) -> str:
    """The title: the largest writing in the upper part of the first page, where it is larger than
    the text; empty where nothing is."""
    upper = [line for line in page.lines if line.bottom > 0.4 * page.height]
    if not upper:
        return ""
    usual = statistics.median(line.height for line in page.lines)
    ordered = reading_order(upper)
    for height in sorted({round(line.height, 1) for line in ordered}, reverse=True):
        if height < 1.15 * usual:
            return ""
        chosen = [line for line in ordered if line.height >= 0.9 * height]
        title = joined(chosen, Counter()).replace("\n", " ")
        if len(title.split()) >= 3 and len(title) <= 400:
            return title
    return ""
