"""Matched answers in the terminal, as a page, as a drawing: whole, escaped, well-formed."""

from __future__ import annotations

import io

import pytest
from lxml import etree
from rich.console import Console

from osler.explain.match_html import marked, ranking_html
from osler.explain.match_terminal import match_view
from osler.explain.paths_svg import cells, pair_svg, path_text
from osler.kinds import (
    EntityPair,
    GradeReason,
    Hit,
    Mentions,
    Path,
    PathReason,
    Ranking,
    ScoreParts,
    Step,
)

WALK = PathReason(
    Path("s:runny nose", (Step("symptom", "d:pneumonia", True), Step("part", "p:chest"))),
    0.75,
    {"s:runny nose": "runny nose", "d:pneumonia": "pneumonia", "p:chest": "chest"},
)


def hit(text: str) -> Hit:
    return Hit(
        id="a<1>",
        score=1.5,
        title=text,
        reasons=(
            ScoreParts({"words": 0.5}, {"words": 1.5}),
            EntityPair("s:runny nose", "p:chest", "runny nose", "chest", 0.6),
            EntityPair("d:x", "d:x", "x & y", "x & y", 0.4),
            WALK,
            Mentions("question", ((0, 10, "s:runny nose", "symptom"),)),
            Mentions("answer", ((0, 5, "p:chest", "part"),)),
        ),
    )


@pytest.mark.parametrize(
    "text",
    ["chest <script>alert(1)</script>", 'chest \x00\x07\ud800 & "quotes"', "", "胸部" * 2000],
)
def test_pages_and_drawings_are_inert_and_well_formed(text):
    ranking = Ranking(query="runny nose?", hits=[hit(text)], notes=["<note>"])
    page = ranking_html(ranking)
    assert "<script" not in page
    assert "&lt;note&gt;" in page
    svg = pair_svg("runny nose?", hit(text))
    root = etree.fromstring(svg.encode("utf-8", "replace"))
    assert root.tag.endswith("svg")
    assert "0.6000" in svg
    assert "x &amp; y" in svg


def test_a_path_tells_the_direction_of_its_steps():
    assert path_text(WALK) == "runny nose ←symptom– pneumonia –part→ chest"


def test_mentions_are_marked_in_their_place():
    shown = marked("chest pain", hit("chest pain"), "answer")
    assert shown == '<mark class="answer" title="p:chest (part)">chest</mark> pain'
    # Spans that do not fit the text, or overlap, are left out rather than guessed at.
    wrong = Hit(id="1", score=0, reasons=(Mentions("answer", ((2, 9, "a", ""), (0, 3, "b", ""))),))
    assert marked("chest", wrong, "answer") == '<mark class="answer" title="b">che</mark>st'


def test_the_terminal_shows_pairs_and_paths():
    out = io.StringIO()
    ranking = Ranking(query="runny nose?", hits=[hit("chest [bold]x[/bold]")])
    Console(file=out, width=100).print(match_view(ranking, explain=True))
    text = out.getvalue()
    assert "pair 0.600  runny nose - chest" in text
    assert "(both)" in text
    assert "path 0.750" in text
    assert "[bold]x[/bold]" in text
    out = io.StringIO()
    Console(file=out, width=100).print(match_view(Ranking(query="q", hits=[])))
    assert "no answer" in out.getvalue()


def test_chinese_takes_two_columns():
    assert cells("胸a") == 3


def test_no_answer_is_certain_in_the_terminal():
    sure = GradeReason("answers", 0.9999, {"answers": 0.9999, "does not answer": 0.0001})
    console = Console(file=io.StringIO(), width=100)
    one = Hit(id="a", score=9.2, title="Rest.", reasons=(sure,))
    console.print(match_view(Ranking(query="what helps?", hits=[one])))
    assert "answers: over 0.99" in console.file.getvalue()
