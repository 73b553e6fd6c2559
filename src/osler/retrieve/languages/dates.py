"""Years, months and days of publication in a query: 2019, 2019:2021, 2021/05:2021/06/15.

Whole years are a range of the field ``year``; all else is a range of the field ``day``, with the
numbers of the index: 2021-05-13 is 20210513, and what a record leaves out is 00. As in PubMed, a
date without a month or a day counts as the first one: a range that begins with 2021/05/01 takes in
what was published "in May 2021".
"""

from __future__ import annotations

import re

from osler.kinds.query import Span

LAST = 3000
"""The year that PubMed writes for an end that is left open."""
_DATE = r"\d{4}(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12]\d|3[01]))?)?"
_RANGE = re.compile(rf"(?P<low>{_DATE})?\s*(?P<to>[:\-–])?\s*(?P<high>{_DATE})?")
_ALL = 99
"""Stands for all months of a year, or all days of a month, where a range ends with them."""

Parts = tuple[int, int, int]


def span_of(text: str) -> Span | None:
    """What a date or a range of dates asks for; None where it is neither."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or not (match["low"] or match["high"]):
        return None
    low, high = _parts(match["low"]), _parts(match["high"])
    if not match["to"]:
        if high:
            return None
        high = low
    if high and high[0] >= LAST:
        high = None
    from_new_year = low is None or (low[1] <= 1 and low[2] <= 1)
    if from_new_year and (high is None or high[1:] in ((0, 0), (12, 0), (12, 31))):
        return Span("year", low[0] if low else None, high[0] if high else None)
    return Span("day", _first(low) if low else None, _last(high) if high else None)


def backwards(span: Span) -> bool:
    """Whether a range ends before it begins, so that nothing lies in it."""
    return span.low is not None and span.high is not None and span.high < span.low


def ends_of(span: Span) -> tuple[str, str]:
    """Both ends of a range as a query has them: empty where one is open, the same where one date
    says all."""
    if span.field == "year":
        low, high = (str(end or "") for end in (span.low, span.high))
        return low, high
    low = "" if span.low is None else _date(span.low, nothing=0)
    high = "" if span.high is None else _date(span.high, nothing=_ALL)
    return (high, high) if high and span_of(high) == span else (low, high)


def _parts(text: str | None) -> Parts | None:
    if not text:
        return None
    year, month, day = (*map(int, text.split("/")), 0, 0)[:3]
    return year, month, day


def _first(date: Parts) -> int:
    year, month, day = date
    day = 0 if day == 1 else day
    month = 0 if month == 1 and not day else month
    return year * 10_000 + month * 100 + day


def _last(date: Parts) -> int:
    year, month, day = date
    return year * 10_000 + (month or _ALL) * 100 + (day or _ALL)


def _date(number: int, *, nothing: int) -> str:
    """A number of the index as a date, without what ``nothing`` stands for."""
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    parts = [f"{part:02}" for part in (month, day) if part != nothing]
    return "/".join([str(year), *parts])
