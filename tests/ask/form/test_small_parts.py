"""Names in Chinese, ages at a death with an hour, and what no typing error is corrected to."""

from __future__ import annotations

import pytest

from osler.ask.form.people import People
from osler.ask.form.tokens import tokens
from osler.ask.form.typing_errors import corrected, shortened
from osler.ask.form.vocabulary import Name, Vocabulary

from .ward import fact, over, patient


@pytest.mark.parametrize(
    ("who", "answers"),
    [
        ("王丽", ["yes"]),
        # A blank between the names is not asked with; nor is a longer name the shorter one.
        ("欧阳修", ["yes"]),
        ("李明华", ["yes"]),
        ("李明", []),
    ],
)
def test_names_in_chinese(who: str, answers: list[str]) -> None:
    names = {"a": "王丽", "b": "欧阳 修", "c": "李明", "d": "李明华"}
    rows = [row for id, name in names.items() for row in patient(id, name)]
    ill = [fact(id, "condition", "Gout", start="2019-01-01") for id in "abd"]
    answer = over(*rows, *ill).ask(f"{who}有痛风吗？")
    assert answer.answers == answers
    assert answers or "no record of 痛风" in answer.note


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which patients who died were 60 or older?", ["Ed Poe"]),
        ("Which patients who died were younger than 60?", ["Al Roe"]),
        ("Who died aged 59?", ["Al Roe"]),
    ],
)
def test_an_hour_beside_a_birth_or_a_death_is_no_day(question: str, names: list[str]) -> None:
    ward = over(
        *patient("a", "Ed Poe", birth_date="1950-05-06T03:00:00", death="2010-05-06"),
        *patient("b", "Al Roe", birth_date="1950-05-06", death="2010-05-05T22:00:00"),
    )
    assert ward.ask(question).answers == names


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("glucse", "glucose"),
        ("Glucosee", "glucose"),
        # Two letters off, another beginning, too short to tell, a word of English, figures.
        ("glucs", ""),
        ("klucose", ""),
        ("drugg", ""),
        ("gluc0se", ""),
        ("there", ""),
    ],
)
def test_what_a_typing_error_is_corrected_to(typed: str, meant: str) -> None:
    vocabulary = Vocabulary([Name("observation", "glucose", "Glucose")])
    assert corrected(tokens(typed)[0], vocabulary, People([])) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("wen", "when"), ("whn", "when"), ("waht", "what"), ("Waht", ""), ("zz", ""), ("form", "")],
)
def test_a_short_word_with_a_letter_lost_or_turned(typed: str, meant: str) -> None:
    assert shortened(tokens(typed)[0]) == meant


@pytest.mark.parametrize(
    "what", ["identifier", "MRN", "Medical record number", "Passport number", "National identifier"]
)
def test_by_which_numbers_somebody_is_known(what: str) -> None:
    people = People([("1", "name", "Ed Poe"), ("1", what, "N-4711"), ("1", "sex", "male")])
    assert [n.patients for n in people.find(tokens("drugs of N-4711"))] == [("1",)]
    # Of these some are a hospital's own; the id of the file is none.
    assert people.all["1"].numbers == ["N-4711"]
    assert People([("1", "id", "N-4711")]).all["1"].numbers == []
    assert people.all["1"].about == {"sex": "male"}


@pytest.mark.parametrize(
    ("death", "answers", "note"),
    [
        ("2020-05-06T10:00:00Z", ["2020-05-06"], ""),
        ("2020-05-06", ["2020-05-06"], ""),
        ("true", [], "the record has no date"),
        ("false", [], "no death is on record"),
    ],
)
def test_the_day_of_a_death(death: str, answers: list[str], note: str) -> None:
    answer = over(*patient("a", "Ed Poe", death=death)).ask("When did Ed Poe die?")
    assert answer.answers == answers
    assert note in answer.note


def test_results_that_share_their_first_code_are_one_group() -> None:
    first, second = ("http://loinc.org", "1"), ("http://loinc.org", "2")
    for codes, groups in ((((first,), (first, second)), 1), (((first,), (second,)), 2)):
        names = [
            Name("observation", f"ratio {n}", f"Pyrexin/Zymogen ratio {n}", own)
            for n, own in zip(("before", "after"), codes, strict=True)
        ]
        match = Vocabulary(names).find(("pyrexin",))["observation"]
        assert (match.loose, match.groups) == (True, groups)
