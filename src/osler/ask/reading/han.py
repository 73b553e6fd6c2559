"""Chinese in questions and in names of relations: words are found by what is known, longest first.

Characters stand alone in the reader's word lists, so a run of them is cut by the lexicon and by the
names of relations and types at hand; what neither knows stays one piece that nothing reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from osler.ask.reading.words import SOFT, STOP, fields_by_stem

_HAN = re.compile(r"[㐀-鿿豈-﫿]+")
# Characters that only hold a sentence together.
_GLUE = frozenset(
    "的了是有什么哪些在和与请吗呢多少对其为被把给过着就都也还及或个名位次号种由从到时候谁几又既这那"
)
LONGEST = 8


@lru_cache(maxsize=1)
def lexicon() -> frozenset[str]:
    """The lexicon's Chinese words of two characters or more, and its single ones."""
    listed = {w for w in fields_by_stem() if _HAN.fullmatch(w)}
    return frozenset(listed | {w for w in (*STOP, *SOFT) if _HAN.fullmatch(w)})


def pieces(text: str, known: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """A run of characters cut into known words and the pieces between them, with their places."""
    words = lexicon() | known
    cut: list[tuple[int, str]] = []
    at = waiting = 0
    while at < len(text):
        for size in range(min(LONGEST, len(text) - at), 0, -1):
            if text[at : at + size] in words:
                if waiting < at:
                    cut.append((waiting, text[waiting:at]))
                cut.append((at, text[at : at + size]))
                at += size
                waiting = at
                break
        else:
            at += 1
    if waiting < len(text):
        cut.append((waiting, text[waiting:]))
    return cut


def name_words(names: Iterable[str]) -> frozenset[str]:
    """Words of two characters or more that names of relations and types are made of."""
    words: set[str] = set()
    for name in names:
        for run in _HAN.findall(name):
            for _, piece in pieces(run):
                trimmed = piece.strip("".join(_GLUE))
                if len(trimmed) > 1:
                    words.add(trimmed)
            if len(run) > 1:
                words.add(run)
    return frozenset(words)


def glue(piece: str) -> bool:
    """Whether a piece says nothing of its own."""
    return all(c in _GLUE for c in piece)


def is_han(text: str) -> bool:
    return bool(_HAN.fullmatch(text))


def bag(name: str) -> list[str]:
    """The words of a relation's or type's Chinese name; other writing is left out."""
    bare = [piece.strip("".join(_GLUE)) for run in _HAN.findall(name) for _, piece in pieces(run)]
    return [piece for piece in bare if piece]
