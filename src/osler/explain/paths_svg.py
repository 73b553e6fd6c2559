"""A question, an answer and what joins them, as a drawing (seed 001, Figure 4).

The question stands on top and the answer below, their entities coloured; between them a block for
each pair of entities with its weight and its paths, each path with its own. Everything is text and
rectangles: no script, no link, every character from outside escaped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

from osler.kinds import EntityPair, Hit, Mentions, PathReason

WIDTH, PAD, LINE = 860, 16, 22
PAIRS, PATHS = 6, 4
QUESTION, ANSWER, INK, FRAME = "#fff3b0", "#cfe4ff", "#1b1b1b", "#9aa5b1"
LONGEST = 600


def pair_svg(question: str, hit: Hit) -> str:
    """The drawing of one question with one answer."""
    drawing = _Drawing()
    drawing.text_box(question, _spans(hit, "question"), QUESTION)
    pairs = [reason for reason in hit.reasons if isinstance(reason, EntityPair)][:PAIRS]
    paths = [reason for reason in hit.reasons if isinstance(reason, PathReason)]
    if not pairs:
        drawing.line("no entity of the one is joined with one of the other")
    for pair in pairs:
        own = [
            reason
            for reason in paths
            if (reason.path.start, reason.path.entities[-1]) == (pair.question, pair.answer)
        ]
        drawing.block(pair, own[:PATHS])
    drawing.text_box(hit.title, _spans(hit, "answer"), ANSWER)
    return drawing.done()


def path_text(reason: PathReason) -> str:
    """``runny nose <-symptom- pneumonia -part-> chest``."""
    parts = [reason.names.get(reason.path.start, reason.path.start)]
    for step in reason.path.steps:
        arrow = f"\u2190{step.relation}\u2013" if step.inverse else f"\u2013{step.relation}\u2192"
        parts.append(f"{arrow} {reason.names.get(step.entity, step.entity)}")
    return " ".join(parts)


def _spans(hit: Hit, where: str) -> tuple[tuple[int, int], ...]:
    for reason in hit.reasons:
        if isinstance(reason, Mentions) and reason.where == where:
            return tuple((start, end) for start, end, _, _ in reason.spans)
    return ()


def cells(text: str) -> int:
    """Columns that a text takes where a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class _Drawing:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = PAD

    def text_box(self, text: str, spans: Sequence[tuple[int, int]], colour: str) -> None:
        """Wrapped text in a frame, marked where it names entities."""
        text = " ".join(text[:LONGEST].split("\n")) + ("\u2026" if len(text) > LONGEST else "")
        marked = [any(start <= at < end for start, end in spans) for at in range(len(text))]
        columns = (WIDTH - 4 * PAD) // 8
        lines: list[list[int]] = [[]]
        used = 0
        for at, character in enumerate(text):
            size = cells(character)
            if used + size > columns:
                lines.append([])
                used = 0
            lines[-1].append(at)
            used += size
        height = LINE * len(lines) + PAD
        self._rect(PAD, self.y, WIDTH - 2 * PAD, height, "#ffffff")
        for row, places in enumerate(lines):
            top = self.y + PAD // 2 + row * LINE
            left = 0
            for marks, run in _runs(places, marked):
                shown = "".join(text[at] for at in run)
                wide = cells(shown)
                if marks:
                    self._fill(2 * PAD + left * 8, top, wide * 8, LINE - 3, colour)
                self._text(2 * PAD + left * 8, top + 15, shown, length=wide * 8)
                left += wide
        self.y += height + PAD

    def block(self, pair: EntityPair, paths: Sequence[PathReason]) -> None:
        height = LINE * (1 + len(paths)) + PAD
        self._rect(3 * PAD, self.y, WIDTH - 6 * PAD, height, "#f7f9fb")
        same = pair.question == pair.answer
        names = pair.question_name if same else f"{pair.question_name} \u2013 {pair.answer_name}"
        self._fill(3 * PAD, self.y, max(2.0, pair.weight * (WIDTH - 6 * PAD)), 4, "#f2a65a")
        self._text(4 * PAD, self.y + LINE, f"{pair.weight:.4f}  {_short(names)}", bold=True)
        for row, reason in enumerate(paths, 1):
            line = f"{reason.weight:.4f}  {_short(path_text(reason))}"
            self._text(5 * PAD, self.y + LINE * (row + 1), line)
        self.y += height + PAD // 2

    def line(self, text: str) -> None:
        self._text(4 * PAD, self.y + 14, text)
        self.y += LINE + PAD // 2

    def _rect(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="4" '
            f'fill="{fill}" stroke="{FRAME}"/>'
        )

    def _fill(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" '
            f'fill="{fill}"/>'
        )

    def _text(self, x: float, y: float, text: str, *, bold: bool = False, length: int = 0) -> None:
        weight = ' font-weight="bold"' if bold else ""
        fit = f' textLength="{length}" lengthAdjust="spacingAndGlyphs"' if length > 16 else ""
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}"{weight}{fit}>{_clean(text)}</text>')

    def done(self) -> str:
        height = self.y + PAD
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" font-family="monospace" font-size="14" '
            f'fill="{INK}" role="img"><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
            f"{''.join(self.parts)}</svg>\n"
        )


def _runs(places: Iterable[int], marked: Sequence[bool]) -> list[tuple[bool, list[int]]]:
    runs: list[tuple[bool, list[int]]] = []
    for at in places:
        if runs and runs[-1][0] == marked[at]:
            runs[-1][1].append(at)
        else:
            runs.append((marked[at], [at]))
    return runs


def _short(text: str, limit: int = 96) -> str:
    kept = text
    while cells(kept) > limit:
        kept = kept[:-1]
    return kept if kept == text else f"{kept}\u2026"


def _clean(text: str) -> str:
    """Escaped, and without the control characters that XML does not allow."""
    return escape("".join(c if c.isprintable() else " " for c in text))
