"""Stance: sides, guards, and the sets that were written before the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler.claims import stance
from osler.claims.pairs import template_pairs
from osler.claims.verdict import NO_EFFECT
from osler.errors import InputError, LimitError

HERE = Path(__file__).parent


def _sides() -> list[dict[str, str]]:
    text = (HERE / "paraphrases.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_probabilities_sum_to_one_and_the_sentence_stands_where_it_says() -> None:
    text = "Asthma is common. Budesonide reduced exacerbations of asthma. Costs were not studied."
    told = stance("Budesonide reduces exacerbations of asthma", text)
    assert told.supports + told.refutes + told.neutral == pytest.approx(1.0, abs=2e-4)
    assert told.sentence == text[told.start : told.end]
    assert told.sentence.startswith("Budesonide")
    assert told.stance == "supports"


def test_a_claim_and_its_denial_take_opposite_sides() -> None:
    text = "Metformin does not cause lactic acidosis."
    assert stance("Metformin causes lactic acidosis", text).refutes > 0.8
    assert stance("Metformin does not cause lactic acidosis", text).supports > 0.8


def test_no_difference_is_no_effect_found() -> None:
    told = stance(
        "Ivermectin treats COVID-19",
        "Ivermectin did not differ from placebo in time to recovery from COVID-19.",
    )
    assert told.stance == NO_EFFECT
    assert told.no_effect <= told.refutes


@pytest.mark.parametrize(
    ("claim", "text", "reason"),
    [
        ("Aspirin reduces mortality.", "Clopidogrel reduced mortality.", "Aspirin"),
        ("Vitamin D prevents colds.", "Vitamin C prevents colds.", "Vitamin D"),
        ("Lung cancer causes smoking.", "Smoking causes lung cancer.", "other way round"),
        ("The drug helps children.", "The drug helped adults.", "children"),
        ("Curcumin shrinks tumors in patients.", "Curcumin shrank tumors in mice.", "animals"),
        (
            "Ginkgo improves memory.",
            "The evidence is insufficient to recommend ginkgo for memory.",
            "open",
        ),
        ("Zinc prevents colds.", "We aimed to determine whether zinc prevents colds.", "asked"),
        (
            "Spironolactone improved survival in renal failure.",
            "Spironolactone improved survival in heart failure.",
            "heart",
        ),
        ("Intravenous vancomycin cured it.", "Oral vancomycin cured it.", "Oral"),
        ("阿司匹林降低死亡率", "氯吡格雷显著降低了死亡率。", "阿司匹林"),
    ],
)
def test_what_takes_no_side_says_why(claim: str, text: str, reason: str) -> None:
    told = stance(claim, text)
    assert told.neutral > 0.5
    assert any(reason in why for why in told.why)


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        (
            "Is laparoscopic repair safe in the elderly?",
            "This procedure is safe in elderly patients.",
            "Open surgery is safe in elderly patients.",
        ),
        ("Does cortisone help asthma?", "The drug improved asthma.", "Cortisol improved asthma."),
    ],
)
def test_a_question_is_answered_by_a_text_that_points_back(
    question: str, own: str, other: str
) -> None:
    assert stance(question, own).stance == "supports"
    told = stance(question, other)
    assert told.neutral > max(told.supports, told.refutes)
    assert "does not name" in told.why[0]


@pytest.mark.parametrize(
    "text",
    ["Cats purr when they sleep on the roof.", "Metformin improved the glucose of these adults."],
)
def test_a_question_is_not_answered_by_another_paper(text: str) -> None:
    told = stance("Does aspirin prevent stroke?", text)
    assert told.neutral > 0.5


def test_a_comparison_turned_round_is_refuted() -> None:
    text = "Hypertension was more common in men than in women."
    assert stance("Hypertension is more common in men than in women.", text).supports > 0.5
    assert stance("Hypertension is more common in women than in men.", text).refutes > 0.5


def test_as_good_as_is_not_better() -> None:
    text = "Amoxicillin is as effective as doxycycline for pneumonia."
    better = "Amoxicillin is more effective than doxycycline for pneumonia."
    assert stance(better, text).supports < 0.5
    assert stance("Amoxicillin is effective for pneumonia.", text).supports > 0.5


def test_chinese_negation() -> None:
    assert stance("阿司匹林降低死亡率", "阿司匹林显著降低了死亡率。").supports > 0.5
    assert stance("阿司匹林降低死亡率", "阿司匹林不能降低死亡率。").refutes > 0.5


def test_template_pairs() -> None:
    pairs = list(template_pairs())
    assert len(pairs) == 200
    right = 0
    for claim, text, side in pairs:
        told = stance(claim, text)
        right += ("supports" if told.supports > told.refutes else "refutes") == side
    assert right >= 190


def test_paraphrases() -> None:
    """Sixty that were written before the code; at first sight 56 of them were right."""
    sided = [row for row in _sides() if row["side"] != "neutral"]
    right = 0
    for row in sided:
        told = stance(row["claim"], row["text"])
        right += ("supports" if told.supports > told.refutes else "refutes") == row["side"]
    assert right / len(sided) >= 0.9


def test_near_misses_are_not_told_at_high_confidence() -> None:
    misses = [row for row in _sides() if row["side"] == "neutral"]
    sure = 0
    for row in misses:
        told = stance(row["claim"], row["text"])
        sure += max(told.supports, told.refutes) >= 0.8
    assert sure == 0


def test_limits() -> None:
    with pytest.raises(InputError):
        stance(" ", "text")
    with pytest.raises(InputError):
        stance("claim", "...")
    with pytest.raises(LimitError):
        stance("a" * 1_001, "text")
