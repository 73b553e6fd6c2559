"""Years and filters as people and programs write them: one place for all doors."""

from __future__ import annotations

from collections.abc import Sequence

from osler.errors import ChoiceError, InputError
from osler.kinds import Filter
from osler.text.design.names import DESIGNS, canonical

YEARS = r"^([0-9]{4}(:([0-9]{4})?)?|:[0-9]{4})$"
"""``2019``, ``2019:2021``, ``2019:`` or ``:2021``."""
YEARS_HELP = "2019, 2019:2021, 2019: or :2021."


def years_of(text: str | None) -> tuple[int | None, int | None] | None:
    """A range of years; None where nothing is given."""
    if not text or not text.strip():
        return None
    low, mark, high = text.strip().partition(":")
    try:
        years = (int(low) if low else None, int(high) if high else None)
    except ValueError:
        raise InputError(f"{text[:40]} is no range of years", cure="write 2019:2021") from None
    if years == (None, None):
        return None
    if years[0] is not None and years[1] is not None and years[1] < years[0]:
        raise InputError(f"{text} ends before it begins", cure=f"write {high}:{low}")
    return years if mark else (years[0], years[0])


def filter_of(
    *,
    year: str | None = None,
    language: Sequence[str] | None = None,
    journal: Sequence[str] | None = None,
    type: Sequence[str] | None = None,
    design: Sequence[str] | None = None,
    mesh: Sequence[str] | None = None,
    keyword: Sequence[str] | None = None,
    has_abstract: bool = False,
    without_retracted: bool = False,
    ids: Sequence[str] | None = None,
) -> Filter:
    """A filter out of what the doors call its parts."""
    return Filter(
        years=years_of(year),
        languages=tuple(language or ()),
        journals=tuple(journal or ()),
        types=tuple(type or ()),
        designs=tuple(_design(name) for name in design or ()),
        headings=tuple(mesh or ()),
        keywords=tuple(keyword or ()),
        has_abstract=True if has_abstract else None,
        exclude_retracted=without_retracted,
        ids=tuple(ids) if ids is not None else None,
    )


def _design(name: str) -> str:
    design = canonical(name)
    if not design:
        raise ChoiceError("design", name[:60], DESIGNS)
    return design
