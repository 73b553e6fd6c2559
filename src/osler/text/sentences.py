"""Sentences as spans of a text, by rules: English as medicine writes it, and Chinese.

A sentence ends at a full stop, question or exclamation mark (with the quotes and brackets that
close after it) when a blank and something that can begin a sentence follow; at 。！？ wherever
they stand; and at a line's end. A label such as ``METHODS:`` stays with its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.text.scripts import listed

# Words after which a full stop does not end a sentence.
ABBREVIATIONS: frozenset[str] = listed(
    # Latin and reading aids
    "e.g eg i.e ie cf vs viz ca approx resp incl excl al ibid",
    # parts of a work
    "fig figs tab eq eqs ref refs sect chap vol vols pp ed eds suppl",
    # persons and places
    "dr drs prof mr mrs ms st jr sr messrs",
    # taxonomy and measures
    "spp sp subsp ssp var cv gen nov wt mol conc temp max min avg dept univ inst no nos nr",
    # months, as dates are cut short
    "jan feb mar apr jun jul aug sep sept oct nov dec",
)
# Of those, the ones that do end a sentence when a capitalised word follows.
_OFTEN_LAST = listed("al spp sp var cv nov no wt mol min max st jr sr ed")
# ... but these, which stand before names, only when that word often begins a sentence.
_BEFORE_NAMES = listed("al st sp")
_CLOSERS = "\"'\u201d\u2019)\\]\u300d\u300f\uff09\u300b"

# Possessive, and only from the first of a run of stops: a line of dots must cost no more than any.
_CANDIDATE = re.compile(
    rf"[\u3002\uff01\uff1f\u2026]+[{_CLOSERS}]*"  # Chinese: ends wherever it stands
    rf"|(?<![.!?])[.!?]++[{_CLOSERS}]*+(?=[ \t\u00a0\u3000]|[\u3400-\u9fff])"
    r"|[\n\r\u2028\u2029]+"
)
# Where one of them can begin: a search for single characters is many times as fast.
_SIGN = re.compile("[.!?\n\r\u2028\u2029\u3002\uff01\uff1f\u2026]")
# The word before a full stop, with inner stops: "e.g", "U.S", "E".
_WORD_BEFORE = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
_BLANKS = re.compile(r"[ \t\u00a0\u3000]*")
_NEXT_WORD = re.compile(r"[\"'\u201c\u2018(\[]*([^\W_]+)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
# What stands before the letter of "Hurler's." or "don't.": it is no initial.
_CUT_OFF = re.compile(r"[^\W\d_]['\u2019]$")
# A sentence after an initial starts with one of these rather than with a name.
_STARTERS = listed(
    "The This These Those That They There Then Thus It Its In On At We Our Here However Moreover",
    "Furthermore For From After Although An As Both But By During Each If No Of One Results",
    "Conclusion Conclusions Methods Patients Since Such To Two Under When Where Which While",
    "With Also Additionally Finally Overall Using Compared Only Most Some All Further Their",
    "Three He She I A",
)
LOOK_BACK = 40


def _ends(text: str, stop: int, after: int) -> bool:
    """Whether the full stop at ``stop`` ends a sentence; ``after`` is where its blanks begin."""
    begin = _BLANKS.match(text, after).end()  # type: ignore[union-attr]
    if begin == len(text):
        return True
    next_character = text[begin]
    # A sentence does not begin in lower case, nor with most signs.
    if next_character.islower():
        # ... but for names such as mRNA or pH, whose second letter is a capital.
        follows = text[begin + 1 : begin + 2]
        if not follows.isupper():
            return False
    elif next_character in ",;:.!?%)=<>/":
        return False
    if text[stop] != ".":
        return True
    # Most stops follow a plain word after a blank, which a look from behind finds at once.
    blank = text.rfind(" ", max(0, stop - LOOK_BACK), stop)
    last = text[blank + 1 : stop]
    if blank >= 0 and len(last) > 1 and last.isalpha() and last.lower() not in ABBREVIATIONS:
        return True
    before = _WORD_BEFORE.search(text, max(0, stop - LOOK_BACK), stop)
    if before is None:
        return True
    word = before[0]
    following = _NEXT_WORD.match(text, begin)
    next_word = following[1] if following else ""
    if word[0].isdigit():
        return True
    if _CUT_OFF.search(text, max(0, before.start() - 2), before.start()):
        return True
    if _INITIALS.fullmatch(word):
        return _ends_after_initial(text, before.start(), word, next_word)
    low = word.lower()
    if low not in ABBREVIATIONS:
        return True
    if low not in _OFTEN_LAST:
        return False
    return not next_word[:1].isdigit() and (next_word in _STARTERS or low not in _BEFORE_NAMES)


def _ends_after_initial(text: str, start: int, word: str, next_word: str) -> bool:
    """After ``E.`` or ``U.S.``: a genus or a name goes on, a group or a type ends."""
    if next_word in _STARTERS:
        return True
    if "." in word:
        return next_word[:1].isupper() and word.lower() not in ABBREVIATIONS
    # "vitamin D. Serum", "group B. Patients": a lone capital that follows a lower-case word and
    # is followed by a capitalised word is the last word of its sentence; "J. Smith" starts one.
    ahead = text[max(0, start - 2) : start]
    return len(ahead) == 2 and ahead[1] in " -" and (ahead[0].islower() or ahead[0].isdigit())


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Everything that may end a sentence, in order."""
    sign = _SIGN.search(text)
    while sign is not None:
        match = _CANDIDATE.match(text, sign.start())
        if match is not None:
            yield match
        sign = _SIGN.search(text, match.end() if match is not None else sign.end())


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as (start, end), in order, without the blanks between them."""
    spans: list[tuple[int, int]] = []
    start = 0

    def close(end: int) -> None:
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(bare)))

    for match in _candidates(text):
        first = text[match.start()]
        if first in ".!?" and not _ends(text, match.start(), match.end()):
            continue
        close(match.end())
        start = match.end()
    close(len(text))
    return spans
