"""The language of a text, told from its script alone."""

from __future__ import annotations

import re
from typing import Literal

from osler.text.scripts import HAN_CHARACTER, KANA_CHARACTER

# The start of a text tells its language; a whole book need not be counted.
SAMPLE = 4_000
# A Han character carries about as much as a word, so a Chinese abstract full of English gene
# names still has far fewer Han than Latin letters.
HAN_SHARE = 0.2

_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_LETTER = re.compile(r"[^\W\d_]")


def language(text: str) -> Literal["en", "zh", ""]:
    """``"zh"`` or ``"en"`` by the share of Han and Latin letters, ``""`` for neither.

    A script is not a language: Latin letters are taken for English, the language of nearly all
    that is read here. Japanese (kana beside Han) and every other script give ``""``.
    """
    sample = text[:SAMPLE]
    if sample.isascii():
        return "en" if _ASCII_LETTER.search(sample) else ""
    han = len(HAN_CHARACTER.findall(sample))
    latin = len(_LATIN.findall(sample))
    letters = len(_LETTER.findall(sample))
    if han and han >= HAN_SHARE * letters:
        kana = len(KANA_CHARACTER.findall(sample))
        return "" if kana > 0.1 * (han + kana) else "zh"
    return "en" if latin and latin >= 0.5 * letters else ""
