"""Dates in queries: whole years by year, all else by day, and the same again when written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import InputError, QueryError
from osler.kinds.query import Span
from osler.retrieve.languages import write
from osler.retrieve.languages.dates import ends_of, span_of
from osler.retrieve.parse import parse


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("2021", Span("year", 2021, 2021)),
        ("2019:2021", Span("year", 2019, 2021)),
        ("2019 - 2021", Span("year", 2019, 2021)),
        ("2019:", Span("year", 2019, None)),
        (":2021", Span("year", None, 2021)),
        ("2019:3000", Span("year", 2019, None)),
        ("2019/01/01:2021/12/31", Span("year", 2019, 2021)),
        ("2019/1:2021/12", Span("year", 2019, 2021)),
        ("2021/05", Span("day", 20210500, 20210599)),
        ("2021/5/13", Span("day", 20210513, 20210513)),
        ("2021/05:2021/06", Span("day", 20210500, 20210699)),
        ("2021/05/02:2021/06/15", Span("day", 20210502, 20210615)),
        # A record that names no month counts as January, one that names no day as the first.
        ("2021/01", Span("day", 20210000, 20210199)),
        ("2021/05/01", Span("day", 20210500, 20210501)),
        ("2021/01/01", Span("day", 20210000, 20210101)),
        ("2021/01/02", Span("day", 20210102, 20210102)),
        ("2020/11:2021", Span("day", 20201100, 20219999)),
        ("2020:2021/06", Span("day", 20200000, 20210699)),
        (":2021/06", Span("day", None, 20210699)),
        ("2021/05:3000", Span("day", 20210500, None)),
    ],
)
def test_a_date_or_a_range_of_dates(text, span):
    assert span_of(text) == span


@pytest.mark.parametrize(
    "text", ["", ":", "soon", "202", "2021/13", "2021/00", "2021/05/32", "2021/05/00", "2020 2021"]
)
def test_what_is_no_date(text):
    assert span_of(text) is None


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("2021", ("2021", "2021")),
        ("2021/05", ("2021/05", "2021/05")),
        ("2021/01", ("2021/01", "2021/01")),
        ("2021/05/01", ("2021/05/01", "2021/05/01")),
        ("2021/05:2021/06/03", ("2021/05", "2021/06/03")),
        ("2020/11:2021", ("2020/11", "2021")),
        (":2021/06", ("", "2021/06")),
        ("2021/05:", ("2021/05", "")),
    ],
)
def test_ends_are_written_as_they_were(text, ends):
    assert ends_of(span_of(text)) == ends


_days = st.dates(date(1000, 1, 1), date(2999, 12, 31))
_dates = st.one_of(
    _days.map(lambda day: f"{day.year}"),
    _days.map(lambda day: f"{day.year}/{day.month:02}"),
    _days.map(lambda day: f"{day.year}/{day.month}/{day.day}"),
)


def _forwards(ends: tuple[str, str]) -> str:
    """A range of two dates, the earlier one first: the other way round is an error."""
    return ":".join(sorted(ends, key=lambda date: [int(part) for part in date.split("/")]))


def test_a_range_that_ends_before_it_begins_is_an_error():
    for line in ("2021:2020[dp]", "2021/05:2021/04[dp]", "year:2021:2020"):
        with pytest.raises(QueryError, match="ends before it begins"):
            parse(line)


@given(st.one_of(_dates, st.tuples(_dates, _dates).map(_forwards)))
def test_what_is_written_reads_the_same(text):
    tree = parse(f"{text}[dp]")
    for language in ("pubmed", "osler"):
        assert parse(write(tree, language)) == tree


def test_a_month_cannot_be_said_elsewhere():
    for language in ("ovid", "embase"):
        with pytest.raises(InputError, match="month or a day"):
            write(parse("2021/05[dp]"), language)
