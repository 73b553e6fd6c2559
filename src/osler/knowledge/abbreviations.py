"""Abbreviations that a text defines itself: "ataxia telangiectasia (AT)".

Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
text", Pacific Symposium on Biocomputing 2003: the short form stands in brackets after the long
form (or the other way round), and its characters are found in the long form from right to left,
the first one at the beginning of a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BRACKETS = re.compile(r"[(\[（]([^()\[\]（）]{1,200})[)\]）]")
# One set of marks comes first: the engine runs to the next of them without trying each place.
_BREAK = re.compile(r"[.;:!?。；：！？()\[\]（）](?:(?<=[()\[\]（）])|\s|$)")
_SHORT = re.compile(r"[A-Za-z0-9\u0370-\u03ff][A-Za-z0-9\u0370-\u03ff./+'\- ]*$")
MAX_SHORT = 12
_PARTS = re.compile(r"[,;，；]\s|\bor\b")
# What belongs to the front of a chemical's name: locants, Greek letters, single letters.
_LOCANT = re.compile(
    r"(?:(?:\d+|[A-Za-z]|alpha|beta|gamma|delta|omega)['′]?(?:\(\w{1,3}\))?[,:\-])*"
    r"(?:\d+|[A-Za-z]|alpha|beta|gamma|delta|omega)['′]?(?:\(\w{1,3}\))?-",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[^\s\-/]+")
_BEFORE_BRACKET = re.compile(r"([A-Za-z0-9\-]{2,10})\s*$")
_FUNCTION = frozenset(
    ["of", "the", "and", "in", "for", "to", "a", "an", "with", "by", "on", "or", "from"]
)


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
        """The long form stands in the bracket."""
        return self.long_start > self.inside[0]


def definitions(text: str) -> list[Definition]:
    """All definitions of a text, in their order."""
    if "(" not in text and "[" not in text and "（" not in text:
        return []
    defined = []
    for match in _BRACKETS.finditer(text):
        definition = _before(text, match) or _within(text, match) or _inside(text, match)
        if definition is not None:
            defined.append(definition)
    return defined


def abbreviations(text: str) -> list[tuple[str, str]]:
    """Short and long forms that a text defines, in their order, each once."""
    return list(dict.fromkeys((one.short, one.long) for one in definitions(text)))


def _before(text: str, match: re.Match[str]) -> Definition | None:
    """The usual order: long form, then the short one in the bracket, alone or beside something
    else ("(EC 1.15.1.1; SOD)")."""
    inner = match.group(1)
    parts = _PARTS.split(inner)
    window = ""
    for number, part in enumerate(parts):
        short = part.strip()
        # Most brackets end here: "(n = 34)", "(95% CI: 1.2 to 3.4)".
        if not ((not number and _can_be_initials(short)) or is_short(short)):
            continue
        window = window or _window(text, match.start())
        long = _spelled(short, _last_words(window, short), whole=len(parts) == 1)
        if long is not None:
            end = len(text[: match.start()].rstrip())
            start = _with_locants(text, end - len(long))
            place = match.start(1) + inner.find(short)
            return Definition(short, text[start:end], place, start, end, match.span())
    return None


def _window(text: str, end: int) -> str:
    """What stands before a bracket in the same clause, at most 200 characters."""
    window = text[max(0, end - 200) : end]
    begin = 0
    for mark in _BREAK.finditer(window):
        begin = mark.end()
    return window[begin:]


def _spelled(short: str, window: str, *, whole: bool) -> str | None:
    """The long form of a short one at the end of a window: by first letters where that works, else
    by letters anywhere. A short form without a capital, or of one letter, must be first letters;
    one letter must have the bracket to itself."""
    first = by_initials(short, window)
    if first is not None and (len(short) > 1 or (whole and short.isupper() and len(first) > 4)):
        return first
    if not is_short(short):
        return None
    return long_form(short, window)


def by_initials(short: str, window: str) -> str | None:
    """The words at the end of a window whose first letters are the short form, function words
    aside: "proton pump inhibitors" for PPIs. Hyphens part words as blanks do."""
    if not _can_be_initials(short):
        return None
    letters = [c.lower() for c in short]
    options = [letters]
    if len(letters) > 2 and letters[-1] == "s":
        options.append(letters[:-1])
    words = window.replace("-", " ").replace("/", " ").split()
    for wanted in options:
        at, left = len(words) - 1, len(wanted) - 1
        while at >= 0 and left >= 0:
            word = words[at].lower()
            if word[0] == wanted[left]:
                left -= 1
            elif word not in _FUNCTION or left == len(wanted) - 1:
                break
            at -= 1
        if left < 0:
            starts = [match.start() for match in _PLAIN_WORD.finditer(window)]
            return window[starts[at + 1] :]
    return None


def _can_be_initials(short: str) -> bool:
    return len(short) <= 8 and short.isalnum()


def _with_locants(text: str, start: int) -> int:
    """Where a long form begins with the locants before it: "2,6-" of diaminopurine."""
    token = start
    while token > 0 and not text[token - 1].isspace() and text[token - 1] not in "([（":
        token -= 1
    if token < start and _LOCANT.fullmatch(text[token:start]):
        return token
    return start


def _inside(text: str, match: re.Match[str]) -> Definition | None:
    """Both in one bracket: "(blood-brain barrier, BBB)"."""
    inner = match.group(1)
    long, comma, short = inner.rpartition(",")
    long, short = long.rstrip(), short.strip()
    if not comma or not is_short(short) or not long:
        return None
    spelled = by_initials(short, long) or long_form(short, long)
    if spelled is None or len(spelled) < 0.6 * len(long):
        return None
    end = match.start(1) + len(long)
    start = _with_locants(text, end - len(spelled))
    place = end + 1 + inner[len(long) + 1 :].find(short)
    return Definition(short, text[start:end], place, start, end, match.span())


def _within(text: str, match: re.Match[str]) -> Definition | None:
    """The other order: "AT (ataxia telangiectasia)"."""
    inner = match.group(1).strip()
    if len(inner.split()) < 2:
        return None
    ahead = text[max(0, match.start() - 16) : match.start()]
    if ahead == ahead.lower():
        return None  # a short form has a capital
    before = _BEFORE_BRACKET.search(ahead)
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
        and any(map(str.isupper, form))
        and any(map(str.isalpha, form))
    )


def _last_words(text: str, short: str) -> str:
    """At most min(|A| + 5, 2 |A|) words before the bracket, |A| characters in the short form."""
    limit = min(len(short) + 5, len(short) * 2)
    words = text.rsplit(None, limit)
    # What the limit leaves over stands first, its own beginning as it was.
    return text[len(words[0]) :].strip() if len(words) > limit else text.strip()


def long_form(short: str, text: str) -> str | None:
    """The shortest end of ``text`` that spells the short form; None when there is none."""
    small, letters = _small(text), _small(short)
    place = len(text)
    for at in range(len(short) - 1, -1, -1):
        if not letters[at].isalnum():
            continue
        place = small.rfind(letters[at], 0, place)
        while at == 0 and place > 0 and text[place - 1].isalnum():
            place = small.rfind(letters[at], 0, place)
        if place < 0:
            return None
    # One before the first letter; where that is a mark, it costs nothing.
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


def _small(text: str) -> str:
    """A text in small letters, place by place."""
    if text.isascii():
        return text.lower()
    return "".join(small if len(small := c.lower()) == 1 else c for c in text)
