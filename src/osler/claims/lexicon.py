"""Words that say which way a sentence goes: more or less, good or bad, not, similar, perhaps.

``lexicon.tsv`` is ours, English and Chinese: a tag and its words. ``increas*`` stands for every
word that begins so; ``side-effect*`` for two words in a row.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec

from osler.text.scripts import CJK_CHARACTER

LONGEST_PHRASE = 3
"""Words that one entry may have."""


class Lexicon(msgspec.Struct, frozen=True):
    """Tags by word, by beginning of a word, and by words in a row; Chinese words, longest first."""

    words: dict[str, frozenset[str]]
    beginnings: dict[str, frozenset[str]]
    phrases: dict[tuple[str, ...], frozenset[str]]
    chinese: tuple[str, ...]

    def of_word(self, word: str) -> frozenset[str]:
        """All tags of one word."""
        tags = self.words.get(word, frozenset())
        for length in range(3, len(word) + 1):
            tags |= self.beginnings.get(word[:length], frozenset())
        return tags

    def of_phrase(self, words: tuple[str, ...]) -> frozenset[str]:
        """Tags of words in a row; the last one may be a beginning."""
        exact = self.phrases.get(words)
        if exact is not None:
            return exact
        for length in range(3, len(words[-1])):
            tags = self.phrases.get((*words[:-1], words[-1][:length] + "*"))
            if tags is not None:
                return tags
        return frozenset()


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The table that ships."""
    text = (files("osler.claims") / "lexicon.tsv").read_text("utf-8")
    words: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    phrases: dict[tuple[str, ...], set[str]] = {}
    for line in text.splitlines()[1:]:
        tag, listed = line.split("\t")
        for word in listed.split():
            if "-" in word:
                phrases.setdefault(tuple(word.split("-")), set()).add(tag)
            elif word.endswith("*"):
                beginnings.setdefault(word[:-1], set()).add(tag)
            else:
                words.setdefault(word, set()).add(tag)
    chinese = {w for w in (*words, *beginnings) if CJK_CHARACTER.match(w)}
    return Lexicon(
        words={key: frozenset(tags) for key, tags in words.items()},
        beginnings={key: frozenset(tags) for key, tags in beginnings.items()},
        phrases={key: frozenset(tags) for key, tags in phrases.items()},
        chinese=tuple(sorted(chinese, key=lambda word: (-len(word), word))),
    )
