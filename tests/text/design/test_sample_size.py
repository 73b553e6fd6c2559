"""The number of those who took part is looked for in few places, and is the same as everywhere."""

from __future__ import annotations

import random
import re

from osler.text.design import sample_size as room
from osler.text.design.sample_size import _BARE, _PATTERNS, papers_counted, sample_size

PIECES = (
    "we", "enrolled", "a", "total", "of", "12", "0", "1,234", "1 234", "patients", "were", "men",
    "randomized", "(n = 5)", "n=7", "N = 12", "in total,", "in total", "sample", "cohort", "mice",
    "eligible", "B12", "_3", "45", "Randomly assigned", "STUDIED", "healthy young", "women", "x9",
    "纳入", "30例", "of 0 men", "included", "000", "٣ patients", "n =", "p = 0.03", "A TOTAL OF",
)  # fmt: skip


def everywhere(abstract: str) -> int | None:
    """Every pattern tried at every letter."""
    for at, pattern in enumerate(_PATTERNS):
        matches = pattern.finditer(abstract)
        numbers = [int(re.sub(r"\D", "", match["n"])) for match in matches]
        least = papers_counted(abstract) if at >= _BARE else 0
        numbers = [number for number in numbers if number > least]
        if numbers:
            return numbers[0] if at < _BARE else max(numbers)
    return None


def test_few_places_are_enough():
    chance = random.Random(7)
    told = 0
    for _ in range(4_000):
        text = " ".join(chance.choices(PIECES, k=chance.randint(1, 14)))
        assert sample_size(text) == everywhere(text), text
        told += everywhere(text) is not None
    assert 1_000 < told < 3_900


def test_a_number_inside_a_word_is_none():
    assert sample_size("B12 patients were enrolled") is None
    assert sample_size("12 patients were enrolled") == 12
    assert sample_size("0 patients were enrolled, then 9 patients were enrolled") == 9
    assert sample_size("x" * 200 + " we enrolled a total of 1,234 healthy women") == 1_234


def test_more_take_part_in_studies_than_there_are_studies():
    assert sample_size("Six unique studies were included. Few showed less fatigue (n=3).") is None
    assert sample_size("Of 1,079 studies 5 were met (n = 1727 and n = 1641).") == 1_727
    assert sample_size("Of 1,079 studies 5 were met (n = 1079).") is None
    assert sample_size("Six unique studies were included. 4 patients were enrolled (n=3).") == 4
    assert sample_size("In this trial we compared two doses (n = 3).") == 3
    assert papers_counted("Twenty large randomised trials and 15 eligible articles") == 20
    assert papers_counted("two arms, 12 patients") == 0


def test_what_is_kept_is_what_is_read(monkeypatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(room, "sample_size", lambda text: read.append(text) or len(text))
    monkeypatch.setattr(room, "_known", {})
    monkeypatch.setattr(room, "_KEPT", 2)
    texts = ["a", "bb", "ccc", "a"]
    assert [room.took_part(text)[0] for text in texts] == [1, 2, 3, 1]
    assert [room.took_part(text)[0] for text in ("ccc", "a")] == [3, 1]
    assert read == texts  # a third empties what was kept, and the last two were kept
    assert len(room._known) <= 2
