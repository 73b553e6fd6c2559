"""A paper that a search brought may be about something else: then it takes no side."""

from __future__ import annotations

import pytest

from osler.claims.align import alike
from osler.claims.paper import NO_WITNESS, paper_stance
from osler.claims.verdict import MENTIONS, NO_EFFECT, REFUTES, SUPPORTS, UNCLEAR, Stance
from osler.kinds import Document, Section

ASKED = "Do probiotics reduce anxiety?"


def told_by(claim: str, text: str, title: str = "") -> Stance:
    return paper_stance(claim, Document(id="1", title=title, sections=(Section(text),)))


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
    told = told_by("Does metformin reduce mortality?", f"We gave capsules for a year. {text}")
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


def test_a_title_that_names_a_subject_states_nothing() -> None:
    paper = Document(id="1", title="Comment on association of obesity with severity of influenza")
    told = paper_stance("Obesity is associated with severity of influenza", paper)
    assert told.stance == MENTIONS
    assert told.supports == 0.0


def test_probabilities_sum_to_one_whatever_is_held_back() -> None:
    for text in ("Probiotics may reduce anxiety.", "Probiotics reduced anxiety and hens died."):
        told = told_by(ASKED, text)
        assert told.supports + told.refutes + told.neutral == pytest.approx(1.0, abs=2e-4)


def test_words_that_an_abbreviation_skips_are_not_spelled_by_it() -> None:
    """The letters of DNA stand in "Does vitamin C cause deafness", but not as its initials."""
    text = "Vitamin D deficiency may lead to cancer by failing to repair DNA damage."
    told = told_by("Does vitamin C cause deafness?", text)
    assert told.stance == MENTIONS
    assert "does not name" in told.why[0]
    claim = "Does sorafenib improve hepatocellular carcinoma?"
    known = "Sorafenib significantly improved HCC in adults."
    assert told_by(claim, known).stance == SUPPORTS


def test_a_claim_is_not_spelled_by_an_abbreviation_over_its_verb() -> None:
    """M, A, C and E stand in that order in "metformin does not reduce cancer"."""
    text = "Metformin was added. There were no significant differences in MACE and heart failure."
    told = told_by("Metformin does not reduce cancer risk", text)
    assert told.stance == MENTIONS
    assert "'cancer'" in told.why[0]


def test_a_name_is_spelled_with_the_plain_word_behind_it() -> None:
    """The T of CBT is "therapy", which alone names nothing."""
    claim = "Cognitive behavioural therapy reduces depression"
    assert told_by(claim, "CBT significantly reduced depression in adults.").stance == SUPPORTS


def test_the_claims_own_verb_joins_its_ends_in_any_tense() -> None:
    text = "Budesonide treated asthma better than placebo in 300 adults."
    paper = Document(id="1", title="Budesonide in asthma", sections=(Section(text),))
    judged = paper_stance("Budesonide treats asthma", paper)
    assert judged.stance == "supports"
    assert judged.sentence == text
    # Another verb between the ends joins nothing that the claim says.
    other = text.replace("treated", "met")
    paper = Document(id="1", title="Budesonide in asthma", sections=(Section(other),))
    assert paper_stance("Budesonide treats asthma", paper).stance == "only mentions"


@pytest.mark.parametrize(
    "sentence",
    [
        # Another thing is named by a word more.
        "Probiotics reduced anxiety-related absence in adults.",
        "Probiotic labels reduced anxiety in adults.",
        "The timing of probiotics reduced anxiety in adults.",
        "Five years of anxiety were reduced by vitamins and probiotics labels.",
        # What something is for, is thought or was done is no finding.
        "Adults bought probiotics to reduce anxiety.",
        "Probiotics are sold for reducing anxiety.",
        "Willingness to pay for probiotics reduced anxiety.",
        "Probiotics are known to reduce anxiety.",
        "It is important to know that probiotics reduced anxiety was necessary to see.",
        "Probiotics reduced anxiety when interviews were conducted.",
        # The subject says when, or is itself what changed.
        "Vitamins after probiotics reduced anxiety in adults.",
        "Adults showed increases in probiotics, and decreases in anxiety.",
        "Adults liked effective probiotics and anxiety.",
    ],
)
def test_a_sentence_that_tells_no_finding_of_the_claim_is_no_witness(sentence: str) -> None:
    assert told_by(ASKED, sentence).stance == MENTIONS


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


