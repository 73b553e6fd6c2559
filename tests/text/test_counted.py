from __future__ import annotations

import pytest

from osler.text.counted import counted


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("paper",), "0 papers"),
        (1, ("paper",), "1 paper"),
        (2_146, ("paper",), "2,146 papers"),
        (1, ("entity",), "1 entity"),
        (3, ("entity",), "3 entities"),
        (2, ("survey",), "2 surveys"),
        (1, ("paper matches", "papers match"), "1 paper matches"),
        (4, ("paper matches", "papers match"), "4 papers match"),
    ],
)
def test_a_noun_bends_with_its_number(number: int, words: tuple[str, ...], text: str) -> None:
    assert counted(number, *words) == text
