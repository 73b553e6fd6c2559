"""What an answer over a graph leaves open keeps it under 0.9: a test that reads as well in two
places, or that was held elsewhere than where its words belong; a word that asks names nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.ask.reader import ReaderAnswerer
from osler.ask.reading.tests import extreme
from osler.records.kb import ClinicalKB

ROWS = """
Ann Lee|patient|birth_year|1950|year of birth
Ben Roe|patient|birth_year|1971|year of birth
Ann Lee|patient|admitted_in_year|2011|admission year
Ben Roe|patient|admitted_in_year|2019|admission year
Ann Lee|patient|length_of_stay_days|3|days of stay
Ben Roe|patient|length_of_stay_days|9|days of stay
Ann Lee|patient|lab_result|r1|lab result
r1|lab result|test_name|Reticulocyte Count, Manual|test
Ben Roe|patient|lab_result|r2|lab result
r2|lab result|test_name|Potassium|test
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> ReaderAnswerer:
    path = tmp_path_factory.mktemp("kb") / "ward.tsv"
    head = "head\thead_type\trelation\ttail\ttail_type"
    rows = [row.replace("|", "\t") for row in ROWS.split("\n") if row]
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return ReaderAnswerer(ClinicalKB.read(path))


def test_a_count_that_asks_names_no_reticulocyte_count(reader: ReaderAnswerer) -> None:
    answer = reader.ask("count the patients who stayed for more than 2 days")
    assert answer.answers == ["2"]
    assert "Reticulocyte" not in answer.path


def test_a_test_held_elsewhere_than_where_its_words_belong(reader: ReaderAnswerer) -> None:
    answer = reader.ask("What is the length of stay of patients who were born after 2015?")
    assert (answer.answers, answer.confidence) == (["9"], 0.89)
    assert "where its words belong" in answer.note


def test_a_test_in_its_place_is_as_sure_as_before(reader: ReaderAnswerer) -> None:
    answer = reader.ask("Which patients were admitted in the year 2019?")
    assert answer.answers == ["Ben Roe"]
    assert answer.confidence >= 0.9


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the mean age of patients with gout", "mean"),
        ("What is the average age?", "mean"),
        ("Give me the problem expressions that mean the same as depression", ""),
        ("What does SOB mean the patient has?", ""),
    ],
)
def test_what_means_the_same_is_no_average(text: str, kind: str) -> None:
    said = extreme(text, [])
    assert (said.kind if said is not None else "") == kind


def test_what_is_not_certain_is_not_denied(tmp_path: Path) -> None:
    head = "head\thead_type\trelation\ttail\ttail_type"
    rows = [
        "Ann Lee\tpatient\tpossibly_has\tgout\tdisease",
        "Ann Lee\tpatient\thas\tasthma\tdisease",
        "Ben Roe\tpatient\thas\tanemia\tdisease",
        "Ben Roe\tpatient\tpossibly_has\tasthma\tdisease",
    ]
    path = tmp_path / "ward.tsv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    reader = ReaderAnswerer(ClinicalKB.read(path))
    assert reader.ask("Which diseases are possible but not certain in Ann Lee?").answers == ["gout"]
    assert not reader.ask("Which diseases does Ann Lee not have?").answers
    assert "asthma" not in reader.ask("Which diseases are not confirmed in Ann Lee?").answers
