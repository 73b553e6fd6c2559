"""A paper that a search brought may be about something else: then it takes no side."""

from __future__ import annotations

import pytest

from claim_samples import ASKED, heard_in, told_by
from osler.claims.paper import NO_WITNESS
from osler.claims.verdict import MENTIONS, NO_EFFECT, REFUTES, SUPPORTS, UNCLEAR


@pytest.mark.parametrize(
    ("text", "why"),
    [
        # The other end is missing.
        (
            "We fed probiotics to hens for a year. Probiotics reduced pathogens and improved eggs.",
            "does not name 'anxiety'",
        ),
        # Both are there, and nothing says one of the other.
        ("Anxiety was common among the farmers. Probiotics reduced pathogens in hens.", NO_WITNESS),
        ("We studied whether probiotics reduce anxiety. Hens were fed for a year.", NO_WITNESS),
        ("We hypothesized that probiotics reduce anxiety in hens.", NO_WITNESS),
        ("Further studies are needed on probiotics that reduce anxiety.", NO_WITNESS),
        ("Do probiotics reduce anxiety?", NO_WITNESS),
        # One statement, and both ends on one side of it.
        ("Probiotics and anxiety were associated with obesity in adults.", NO_WITNESS),
        # A list names the subject behind the statement.
        ("Women spoke of anxiety reduction, probiotics, and sleep.", NO_WITNESS),
        # The subject only says when.
        ("During probiotics coffee reduced anxiety in adults.", NO_WITNESS),
        # What acts stands in a later clause.
        ("Confinement reduced anxiety, but probiotics were sold.", NO_WITNESS),
    ],
)
def test_a_text_about_something_else_takes_no_side(text: str, why: str) -> None:
    told = told_by(ASKED, text)
    assert told.stance == MENTIONS
    assert told.supports == told.refutes == 0.0
    assert told.neutral == 1.0
    assert why in told.why[0]


def test_a_text_that_says_it_keeps_its_side() -> None:
    before = "Adults took capsules for eight weeks."
    said = "Probiotics significantly reduced anxiety."
    told = told_by(ASKED, f"{before} {said}", "Capsules in adults")
    assert told.stance == SUPPORTS
    assert told.supports > 0.6
    assert told.why == ()
    assert told.sentence == said
    whole = f"Capsules in adults\n{before} {said}"
    assert whole[told.start : told.end] == said


def test_a_text_that_denies_it_refutes_it() -> None:
    text = "Adults took capsules. Probiotics did not significantly reduce anxiety in adults."
    told = told_by(ASKED, text)
    assert told.stance in (REFUTES, NO_EFFECT)
    assert told.refutes > 0.6


def test_what_holds_whatever_else_is_so_is_not_denied() -> None:
    text = "Compared to others, smokers had increased mortality, irrespective of age."
    told = told_by("Smoking increases mortality", text)
    assert told.refutes < 0.5


def test_never_smokers_are_a_group_and_deny_nothing() -> None:
    text = "Compared to never smokers, smokers had increased mortality."
    told = told_by("Smoking increases mortality", text)
    assert told.supports > told.refutes


def test_a_comparison_needs_a_sentence_that_compares() -> None:
    claim = "Robotic surgery is better than laparoscopic surgery"
    other = "Robotic surgery improved after laparoscopic surgery was taught."
    assert told_by(claim, other).why == (NO_WITNESS,)
    said = "Robotic surgery was better than laparoscopic surgery."
    assert told_by(claim, said).stance == SUPPORTS


def test_sentences_that_say_opposite_things_leave_it_unclear() -> None:
    text = "Probiotics significantly reduced anxiety. Probiotics significantly increased anxiety."
    told = told_by(ASKED, text)
    assert told.stance == UNCLEAR
    assert max(told.supports, told.refutes) < 0.5
    assert told.why[-1] == "sentences of the paper say opposite things"


def test_probabilities_sum_to_one_whatever_is_held_back() -> None:
    for text in ("Probiotics may reduce anxiety.", "Probiotics reduced anxiety and hens died."):
        told = told_by(ASKED, text)
        assert told.supports + told.refutes + told.neutral == pytest.approx(1.0, abs=2e-4)


def test_an_alternative_that_is_denied_denies_nothing() -> None:
    told = told_by(ASKED, "Old but not new probiotics did not reduce anxiety in adults.")
    assert told.stance == UNCLEAR
    assert told.why[-1] == "what is denied is an alternative"


def test_what_is_important_does_not_refute_an_increase() -> None:
    text = "The impact of alcohol on weight highlights the importance of care in liver disease."
    assert told_by("Alcohol increases the risk of liver disease", text).refutes < 0.6


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Does metformin treat diabetes?", "Metformin is an effective treatment of diabetes."),
        ("Does obesity worsen COVID-19?", "Obesity is a risk factor for severe COVID-19."),
        (
            "Does exercise reduce depression?",
            "The findings confirm the benefits of exercise as a treatment for depression.",
        ),
        ("Does exercise reduce depression?", "Physical activity reduced depression."),
    ],
)
def test_plain_statements_are_heard(claim: str, text: str) -> None:
    assert heard_in(claim, text).stance == SUPPORTS


def test_a_modest_improvement_is_one() -> None:
    told = told_by("Does yoga improve sleep?", "Yoga led to modest improvements in sleep.")
    assert told.refutes < 0.3
    denied = told_by("Does yoga improve sleep?", "Yoga was of limited benefit for sleep.")
    assert denied.supports < 0.3


@pytest.mark.parametrize(
    "sentence",
    [
        "Tumors were larger than 2 cm, and alcohol consumers had more chance of breast cancer.",
        "Most were older than others; alcohol consumers had a higher risk of breast cancer.",
    ],
)
def test_a_comparison_of_something_else_turns_nothing(sentence: str) -> None:
    told = told_by(
        "Alcohol consumption increases the risk of breast cancer.",
        "We followed women for a year. " + sentence,
    )
    assert told.stance not in (REFUTES, NO_EFFECT)


def test_a_comparison_with_the_other_arm_turns() -> None:
    told = told_by(
        "Alcohol increases the risk of breast cancer compared with tea.",
        "We followed women for a year. Tea increased the risk of breast cancer more than alcohol.",
    )
    assert told.stance not in (SUPPORTS,)


def test_the_lack_of_a_thing_that_harms_does_not_refute_that_it_helps() -> None:
    told = told_by(
        "Vitamin C reduces mortality.",
        "We followed adults for a year. Lack of vitamin C increased mortality.",
    )
    assert told.supports > told.refutes
    harmful = told_by(
        "Vitamin C reduces mortality.",
        "We followed adults for a year. Vitamin C increased mortality.",
    )
    assert harmful.stance == REFUTES
