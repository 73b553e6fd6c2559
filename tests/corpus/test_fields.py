"""Identifiers, dates, languages and structured abstracts in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.corpus import fields, making
from osler.kinds import Section


@pytest.mark.parametrize(
    "text", ["10.1000/ABC", "https://doi.org/10.1000/abc", "doi: 10.1000/Abc",
    " dx.doi.org/10.1000/abc"]
)  # fmt: skip
def test_doi(text: str) -> None:
    assert fields.doi(text) == "10.1000/abc"


@pytest.mark.parametrize("text", ["", "abc", "10.1000", "https://example.org/x"])
def test_no_doi(text: str) -> None:
    assert fields.doi(text) == ""


def test_pmcid_and_pmid() -> None:
    assert {fields.pmcid(t) for t in ("PMC12", "pmc12", "12", "PMCID: PMC12", "PMC12.1")} == {
        "PMC12"
    }
    assert fields.pmcid("PMCx") == fields.pmcid("") == ""
    assert fields.pmid("PMID: 12") == "12"
    assert fields.pmid("x12") == fields.pmid("１２") == ""


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2000 Jan-Feb", "2000-01"),
        ("1998 Dec-1999 Jan", "1998-12"),
        ("2021/03/04", "2021-03-04"),
        ("2021-3", "2021-03"),
        ("Winter 1998", "1998"),
        ("1999 Spring", "1999"),
        ("2000-13-40", "2000"),
        ("20000101", ""),
        ("soon", ""),
    ],
)
def test_loose_dates(text: str, date: str) -> None:
    assert fields.loose_date(text) == date


def test_languages() -> None:
    assert [fields.language(t) for t in ("eng", "Chinese", "zh-CN", "en_US", "und", "")] == [
        "en", "zh", "zh", "en", "und", "",
    ]  # fmt: skip


def test_labels_cut_an_abstract_only_where_it_is_structured() -> None:
    assert making.sections("AIM: To see. METHODS AND MATERIALS: We saw (DNA: two).") == (
        Section("To see.", "AIM"),
        Section("We saw (DNA: two).", "METHODS AND MATERIALS"),
    )
    assert making.sections("We saw. RESULTS: none.") == (Section("We saw. RESULTS: none."),)
    assert making.sections(" ") == ()


@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_clean_text_can_be_written(text: str) -> None:
    for clean in (fields.clean(text), fields.flat(text)):
        assert "\0" not in clean
        clean.encode("utf-8")


@given(st.text(max_size=40))
def test_dates_are_iso_or_nothing(text: str) -> None:
    import re

    assert re.fullmatch(r"(\d{4}(-\d\d(-\d\d)?)?)?", fields.loose_date(text), re.ASCII)
