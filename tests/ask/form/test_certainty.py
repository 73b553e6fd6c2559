"""How sure an answer is: by what it leans on, and by whether its wording was tried."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.certainty import DOUBTED, SURE, UNTRIED, confidence


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
    assert confidence(1.0, new=True) == pytest.approx(min(SURE * UNTRIED, DOUBTED))
    assert confidence(0.9, new=False) == DOUBTED
    # By hand: 0.9 * 0.81 ** 0.25 = 0.85381; 0.98 * 0.75 = 0.735; 0.98 * 0.91 * 0.8 = 0.71344.
    assert confidence(0.81, new=False, sure=0.9) == pytest.approx(0.85381, abs=1e-5)
    assert confidence(0.75, new=False) == pytest.approx(0.735)
    assert confidence(0.8, new=True) == pytest.approx(0.71344)
