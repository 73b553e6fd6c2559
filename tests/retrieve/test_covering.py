"""How much of a question a terminology knows."""

from __future__ import annotations

import math

import pytest

from osler.retrieve.covering import coverage, trust


def frequencies(terms: list[str]) -> dict[str, int]:
    held = {"bladder": 9, "diseas": 40, "unusu": 9}
    return {term: held.get(term, 0) for term in terms}


def idf(frequency: int, total: int = 99) -> float:
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def test_a_question_that_is_a_concept_is_covered_whole():
    assert coverage("bladder disease", ["bladder disease"], frequencies, 99) == 1.0
    assert trust(1.0) == 1.0


def test_words_weigh_by_their_idf_and_stop_words_not_at_all():
    rare, common, unknown = idf(9), idf(40), idf(0)
    got = coverage("What is unusual in bladder disease of goats", ["disease"], frequencies, 99)
    assert got == pytest.approx(common / (2 * rare + common + unknown))


def test_a_part_that_is_named_twice_counts_once():
    once = coverage("unusual bladder", ["bladder"], frequencies, 99)
    assert once == pytest.approx(0.5)
    assert coverage("unusual bladder", ["bladder", "bladder"], frequencies, 99) == once


def test_nothing_named_and_nothing_said():
    assert coverage("unusual bladder", [], frequencies, 99) == 0.0
    assert coverage("", [], frequencies, 99) == 0.0
    assert coverage("of the", ["of"], frequencies, 99) == 0.0


def test_half_a_question_counts_for_a_quarter():
    assert trust(0.5) == 0.25
    assert trust(0.0) == 0.0


def test_chinese_is_covered_by_pairs_of_signs():
    assert coverage("糖尿病", ["糖尿病"], frequencies, 99) == 1.0
    assert 0 < coverage("糖尿病的治疗", ["糖尿病"], frequencies, 99) < 1
