"""What a word decides: counts of episodes or kinds, means, lengths, voices, first times."""

from __future__ import annotations

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.familiar import neighbours, tried, untried

from .ward import fact, over, patient, result


def test_episodes_are_counted_each_and_kinds_once() -> None:
    rows = [
        fact("a", "condition", "Viral sinusitis", status="completed", start=f"201{n}-01-01")
        for n in range(3)
    ]
    ward = over(*patient("a", "Ed Poe"), *rows)
    assert ward.ask("How many times has Ed Poe had viral sinusitis?").answers == ["3"]
    counted = ward.ask("How many viral sinusitis has Ed Poe had?")
    assert counted.answers == ["1"]
    assert counted.confidence < 0.9
    assert counted.note == "on record 3 times"
    assert ward.ask("How many conditions has Ed Poe had?").confidence > 0.9


def test_a_mean_is_of_one_result_in_one_unit_without_bounds() -> None:
    own = [*patient("a", "Ed Poe"), result("a", "Sodium", "2020-01-01", 140.0, "mmol/L")]
    assert over(*own).ask("average sodium of Ed Poe").answers == ["140 mmol/L"]
    other = result("a", "Sodium", "2021-01-01", 141.0, "mEq/L")
    bound = result("a", "Sodium", "2021-01-01", 141.0, "mmol/L", comparator=">")
    for more in (other, bound):
        answer = over(*own, more).ask("average sodium of Ed Poe")
        assert answer.answers == []
        assert answer.note.startswith("no mean is taken")


def test_what_lasts_lasts_until_the_day_of_death() -> None:
    drug = fact("a", "medication", "Apixaban 5 MG", start="2010-06-01")
    asked = "How long has Ed Poe been on apixaban?"
    assert over(*patient("a", "Ed Poe"), drug).ask(asked).answers == ["14 years, since 2010-06-01"]
    dead = over(*patient("a", "Ed Poe", death="2012-05-31"), drug)
    assert dead.ask(asked).answers == ["1 year, since 2010-06-01"]
    unknown = over(*patient("a", "Ed Poe", death="true"), drug)
    assert unknown.ask(asked).answers == []
    alive = over(*patient("a", "Ed Poe", death="false"), drug)
    assert alive.ask(asked).answers == ["14 years, since 2010-06-01"]
    one = fact("a", "condition", "Cold", status="completed", start="2010-06-01", end="2010-06-02")
    assert over(*patient("a", "Ed Poe"), one).ask("How long did Ed Poe have a cold?").answers == [
        "1 day, 2010-06-01 to 2010-06-02"
    ]


def test_what_was_not_done_in_that_year_is_a_no() -> None:
    shot = fact("a", "immunization", "Influenza vaccine", status="not done", start="2019-10-01")
    ward = over(*patient("a", "Ed Poe"), shot)
    assert ward.ask("Did Ed Poe get an influenza vaccine in 2019?").answers == ["no"]
    # Of another year the record says nothing.
    assert ward.ask("Did Ed Poe get an influenza vaccine in 2018?").answers == []


def test_three_untried_neighbours_takes_the_confidence_below_nine_tenths(
    asked: FormAnswerer,
) -> None:
    usual = asked.ask("Which drugs does MRN-7 take?")
    assert usual.confidence > 0.95
    assert "tried" not in usual.note
    odd = asked.ask("MRN-7 takes now currently which drugs?")
    assert odd.answers == usual.answers
    assert 0.8 < odd.confidence < 0.9
    assert "worded unlike the questions that were tried" in odd.note


def test_the_parts_of_a_question_and_their_neighbours(asked: FormAnswerer) -> None:
    spans = asked.read("When did MRN-7 take 5 lisinopril in 2012?").spans
    assert neighbours(spans) == [
        ("start", "ask when", "person"),
        ("ask when", "person", "verb medication now"),
        ("person", "verb medication now", "number"),
        ("verb medication now", "number", "concept"),
        ("number", "concept", "time"),
        ("concept", "time", "time"),
        ("time", "time", "end"),
    ]
    assert ("start", "ask when", "person") in tried()
    assert ("verb medication now", "number", "concept") in untried(spans)
    assert ("start", "ask when", "person") not in untried(spans)


