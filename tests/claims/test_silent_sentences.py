"""A sentence that asks, or says that nobody knows, carries no side."""

import pytest

import osler
from osler.claims.conclusion import states_nothing

CLAIM = "Vitamin D deficiency increases susceptibility to COVID-19"


@pytest.mark.parametrize(
    "text",
    [
        "Can vitamin D deficiency increase the susceptibility to COVID-19?",
        "There are no definitive data on whether vitamin D deficiency increases susceptibility to "
        "COVID-19.",
        "There is no conclusive evidence that vitamin D deficiency increases susceptibility to "
        "COVID-19.",
    ],
)
def test_no_side_is_taken(text):
    told = osler.stance(CLAIM, text)
    assert told.neutral > 0.5
    assert max(told.supports, told.refutes) < 0.4
    assert told.why


def test_what_states_it_takes_a_side():
    told = osler.stance(
        CLAIM, "Vitamin D deficiency significantly increased susceptibility to COVID-19."
    )
    assert told.supports > 0.6


def test_another_sentence_carries_it():
    told = osler.stance(
        CLAIM,
        "Does vitamin D deficiency increase susceptibility to COVID-19? "
        "Vitamin D deficiency significantly increased susceptibility to COVID-19.",
    )
    assert not told.sentence.endswith("?")
    assert told.supports > 0.6


@pytest.mark.parametrize("sentence", ["Is it so?", "是否有效？", 'They asked "is it so?"'])
def test_a_question_by_its_mark(sentence):
    assert states_nothing(sentence)
