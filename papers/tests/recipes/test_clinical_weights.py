"""The parts that weights and confidence are fitted on."""

from __future__ import annotations

from random import Random

from osler.records.questions import Question
from osler_papers.recipes.clinical_weights import by_template


def test_learned_and_calibrated_templates_do_not_meet() -> None:
    asked = [
        Question(id=f"q{at}", question=f"question {at}", template=f"t{at % 9}") for at in range(90)
    ]
    seen, held = by_template(asked, Random(1))
    assert len({q.template for q in held}) == 3
    assert not {q.template for q in seen} & {q.template for q in held}
    assert sorted(q.id for q in [*seen, *held]) == sorted(q.id for q in asked)
