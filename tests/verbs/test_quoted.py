"""A quote that does not speak to a question answers nothing, whatever words it holds."""

from __future__ import annotations

import pytest

from osler.verbs.quoted import speaks_to


@pytest.mark.parametrize(
    ("question", "sentence", "why"),
    [
        (
            "Does obesity worsen COVID-19?",
            "During the COVID-19 quarantine, the proportion of boys with overweight and obesity "
            "increased (P = 0.036).",
            "time or the condition",
        ),
        (
            "Does the COVID-19 pandemic increase anxiety?",
            "The number of comorbidities significantly increased the chance of abnormal anxiety "
            "levels in pregnant mothers during the COVID-19 pandemic.",
            "time or the condition",
        ),
        (
            "Does vitamin D prevent severe COVID-19?",
            "Low plasma estrogens, vitamin D deficiency, obesity, and impaired microcirculation "
            "are linked to the severity of COVID-19.",
            "go together",
        ),
        (
            "Does exercise reduce depression?",
            "Combined intervention for exercise habits, dietary habits, and depression management "
            "is needed for effective health management.",
            "in one list",
        ),
        (
            "Do masks reduce transmission of SARS-CoV-2?",
            "This paper aims to investigate the effectiveness of masks for reducing the spread of "
            "SARS-CoV-2 infections.",
            "to be found out",
        ),
        (
            "Does melatonin improve sleep?",
            "We investigated whether melatonin improves sleep in shift workers.",
            "to be found out",
        ),
    ],
)
def test_words_alone_do_not_answer(question, sentence, why):
    assert why in speaks_to(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Does melatonin improve sleep?", "Melatonin improved sleep in shift workers."),
        ("Does melatonin improve sleep?", "Melatonin did not improve sleep."),
        ("Does sleep improve sleep?", "Sleep improved."),
        ("Does melatonin improve sleep?", "Sleep was better with melatonin than with placebo."),
        ("Does exercise reduce depression?", "Exercise for depression is effective."),
        ("Does exercise reduce depression?", "Exercise was linked to reduced depression."),
        (
            "Do masks reduce transmission of SARS-CoV-2?",
            "Masks are a vital tool for limiting SARS-CoV-2 spread in the population.",
        ),
        (
            "Is smoking associated with lung cancer?",
            "Smoking was associated with lung cancer in this cohort.",
        ),
        (
            "Did anxiety increase during the COVID-19 pandemic?",
            "Anxiety increased during the COVID-19 pandemic.",
        ),
        (
            "Does tocilizumab reduce mortality in COVID-19?",
            "A reduced risk of death was not confirmed, which questions the efficacy of "
            "tocilizumab in persons with COVID-19.",
        ),
    ],
)
def test_what_states_it_may_answer(question, sentence):
    assert speaks_to(question, sentence) == ""


def test_a_title_that_names_a_purpose_states_nothing():
    question = "Do masks reduce transmission of the coronavirus?"
    title = (
        "Transparent film as an alternative to face masks for decreasing coronavirus transmission."
    )
    assert speaks_to(question, title, title=True) == "the title names a purpose"
    assert speaks_to(question, title) == ""
    finding = "Masks reduce transmission of the coronavirus in schools."
    assert speaks_to(question, finding, title=True) == ""
