"""Small parts of the rules by themselves."""

from __future__ import annotations

import pytest

from osler.claims.reading import read
from osler.claims.rules import deprived, main_cue
from osler.claims.words import words


@pytest.mark.parametrize(
    ("text", "place", "lacking"),
    [
        ("Low vitamin levels increased mortality", 1, True),
        ("Lower fibre intake increased mortality", 1, True),
        ("Low cost exercise increased survival", 2, False),
        ("Lack of sleep increased mortality", 2, True),
    ],
)
def test_a_low_amount_is_a_lack(text: str, place: int, lacking: bool) -> None:
    assert deprived(words(text), [place]) is lacking


def test_what_stands_behind_a_colon_makes_the_claim() -> None:
    claim = read("Reduced mortality in adults: screening increases survival")
    assert claim.words[main_cue(claim).at].text == "increases"
    assert claim.words[main_cue(read("Reduced mortality in adults")).at].text == "Reduced"
