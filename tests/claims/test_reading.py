"""What the rules read out of one sentence."""

from __future__ import annotations

import pytest

from osler.claims.align import align, alike
from osler.claims.heads import fit
from osler.claims.numbers import figures
from osler.claims.populations import clash
from osler.claims.reading import read
from osler.claims.rules import ruled
from osler.claims.words import stem, words


def _cues(text: str) -> list[tuple[str, int, int, bool]]:
    told = read(text)
    return [(told.words[cue.at].text, cue.direction, cue.benefit, cue.denied) for cue in told.cues]


def test_direction_and_benefit() -> None:
    assert _cues("The drug reduced mortality") == [("reduced", -1, 1, False)]
    assert _cues("The drug increased survival") == [("increased", 1, 1, False)]
    assert _cues("The drug was less effective") == [("effective", 0, -1, False)]
    assert _cues("It produced larger reductions in pain")[-1] == ("reductions", -1, 1, False)


@pytest.mark.parametrize(
    "text",
    [
        "The drug did not reduce mortality",
        "We found no evidence that the drug reduces mortality",
        "The drug failed to reduce mortality",
        "The drug neither reduced mortality nor pain",
    ],
)
def test_denied(text: str) -> None:
    assert _cues(text)[0][3]


def test_not_denied() -> None:
    assert not _cues("The drug not only reduced mortality")[0][3]
    assert not _cues("Deficiency that is not treated is associated with death")[-1][3]


def test_low_dose_is_no_denial() -> None:
    assert not _cues("Low-dose aspirin prevents stroke")[0][3]


def test_rules_turn_with_the_arm() -> None:
    claim = "Ramipril reduces mortality."
    assert ruled(claim, "Mortality was lower with ramipril than with placebo.").score > 0.5
    assert ruled(claim, "Mortality was lower with placebo than with ramipril.").score < -0.5


def test_figures() -> None:
    assert figures("12% vs 20%, p = 0.03").significant == 1
    assert figures("12% vs 20% (P > 0.05)").not_significant == 1
    assert figures("OR 0.96, 95% CI 0.89 to 1.03").not_significant == 1
    assert figures("a difference of 4.8 (95% CI 3.2 to 6.3)").significant == 1
    assert figures("12% versus 20%").first == -1


def test_counterparts() -> None:
    assert alike(stem("smokers"), stem("smoking"))
    assert alike(stem("oestrogen"), stem("estrogen"))
    assert not alike(stem("hypertension"), stem("hypotension"))
    whole = "Cognitive behavioural therapy (CBT) was tested. CBT worked."
    claim = words("Cognitive behavioural therapy works")
    assert align(claim, words("CBT worked."), whole).coverage() == 1.0


def test_populations() -> None:
    assert clash(["children"], ["adults"])
    assert not clash(["children"], ["adults", "and", "children"])
    assert not clash(["aspirin"], ["adults"])


def test_a_head_learns_and_forgets_rare_words() -> None:
    rows = [{"bias": 1.0, "x": 1.0}, {"bias": 1.0, "x": -1.0}] * 20 + [{"bias": 1.0, "n:rare": 1.0}]
    head = fit(rows, ["a", "b"] * 20 + ["a"], ("a", "b"), strength=1.0)
    assert head.probabilities({"bias": 1.0, "x": 1.0})[0] > 0.8
    assert "n:rare" not in head.weights
    weight = head.weights["x"]
    assert weight[0] == pytest.approx(-weight[1], abs=2e-3)


def test_the_lack_of_a_thing_denies_nothing_of_what_it_does() -> None:
    assert _cues("Lack of sleep increased mortality")[0][3] is False
    assert _cues("Absence of sleep increased mortality")[0][3] is False
    assert _cues("Lack of effect was seen")[0][3] is True
    assert _cues("There was a lack of clinical benefit")[0][3] is True
