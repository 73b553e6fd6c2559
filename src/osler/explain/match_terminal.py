"""Matched answers as a terminal shows them: mentions coloured, pairs and paths with weights."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from osler.explain.paths_svg import path_text
from osler.kinds import EntityPair, GradeReason, Hit, Mentions, PathReason, Ranking, ScoreParts
from osler.text.chance import chance

PAIRS, PATHS, PARTS = 6, 8, 6
ANSWERS = "answers"
COLOURS = {"question": "black on yellow", "answer": "black on bright_blue"}


def match_view(ranking: Ranking, *, explain: bool = False) -> RenderableType:
    """The answers in order, each with the sentence that answers underlined; with ``explain`` what
    joins each with the question. Where none answers, that comes first."""
    if not ranking.hits:
        return Text("there is no answer to compare")
    shown: list[RenderableType] = []
    notes = list(ranking.notes)
    if ranking.answered is False and notes:
        shown += [Text(notes.pop(0), style="bold"), Text("the nearest:", style="dim"), Text()]
    if explain:
        shown += [coloured(ranking.query, ranking.hits[0], "question"), Text()]
    for rank, hit in enumerate(ranking.hits, 1):
        shown.append(_hit(rank, hit, explain))
    shown += [Text(note, style="dim") for note in notes]
    return Group(*shown)


def coloured(text: str, hit: Hit, where: str) -> Text:
    """A text with the places coloured where it names entities."""
    coloured_text = Text(text)
    for reason in hit.reasons:
        if isinstance(reason, Mentions) and reason.where == where:
            for start, end, _, _ in reason.spans:
                coloured_text.stylize(COLOURS[where], start, end)
    return coloured_text


def _hit(rank: int, hit: Hit, explain: bool) -> RenderableType:
    text = coloured(hit.title, hit, "answer") if explain else Text(hit.title)
    if hit.evidence is not None:
        text.stylize("underline", hit.evidence.start, hit.evidence.end)
    answers = "".join(
        f"  answers: {chance(reason.probabilities[ANSWERS])}"
        for reason in hit.reasons
        if isinstance(reason, GradeReason)
    )
    lines: list[RenderableType] = [
        text,
        Text(f"{hit.id}  {hit.score:.3f}{answers}", style="dim"),
    ]
    if explain:
        lines += [Text(line, style="green") for line in _reasons(hit)]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=3)
    grid.add_column(overflow="fold")
    grid.add_row(str(rank), Group(*lines, Text()))
    return grid


def _reasons(hit: Hit) -> list[str]:
    lines = []
    for reason in hit.reasons:
        if isinstance(reason, ScoreParts):
            parts = sorted(reason.contributed.items(), key=lambda part: (-abs(part[1]), part[0]))
            parts_told = ", ".join(f"{name} {value:+.2f}" for name, value in parts[:PARTS])
            lines.append(f"score: {parts_told}")
    pairs = [reason for reason in hit.reasons if isinstance(reason, EntityPair)]
    for pair in pairs[:PAIRS]:
        same = pair.question == pair.answer
        names = pair.question_name if same else f"{pair.question_name} - {pair.answer_name}"
        lines.append(f"pair {pair.weight:.3f}  {names}{' (both)' if same else ''}")
    paths = [reason for reason in hit.reasons if isinstance(reason, PathReason)]
    lines += [f"path {reason.weight:.3f}  {path_text(reason)}" for reason in paths[:PATHS]]
    return lines
