"""A text that a search brought may be about something else: then it takes no side."""

from __future__ import annotations

import pytest

from osler.claims.judge import stance
from osler.claims.paper import paper_stance
from osler.claims.verdict import MENTIONS, SUPPORTS
from osler.kinds import Document, Section

ASKED = "Do probiotics reduce anxiety?"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        # The other end is missing.
        (
            "We fed probiotics to hens for a year. Probiotics reduced pathogens and improved eggs.",
            "does not name",
        ),
        # Both are there, and nothing says one of the other.
        (
            "Anxiety was common among the farmers. Probiotics reduced pathogens in hens.",
            "no sentence of the text has both ends",
        ),
    ],
)
def test_a_text_about_something_else_takes_no_side(text: str, why: str) -> None:
    told = stance(ASKED, text, searched=True)
    assert told.supports < 0.3
    assert told.stance != SUPPORTS
    assert why in told.why[0]


def test_a_text_that_says_it_keeps_its_side() -> None:
    text = "Adults took capsules for eight weeks. Probiotics significantly reduced anxiety."
    told = stance(ASKED, text, searched=True)
    assert told.stance == SUPPORTS
    assert told.supports > 0.6
    assert told.why == ()


def test_a_long_end_may_leave_a_word_out() -> None:
    claim = "Does physical exercise improve sleep quality?"
    said = "In this trial exercise significantly improved sleep quality in adults."
    assert stance(claim, said, searched=True).stance == SUPPORTS
    other = "In this trial quality of life was measured. Exercise improved the quality of life."
    assert stance(claim, other, searched=True).stance != SUPPORTS


def test_a_title_that_names_a_subject_states_nothing() -> None:
    paper = Document(id="1", title="Comment on association of obesity with severity of influenza")
    told = paper_stance("Obesity is associated with severity of influenza", paper)
    assert told.stance == MENTIONS
    assert told.supports == 0.0


def test_papers_are_judged_as_what_a_search_brought() -> None:
    text = "Probiotics reduced pathogens in hens. Probiotics improved the hens' eggs."
    paper = Document(id="1", title="Probiotics for hens.", sections=(Section(text),))
    assert paper_stance(ASKED, paper).supports < 0.3


def test_words_that_an_abbreviation_skips_are_not_spelled_by_it() -> None:
    """The letters of DNA stand in "Does vitamin C cause deafness", but not as its initials."""
    text = "Vitamin D deficiency may lead to cancer by failing to repair DNA damage."
    told = stance("Does vitamin C cause deafness?", text, searched=True)
    assert max(told.supports, told.refutes) < 0.3
    assert "does not name" in told.why[0]
    claim = "Does sorafenib improve hepatocellular carcinoma?"
    known = "Sorafenib significantly improved HCC in adults."
    assert stance(claim, known, searched=True).stance == SUPPORTS
