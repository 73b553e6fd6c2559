"""The arithmetic of the questions that have no answer."""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def none(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("match_none")
    sys.modules.pop("match_none", None)


def test_the_best_bar_parts_what_can_be_parted(none):
    assert none.parted([0.9, 0.8, 0.2, 0.1], [False, False, True, True]) == (1.0, 0.0)
    assert none.parted([0.9, 0.2, 0.8, 0.1], [False, False, True, True]) == (1.0, 0.5)


def test_chance_alone_gives_few_questions_a_calibration_error(none):
    # One question at 0.5 is right or wrong: half is missing either way.
    assert none.by_chance([0.5], samples=50) == (0.5, 0.5, 0.5)
    assert none.by_chance([0.0, 1.0], samples=50) == (0.0, 0.0, 0.0)
    assert none.by_chance([0.5] * 400, samples=50)[0] < 0.05


PARTS = ("develop", "held", "fresh", "again", "spoken", "unseen", "own", "chinese")


def test_no_question_that_teaches_is_among_those_that_judge(none):
    bent = importlib.import_module("match_bent")
    assert set(bent.LOOKED_AT) == set(PARTS)
    taught = [row for part in PARTS for row in none.questions(part)]
    locked, sealed = none.questions("locked"), none.questions("sealed")
    assert [len(taught), len(locked), len(sealed)] == [496, 120, 120]
    judging = {row["question"] for row in (*locked, *sealed)}
    assert len(judging) == 240
    assert not {row["question"] for row in taught} & judging
    for rows in (none.questions("own"), locked, sealed):
        assert sum(row["answered"] == "yes" for row in rows) == len(rows) / 2
        assert len({row["collection"] for row in rows}) == 4
    # What a pair must be about is said where there is one, and only there.
    for row in (*taught, *locked, *sealed):
        assert bool(row["focus"]) == (row["answered"] == "yes")
    sys.modules.pop("match_bent", None)


def test_the_sealed_questions_are_those_that_the_page_names(none):
    """They were written before what they judge: who changes one must say so on the page."""
    page = (BENCHMARKS.parent / "docs" / "explanation" / "match.md").read_text("utf-8")
    sealed = (BENCHMARKS / "match_sealed.tsv").read_bytes()
    assert hashlib.sha256(sealed).hexdigest() in page


def test_what_a_pair_is_about_says_whether_it_answers(none):
    row = {"collection": "medquad", "answered": "yes", "focus": "Gout|Podagra", "type": "causes"}
    assert none.is_right(row, ("podagra", "causes"))
    assert not none.is_right(row, ("podagra", "treatment"))
    assert not none.is_right(row, ("gout", ""))
    assert none.is_right(row | {"type": ""}, ("gout", "anything"))
    assert not none.is_right(row | {"answered": "no"}, ("gout", "causes"))
    chinese = row | {"collection": "toyhom", "focus": "高血压|血压高", "type": "冬瓜"}
    assert none.is_right(chinese, ("血压高能吃冬瓜吗？\n可以。", ""))
    assert not none.is_right(chinese, ("血压高能吃西瓜吗？\n可以。", ""))
    assert not none.is_right(chinese, ("糖尿病能吃冬瓜吗？\n可以。", ""))


def test_what_people_would_ask_is_about_something_else(none):
    sys.modules.pop("match_lists", None)
    lists = importlib.import_module("match_lists")
    asked = {question for _, _, question in lists.by_people()}
    parts = (*PARTS, "locked", "sealed")
    assert len(asked) == 216
    assert not asked & {row["question"] for part in parts for row in none.questions(part)}
    sys.modules.pop("match_lists", None)
