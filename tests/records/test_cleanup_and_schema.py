# ruff: noqa: E501 - lines of the formats themselves
"""Clean-up of phrases, narrative blocks, numbers and dates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.records.cleanup import clean, is_pronoun
from osler.records.ids import node_id, owner, patient_id
from osler.records.narrative import blocks
from osler.records.schema import date_of, date_span, number_of


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("his hypertension", "hypertension"),
        ("a chest x-ray .", "chest x-ray"),
        ("The  the  rash,", "rash"),
        ("(fever", "fever"),
        ("fever (mild)", "fever (mild)"),
        ("这种 头痛", "头痛"),
        ("...", "..."),
    ],
)
def test_clean(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


@given(st.text(max_size=60))
def test_clean_is_stable_and_never_empty(text: str) -> None:
    once = clean(text)
    assert bool(once) == bool(text.split())
    assert len(once) <= len(text)


def test_pronouns() -> None:
    assert is_pronoun("It")
    assert not is_pronoun("the rash")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("7.2 %", 7.2),
        ("<5 mg", 5.0),
        ("1,200 mL", 1200.0),
        ("7,5", 7.5),
        ("2020-01-02", None),
        ("33914-3", None),
        ("po", None),
    ],
)
def test_numbers(name: str, number: float | None) -> None:
    assert number_of(name) == number


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("10/17/95", "1995-10-17"),
        ("17/10/2005", "2005-10-17"),
        ("2020-03", "2020-03"),
        ("2020-12-04T23:37:54+00:00", "2020-12-04"),
        ("2020年3月4日", "2020-03-04"),
        ("13/13/2000", ""),
        ("1990", "1990"),
        ("9999", ""),
    ],
)
def test_dates(name: str, date: str) -> None:
    assert date_of(name) == date


def test_spans() -> None:
    assert date_span("2020") == (20200000, 20209999)
    assert date_span("x") == (0, 0)


def test_blocks() -> None:
    text = "FAMILY HISTORY: Mother with gout.\nNo: heading here\nDischarge condition: Stable.\nEmpty:\nALLERGIES\nnone\n"
    found = [(b.heading, b.text) for b in blocks(text)]
    assert found == [
        ("family history", "Mother with gout. No: heading here"),
        ("discharge condition", "Stable. Empty:"),
        ("allergies", "none"),
    ]
    for block in blocks(text):
        assert " ".join(text[block.start : block.end].split()) == block.text


def test_ids_keep_people_apart() -> None:
    one, two = patient_id("smoking2006", "164"), patient_id("obesity2008", "164")
    assert one != two
    assert owner(node_id(one, "family history", 3)) == one
    assert owner("medication:aspirin") == ""
