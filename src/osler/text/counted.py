"""A number and what it counts: "1 entity", "2,146 papers"."""

from __future__ import annotations

_VOWELS = "aeiou"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun, which bends with it; ``many`` where more than the noun bends
    ("paper matches", "papers match")."""
    return f"{number:,} {one if number == 1 else many or _plural(one)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"
