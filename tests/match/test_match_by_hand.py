"""The arithmetic of teaching `match` with questions by hand (`benchmarks/match_bent.py`)."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from osler.match.learned import Weighed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def by_hand(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("match_bent")
    for name in ("match_bent", "match_none", "match_lists"):
        sys.modules.pop(name, None)


def asked(module: ModuleType, id: str, values: list[float], right: int | None, **row: str):
    signs = [{"near": value} for value in values]
    return module.ByHand(
        {"id": id, "collection": id, "answered": "no" if right is None else "yes", **row},
        signs,
        [at == right for at in range(len(values))],
    )


def some(module: ModuleType, count: int = 12):
    """Every second one is answered, by a candidate that is nearer than any other ever is."""
    rng = np.random.default_rng(0)
    made = []
    for at in range(count):
        values = rng.uniform(0, 0.5, 3).tolist()
        if at % 2:
            values[1] += 0.7
        made.append(asked(module, str(at), values, 1 if at % 2 else None))
    return made


def test_the_first_is_the_likeliest_and_says_whether_it_answers(by_hand):
    head = Weighed({"near": 2.0}, -1.0)
    assert by_hand.first(head, asked(by_hand, "a", [0.1, 0.8], 1)) == (pytest.approx(0.6), True)
    assert by_hand.first(head, asked(by_hand, "a", [0.9, 0.8], 1)) == (pytest.approx(0.8), False)
    assert by_hand.first(head, asked(by_hand, "a", [], None)) == (-9.0, False)


def test_questions_by_hand_bend_what_lists_teach(by_hand):
    """The lists say that nothing near ever answers: people's questions say otherwise."""
    lists = [asked(by_hand, f"l{at}", [0.2, 0.8], at % 2) for at in range(40)]
    hand = some(by_hand)
    bent = by_hand.taught(lists, hand, ["near"], "en")
    chances = [bent.probability({"near": value}) for value in (0.3, 0.5, 1.0)]
    assert chances[0] < chances[1] < 0.5 < chances[2]
    tops = [by_hand.first(bent, one) for one in hand]
    sure = [1 / (1 + np.exp(-odds)) for odds, _ in tops]
    # A logistic bend leaves the mean probability at the share that is right.
    assert np.mean(sure) == pytest.approx(np.mean([ok for _, ok in tops]), abs=0.02)


def test_a_question_without_candidates_teaches_nothing(by_hand):
    hand = some(by_hand)
    nothing = asked(by_hand, "none", [], None)
    assert by_hand.taught([], [nothing, *hand], ["near"], "zh") == by_hand.taught(
        [], hand, ["near"], "zh"
    )


def test_a_question_is_told_by_what_others_taught(by_hand):
    hand = some(by_hand)
    told = by_hand.left_out([], hand, ["near"], "zh", "id")
    own = [asked(by_hand, one.row["id"], [s["near"] for s in one.signs], None) for one in hand[1:2]]
    changed = by_hand.left_out([], [hand[0], *own, *hand[2:]], ["near"], "zh", "id")
    # Its own answer may change what it is right about, but not how sure it is.
    folds = len({top for top, _ in told})
    assert folds > 1
    assert told[1][1] is True
    assert changed[1] == (pytest.approx(told[1][0]), False)
    assert changed[3][0] != pytest.approx(told[3][0], abs=1e-9)


def test_chinese_questions_bend_words_and_do_not_weigh_them(by_hand):
    """Another sign decides on the questions by hand: English learns that, Chinese by words not."""
    lists = [asked(by_hand, f"l{at}", [0.2, 0.8], 1 if at % 2 else None) for at in range(20)]
    for one in lists:
        for signs in one.signs:
            signs["named"] = 0.5
    hand = some(by_hand)
    for one in hand:
        for signs, right in zip(one.signs, one.right, strict=True):
            signs["named"], signs["near"] = 0.5 + right, 0.5 + 0.01 * right
    names = ["near", "named"]
    assert by_hand.taught(lists, hand, names, "en").weights["named"] > 0.1
    assert by_hand.taught(lists, hand, names, "zh").weights["named"] == 0.0
