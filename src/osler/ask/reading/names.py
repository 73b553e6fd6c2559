"""What a knowledge base calls things: its names, prepared for finding them in a question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from osler.ask.reading.han import name_words
from osler.ask.reading.spelling import Spelling
from osler.ask.reading.words import ABBREVIATIONS, stem
from osler.records.kb import _WORD, ClinicalKB, normalise

MAX_WORDS = 12


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    end: int


def question_words(text: str) -> list[Word]:
    """The words of a question with their characters, split as names are."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    return [
        Word(match.group(), match.start(), match.end())
        for match in _WORD.finditer(lowered)
        if not (match.group() == "s" and text[match.start() - 1 : match.start()] in ("'", "’"))
    ]


class Names:
    """What a knowledge base calls things, prepared for finding."""

    def __init__(self, kb: ClinicalKB) -> None:
        self.kb = kb
        self.longest = min(MAX_WORDS, kb.longest_name)
        self._holding: dict[str, list[str]] | None = None
        self._shapes = self._patient_shapes()
        self.relation_words = stems_of(kb.relations)
        self.elements = self.relation_words | stems_of(kb.types)
        self.prose = self._prose()
        self.han = name_words((*kb.relations, *kb.types))
        self.kinds = self._kinds()
        self.aliases = {
            phrase: kb.by_name[short]
            for short, phrases in ABBREVIATIONS.items()
            if short in kb.by_name
            for phrase in phrases
        }
        words_ = {
            w
            for name in (*kb.relations, *kb.types)
            for w in words_of(name)
            if w.isascii() and w.isalpha()
        }
        self._spelling = Spelling(kb.vocabulary, words_)

    def _patient_shapes(self) -> frozenset[str]:
        names = [self.kb.names[n] for n in self.kb.patients[:500]]
        shapes = {shape(n) for n in names if any(c.isdigit() for c in n)}
        return frozenset(s for s in shapes if len(s) < 60)

    @property
    def holding(self) -> dict[str, list[str]]:
        """Names by each of their words' stems; long texts (narrative blocks) are left out."""
        if self._holding is None:
            names_by_word: dict[str, list[str]] = {}
            for name, nodes in self.kb.by_name.items():
                parts = name.split()
                if len(parts) <= MAX_WORDS and not self.prose[self.kb.type_of[nodes[0]]]:
                    for word in set(parts):
                        names_by_word.setdefault(stem(word), []).append(name)
            self._holding = names_by_word
        return self._holding

    def _prose(self) -> list[bool]:
        """Types whose names are sentences: a word in one of them names nothing."""
        is_prose = []
        for type in range(len(self.kb.types)):
            some = np.flatnonzero(self.kb.type_of == type)[:200]
            ends = sum(self.kb.names[n].endswith(".") for n in some.tolist())
            is_prose.append(len(some) > 0 and ends > len(some) / 2)
        return is_prose

    def _kinds(self) -> frozenset[str]:
        """Names of types that hold several things: "care plan" then is the kind, not one of
        them."""
        kinds = set()
        for type, name in enumerate(self.kb.types):
            nodes = np.flatnonzero(self.kb.type_of == type)[:200].tolist()
            if len({self.kb.names[n].lower() for n in nodes}) > 3:
                kinds |= {normalise(name), f"{normalise(name)}s"}
        return frozenset(kinds)

    @cached_property
    def things(self) -> frozenset[str]:
        """Words of names that are no patient's."""
        kb = self.kb
        heads: set[str] = set()
        for name, nodes in kb.by_name.items():
            if kb.type_of[nodes[0]] != kb.patient_type:
                heads.update(name.split()[:MAX_WORDS])
        return frozenset(heads)

    def respelled(self, word: str) -> str:
        """The word of the reader's own, or of a relation or type, that a slip of the pen hides."""
        return self._spelling.meant(word)

    def looks_like_patient(self, word: str) -> bool:
        return shape(word) in self._shapes


def spaced(name: str) -> str:
    """``hasLabResult`` as words."""
    return "".join(
        f" {c}" if c.isupper() and i and name[i - 1].islower() else c for i, c in enumerate(name)
    )


def words_of(name: str) -> list[str]:
    """The words of a relation's or type's name."""
    return _WORD.findall(spaced(name).lower().replace("_", " "))


def stems_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(w) for name in names for w in words_of(name))


@lru_cache(maxsize=100_000)
def shape(name: str) -> str:
    """P1054 is ``p9``: letters as they are, runs of digits as one 9."""
    return re.sub(r"\d+", "9", name.lower())
