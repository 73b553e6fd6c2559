"""One state is no other; the day of the highest; a stretch before a day; discharge."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import fact, over, patient, result


@pytest.fixture(scope="module")
def ed() -> FormAnswerer:
    return over(
        *patient("a", "Ed Poe"),
        fact("a", "medication", "Atorvastatin 20 MG", status="active", start="2019-01-01"),
        fact("a", "medication", "Simvastatin 20 MG", status="stopped", start="2018-01-01"),
        fact("a", "medication", "Bisoprolol 5 MG", status="on hold", start="2018-05-01"),
        fact("a", "condition", "Celiac disease", certainty="provisional", start="2020-01-01"),
        fact("a", "condition", "Gout", status="active", start="2017-03-01"),
        fact("a", "condition", "Burn of hand", status="completed", start="2018-01-31"),
        result("a", "Glucose", "2018-01-01", 90.0),
        result("a", "Glucose", "2019-01-01", 200.0),
        result("a", "Glucose", "2020-01-01", 120.0),
        result("a", "Sodium", "2018-01-01", 140.0, "mmol/L"),
        result("a", "Sodium", "2019-01-01", 140.0, "mmol/L"),
        fact(
            "a",
            "encounter",
            "Hospital admission",
            status="completed",
            start="2017-03-01",
            end="2017-03-07",
            value="inpatient",
        ),
        fact(
            "a",
            "encounter",
            "Clinic visit",
            status="completed",
            start="2019-05-05",
            end="2019-05-05",
            value="ambulatory",
        ),
    )


@pytest.mark.parametrize(
    ("question", "drugs"),
    [
        ("Which drugs of Ed Poe have been stopped, not paused?", ["Simvastatin 20 MG"]),
        ("Which of Ed Poe's drugs are stopped and not on hold?", ["Simvastatin 20 MG"]),
        ("drugs on hold, not stopped, Ed Poe", ["Bisoprolol 5 MG"]),
        ("List the stopped drugs of Ed Poe, not the paused ones", ["Simvastatin 20 MG"]),
    ],
)
def test_a_denied_state_beside_a_said_one_adds_nothing(
    ed: FormAnswerer, question: str, drugs: list[str]
) -> None:
    """They used to be answered with what is active: the denial turned the state that was said."""
    assert ed.ask(question).answers == drugs


def test_a_denied_state_by_itself_still_denies(ed: FormAnswerer) -> None:
    assert "Atorvastatin 20 MG" in ed.ask("Which drugs of Ed Poe were not stopped?").answers


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("When was Ed Poe's glucose highest?", ["2019-01-01"]),
        ("On what day did Ed Poe's glucose peak?", ["2019-01-01"]),
        ("When was Ed Poe's glucose lowest?", ["2018-01-01"]),
        # Equal values: both days are told.
        ("When was Ed Poe's sodium highest?", ["2018-01-01", "2019-01-01"]),
    ],
)
def test_the_day_of_the_highest(ed: FormAnswerer, question: str, days: list[str]) -> None:
    assert sorted(ed.ask(question).answers) == days


def test_what_is_suspected_is_a_diagnosis(ed: FormAnswerer) -> None:
    assert ed.ask("Anything suspected in Ed Poe?").answers == ["Celiac disease"]


@pytest.mark.parametrize(
    ("stretch", "names"),
    [
        ("In the 12 months up to 31 January 2018", ["Burn of hand", "Gout"]),
        ("In the 10 months up to 31 January 2018", ["Burn of hand"]),
        # Before a day and after it leave the day out.
        ("In the 10 months before 31 January 2018", []),
        ("In the last 10 months before 1 February 2018", ["Burn of hand"]),
        ("In the 2 weeks after 1 March 2017", []),
        ("In the 2 weeks after 28 February 2017", ["Gout"]),
        ("In the 2 weeks from 1 March 2017", ["Gout"]),
        ("In the 3 days from 2017-02-26", ["Gout"]),
        ("In the 2 days from 2017-02-26", []),
    ],
)
def test_so_long_before_or_after_a_day(ed: FormAnswerer, stretch: str, names: list[str]) -> None:
    answer = ed.ask(f"{stretch}, what was Ed Poe newly diagnosed with?")
    assert sorted(answer.answers) == names


def test_to_be_discharged_is_to_leave_a_hospital(ed: FormAnswerer) -> None:
    for question in ("When was Ed Poe discharged?", "What day did Ed Poe leave the hospital?"):
        answer = ed.ask(question)
        assert answer.answers == ["2017-03-07"], question
        assert "end of inpatient visits" in answer.path


def test_rising_in_chinese_is_no_range() -> None:
    own = over(
        *patient("a", "王丽"),
        result("a", "Hemoglobin", "2020-01-01", 11.0, "g/dL"),
        result("a", "Hemoglobin", "2021-01-01", 9.0, "g/dL"),
    )
    answer = own.ask("王丽的血红蛋白是在升高还是在下降？")
    assert answer.answers == ["falling"]
    assert own.ask("王丽的血红蛋白在升高吗？").answers == ["no"]
    assert "whether rising" in own.ask("王丽的血红蛋白在升高吗？").path


def test_a_vaccine_by_its_disease() -> None:
    own = over(
        *patient("a", "Ed Poe"),
        fact("a", "immunization", "Hep B, adult", status="completed", start="2014-07-06"),
    )
    for question in ("Has Ed Poe had a hepatitis B vaccine?", "Ed Poe 打过乙肝疫苗吗？"):
        assert own.ask(question).answers == ["yes"], question


def test_an_age_behind_to_be() -> None:
    own = over(
        *patient("a", "Ed Poe", birth_date="1950-01-01"),
        *patient("b", "Al Roe", birth_date="1980-01-01"),
    )
    assert own.ask("How many patients are 65 or older?").answers == ["1"]
    assert own.ask("Which patients are 50 or younger?").answers == ["Al Roe"]


def test_a_result_beside_its_range_asks_whether(ed: FormAnswerer) -> None:
    own = over(
        *patient("a", "Ed Poe"),
        result("a", "Creatinine", "2021-01-12", 1.0, low=0.6, high=1.2),
    )
    assert own.ask("Ed Poe creatinine within normal limits?").answers == ["yes"]
    assert own.ask("Ed Poe creatinine high?").answers == ["no"]
    assert own.ask("Ed Poe creatinine?").answers == ["1 mg/dL"]


def test_a_living_is_no_life(ed: FormAnswerer) -> None:
    assert ed.ask("What does Ed Poe do for a living?").answers == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Ana Poe - current drugs?", "Ana Poe"),
        ("Zed Poe's drugs?", "Zed Poe"),
        ("Poe G, dob?", "Poe G"),
        ("G. Poe, drugs?", "G. Poe"),
    ],
)
def test_half_a_name_is_nobody_s(ed: FormAnswerer, question: str, name: str) -> None:
    """Another patient's drugs used to be listed, the first name "taken to ask nothing"."""
    answer = ed.ask(question)
    assert answer.answers == []
    assert "there is no patient" in answer.note


