"""Numbers, dates and extremes that a question asks for: "above 7", "in 2020", "the latest".

A test is (operator, value) as ``osler.records.query`` takes it. Spans of the question's words
that a test covers are given back, so that they are not read as something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from osler.records.query import Test

_MONTHS = {
    name: f"{at:02d}"
    for at, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        1,
    )
    for name in names.split()
}
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = (
    rf"((?:(?:{_MONTH})\.?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?(?:of\s+)?\d{{4}})|\d{{1,2}}\s+(?:{_MONTH})\.?,?\s+\d{{4}}"
    r"|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}/\d{4}|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|(?:17|18|19|20|21|22)\d{2})"
)
_OVER = (
    r"(?:above|over|greater than|more than|higher than|larger than|exceed(?:s|ing|ed)?|bigger "
    r"than|older than|in excess of|>|高于|大于|超过)"
)
_UNDER = r"(?:below|under|less than|lower than|smaller than|fewer than|younger than|<|低于|小于)"
_EVEN = r"(?:in|at|on|of|equal to)\s+or\s+"
_AT_LEAST = (
    rf"(?:{_EVEN}(?:above|over|more than|greater than|older than)|at least|no less than|"
    r"not less than|>=|≥|or more|minimum of)"
)
_AT_MOST = (
    rf"(?:{_EVEN}(?:below|under|less than|lower than|younger than)|at most|no more than|"
    r"not more than|<=|≤|up to)"
)
_EQUAL = r"(?:equal to|equals|exactly|of exactly|=|等于)"
_UNITS = r"(?:\s*(?:years?|days?|hours?|weeks?|months?)(?:\s+(?:of age|old))?)"
_MORE = r"\s+(?:or|and)\s+(?:more|older|above|over|greater|higher|longer|later)"
_LESS = r"\s+(?:or|and)\s+(?:less|younger|below|under|fewer|lower|shorter|earlier)"
_NUMBER_RULES = (
    (re.compile(rf"between\s+{_NUMBER}\s+and\s+{_NUMBER}(?![-/\d])", re.I), "between"),
    (re.compile(rf"\b{_NUMBER}{_UNITS}?{_MORE}\b", re.I), ">="),
    (re.compile(rf"\b{_NUMBER}{_UNITS}?{_LESS}\b", re.I), "<="),
    (re.compile(rf"{_AT_LEAST}\s*{_NUMBER}(?![-/\d])", re.I), ">="),
    (re.compile(rf"{_AT_MOST}\s*{_NUMBER}(?![-/\d])", re.I), "<="),
    (re.compile(rf"{_OVER}\s*{_NUMBER}(?![-/\d])", re.I), ">"),
    (re.compile(rf"{_UNDER}\s*(?:the age of\s*)?{_NUMBER}(?![-/\d])", re.I), "<"),
    (re.compile(rf"{_EQUAL}\s*{_NUMBER}(?![-/\d])", re.I), "="),
    (re.compile(rf"\b(?:for|is|was|are|aged|age|of)\s+{_NUMBER}(?={_UNITS}\b)", re.I), "="),
)
_DATE_RULES = (
    (re.compile(rf"(?:between|from)\s+{_DATE}\s+(?:and|to|until)\s+{_DATE}", re.I), "between"),
    (
        re.compile(
            rf"(?:in or before|on or before|up to|until|till|by|through)\s+"
            rf"(?:(?:the )?year\s+)?{_DATE}",
            re.I,
        ),
        "until",
    ),
    (
        re.compile(
            rf"(?:in or after|on or after|since|starting)\s+(?:(?:the )?year\s+)?{_DATE}", re.I
        ),
        "since",
    ),
    (
        re.compile(
            rf"(?:before|prior to|earlier than)\s+(?:(?:the )?"
            rf"year\s+)?{_DATE}|{_UNDER}\s*(?:the )?year\s+{_DATE}|{_DATE}\s*(?:年)?(?:之前|以前)",
            re.I,
        ),
        "before",
    ),
    (
        re.compile(
            rf"(?:after|later than|following)\s+(?:(?:the )?"
            rf"year\s+)?{_DATE}|{_OVER}\s*(?:the )?year\s+{_DATE}|{_DATE}\s*(?:年)?(?:之后|以后)",
            re.I,
        ),
        "after",
    ),
    (
        re.compile(rf"(?:in|on|during|for|dated|of|within)\s+(?:(?:the )?year\s+)?{_DATE}", re.I),
        "in",
    ),
    (re.compile(rf"\b{_DATE}", re.I), "in"),
)
_EXTREMES = (
    (re.compile(r"\b(latest|last|most recent(?:ly)?|newest|final)\b|最近|最新|最后", re.I), "last"),
    (re.compile(r"\b(first|earliest|oldest|initial)\b|最早|首次", re.I), "first"),
    (re.compile(r"\b(highest|maximum|max|largest|greatest|peak)\b|最高|最大", re.I), "max"),
    (re.compile(r"\b(lowest|minimum|min|smallest|least)\b(?!\s*\d)|最低|最小", re.I), "min"),
    # "Expressions that mean the same" asks for no average.
    (
        re.compile(
            r"\baverage\b(?!s)|平均"
            r"|(?<!that )(?<!which )(?<!they )(?<!to )\bmean\b(?!s|\s+(?:the|that|by))",
            re.I,
        ),
        "mean",
    ),
)


@dataclass(frozen=True)
class Found:
    """Tests of one kind and the characters that say them."""

    kind: str
    tests: tuple[Test, ...]
    start: int
    end: int


def _iso(text: str) -> str:
    text = text.strip().lower().rstrip("日")
    if "年" in text:
        parts = re.findall(r"\d+", text)
        return "-".join(p if i == 0 else f"{int(p):02d}" for i, p in enumerate(parts))
    match = re.match(
        rf"(?:({_MONTH})\.?\s+)?(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(?:({_MONTH})\.?,?\s+)?(?:of\s+)?(\d{{4}})$",
        text,
    )
    if match and (match.group(1) or match.group(3)):
        month = _MONTHS[match.group(1) or match.group(3)]
        day = f"-{int(match.group(2)):02d}" if match.group(2) else ""
        return f"{match.group(4)}-{month}{day}"
    match = re.match(r"(\d{1,2})/(\d{1,2})/(\d{4})$", text)
    if match:
        return f"{match.group(3)}-{int(match.group(1)):02d}-{int(match.group(2)):02d}"
    match = re.match(r"(\d{1,2})/(\d{4})$", text)
    if match:
        return f"{match.group(2)}-{int(match.group(1)):02d}"
    return text


def date_tests(text: str, taken: list[tuple[int, int]]) -> list[Found]:
    """Tests on dates; ``taken`` are characters that something else has read."""
    result: list[Found] = []
    for pattern, operator in _DATE_RULES:
        for match in pattern.finditer(text):
            span = match.span()
            given = [g for g in match.groups() if g]
            if not given or _clash(span, [*taken, *((f.start, f.end) for f in result)]):
                continue
            # A bare number is a year only after a word that says so.
            if operator == "in" and match.start(1) == span[0] and re.fullmatch(r"\d{4}", given[0]):
                continue
            values = [_iso(g) for g in given]
            if operator == "between":
                tests: tuple[Test, ...] = (("since", values[0]), ("until", values[1]))
            else:
                tests = ((operator, values[0]),)
            result.append(Found("date", tests, *span))
    return result


def number_tests(text: str, taken: list[tuple[int, int]]) -> list[Found]:
    result: list[Found] = []
    for pattern, operator in _NUMBER_RULES:
        for match in pattern.finditer(text):
            span = match.span()
            if _clash(span, [*taken, *((f.start, f.end) for f in result)]):
                continue
            values = [float(g) for g in match.groups() if g]
            if operator == "between":
                tests: tuple[Test, ...] = ((">=", min(values)), ("<=", max(values)))
            else:
                tests = ((operator, values[0]),)
            result.append(Found("number", tests, *span))
    return result


def extreme(text: str, taken: list[tuple[int, int]]) -> Found | None:
    for pattern, kind in _EXTREMES:
        match = pattern.search(text)
        if match and not _clash(match.span(), taken):
            return Found(kind, (), *match.span())
    return None


_COMPARES = re.compile(
    r"\b(?:than|above|over|below|under|less|fewer|more|greater|higher|lower|older|younger|larger|"
    r"smaller|least|most|exceed\w*|before|after|since|until|till|between|prior|earlier|later)\b"
    r"|[<>≤≥]|高于|大于|超过|低于|小于|之前|以前|之后|以后",
    re.I,
)
_FIGURE = re.compile(r"\d")


def unread_comparison(text: str, taken: list[tuple[int, int]]) -> bool:
    """Whether a word that compares stands in the question beside a figure, outside what was read
    ("less that 2187")."""
    free = [m.start() for m in _COMPARES.finditer(text) if not _clash(m.span(), taken)]
    return any(_FIGURE.search(text, at) for at in free)


def _clash(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