def test_two_words_for_one_result_are_one_thing() -> None:
    smoking = fact(
        "a", "observation", "Tobacco smoking status", start="2020-01-01", value="Never smoker"
    )
    ward = over(*patient("a", "Ed Poe"), smoking)
    assert ward.ask("Does Ed Poe smoke cigarettes?").answers == ["no"]
    other = result("a", "Sodium", "2020-01-01", 140.0, "mmol/L")
    both = over(*patient("a", "Ed Poe"), smoking, other)
    # A result in words counts for what it says, beside another thing too.
    assert both.ask("Does Ed Poe smoke and have a sodium above 130?").answers == ["no"]
    assert both.ask("Does Ed Poe not smoke and have a sodium above 130?").answers == ["yes"]


def test_a_drug_that_treats_is_asked_for_its_reason(asked: FormAnswerer) -> None:
    drug = fact("a", "medication", "Losartan 50 MG", reason="Essential hypertension")
    ward = over(*patient("a", "Ed Poe"), drug)
    for question in ("What is losartan treating in Ed Poe?", "What does losartan treat in Ed Poe?"):
        assert ward.ask(question).answers == ["Essential hypertension"]
    # An answer that can only repeat what was named is not sure; "which losartan" may be.
    assert ward.ask("What of the losartan of Ed Poe?").confidence < 0.9
    assert ward.ask("Which losartan does Ed Poe take?").confidence > 0.9


def test_words_that_do_not_say_whether_what_is_over_counts() -> None:
    gout = fact("a", "condition", "Gout", start="2012-01-01")
    cold = fact("a", "condition", "Cold", status="completed", start="2010-06-01", end="2010-06-02")
    silent = over(*patient("a", "Ed Poe"), gout, cold).ask("List the diagnoses of Ed Poe.")
    assert silent.answers == ["Cold", "Gout"]
    assert silent.confidence < 0.9
    assert "what is over is taken to be asked for too" in silent.note
    # Where nothing is over, nothing is open.
    assert over(*patient("a", "Ed Poe"), gout).ask("List the diagnoses of Ed Poe.").confidence > 0.9
    now = over(*patient("a", "Ed Poe"), gout, cold).ask("comorbidities of Ed Poe")
    assert now.answers == ["Gout"]


def test_another_ending_is_another_name() -> None:
    ward = over(*patient("a", "Robert Poe"), fact("a", "medication", "Apixaban 5 MG"))
    assert ward.ask("What does Robret Poe take?").answers == ["Apixaban 5 MG"]
    refused = ward.ask("What does Roberta Poe take?")
    assert refused.answers == []
    assert "no patient" in refused.note
    assert ward.ask("What does Rob Poe take?").answers == []


def test_who_an_id_belongs_to(asked: FormAnswerer) -> None:
    answer = asked.ask("Who is MRN-7?")
    assert answer.answers == ["Ann Lee"]
    assert answer.entities == ["record:ward/p1"]


def test_the_voice_of_a_verb_tells_now_from_ever() -> None:
    drug = fact("a", "medication", "Lisinopril 10 MG", status="stopped", start="2018-01-01")
    other = fact("a", "medication", "Apixaban 5 MG", start="2019-01-01")
    ward = over(*patient("a", "Ed Poe"), drug, other)
    assert ward.ask("Which drug is Ed Poe given?").answers == ["Apixaban 5 MG"]
    assert ward.ask("Has lisinopril been tried in Ed Poe?").answers == ["yes"]
    assert ward.ask("Is lisinopril given to Ed Poe?").answers == ["no"]


def test_the_current_one_of_two_prescriptions() -> None:
    rows = [
        fact("a", "medication", "Lisinopril 10 MG", status="stopped", start="2012-01-01"),
        fact("a", "medication", "Lisinopril 20 MG", start="2019-01-01"),
    ]
    ward = over(*patient("a", "Ed Poe"), *rows)
    assert ward.ask("When did Ed Poe start lisinopril?").answers == ["2012-01-01"]
    assert ward.ask("start date of Ed Poe's current lisinopril").answers == ["2019-01-01"]


def test_the_first_time_says_which_result_and_asks_when_of_the_rest() -> None:
    rows = [result("a", "Sodium", f"202{n}-01-01", 140.0 + n, "mmol/L") for n in (1, 2)]
    ward = over(*patient("a", "Ed Poe"), *rows)
    assert ward.ask("Ed Poe's sodium the first time").answers == ["141 mmol/L"]
    assert ward.ask("When was Ed Poe's sodium measured for the first time?").answers == [
        "2021-01-01"
    ]
