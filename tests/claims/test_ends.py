"""What names an end of a claim, and what only looks like it."""

from __future__ import annotations

import pytest

from claim_samples import ASKED, heard_in, told_by
from osler.claims.align import alike
from osler.claims.paper import NO_WITNESS
from osler.claims.verdict import MENTIONS, SUPPORTS


def test_a_shared_beginning_is_no_counterpart() -> None:
    text = "There is no strong evidence on effects of hypertension."
    told = told_by("Hypertension increases the risk of stroke", text)
    assert "'stroke'" in told.why[0]


def test_a_long_end_may_leave_a_word_out() -> None:
    claim = "Does physical exercise improve sleep quality?"
    said = "In this trial exercise significantly improved sleep quality in adults."
    assert told_by(claim, said).stance == SUPPORTS
    other = "In this trial quality of life was measured. Exercise improved the quality of life."
    assert told_by(claim, other).stance == MENTIONS


def test_the_head_of_an_end_must_be_named() -> None:
    """Two words of three are not enough where the third is the one that counts."""
    claim = "COVID-19 vaccination causes myocarditis"
    other = "In two patients COVID-19 infection caused severe myocarditis."
    assert told_by(claim, other).stance == MENTIONS
    assert "vaccination" in told_by(claim, other).why[0]
    said = "In two patients COVID-19 vaccination caused severe myocarditis."
    assert told_by(claim, said).stance == SUPPORTS


def test_words_that_an_abbreviation_skips_are_not_spelled_by_it() -> None:
    """The letters of DNA stand in "Does vitamin C cause deafness", but not as its initials."""
    text = "Vitamin D deficiency may lead to cancer by failing to repair DNA damage."
    told = told_by("Does vitamin C cause deafness?", text)
    assert told.stance == MENTIONS
    assert "does not name" in told.why[0]
    claim = "Does sorafenib improve hepatocellular carcinoma?"
    known = "Sorafenib significantly improved HCC in adults."
    assert heard_in(claim, known).stance == SUPPORTS


def test_a_claim_is_not_spelled_by_an_abbreviation_over_its_verb() -> None:
    """M, A, C and E stand in that order in "metformin does not reduce cancer"."""
    text = "Metformin was added. There were no significant differences in MACE and heart failure."
    told = told_by("Metformin does not reduce cancer risk", text)
    assert told.stance == MENTIONS
    assert "'cancer'" in told.why[0]


def test_a_name_is_spelled_with_the_plain_word_behind_it() -> None:
    """The T of CBT is "therapy", which alone names nothing."""
    claim = "Cognitive behavioural therapy reduces depression"
    assert heard_in(claim, "CBT significantly reduced depression in adults.").stance == SUPPORTS


@pytest.mark.parametrize(
    "sentence",
    [
        "Probiotics were found to significantly reduce anxiety in adults.",
        "The use of probiotics significantly reduced anxiety in adults.",
        "Probiotics significantly reduced anxiety symptoms in adults.",
    ],
)
def test_light_words_leave_a_name_what_it_is(sentence: str) -> None:
    assert told_by(ASKED, sentence).supports > 0.5


def test_one_word_is_not_spelled_by_an_abbreviation() -> None:
    """P, C and I stand in "preeclampsia"; T, A and C in "the risk of cancer"."""
    told = told_by("Does aspirin prevent preeclampsia?", "Aspirin reduced bleeding after PCI.")
    assert "'preeclampsia'" in told.why[0]
    told = told_by("Aspirin increases the risk of cancer", "Aspirin increased TAC in adults.")
    assert "'cancer'" in told.why[0]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("prednison", "prednisolon", False),
        ("behavior", "behaviour", True),
        ("asthma", "asthmat", True),
        ("therapi", "therapeut", True),
        ("immunis", "immuniz", True),
    ],
)
def test_names_of_one_family_are_not_one_name(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same


def test_an_abbreviation_is_what_its_paper_says() -> None:
    found = "We treated 60 adults. MT reduced pain in these adults."
    own = f"We compared music therapy (MT) with rest. {found}"
    other = f"We compared manual therapy (MT) with rest, not with music. {found}"
    claim = "Does music therapy reduce pain?"
    assert told_by(claim, own).supports > 0.5
    assert told_by(claim, other).stance == MENTIONS


def test_living_is_not_dying() -> None:
    claim = "Is frailty a predictor of mortality?"
    text = "We followed 300 adults. Frailty was a predictor of {}."
    assert told_by(claim, text.format("death")).supports > 0.5
    assert told_by(claim, text.format("activities of daily living")).stance == MENTIONS
    assert told_by(claim, text.format("quality of life")).stance == MENTIONS
    saved = told_by("Do statins reduce mortality?", "We treated 300 adults. Statins saved lives.")
    assert "does not name" not in " ".join(saved.why)


def test_after_an_operation_is_no_operation() -> None:
    text = "We treated 80 adults. A nerve block reduced postoperative pain and opioids after it."
    assert "does not name" in told_by("Does surgery improve pain?", text).why[0]


def test_what_is_said_of_any_treatment_need_not_be_repeated() -> None:
    told = told_by(
        "Exercise treatment improves sleep", "We saw 300 adults. Exercise improved sleep."
    )
    assert told.why != (NO_WITNESS,)


def test_words_that_name_little_are_found() -> None:
    text = "We followed 300 adults. Early diagnosis improved the outcomes."
    assert heard_in("Does early diagnosis improve outcomes?", text).supports > 0.5
    text = "We followed 300 adults. Iron was effective in women with anemia."
    assert told_by("Is iron effective in anemia?", text).why != (NO_WITNESS,)
