"""Whether a sentence says one end of a claim of the other."""

from __future__ import annotations

import pytest

from claim_samples import ASKED, heard_in, told_by
from osler.claims.paper import NO_WITNESS, leaning, paper_stance
from osler.claims.verdict import MENTIONS, SUPPORTS, UNCLEAR
from osler.kinds import Document, Section


@pytest.mark.parametrize(
    "text",
    [
        "The strongest risk factors for admission were diabetes (RR 4.6) and obesity (RR 3.1), and "
        "the strongest risk factors for death were age and heart failure.",
        "Obesity was common, and diabetes was a risk factor for death.",
        "Obesity was a risk factor for admission, whereas age was a risk factor for death.",
        "Admission was linked to obesity, but smoking was a risk factor for death.",
    ],
)
def test_two_statements_of_one_sentence_are_two(text: str) -> None:
    told = told_by("Is obesity a risk factor for death?", f"We followed 300 adults. {text}")
    assert told.stance == MENTIONS
    assert told.why == (NO_WITNESS,)


@pytest.mark.parametrize(
    "text",
    [
        # One subject, and a second verb.
        "Obesity was common, and clearly was a risk factor for death.",
        "Obesity was common, and was a risk factor for death.",
        # A list is one subject.
        "We found that obesity, age, and smoking were risk factors for death.",
        "Obesity, age, and heart failure were risk factors for death.",
        # The second statement names it again.
        "Obesity was common, and obesity was a risk factor for death.",
        "Age was a risk factor for admission, and obesity was a risk factor for death.",
    ],
)
def test_a_sentence_of_several_parts_joins_what_one_of_them_joins(text: str) -> None:
    told = told_by("Is obesity a risk factor for death?", f"We followed 300 adults. {text}")
    assert told.supports > told.refutes
    assert told.why != (NO_WITNESS,)


@pytest.mark.parametrize(
    "text",
    [
        "Metformin has no impact on nitric oxide production in patients with diabetes.",
        "Metformin had no significant effect on sleep among adults with diabetes.",
        "Metformin did not change bone density in women with type 2 diabetes.",
        "Metformin has no impact on nitric oxide production in diabetes patients.",
    ],
)
@pytest.mark.parametrize("claim", ["Does metformin treat diabetes?", "Metformin treats diabetes."])
def test_what_was_found_in_patients_with_an_illness_is_not_said_of_the_illness(
    claim: str, text: str
) -> None:
    told = told_by(claim, f"We gave capsules to adults for a year. {text}")
    assert told.stance == MENTIONS
    assert told.supports == told.refutes == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "As add-on therapy to metformin, there were no significant differences in mortality "
        "between two other drugs.",
        "Sitagliptin added to metformin reduced mortality.",
        "On top of metformin, sitagliptin reduced mortality.",
        "Compared with metformin, sitagliptin reduced mortality.",
    ],
)
def test_what_another_is_added_to_or_held_against_has_no_effect_of_its_own(text: str) -> None:
    told = told_by("Does metformin reduce mortality?", f"We gave capsules for a year. {text}")
    assert told.stance in (MENTIONS, UNCLEAR)


@pytest.mark.parametrize(
    "text",
    [
        "The addition of metformin reduced mortality.",
        "Compared with placebo, metformin reduced mortality.",
    ],
)
def test_what_is_added_has_its_own_effect(text: str) -> None:
    told = heard_in("Does metformin reduce mortality?", f"We gave capsules for a year. {text}")
    assert told.stance == SUPPORTS


@pytest.mark.parametrize(
    "text",
    [
        "Metformin reduced mortality in patients with diabetes.",
        "In patients with diabetes metformin reduced mortality.",
    ],
)
def test_what_is_asked_for_may_be_found_in_patients(text: str) -> None:
    told = told_by("Metformin reduces mortality.", f"We gave capsules for a year. {text}")
    assert told.stance == SUPPORTS


def test_the_claims_own_verb_joins_its_ends_in_any_tense() -> None:
    text = "Budesonide treated asthma better than placebo in 300 adults."
    paper = Document(id="1", title="Budesonide in asthma", sections=(Section(text),))
    judged = leaning("Budesonide treats asthma", paper)
    assert judged.stance == "supports"
    assert judged.sentence == text
    # Another verb between the ends joins nothing that the claim says.
    other = text.replace("treated", "met")
    paper = Document(id="1", title="Budesonide in asthma", sections=(Section(other),))
    assert paper_stance("Budesonide treats asthma", paper).stance == "only mentions"


