"""The arithmetic of the questions that have no answer."""

from __future__ import annotations

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


def test_no_question_that_was_looked_at_is_among_the_unseen(none):
    seen = {row["question"] for part in ("develop", "held", "fresh", "again", "spoken")
            for row in none.questions(part)}  # fmt: skip
    unseen = none.questions("unseen")
    assert len(seen) > 200
    assert len(unseen) == 20
    assert not seen & {row["question"] for row in unseen}


def test_what_people_would_ask_is_about_something_else(none):
    sys.modules.pop("match_lists", None)
    lists = importlib.import_module("match_lists")
    asked = {question for _, _, question in lists.by_people()}
    parts = ("develop", "held", "fresh", "again", "spoken", "unseen")
    assert len(asked) == 135
    assert not asked & {row["question"] for part in parts for row in none.questions(part)}
    sys.modules.pop("match_lists", None)
