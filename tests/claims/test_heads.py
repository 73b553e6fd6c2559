"""Linear heads: words by how much they tell, several heads in one, and what teaches the topic."""

from __future__ import annotations

import math

import pytest

from osler.claims.examples import Question, topic_examples
from osler.claims.heads import LinearHead, fit, fit_telling, mean_head
from osler.claims.judge import ANSWERED, _meant


def test_the_mean_of_heads_has_the_mean_of_their_scores() -> None:
    one = LinearHead(("a", "b"), {"bias": (1.0, 0.0), "w:x": (2.0, -2.0)})
    two = LinearHead(("a", "b"), {"bias": (0.0, 1.0), "w:y": (4.0, 0.0)})
    both = mean_head([one, two])
    features = {"bias": 1.0, "w:x": 1.0, "w:y": 1.0}
    expected = (one.scores(features) + two.scores(features)) / 2
    assert both.scores(features) == pytest.approx(expected)
    assert both.classes == ("a", "b")


def test_a_word_that_tells_nothing_gets_no_weight() -> None:
    rows = [{"bias": 1.0, "w:both": 1.0, "w:yes": 1.0}] * 8
    rows += [{"bias": 1.0, "w:both": 1.0, "w:no": 1.0}] * 8
    labels = ["yes"] * 8 + ["no"] * 8
    head = fit_telling(rows, labels, ("yes", "no"))
    assert head.weights["w:both"] == (0.0, 0.0)
    assert head.weights["w:yes"][0] > 0.1 > head.weights["w:no"][0]
    assert head.probabilities(rows[0])[0] > 0.52
    assert head.probabilities(rows[-1])[0] < 0.48


def test_telling_words_are_scaled_by_their_log_ratio() -> None:
    """By hand: of nine counts and two names yes has (4 + 1) / (6 + 2) of "often", no 3 / 5."""
    rows = [{"w:often": 1.0}] * 4 + [{"w:rare": 1.0}] * 2 + [{"w:often": 1.0}] * 2 + [{"w:rare": 1}]
    labels = ["yes"] * 6 + ["no"] * 3
    head = fit_telling(rows, labels, ("yes", "no"))
    often = abs(math.log(5 / 8) - math.log(3 / 5))
    rare = abs(math.log(3 / 8) - math.log(2 / 5))
    size = math.sqrt((often**2 + rare**2) / 2)
    scale = {"w:often": often / size, "w:rare": rare / size}
    turned = [{name: value * scale[name] for name, value in row.items()} for row in rows]
    plain = fit(turned, labels, ("yes", "no"))
    for name, weights in head.weights.items():
        expected = [weight * scale[name] for weight in plain.weights[name]]
        assert weights == pytest.approx(expected, abs=1e-3)


def test_a_topic_is_taught_by_its_own_paper_and_by_another() -> None:
    asked = [
        Question(str(n), f"Does {drug} help?", (f"We gave {drug}.",), f"{drug} helped.", "yes")
        for n, drug in enumerate(("aspirin", "zinc", "ginkgo"))
    ]
    examples = topic_examples(asked)
    assert len(examples) == 12
    for one in examples:
        own = next(q for q in asked if q.id == one.group)
        assert one.claim == own.question
        assert (one.side == "own") == (one.text in (own.conclusion, own.abstract))


def test_how_far_a_text_is_thought_to_be_meant() -> None:
    assert _meant(0.5) == pytest.approx(ANSWERED)
    assert _meant(0.1) == pytest.approx(0.5)
    assert _meant(0.0) == 0.0
    assert _meant(1.0) == 1.0
