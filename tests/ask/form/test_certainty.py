"""How sure an answer is: by what it leans on, and by whether its wording was tried."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.certainty import LIKELY, OPEN, SURE, confidence


@pytest.mark.parametrize(
    "question",
    [
        "Was MRN-7's creatinine lower in 2018 than in 2021?",
        "Who is without a high creatinine?",
        "Who has hypertension or asthma and takes apixaban?",
    ],
)
def test_what_leans_on_a_guess_stays_under_nine_tenths(asked: FormAnswerer, question: str) -> None:
    answer = asked.ask(question)
    assert answer.answers
    assert answer.confidence < 0.9


def test_confidence_by_wording_and_doubt() -> None:
    assert confidence(1.0, new=False) == SURE
    assert confidence(1.0, new=True) == LIKELY
    assert confidence(0.91, new=False) == LIKELY
    assert confidence(0.91, new=True) == OPEN
    # A strong doubt is enough by itself, a slight one adds nothing to a new wording.
    assert [confidence(rest, new=False) for rest in (0.8, 0.81)] == [OPEN, LIKELY]
    assert [confidence(rest, new=True) for rest in (0.95, 0.94)] == [LIKELY, OPEN]
    assert confidence(1.0, new=True, levels=(0.7, 0.6, 0.5)) == 0.6
    assert SURE >= 0.9 > LIKELY > OPEN
