"""How likely a question asks for each kind of answer."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import osler.text.model_folder
from osler.match.asking import KINDS
from osler.match.kind_shares import DOUBT, UNREAD, KindTable, agreement, cues, likeliest
from osler.match.learned import learned
from osler.text.encoder import load_encoder

WIDTH = 2 * len(KINDS)


def table() -> KindTable:
    """Two kinds, two numbers of a vector; a cue of treatment adds 2 to the second."""
    by_cue = [(0.0, 0.0)] * WIDTH
    by_cue[KINDS.index("treat")] = (0.0, 2.0)
    return KindTable(("cause", "treat"), (0.5, 0.0), ((1.0, -1.0), (0.0, 3.0)), tuple(by_cue))


def test_shares_are_a_softmax_over_vector_and_cues():
    scores = np.array([0.5 + 1.0 * 0.2, -1.0 * 0.2 + 3.0 * 0.4 + 2.0])
    expected = np.exp(scores) / np.exp(scores).sum()
    shares = table().shares("How is it treated?", np.array([0.2, 0.4]))
    assert list(shares) == ["cause", "treat"]
    assert list(shares.values()) == pytest.approx(expected.tolist())
    without = table().shares("How is it?", np.array([0.2, 0.4]))
    assert without["treat"] == pytest.approx(1 / (1 + math.exp(0.7 - 1.0)))


def test_without_a_vector_the_narrowest_cue_is_the_kind():
    assert table().shares("How is it treated?") == {"treat": 1.0}
    assert table().shares("Hello there") == {}
    assert KindTable().shares("How is it treated?", np.array([0.2, 0.4])) == {"treat": 1.0}


def test_cues_are_told_twice_where_they_are_the_narrowest():
    row = dict(zip([*KINDS, *(f"narrowest {k}" for k in KINDS)], cues("Which drug prevents it?"),
                   strict=True))  # fmt: skip
    assert {name for name, value in row.items() if value} == {"prevent", "treat",
                                                               "narrowest prevent"}  # fmt: skip


def test_two_questions_agree_as_likely_as_they_ask_for_one_kind():
    one, other = {"treat": 0.7, "cause": 0.3}, {"treat": 0.4, "cause": 0.6}
    both = 0.7 * 0.4 + 0.3 * 0.6
    assert agreement(one, other) == pytest.approx(math.log(DOUBT + (1 - DOUBT) * both))
    assert agreement({"treat": 1.0}, {"treat": 1.0}) == pytest.approx(0.0)
    assert agreement({"treat": 1.0}, {"cause": 1.0}) == pytest.approx(math.log(DOUBT))
    unread = math.log(DOUBT + (1 - DOUBT) * UNREAD)
    assert agreement({}, {"cause": 1.0}) == pytest.approx(unread)
    assert agreement({"cause": 1.0}, {}) == pytest.approx(unread)


def test_a_kind_is_named_where_it_is_likelier_than_not():
    assert likeliest({"treat": 0.5, "cause": 0.3}) == "treat"
    assert likeliest({"treat": 0.49, "cause": 0.3}) == ""
    assert likeliest({}) == ""


def test_the_table_that_ships_is_whole():
    asked = learned().asked
    assert len(asked.by_cue) == WIDTH
    assert set(learned().kind_names) <= set(asked.names)
    for row in (*asked.by_vector, *asked.by_cue, asked.bias):
        assert len(row) == len(asked.names)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What can be done about gout?", "treat"),
        ("How do they check for gout?", "test"),
        ("Can gout be passed down to my kids?", "inherit"),
    ],
)
def test_a_kind_is_read_where_no_cue_stands(question, kind):
    assert not cues(question).any()
    folder = Path(osler.text.model_folder.__file__).parent / "weights" / "osler-small"
    if not folder.is_dir():
        pytest.skip("a checkout without the weights of osler-small")
    encoder = load_encoder(folder)
    assert encoder.fingerprint == learned().encoder
    shares = learned().asked.shares(question, np.asarray(encoder.encode([question]))[0])
    assert sum(shares.values()) == pytest.approx(1.0)
    assert likeliest(shares) == kind
