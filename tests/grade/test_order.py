"""The order of a list: by hand, and how much of it is the grade."""

from __future__ import annotations

import numpy as np
import pytest

from osler.grade.grader import graders
from osler.grade.methods.rule import Rule
from osler.grade.order import LARGEST, OTHER, OWN, fine, mixed, ordering, other_relations, parts
from osler.grade.pair import Fact, Pair

FACT = Fact("metformin", "treats", "diabetes")


def pair(title: str, abstract: str = "", keywords: tuple[str, ...] = ()) -> Pair:
    return Pair(FACT, title, abstract, keywords, title)


def test_parts_by_hand() -> None:
    """One text, so that its length is the usual one: a count c gives c / (c + 1.2)."""
    [row] = parts([pair("Metformin in the treatment of diabetes", "Metformin was given.")])
    assert row[0] == pytest.approx((2 / 3.2 + 1 / 2.2) / 2)
    assert row[1] == 1
    assert row[2] == 0
    [keyed] = parts([pair("On sugar", "Metformin was given.", ("diabetes",))])
    assert keyed[0] == pytest.approx((1 / 2.2 + 1 / 2.2) / 2)


def test_a_longer_text_names_them_less() -> None:
    short = pair("Metformin and diabetes", "It was so.")
    long = pair("Metformin and diabetes", "It was so in many ways and for many years. " * 5)
    first, second = parts([short, long])[:, 0]
    assert first > second > 0


def test_a_title_counts_only_where_the_fact_is_named() -> None:
    rows = parts([pair("Treatment and prevention"), pair("Treatment with metformin")])
    assert rows[0].tolist() == [0, 0, 0]
    assert rows[1][1] == 1


def test_other_relations_of_a_title() -> None:
    assert other_relations(pair("Metformin treatment of diabetes")) == 0
    assert other_relations(pair("Nursing in diabetes, metformin and its prevention")) >= 1
    chinese = Pair(Fact("二甲双胍", "药物治疗", "糖尿病"), "糖尿病患者的护理", "二甲双胍")
    assert other_relations(chinese) == 1


def test_fine_is_the_weighed_sum() -> None:
    pairs = [pair("Metformin treatment of diabetes"), pair("Diabetes"), pair("Gardens")]
    named, own, other = parts(pairs).T
    assert fine(pairs) == pytest.approx((named + OWN * own - OTHER * other) / LARGEST)
    assert pytest.approx(1 + 2 * OWN) == LARGEST
    assert fine(pairs)[2] == 0
    assert max(fine(pairs)) <= 1


def test_cues_of_a_title_are_bounded() -> None:
    """Three words of treatment count as two."""
    [row] = parts([pair("Metformin treatment, therapy, drug and efficacy in diabetes")])
    assert row[1] == 2


def test_the_grade_has_its_share() -> None:
    gains, finely = np.array([1.0, 0.0]), np.array([0.2, 0.5])
    assert mixed(gains, finely, 0.0).tolist() == [0.2, 0.5]
    assert mixed(gains, finely, 0.25) == pytest.approx([0.4, 0.375])
    assert graders.get("rule").in_order == graders.get("evidence").in_order == 0
    assert graders.get("about").in_order == pytest.approx(1 / 3)


def test_a_list_by_the_rule_is_in_the_fine_order() -> None:
    pairs = [pair("Diabetes and metformin"), pair("Metformin treatment of diabetes")]
    assert ordering(Rule(), pairs) == pytest.approx(fine(pairs))
    rule = Rule()
    rule.in_order = 0.5  # type: ignore[misc]
    gains = rule.scale.score(rule.probabilities(pairs)) / max(rule.scale.gains)
    assert ordering(rule, pairs) == pytest.approx((gains + fine(pairs)) / 2)
