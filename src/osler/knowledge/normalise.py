"""Words in one form: case, accents, Greek letters, possessives, spelling, number.

``split_tokens`` cuts a text into words, numbers, Chinese characters and marks; ``normal`` maps a
word to the form that all its spellings share. Both sides (names and texts) pass through the same
two functions, so a form need not be a word: it must only be the same for both.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate

# Hyphens and blanks separate and are no tokens; any other mark is one, so that a name cannot run
# across a full stop. Letters and digits part ("BRCA1", "BRCA-1" and "BRCA 1" are one).
TOKEN = re.compile(
    r"([A-Za-z\u00c0-\u024f\u1e00-\u1eff]+(?:['\u2019][A-Za-z]{1,2}(?![A-Za-z]))?"
    r"|[0-9]+|[\u0370-\u03ff]"
    r"|[^\s\u00ad\u200b-\u200d\ufeff\-\u2010-\u2015\u2212'\u2019\u2032\u00b4`])"
)

_GREEK = {
    letter: unicodedata.name(chr(letter)).rsplit(" ", 1)[-1].lower()
    for letter in (*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA))
}
_GREEK[0x3C2] = "sigma"
_GREEK[0x3BB] = _GREEK[0x39B] = "lambda"

# British spellings become American ones. The rules need not know words: they apply to both sides.
_BRITISH = (
    (re.compile(r"ae(?=.)|oe(?=.)"), "e"),
    (re.compile(r"our(?=$|s$|al$|ed$|ing$|ist$)"), "or"),
    (re.compile(r"is(?=ation|ations$|e$|ed$|es$|ing$)"), "iz"),
    (re.compile(r"ys(?=e$|ed$|ing$)"), "yz"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"leuco"), "leuko"),
    (re.compile(r"tre$"), "ter"),
    (re.compile(r"bre$"), "ber"),
)
_POSSESSIVE = re.compile(r"['\u2019](?:s|S)?$")
_LATIN = re.compile(r"[a-z]+")
# Words that a plural rule would spoil into another word.
_KEPT = {
    "species",
    "series",
    "rabies",
    "scabies",
    "caries",
    "aids",
    "sars",
    "mers",
    "feces",
    # Stemmed, a metal would be a country, and the name of a physician a pronoun.
    "indium",
    "hers",
}
_SHORT_PLURALS = {
    "nevi": "nevus", "foci": "focus", "loci": "locus", "fungi": "fungus", "villi": "villus",
    "feet": "foot", "teeth": "tooth", "mice": "mouse", "women": "woman", "children": "child",
}  # fmt: skip


def split_tokens(text: str) -> tuple[list[str], list[int]]:
    """The tokens of a text, and a list of places: token ``k`` stands at
    ``places[2 * k] : places[2 * k + 1]``."""
    parts = TOKEN.split(text)
    return parts[1::2], list(accumulate(map(len, parts)))


@lru_cache(maxsize=1 << 18)
def normal(token: str) -> str:
    """The form that all spellings of a word share."""
    if not token.isascii():
        if len(token) == 1:
            greek = _GREEK.get(ord(token))
            if greek:
                return greek
        token = token.replace("\u2019", "'")
        plain = (c for c in unicodedata.normalize("NFKD", token) if not unicodedata.combining(c))
        # A lone accent has nothing under it: it stays as it is. A wide space is a mark here.
        token = "".join(plain).strip() or token
    if "'" in token and len(token) > 1:
        token = _POSSESSIVE.sub("", token) or token
    word = token.lower()
    if len(word) <= 3 or not _LATIN.fullmatch(word):
        return word
    if word.endswith("ae"):
        return singular(word[:-1])
    for pattern, to in _BRITISH:
        word = pattern.sub(to, word)
    return singular(word)


def singular(word: str) -> str:
    """One form for singular and plural, English and the Latin and Greek of medicine.

    Not the singular itself where that would need a dictionary: "disease" and "diseases" both give
    "diseas", "metastasis" and "metastases" both "metastas".
    """
    if len(word) <= 3 or word in _KEPT:
        return word
    if word in _SHORT_PLURALS:
        return _SHORT_PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("mata"):
        return word[:-2]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if word.endswith(("ches", "shes", "xes", "zes", "ses", "sis")):
        word = word[:-2]
    elif plural or word.endswith(("se", "ze")):
        word = word[:-1]
    if word.endswith("us") and len(word) >= 7:
        return word[:-2]
    if word.endswith("um") and len(word) >= 6:
        return word[:-2] + "a"
    if word.endswith("i") and len(word) >= 6:
        return word[:-1]
    return word


def normal_name(name: str) -> tuple[str, ...]:
    """The normal forms of a name's tokens, marks left out: the key that lookup by name uses."""
    tokens, _ = split_tokens(name)
    return tuple(form for form in map(normal, tokens) if form[0].isalnum() and form != "the")
