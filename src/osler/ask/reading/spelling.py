"""Slips of the pen in a question's own words: "pateint", "medicatons"."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache

from osler.ask.reading.words import fields, spellings, stem

MAX_KEPT = 20_000


class Spelling:
    """Words of the lexicon and of relations and types, for words that nothing knows."""

    def __init__(self, vocabulary: Container[str], elements: Iterable[str]) -> None:
        self._vocabulary = vocabulary
        self._elements = sorted(elements)
        self._stems = frozenset(stem(w) for w in self._elements)
        self._kept: dict[str, str] = {}

    def meant(self, word: str) -> str:
        known = self._kept.get(word)
        if known is None:
            if len(self._kept) > MAX_KEPT:
                self._kept.clear()
            known = self._kept[word] = self._look(word)
        return known

    def _look(self, word: str) -> str:
        if len(word) < 5 or not (word.isascii() and word.isalpha()):
            return word
        if word in spellings() or word in self._vocabulary or fields(word):
            return word
        if stem(word) in self._stems or stem(word) in _spelled_stems():
            return word
        slips = 2 if len(word) >= 9 else 1
        near = [
            other
            for other in (*spellings(), *self._elements)
            if abs(len(other) - len(word)) <= slips + 1
            and (other[0] == word[0] or other[:2] == word[1::-1])
            and len(other) >= 5
        ]
        forms = {word, word.removesuffix("s")}
        nearest = sorted(
            (min(slipped(form, other, slips) for form in forms), other) for other in near
        )
        return nearest[0][1] if nearest and nearest[0][0] <= slips else word


@lru_cache(maxsize=1)
def _spelled_stems() -> frozenset[str]:
    return frozenset(stem(w) for w in spellings())


def slipped(a: str, b: str, most: int) -> int:
    """Letters changed, left out, put in or swapped with a neighbour between two words; more than
    ``most`` is only said to be more."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row, older = row, [i], before
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > most:
            return most + 1
    return row[-1]