SAID = "Probiotics significantly reduced anxiety."
OTHER = "Adults took capsules for eight weeks. Blood was drawn. The groups were alike."


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID} We aimed to count capsules. {OTHER}",
        f"{SAID} We counted capsules in this study. {OTHER}",
        f"Background: {SAID} Methods: {OTHER} Results: Capsules were red.",
        f"{SAID} Capsules are red. {OTHER} Hens are fed.",
    ],
)
def test_the_background_is_no_finding(text: str) -> None:
    assert told_by(ASKED, text).stance == MENTIONS


@pytest.mark.parametrize(
    "text",
    [
        f"We aimed to count capsules. {OTHER} {SAID}",
        f"Background: Capsules are red. Methods: {OTHER} Results: {SAID}",
        f"Capsules are red. {OTHER} {SAID}",
        f"Capsules are red. {SAID} Hens are fed.",
    ],
)
def test_what_stands_behind_the_background_is_one(text: str) -> None:
    assert told_by(ASKED, text).why != (NO_WITNESS,)


def test_labelled_sections_tell_background_and_finding_apart() -> None:
    def told(first: str, last: str) -> Stance:
        sections = (Section(SAID, first), Section(OTHER, "METHODS"), Section("Red.", last))
        return paper_stance(ASKED, Document(id="1", sections=sections))

    assert told("BACKGROUND", "RESULTS").stance == MENTIONS
    assert told("RESULTS", "CONCLUSIONS").why != (NO_WITNESS,)


def test_a_title_that_names_an_effect_states_nothing() -> None:
    claim = "Probiotics improve memory"
    for title, stated in (
        ("Effectiveness of probiotics on memory: a review", False),
        ("Probiotics: effects on memory, and benefits of sleep", False),
        ("Probiotics improved memory in adults", True),
        ("Probiotics may improve memory", True),
    ):
        told = paper_stance(claim, Document(id="1", title=title))
        assert (told.why != (NO_WITNESS,)) == stated, title


def test_an_alternative_that_is_denied_denies_nothing() -> None:
    told = told_by(ASKED, "Old but not new probiotics did not reduce anxiety in adults.")
    assert told.stance == UNCLEAR
    assert told.why[-1] == "what is denied is an alternative"


def test_one_word_is_not_spelled_by_an_abbreviation() -> None:
    """P, C and I stand in "preeclampsia"; T, A and C in "the risk of cancer"."""
    told = told_by("Does aspirin prevent preeclampsia?", "Aspirin reduced bleeding after PCI.")
    assert "'preeclampsia'" in told.why[0]
    told = told_by("Aspirin increases the risk of cancer", "Aspirin increased TAC in adults.")
    assert "'cancer'" in told.why[0]


def test_what_is_important_does_not_refute_an_increase() -> None:
    text = "The impact of alcohol on weight highlights the importance of care in liver disease."
    assert told_by("Alcohol increases the risk of liver disease", text).refutes < 0.6


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
    assert told_by(claim, text).stance == SUPPORTS


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # What ought to be is no finding.
        ("Do statins lower cholesterol?", "Lowering cholesterol with statins should benefit all."),
        # The mention that stands nearest to the statement is part of another name.
        (
            "Do statins lower cholesterol?",
            "Statin use raised glucose, but we saw no benefit of a statin-induced decrease of "
            "cholesterol.",
        ),
        ("Does exercise reduce depression?", "Physical therapy reduced depression."),
        # What others have found.
        (
            "Does exercise reduce depression?",
            "Exercise has recently been shown to reduce depression.",
        ),
        (
            "Does exercise reduce depression?",
            "Previously published trials of exercise reduced depression.",
        ),
    ],
)
def test_what_only_sounds_like_it_is_not(claim: str, text: str) -> None:
    assert told_by(claim, text).stance == MENTIONS


