"""How text becomes index terms: one analyser for documents and queries.

Words are split at anything that is no letter or digit, lower-cased, stripped of accents and
stemmed (Snowball English) inside tantivy. Chinese has no blanks between words: runs of its
characters are spread into overlapping pairs first, so that the same analyser serves both.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

import tantivy

from osler.text.scripts import CJK

NAME = "osler"
_CJK = re.compile(f"[{CJK}]+")


def _pairs(match: re.Match[str]) -> str:
    run = match.group()
    if len(run) == 1:
        return f" {run} "
    return f" {' '.join(run[i : i + 2] for i in range(len(run) - 1))} "


def is_chinese(text: str) -> bool:
    """Whether a text holds Chinese characters."""
    return _CJK.search(text) is not None


def spread(text: str) -> str:
    """Chinese runs as blank-separated pairs of characters; other text as it is."""
    return text if text.isascii() else _CJK.sub(_pairs, text)


@functools.cache
def analyser() -> Any:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(100),
        tantivy.Filter.lowercase(),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()


@functools.cache
def _plain() -> Any:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()):
        builder = builder.filter(step)
    return builder.build()


def analyse(text: str) -> list[str]:
    """The index terms of a text, in order."""
    terms: list[str] = analyser().analyze(spread(text))
    return terms


_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_KEPT_WORDS = 1 << 16


class _Terms(dict[str, str]):
    """Words of ASCII letters with their index terms, kept since they come again and again; a word
    that is too long to be indexed has none."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _KEPT_WORDS:
            self.clear()
        term = self[word] = next(iter(analyse(word)), "")
        return term


_terms = _Terms()


def terms_of_sentence(text: str) -> list[str]:
    """What ``analyse`` gives, without asking the index's analyser for words that are kept."""
    if not text.isascii():
        return analyse(text)
    terms = list(map(_terms.__getitem__, _ASCII_WORD.findall(text)))
    return [term for term in terms if term] if "" in terms else terms


def terms_within(texts: Iterable[str]) -> set[str]:
    """The index terms that stand in any of some texts. A word of ASCII letters is looked up, once;
    the analyser is asked for the others alone, and not for all that stands beside them."""
    plain: list[str] = []
    others: list[str] = []
    for text in texts:
        at = 0
        for match in () if text.isascii() else _NOT_ASCII.finditer(text):
            if match.start() >= at:
                start = text.rfind(" ", at, match.start()) + 1 or at
                end = text.find(" ", match.end())
                end = len(text) if end < 0 else end
                plain.append(text[at:start])
                others.append(text[start:end])
                at = end
        plain.append(text[at:])
    terms = set(map(_terms.__getitem__, set(_ASCII_WORD.findall("\n".join(plain)))))
    if others:
        terms.update(analyse("\n".join(others)))
    terms.discard("")
    return terms


def terms_of_word(word: str) -> list[str]:
    """The index terms of what has no blank in it."""
    if word.isascii() and word.isalnum():
        term = _terms[word]
        return [term] if term else []
    return analyse(word)


def plain_words(text: str) -> list[str]:
    """The same without stemming: what stop words and truncations are compared with."""
    if text.isascii():
        # As the analyser would; handing it a text costs more than cutting one.
        return _ASCII_WORD.findall(text.lower())
    words: list[str] = _plain().analyze(spread(text))
    return words
