"""When: days, months, years and stretches of them, in English and Chinese."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from osler.ask.form.tokens import Token

_MONTHS = {name.casefold(): at for at, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.casefold(): at for at, name in enumerate(calendar.month_abbr) if name}
_MONTHS["sept"] = 9
_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?$")
_SLASHED = re.compile(r"(\d{1,4})/(\d{1,2})/(\d{2,4})$")
_MONTH_YEAR = re.compile(r"(\d{1,2})/(\d{4})$")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})$")
_YEAR = re.compile(r"(1[89]\d\d|2[01]\d\d)$")
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "月": 30, "年": 365}
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "couple": 2}


@dataclass(frozen=True)
class Stretch:
    """Tokens that say a time: first and last day. ``open`` is a bare point ("2018"), whose
    meaning a word before it (since, before, after) still decides."""

    start: int
    end: int
    first: str
    last: str


def stretches(words: Sequence[Token], today: datetime.date) -> list[Stretch]:
    """Every time in a question, longest first at each place."""
    times: list[Stretch] = []
    at = 0
    while at < len(words):
        here = next(
            (
                stretch
                for read in (_counted, _relative, _chinese, _point)
                if (stretch := read(words, at, today))
            ),
            None,
        )
        if here is None:
            at += 1
        else:
            times.append(here)
            at = here.end
    return times


def _point(words: Sequence[Token], at: int, today: datetime.date) -> Stretch | None:
    text = words[at].text
    if match := _ISO.match(text):
        return _span(at, at + 1, *(int(g) if g else 0 for g in match.groups()))
    if match := _SLASHED.match(text):
        a, b, c = (int(g) for g in match.groups())
        if a > 31:
            return _span(at, at + 1, a, b, c)
        # 08/12/2018 is two days; only a number above 12 decides.
        if a > 12 and c > 31:
            return _span(at, at + 1, c, b, a)
        if b > 12 and c > 31:
            return _span(at, at + 1, c, a, b)
        return None
    if match := _MONTH_YEAR.match(text):
        return _span(at, at + 1, int(match.group(2)), int(match.group(1)), 0)
    if match := _DOTTED.match(text):
        # Where days are dotted, the day stands first.
        day, month, year = (int(g) for g in match.groups())
        return _span(at, at + 1, year, month, day)
    rest = list(_following(words, at, 5))
    keys = [words[i].key.rstrip(".") for i in rest]
    numbers = [_ordinal(k) for k in keys]
    if len(keys) > 2 and numbers[0] and keys[1] in _MONTHS and _YEAR.match(keys[2]):
        return _span(at, rest[2] + 1, int(keys[2]), _MONTHS[keys[1]], numbers[0])
    if len(keys) > 2 and keys[0] in _MONTHS and numbers[1] and _YEAR.match(keys[2]):
        return _span(at, rest[2] + 1, int(keys[2]), _MONTHS[keys[0]], numbers[1])
    if len(keys) > 1 and keys[0] in _MONTHS and _YEAR.match(keys[1]):
        return _span(at, rest[1] + 1, int(keys[1]), _MONTHS[keys[0]], 0)
    if len(keys) > 1 and keys[0] in _MONTHS and _short_year(words, at, rest[1]):
        return _span(at, rest[1] + 1, 2000 + int(keys[1].strip("'")), _MONTHS[keys[0]], 0)
    if _YEAR.match(text):
        return _span(at, at + 1, int(text), 0, 0)
    return None


def _short_year(words: Sequence[Token], month: int, year: int) -> bool:
    """ "In May 21": a month has a year behind it, a day none."""
    inside = month > 0 and words[month - 1].word in ("in", "since", "during")
    return inside and bool(re.fullmatch(r"'?[0-2]\d", words[year].text))


def _following(words: Sequence[Token], at: int, count: int) -> Iterator[int]:
    """Places from here on, commas and "of" left out."""
    for place in range(at, min(at + count, len(words))):
        if words[place].text not in (",", "of", "the"):
            yield place


def _ordinal(word: str) -> int:
    match = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", word)
    return int(match.group(1)) if match and 1 <= int(match.group(1)) <= 31 else 0


def _chinese(words: Sequence[Token], at: int, today: datetime.date) -> Stretch | None:
    """2018年8月12日, 2018年8月, 2018年."""
    numbers: list[int] = []
    place = at
    for unit in ("年", "月", "日号"):
        if place + 1 < len(words) and words[place].text.isdigit() and words[place + 1].text in unit:
            numbers.append(int(words[place].text))
            place += 2
        else:
            break
    if not numbers or not _YEAR.match(str(numbers[0])):
        return None
    return _span(at, place, *([*numbers, 0, 0])[:3])


_UP_TO = "up to|leading up to|running up to|ending|to|until|till"
_BEFORE = "before|prior to|preceding"
_FROM = "from|starting|since|beginning"
_AFTER = "after|following"


def _counted(words: Sequence[Token], at: int, today: datetime.date) -> Stretch | None:
    """The 12 months up to 31 January 2021, the last six weeks before 3 May 2019: so long before or
    after a day that is named. Before and after leave that day out."""
    start = at + (words[at].word in ("last", "past", "previous", "final", "first"))
    if start + 3 > len(words) or words[start + 1].key not in _UNITS:
        return None
    count = _number(words[start].key)
    if not count:
        return None
    for ways, sign, apart in ((_UP_TO, -1, 0), (_BEFORE, -1, -1), (_FROM, 1, 0), (_AFTER, 1, 1)):
        for way in ways.split("|"):
            behind = start + 3 + way.count(" ")
            if " ".join(word.word for word in words[start + 2 : behind]) != way:
                continue
            behind += words[behind : behind + 1] != [] and words[behind].word in ("the", "on")
            day = _point(words, behind, today) if behind < len(words) else None
            if day is None or day.first != day.last:
                continue
            named = datetime.date.fromisoformat(day.first)
            near = named + datetime.timedelta(days=apart)
            far = _moved(named, sign * count, words[start + 1].key)
            first, last = sorted((near.isoformat(), far.isoformat()))
            return Stretch(at, day.end, first, last)
    return None


def _number(word: str) -> int:
    return int(word) if word.isdigit() and len(word) < 4 else _NUMBERS.get(word, 0)


def _relative(words: Sequence[Token], at: int, today: datetime.date) -> Stretch | None:
    """In the last five years, last year, this year, over the past 6 months."""
    keys = [w.key for w in words[at : at + 4]]
    if keys[:1] in (["last"], ["past"], ["previous"]):
        count, used = 1, 1
        if len(keys) > 2 and (keys[1].isdigit() or keys[1] in _NUMBERS):
            count, used = int(keys[1]) if keys[1].isdigit() else _NUMBERS[keys[1]], 2
        if len(keys) > used and keys[used] in _UNITS:
            if keys[used] == "year" and used == 1 and keys[0] in ("last", "previous"):
                return _span(at, at + 2, today.year - 1, 0, 0)
            if keys[used] == "month" and used == 1 and keys[0] in ("last", "previous"):
                before = today.replace(day=1) - datetime.timedelta(days=1)
                return _span(at, at + 2, before.year, before.month, 0)
            first = _back(today, count, keys[used])
            return Stretch(at, at + used + 1, first.isoformat(), today.isoformat())
    counted = keys[:1] != [] and keys[0].isdigit() and len(keys[0]) < 4
    if counted and keys[2:3] == ["ago"] and keys[1] in _UNITS:
        back = _back(today, int(keys[0]), keys[1]).isoformat()
        return Stretch(at, at + 3, back, back)
    if keys[:2] == ["this", "year"]:
        return _span(at, at + 2, today.year, 0, 0)
    if keys[:2] == ["this", "month"]:
        return _span(at, at + 2, today.year, today.month, 0)
    if keys[:1] == ["yesterday"]:
        day = (today - datetime.timedelta(days=1)).isoformat()
        return Stretch(at, at + 1, day, day)
    if keys[:2] == ["去", "年"]:
        return _span(at, at + 2, today.year - 1, 0, 0)
    if keys[:2] == ["今", "年"]:
        return _span(at, at + 2, today.year, 0, 0)
    return None


def _back(today: datetime.date, count: int, unit: str) -> datetime.date:
    """So many units before today."""
    return _moved(today, -count, unit)


def _moved(day: datetime.date, count: int, unit: str) -> datetime.date:
    """So many units after a day, before it where they are below zero; years and months go by the
    calendar."""
    months = {"year": 12, "年": 12, "month": 1, "月": 1}.get(unit)
    if months is None:
        return day + datetime.timedelta(days=count * _UNITS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * months, 12)
    if not 1 <= year <= 9999:
        return datetime.date.min if year < 1 else datetime.date.max
    return datetime.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _span(start: int, end: int, year: int, month: int, day: int) -> Stretch | None:
    try:
        if day:
            iso = datetime.date(year, month, day).isoformat()
            return Stretch(start, end, iso, iso)
        if month:
            last = calendar.monthrange(year, month)[1]
            return Stretch(start, end, f"{year:04}-{month:02}-01", f"{year:04}-{month:02}-{last}")
        return Stretch(start, end, f"{year:04}-01-01", f"{year:04}-12-31")
    except (ValueError, calendar.IllegalMonthError):
        return None


def years_between(born: str, day: str) -> int | None:
    """Whole years from a birth date to a day; None where either is not known to the day."""
    try:
        a, b = datetime.date.fromisoformat(born[:10]), datetime.date.fromisoformat(day[:10])
    except ValueError:
        return None
    return b.year - a.year - ((b.month, b.day) < (a.month, a.day))