def test_the_own_half_of_a_name_is_enough(ed: FormAnswerer) -> None:
    for question in ("Poe's stopped drugs?", "Ed's stopped drugs?", "Poe E, stopped drugs?"):
        assert ed.ask(question).answers == ["Simvastatin 20 MG"], question


def test_what_a_procedure_showed_is_no_end_of_it() -> None:
    own = over(
        *patient("a", "Ed Poe"),
        fact("a", "procedure", "CT of head", status="completed", start="2020-01-01"),
    )
    assert own.ask("Was Ed Poe's CT clear?").answers == []
    assert own.ask("Was Ed Poe's CT done?").answers == ["yes"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which of Ed Poe's drugs were held?", ["Bisoprolol 5 MG"]),
        ("Was Ed Poe's atorvastatin held?", ["no"]),
        ("Did Ed Poe pick up his atorvastatin?", []),
        ("Did Ed Poe go home on atorvastatin?", []),
        ("Was Ed Poe discharged on atorvastatin?", []),
        ("Is the handover of Ed Poe's atorvastatin done?", []),
        ("Is Ed Poe's atorvastatin valid?", []),
        ("Is Ed Poe taking atorvastatin every day?", []),
    ],
)
def test_words_that_ask_for_something_else_are_not_empty(
    ed: FormAnswerer, question: str, answers: list[str]
) -> None:
    """A yes out of "he takes it" would answer another question."""
    assert ed.ask(question).answers == answers


def test_what_was_given_has_no_now() -> None:
    own = over(
        *patient("a", "Ed Poe"),
        fact("a", "immunization", "Influenza vaccine", status="completed", start="2019-10-01"),
    )
    answer = own.ask("Is Ed Poe currently vaccinated against influenza?")
    assert (answer.answers, answer.confidence < 0.9) == (["yes"], True)
    assert "how long it protects is not on record" in answer.note
    assert own.ask("Is Ed Poe's influenza vaccine still valid?").answers == []
    assert own.ask("Is Ed Poe vaccinated against influenza?").confidence > 0.9


def test_what_is_new_needs_a_time(ed: FormAnswerer) -> None:
    """A drug of five years' standing used to be new at .98."""
    assert ed.ask("Is Ed Poe's atorvastatin new?").answers == []
    assert ed.ask("Which new drugs does Ed Poe take?").answers == []
    assert ed.ask("Which new diagnoses did Ed Poe have in 2017?").answers == ["Gout"]
