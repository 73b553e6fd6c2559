"""How many took part, where an abstract says so."""

from __future__ import annotations

import re

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


def sample_size(abstract: str) -> int | None:
    """The number of those who took part; None where the abstract does not say it.

    A number of people who "were randomised, enrolled, included" counts before a bare ``n =``. Of
    several the first is taken: abstracts name the whole before its parts. A single ``n =`` is
    taken as it stands, of several the largest, which is no smaller than any arm.
    """
    for at, pattern in enumerate(_PATTERNS):
        numbers = [int(re.sub(r"\D", "", match.group("n"))) for match in pattern.finditer(abstract)]
        numbers = [number for number in numbers if number > 0]
        if numbers:
            return numbers[0] if at < _BARE else max(numbers)
    return None
