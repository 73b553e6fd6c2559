"""How questions and answers are cut: words, and the short pieces that survive other wording.

Chinese words are jieba's, with the graph's names in its dictionary; without jieba they are
character bigrams. English words are stems. Pieces are character bigrams of Chinese and character
four-grams of other words. Each text is cut once and kept, since answers meet many questions.
"""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Generic, TypeVar

from osler.errors import InputError, LimitError
from osler.settings import MAX_FIELD
from osler.text.chinese import segmenter
from osler.text.scripts import CJK, CJK_CHARACTER
from osler.text.stopwords import STOPWORDS
from osler.text.tokens import Token, terms

V = TypeVar("V")

LONGEST_NAME = 12
"""Characters: a longer name is a phrase, which the dictionary would only slow down."""
GRAM = 4
"""Characters of a piece of a word that is not Chinese."""
KEPT = 20_000
CUT = 6_000
"""Characters of a text that are cut into words: enough for any answer of a service."""

_END = re.compile(r"\n|(?<=[。？！?!；;])")
_RUNS = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")


class Kept(Generic[V]):
    """What was made of the last texts, by text."""

    def __init__(self, make: Callable[[str], V], size: int = KEPT) -> None:
        self._make = make
        self._size = size
        self._held: OrderedDict[str, V] = OrderedDict()

    def __call__(self, text: str) -> V:
        held = self._held.get(text)
        if held is None:
            held = self.put(text, self._make(text))
        return held

    def __contains__(self, text: str) -> bool:
        return text in self._held

    def put(self, text: str, value: V) -> V:
        self._held[text] = value
        if len(self._held) > self._size:
            self._held.popitem(last=False)
        return value


class Texts:
    """Cuts texts. ``names`` are what stays whole in Chinese, asked for when Chinese is first met;
    ``by`` is handed to the segmenter: ``bigrams`` does without jieba."""

    def __init__(
        self, names: Callable[[], Iterable[str]] | None = None, *, by: str | None = None
    ) -> None:
        self._names = names
        self._by = by
        self.words = Kept(self._words)
        self.characters = Kept(lambda text: _pieces(text, 1, 3))
        self.grams = Kept(lambda text: _pieces(text, 2, GRAM))
        self.trigrams = Kept(lambda text: _pieces(text, 3, 5))

    @cached_property
    def _cut(self) -> Callable[[str], list[Token]]:
        names = self._names() if self._names else ()
        return segmenter(name for name in names if 1 < len(name) <= LONGEST_NAME)

    def _words(self, text: str) -> tuple[str, ...]:
        text = text[:CUT]
        if self._by == "bigrams" or not CJK_CHARACTER.search(text):
            return tuple(word for word in terms(text) if word not in STOPWORDS)
        words: list[str] = []
        for token in self._cut(text):
            if CJK_CHARACTER.search(token.text):
                words.append(token.text.lower())
            else:
                words += [word for word in terms(token.text) if word not in STOPWORDS]
        return tuple(words)


def _pieces(text: str, chinese: int, other: int) -> tuple[str, ...]:
    """Overlapping pieces of so many characters, of Chinese runs and of other words; a shorter run
    is its own piece."""
    pieces: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text[:CUT]).lower()):
        size = chinese if CJK_CHARACTER.match(run) else other
        if len(run) <= size:
            pieces.append(run)
        else:
            pieces += [run[at : at + size] for at in range(len(run) - size + 1)]
    return tuple(pieces)


def head(text: str) -> str:
    """What a question or an answer says first: its first line, or its first sentence."""
    return _END.split(text.strip(), maxsplit=1)[0]


def checked(question: str) -> str:
    """The question without blanks around it, or an error that says what is wrong with it."""
    if not question.strip():
        raise InputError("the question is empty", cure="ask something in words")
    longest = MAX_FIELD.get()
    if len(question) > longest:
        raise LimitError(
            f"the question has {len(question):,} characters, more than {longest:,}",
            cure="shorten it",
        )
    return question.strip()
