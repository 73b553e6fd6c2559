"""Which sentences tell what a paper found."""

from __future__ import annotations

import pytest

from claim_samples import ASKED, told_by
from osler.claims.paper import NO_WITNESS, paper_stance
from osler.claims.verdict import MENTIONS, Stance
from osler.kinds import Document, Section


def test_a_title_that_names_a_subject_states_nothing() -> None:
    paper = Document(id="1", title="Comment on association of obesity with severity of influenza")
    told = paper_stance("Obesity is associated with severity of influenza", paper)
    assert told.stance == MENTIONS
    assert told.supports == 0.0


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
    "text",
    [
        "Our survey comprised questions on probiotics that changed in importance and on anxiety.",
        "Participants rated how important probiotics were for reduced anxiety.",
    ],
)
def test_what_people_were_asked_is_no_finding(text: str) -> None:
    told = told_by(ASKED, "We studied adults. " + text)
    assert told.stance == MENTIONS


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
