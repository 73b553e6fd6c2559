"""How alike words are by a table, and how much one tells."""

from __future__ import annotations

import numpy as np
import pytest

from osler.retrieve import likeness as room
from osler.retrieve.likeness import Likeness, shipped_likeness, words_of

ROWS = {
    "fat": [0.08, 0.0],
    "obese": [0.06, 0.08],
    "goes": [0.0, 0.02],
    "head": [0.1, 0.0],
    "ache": [0.0, 0.1],
}


class Table:
    """Words with rows of their own; other words have none."""

    dimension = 2

    def __init__(self) -> None:
        self.read: list[str] = []

    def rows_of(self, words):
        self.read += words
        return np.array([ROWS.get(word, [0.0, 0.0]) for word in words], np.float32)


@pytest.fixture
def words() -> Likeness:
    return Likeness(Table())


def test_words_of_asking_numbers_and_short_ones_are_left_out():
    assert words_of("The FAT of 12 mice, and fat of IL6") == ["fat", "mice"]


def test_alike_is_the_cosine_of_the_nearest_word(words):
    """(.08, 0) and (.06, .08): .06 / .1."""
    assert words.alike(["fat"], ["goes", "obese"]) == [pytest.approx(0.6)]
    assert words.alike(["fat"], ["fat"]) == [pytest.approx(1.0)]


def test_of_several_words_the_least_alike_counts(words):
    assert words.alike(["head ache"], ["head"]) == [pytest.approx(0.0)]
    assert words.alike(["head ache", "head"], ["head", "ache"]) == [
        pytest.approx(1.0),
        pytest.approx(1.0),
    ]


def test_nothing_is_alike_to_no_words_and_to_no_text(words):
    assert words.alike(["肌痛", "fat"], ["fat"]) == [0.0, pytest.approx(1.0)]
    assert words.alike(["fat"], []) == [0.0]


def test_what_a_word_tells_is_its_length(words):
    assert words.tells("fat") == pytest.approx(1.0)
    assert words.tells("goes") == pytest.approx(0.25)
    assert words.tells("fat goes") == pytest.approx(0.625)
    assert words.tells("肌痛") == 1.0
    assert words.tells("zzz") == 1.0


def test_rows_are_kept_and_bounded(words, monkeypatch):
    words.tells("fat goes")
    words.tells("goes fat")
    assert words._table.read == ["fat", "goes"]
    monkeypatch.setattr(room, "KEPT", 3)
    assert words.alike(["obese"], ["head", "fat"]) == [pytest.approx(0.6)]
    assert len(words._rows) <= 3


def test_the_shipped_table_knows_that_the_fat_are_obese(monkeypatch):
    monkeypatch.delenv("OSLER_WEIGHTS", raising=False)
    likeness = shipped_likeness.__wrapped__()
    if likeness is None:
        pytest.skip("this checkout lacks the table")
    obese, unlike = likeness.alike(["fat", "lemon"], words_of("obesity and nursing workload"))
    assert obese > 0.6
    assert unlike < 0.45
    assert likeness.tells("goes") < likeness.tells("acupuncture")


def test_without_the_table_there_is_no_likeness(monkeypatch, tmp_path):
    monkeypatch.setenv("OSLER_WEIGHTS", str(tmp_path))
    assert shipped_likeness.__wrapped__() is None


def test_rows_stay_where_they_are_while_others_are_added(words, monkeypatch):
    """More words than there was room for at first, and who read before reads the same after."""
    monkeypatch.setattr(room, "_FIRST", 1)
    likeness = Likeness(Table())
    rows, places = likeness._found(["fat"])
    before = rows.unit[places].copy()
    assert likeness.alike(["fat"], ["obese", "goes", "ache"]) == [pytest.approx(0.6)]
    assert rows.unit[places].tolist() == before.tolist()
    assert likeness.tells("goes") == pytest.approx(0.25)
