"""How many took part, where an abstract says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER = r"(?P<n>\d{1,3}(?:[,\u2009\u202f ]\d{3})+|\d{1,7})"
_WHO = (
    r"(?:[a-z-]+ ){0,3}?(?:patients?|participants?|subjects|volunteers|women|men|adults|"
    r"children|infants|individuals|people|students|nurses|respondents|cases|adolescents|"
    r"neonates|mice|rats|pregnancies|residents|workers|physicians|veterans|eyes)"
)
_DONE = (
    r"(?:randomi[sz]ed|randomly (?:assigned|allocated|divided)|enrolled|included|recruited|"
    r"allocated|assigned|analy[sz]ed|studied|eligible|evaluated|participated|identified|completed)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_NUMBER} {_WHO} (?:[a-z]+ ){{0,4}}?(?:were|was|who were)? ?(?:[a-z]+ )??{_DONE}\b",
        rf"\b(?:we )?{_DONE} (?:a total of )?{_NUMBER} {_WHO}\b",
        rf"\b(?:a total of|in total,?|sample of|cohort of) {_NUMBER} {_WHO}\b",
        rf"\({'n'} ?= ?{_NUMBER}\)",
        rf"\bn ?= ?{_NUMBER}\b",
        rf"(?:纳入|入选|选取|收集)[^,。;,;]{{0,20}}?{_NUMBER} ?(?:例|名|位)",
    )
)
_BARE = 3
"""From this pattern on a number may be that of an arm."""
_PEOPLE = re.compile(rf"\d {_WHO}", re.IGNORECASE)
"""What each pattern before that holds: a number's last digit, and people."""
_LEAD = 90
"""More letters than a pattern has before that digit."""
_SPELLED = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip
_PAPERS = re.compile(
    rf"\b(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}|{'|'.join(_SPELLED)}) (?:[a-z-]+ ){{0,2}}?"
    r"(?:studies|trials|rcts|articles|papers|records|reports|publications|citations)\b",
    re.IGNORECASE,
)
_COUNTED = ("例", "名", "位")
_FIGURES = re.compile(r"\d+")
_AFTER_DONE = re.compile(r"[de] (?:a total of )?\d", re.IGNORECASE)
"""Where something done ends and a number begins: "enrolled 12", "eligible a total of 12"."""
_AFTER_TOTAL = re.compile("[FfLl,] \\d")
"""The same after "a total of", "in total", "in total,", "sample of"."""
_EQUALS = re.compile(r"[Nn] ?= ?\d")
_BEFORE_NUMBER = 40
"""More letters than the second and third pattern have before those."""


def sample_size(abstract: str) -> int | None:
    """The number of those who took part; None where the abstract does not say it.

    A number of people who "were randomised, enrolled, included" counts before a bare ``n =``. Of
    several the first is taken: abstracts name the whole before its parts. A single ``n =`` is
    taken as it stands, of several the largest, which is no smaller than any arm. Where an abstract
    counts papers, ``n = 3`` may be some of them: more take part in studies than there are studies.
    """
    starts = _starts(abstract)
    for at, pattern in enumerate(_PATTERNS):
        if starts[at] < 0:
            continue
        matches = (
            _at_numbers(pattern, abstract, starts[at])
            if at == 0
            else pattern.finditer(abstract, starts[at])
        )
        counts = (int(re.sub(r"\D", "", match.group("n"))) for match in matches)
        least = papers_counted(abstract) if at >= _BARE else 0
        numbers = (count for count in counts if count > least)
        number = next(numbers, None) if at < _BARE else max(numbers, default=None)
        if number is not None:
            return number
    return None


def papers_counted(abstract: str) -> int:
    """The largest number of papers that an abstract speaks of; 0 where it counts none."""
    numbers = (match["n"].lower() for match in _PAPERS.finditer(abstract))
    return max((_SPELLED.get(n) or int(n.replace(",", "")) for n in numbers), default=0)


def _at_numbers(pattern: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    """What ``finditer`` gives for a pattern that begins with a number: it would be tried at every
    letter, and figures are few."""
    end = start
    for figures in _FIGURES.finditer(text, start):
        at = figures.start()
        if at >= end and (at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_")):
            match = pattern.match(text, at)
            if match is not None:
                end = match.end()
                yield match


_ARM = re.compile(
    r"(?P<name>[^\W\d_][\w/+.-]*"
    r"(?: (?!(?:or|and|to|versus|vs|into|with|the|either)\b)[\w/+.%-]+){0,3})"
    r" ?\([nN] ?= ?(?P<n>\d{1,3}(?:[,\u2009\u202f ]\d{3})+|\d{1,7})\b[^()]{0,40}\)"
)
_SIZE = re.compile(r"\([nN] ?=")
_NAME = 200
"""More letters than an arm's name or its size has."""
_BEFORE = re.compile(
    r"^(?:(?:receive|receiving|received|either|the|a|an|of|in|into|to|or|and|with|by|for|assigned|"
    r"allocated|randomi[sz]ed|divided|given|groups?|patients?|participants?|versus|vs) )+",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:total|all|overall|study population|sample|cohort)\b", re.IGNORECASE)
NEAR = 250
"""Characters between two arms of one study at most."""


def arms(abstract: str) -> tuple[tuple[str, int], ...]:
    """The groups of a study with their sizes, where the abstract names at least two of them as
    ``placebo (n = 33)``; empty where it does not."""
    sizes = [match.start() for match in _SIZE.finditer(abstract)]
    if len(sizes) < 2:
        return ()
    groups: list[tuple[str, int]] = []
    last = 0
    # A name is tried at every word: only where sizes stand, which is a small part of an abstract.
    for match in _ARM.finditer(abstract, max(0, sizes[0] - _NAME), sizes[-1] + _NAME):
        name = _BEFORE.sub("", match["name"]).strip()
        if not name or _WHOLE.search(name):
            continue
        if groups and match.start() - last > NEAR:
            break  # another table of numbers, farther on
        last = match.end()
        if name.lower() not in {other.lower() for other, _ in groups}:
            groups.append((name, int(re.sub(r"\D", "", match["n"]))))
    return tuple(groups) if len(groups) > 1 else ()


_KEPT = 100_000
_known: dict[int, tuple[int | None, tuple[tuple[str, int], ...]]] = {}


def took_part(abstract: str) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    """``sample_size`` and ``arms``, kept by the hash of the abstract as designs are: hits of one
    question come back with the next."""
    key = hash(abstract)
    known = _known.get(key)
    if known is None:
        if len(_known) >= _KEPT:
            _known.clear()
        known = _known[key] = (sample_size(abstract), arms(abstract))
    return known


def _starts(abstract: str) -> tuple[int, ...]:
    """Where each pattern can begin to match, -1 for nowhere: most abstracts lack what it needs,
    and looking for that costs a small part of looking for the pattern."""
    people = _PEOPLE.search(abstract)
    phrase = done = total = -1
    if people is not None:
        phrase = max(0, people.start() - _LEAD)
        done = _before(_AFTER_DONE.search(abstract, phrase), phrase)
        total = _before(_AFTER_TOTAL.search(abstract, phrase), phrase)
    equals = _EQUALS.search(abstract) if "=" in abstract else None
    bare = -1 if equals is None else max(0, equals.start() - 1)
    chinese = 0 if any(mark in abstract for mark in _COUNTED) else -1
    return (phrase, done, total, bare, bare, chinese)


def _before(match: re.Match[str] | None, least: int) -> int:
    return -1 if match is None else max(least, match.start() - _BEFORE_NUMBER)