def test_a_modest_improvement_is_one() -> None:
    told = told_by("Does yoga improve sleep?", "Yoga led to modest improvements in sleep.")
    assert told.refutes < 0.3
    denied = told_by("Does yoga improve sleep?", "Yoga was of limited benefit for sleep.")
    assert denied.supports < 0.3


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
        "Developing habits with probiotics is recommended for improving anxiety in women.",
        "The agency recommends probiotics to those who have anxiety.",
        "Probiotics are needed against anxiety.",
    ],
)
def test_what_is_recommended_is_no_finding(text: str) -> None:
    assert told_by(ASKED, "We gave capsules for a year. " + text).stance == MENTIONS


def test_a_claim_of_what_is_needed_is_told_by_what_is_needed() -> None:
    told = told_by(
        "Vaccination is needed in asthma.", "We found that vaccination is needed in asthma."
    )
    assert told.supports > told.refutes


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
        "Our survey comprised questions on probiotics that changed in importance and on anxiety.",
        "Participants rated how important probiotics were for reduced anxiety.",
    ],
)
def test_what_people_were_asked_is_no_finding(text: str) -> None:
    told = told_by(ASKED, "We studied adults. " + text)
    assert told.stance == MENTIONS


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


def test_an_abbreviation_is_what_its_paper_says() -> None:
    found = "We treated 60 adults. MT reduced pain in these adults."
    own = f"We compared music therapy (MT) with rest. {found}"
    other = f"We compared manual therapy (MT) with rest, not with music. {found}"
    claim = "Does music therapy reduce pain?"
    assert told_by(claim, own).supports > 0.5
    assert told_by(claim, other).stance == MENTIONS


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


def test_living_is_not_dying() -> None:
    claim = "Is frailty a predictor of mortality?"
    text = "We followed 300 adults. Frailty was a predictor of {}."
    assert told_by(claim, text.format("death")).supports > 0.5
    assert told_by(claim, text.format("activities of daily living")).stance == MENTIONS
    assert told_by(claim, text.format("quality of life")).stance == MENTIONS
    saved = told_by("Do statins reduce mortality?", "We treated 300 adults. Statins saved lives.")
    assert "does not name" not in " ".join(saved.why)


@pytest.mark.parametrize(
    "text",
    [
        # What others have found.
        "Some studies have shown that probiotics can reduce anxiety.",
        "Several recent reports have linked probiotics to reduced anxiety.",
        # Of what something else is.
        "The cost of primary prevention of anxiety in adults was lowest with probiotics.",
    ],
)
def test_what_is_not_the_paper_s_own_finding_takes_no_side(text: str) -> None:
    told = told_by("Do probiotics prevent anxiety?", f"We gave capsules to adults. {text}")
    assert told.stance == MENTIONS
    own = "We gave capsules to adults. Prevention of anxiety was achieved with probiotics."
    assert told_by("Do probiotics prevent anxiety?", own).why != (NO_WITNESS,)


def test_after_an_operation_is_no_operation() -> None:
    text = "We treated 80 adults. A nerve block reduced postoperative pain and opioids after it."
    assert "does not name" in told_by("Does surgery improve pain?", text).why[0]


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


def test_what_is_said_of_any_treatment_need_not_be_repeated() -> None:
    told = told_by(
        "Exercise treatment improves sleep", "We saw 300 adults. Exercise improved sleep."
    )
    assert told.why != (NO_WITNESS,)


def test_words_that_name_little_are_found() -> None:
    text = "We followed 300 adults. Early diagnosis improved the outcomes."
    assert told_by("Does early diagnosis improve outcomes?", text).supports > 0.5
    text = "We followed 300 adults. Iron was effective in women with anemia."
    assert told_by("Is iron effective in anemia?", text).why != (NO_WITNESS,)
