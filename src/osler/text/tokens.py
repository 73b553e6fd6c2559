"""Tokens with their places, and the terms that search matches by.

A token is a word, a number or one Chinese character as it stands in the text. A term is what two
tokens must share to match: lower case, NFKC, no diacritics, the English Snowball stem; Chinese
runs give overlapping character bigrams, a lone character itself.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

import Stemmer

from osler.text.scripts import CJK, CJK_CHARACTER, GREEK, MARKS
from osler.text.stopwords import STOPWORDS

# The cache of stems is dropped when it has grown to this many spellings.
CACHE_SIZE = 500_000


class Token(NamedTuple):
    """A piece of a text and where it stands: ``text == whole[start:end]``."""

    text: str
    start: int
    end: int


# 1,250.5 and 0.05 stay whole; 5'-UTR and (1,2) do not; Alzheimer's keeps its ending.
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+\.[0-9]+"
_ENDING = r"(?:['\u2019](?:s|t|d|m|re|ve|ll)(?![A-Za-z0-9]))?"
_LETTERS = rf"[^\W_{CJK}{GREEK}]"
_ASCII = re.compile(rf"{_NUMBER}|[A-Za-z0-9]+{_ENDING}", re.ASCII)
# A Greek letter is a token of its own (TNF, alpha), but for micro in front of a unit.
_GENERAL = re.compile(
    rf"{_NUMBER}|[\u00b5\u03bc][A-Za-z]+"
    rf"|{_LETTERS}+(?:[{MARKS}]+{_LETTERS}*)*{_ENDING}"
    rf"|[{GREEK}{MARKS}]+|[{CJK}]+"
)

_GREEK_NAMES = {
    "\u03b1": "alpha",
    "\u03b2": "beta",
    "\u03b3": "gamma",
    "\u03b4": "delta",
    "\u03b5": "epsilon",
    "\u03b6": "zeta",
    "\u03b7": "eta",
    "\u03b8": "theta",
    "\u03b9": "iota",
    "\u03ba": "kappa",
    "\u03bb": "lambda",
    "\u03bc": "mu",
    "\u03bd": "nu",
    "\u03be": "xi",
    "\u03bf": "omicron",
    "\u03c0": "pi",
    "\u03c1": "rho",
    "\u03c2": "sigma",
    "\u03c3": "sigma",
    "\u03c4": "tau",
    "\u03c5": "upsilon",
    "\u03c6": "phi",
    "\u03c7": "chi",
    "\u03c8": "psi",
    "\u03c9": "omega",
}
# Letters that Unicode does not decompose into a base and a mark.
_PLAIN = str.maketrans(
    {"\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00e6": "ae", "\u0153": "oe", "\u0131": "i"}
)
_NOT_ALNUM = re.compile(r"[\W_]+")
_STEM = Stemmer.Stemmer("english", 0).stemWord


def _fold(token: str) -> str:
    """Lower case, NFKC, Latin letters without diacritics."""
    if token.isascii():
        return token.lower()
    folded = unicodedata.normalize("NFKC", token).casefold()
    if folded.isascii():
        return folded
    split = unicodedata.normalize("NFKD", folded)
    return "".join(c for c in split if not unicodedata.combining(c)).translate(_PLAIN)


def _term(token: str) -> str:
    word = _fold(token)
    if not word:  # a mark without its letter
        return ""
    if word.isalpha():
        if len(word) == 1:
            return str(_STEM(_GREEK_NAMES.get(word, word)))
        if word[0] == "\u03bc" and word[1:].isascii():
            return "u" + word[1:]
        return str(_STEM(word))
    if word[0].isdigit() and ("." in word or "," in word):
        return word.replace(",", "")
    word, mark, ending = word.replace("\u2019", "'").partition("'")
    # A possessive is dropped; n't and its like only lose their mark.
    plain = word if not mark or ending == "s" else word + ending
    plain = _NOT_ALNUM.sub("", plain)
    return str(_STEM(plain)) if plain.isalpha() else plain


class _Terms(dict[str, str]):
    """Terms by token, made when first met: literature repeats its words."""

    def __missing__(self, token: str) -> str:
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[token] = term = _term(token)
        return term


_TERMS = _Terms()


def _bigrams(run: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", run)
    if len(folded) == 1:
        return [folded]
    return [folded[i : i + 2] for i in range(len(folded) - 1)]


def tokens(text: str) -> list[Token]:
    """The words, numbers and single Chinese characters of a text, in order, with their places."""
    if text.isascii():
        return [Token(m[0], m.start(), m.end()) for m in _ASCII.finditer(text)]
    listed: list[Token] = []
    for match in _GENERAL.finditer(text):
        start = match.start()
        if CJK_CHARACTER.match(match[0]):
            listed += [Token(c, start + i, start + i + 1) for i, c in enumerate(match[0])]
        else:
            listed.append(Token(match[0], start, match.end()))
    return listed


def terms(text: str, *, stopwords: bool = True) -> list[str]:
    """The search terms of a text, in order; without ``stopwords`` if that is False."""
    if text.isascii():
        listed = [_TERMS[token] for token in _ASCII.findall(text)]
    elif CJK_CHARACTER.search(text) is None:
        listed = [term for token in _GENERAL.findall(text) if (term := _TERMS[token])]
    else:
        listed = []
        for token in _GENERAL.findall(text):
            if CJK_CHARACTER.match(token):
                listed += _bigrams(token)
            elif term := _TERMS[token]:
                listed.append(term)
    if not stopwords:
        return [term for term in listed if term not in STOPWORDS]
    return listed


def term_spans(text: str) -> list[tuple[str, int, int]]:
    """The terms of a text with the places that they come from: ``terms`` with offsets."""
    pattern = _ASCII if text.isascii() else _GENERAL
    spans: list[tuple[str, int, int]] = []
    for match in pattern.finditer(text):
        token, start = match[0], match.start()
        if CJK_CHARACTER.match(token):
            # NFKC keeps the length of Han and kana runs but for half-width voiced kana.
            last = len(token)
            for i, term in enumerate(_bigrams(token)):
                spans.append((term, start + min(i, last - 1), start + min(i + 2, last)))
        elif term := _TERMS[token]:
            spans.append((term, start, match.end()))
    return spans
