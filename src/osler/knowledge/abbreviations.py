"""Abbreviations that a text defines itself: "ataxia telangiectasia (AT)".

Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
text", Pacific Symposium on Biocomputing 2003: the short form stands in brackets after the long
form (or the other way round), and its characters are found in the long form from right to left,
the first one at the beginning of a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BRACKETS = re.compile(r"[(\[（]([^()\[\]（）]{1,100})[)\]）]")
_BREAK = re.compile(r"[.;:!?。；：！？](?:\s|$)|[()\[\]（）]")
_SHORT = re.compile(r"[A-Za-z0-9\u0370-\u03ff][A-Za-z0-9\u0370-\u03ff./+'\- ]*$")
MAX_SHORT = 12


@dataclass(frozen=True)
class Definition:
    """Where the two forms stand. ``inside`` is the span of the bracket, marks included."""

    short: str
    long: str
    short_start: int
    long_start: int
    long_end: int
    inside: tuple[int, int]

    @property
    def reversed(self) -> bool:
        """The short form came first, with the long one in the bracket."""
        return self.long_start > self.inside[0]


def definitions(text: str) -> list[Definition]:
    """All definitions of a text, in their order."""
    if "(" not in text and "[" not in text and "（" not in text:
        return []
    found = []
    for match in _BRACKETS.finditer(text):
        definition = _before(text, match) or _within(text, match)
        if definition is not None:
            found.append(definition)
    return found


def _before(text: str, match: re.Match[str]) -> Definition | None:
    """The usual order: long form, then the short one in the bracket."""
    inner = match.group(1)
    short = re.split(r"[,;，；]|\bor\b", inner, maxsplit=1)[0].strip()
    if not is_short(short):
        return None
    window = text[max(0, match.start() - 200) : match.start()]
    breaks = [mark.end() for mark in _BREAK.finditer(window)]
    if breaks:
        window = window[breaks[-1] :]
    long = long_form(short, _last_words(window, short))
    if long is None:
        return None
    end = len(text[: match.start()].rstrip())
    start = end - len(long)
    place = match.start(1) + inner.find(short)
    return Definition(short, long, place, start, end, match.span())


def _within(text: str, match: re.Match[str]) -> Definition | None:
    """The other order: "AT (ataxia telangiectasia)"."""
    inner = match.group(1).strip()
    if len(inner.split()) < 2:
        return None
    ahead = text[max(0, match.start() - 16) : match.start()]
    before = re.search(r"([A-Za-z0-9\-]{2,10})\s*$", ahead)
    if before is None or not is_short(before.group(1)):
        return None
    short = before.group(1)
    long = long_form(short, inner)
    if long is None or long != inner:
        return None
    start = match.start(1) + match.group(1).find(inner)
    place = match.start() - len(before.group(0))
    return Definition(short, long, place, start, start + len(long), match.span())


def is_short(form: str) -> bool:
    """Whether a form can be an abbreviation: 2 to 12 characters, at most two words, a letter,
    a capital or a digit among them."""
    return (
        2 <= len(form) <= MAX_SHORT
        and len(form.split()) <= 2
        and _SHORT.match(form) is not None
        and any(c.isalpha() for c in form)
        and any(c.isupper() for c in form)
    )


def _last_words(text: str, short: str) -> str:
    """At most min(|A| + 5, 2 |A|) words before the bracket, |A| characters in the short form."""
    limit = min(len(short) + 5, len(short) * 2)
    words = list(re.finditer(r"\S+", text))
    return text[words[-limit].start() :].rstrip() if len(words) > limit else text.strip()


def long_form(short: str, text: str) -> str | None:
    """The shortest end of ``text`` that spells the short form; None when there is none."""
    place = len(text) - 1
    for at in range(len(short) - 1, -1, -1):
        wanted = short[at].lower()
        if not wanted.isalnum():
            continue
        while place >= 0 and (
            text[place].lower() != wanted or (at == 0 and place > 0 and text[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
        place -= 1
    start = text.rfind(" ", 0, place + 1) + 1
    hyphen = text.rfind("-", start, place + 1)
    # "ataxia-telangiectasia" is one word to a blank, but a long form may begin after the hyphen.
    if hyphen >= 0 and text[hyphen + 1].lower() == short[0].lower():
        start = hyphen + 1
    long = text[start:]
    if len(long) <= len(short) or len(long.split()) > len(short) * 2 or short in long.split():
        return None
    return long