def test_what_something_is_of_is_told_over_an_adjective_but_not_over_a_mark() -> None:
    for sentence, heard in (
        ("The timing of oral probiotics significantly reduced anxiety.", False),
        ("Out of town, probiotics significantly reduced anxiety.", True),
    ):
        assert (told_by(ASKED, sentence).why != (NO_WITNESS,)) == heard, sentence


def test_an_end_in_another_clause_than_the_statement_is_not_joined() -> None:
    text = "Probiotics reduced weight, whereas anxiety stayed."
    assert told_by(ASKED, text).why == (NO_WITNESS,)


def test_the_claims_own_verb_states_though_it_names_something() -> None:
    told = told_by("Probiotics treat anxiety", "Probiotics treated anxiety successfully.")
    assert told.why != (NO_WITNESS,)


@pytest.mark.parametrize(
    "text",
    [
        "Co-supplementation with magnesium and melatonin improved sleep.",
        "Combined melatonin and magnesium improved sleep.",
        "The combination of magnesium with melatonin improved sleep.",
        "Melatonin plus magnesium improved sleep.",
        "Magnesium plus melatonin improved sleep.",
        "Melatonin combined with magnesium improved sleep.",
        "Melatonin in combination with magnesium improved sleep.",
    ],
)
def test_what_two_did_together_is_no_effect_of_one(text: str) -> None:
    frame = "We gave capsules to adults for a year. "
    assert told_by("Melatonin improves sleep.", frame + text).stance == MENTIONS
    if not text.startswith("The combination"):
        both = told_by("Melatonin and magnesium improve sleep.", frame + text)
        assert both.supports > both.refutes


@pytest.mark.parametrize(
    "text",
    [
        "Melatonin improved sleep.",
        "Melatonin and magnesium improved sleep.",
        "Magnesium plus melatonin improved sleep over magnesium alone.",
    ],
)
def test_what_one_did_beside_another_is_an_effect_of_it(text: str) -> None:
    told = told_by("Melatonin improves sleep.", "We gave capsules for a year. " + text)
    assert told.supports > told.refutes


@pytest.mark.parametrize(
    "text",
    [
        "Low weight increased mortality after adjustment for age, sex, frailty and smoking.",
        "After adjusting for age and frailty, low weight increased mortality.",
        "Controlled for frailty, low weight increased mortality.",
    ],
)
def test_what_was_held_equal_is_not_spoken_of(text: str) -> None:
    told = told_by("Frailty increases mortality.", "We followed adults for a year. " + text)
    assert told.stance == MENTIONS


def test_an_adjusted_finding_is_a_finding() -> None:
    told = told_by(
        "Frailty increases mortality.",
        "We followed adults for a year. After adjustment for age, frailty increased mortality.",
    )
    assert told.supports > told.refutes


@pytest.mark.parametrize(
    "text",
    [
        "The results showed more anxiety and a lower quality of life in nurses.",
        "Nurses had a significantly higher anxiety level and lower quality of life.",
    ],
)
def test_two_things_that_changed_together_say_nothing_of_each_other(text: str) -> None:
    told = told_by("Does anxiety reduce quality of life?", f"We followed 300 nurses. {text}")
    assert told.stance == MENTIONS
    own = told_by(
        "Does anxiety reduce quality of life?",
        "We followed 300 nurses. Anxiety was common and reduced their quality of life.",
    )
    assert own.supports > 0.5


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # A word that names little by itself is a part of the claim.
        ("Does early diagnosis improve outcomes?", "Screening enables early diagnosis and advice."),
        ("Does early diagnosis improve outcomes?", "Early speech improved the outcomes."),
        # A conclusion of its own.
        (
            "Does cannabis reduce pain?",
            "This relationship does not appear to differ between people with severe pain versus "
            "less pain, suggesting that cannabis is not used as a substitute.",
        ),
        # Whom it serves better.
        ("Does iron improve anemia?", "Iron was more effective among women who had anemia."),
        # What a paper is good for.
        (
            "Does fiber reduce obesity?",
            "These findings provide a theoretical foundation for strategies, and obesity was "
            "reduced by fiber.",
        ),
    ],
)
def test_a_statement_of_something_beside_the_claim_takes_no_side(claim: str, text: str) -> None:
    assert told_by(claim, f"We followed 300 adults. {text}").stance == MENTIONS
