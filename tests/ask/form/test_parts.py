"""The parts that readings are made of: tokens, times, names, people, accounting, forms in SQL."""

from __future__ import annotations

import datetime

import pytest

from osler.ask.form.accounting import idle
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.compiling import statuses
from osler.ask.form.form import Form, What, Who, form_from, json_of
from osler.ask.form.lexicon import DrugClass, drug_classes, meanings, other_words, phrase_of
from osler.ask.form.people import People, parts_of
from osler.ask.form.showing import left_out_because, state
from osler.ask.form.spans import cut
from osler.ask.form.times import stretches, years_between
from osler.ask.form.tokens import fold, name_words, stem, tidy, tokens
from osler.ask.form.vocabulary import Name, Vocabulary
from osler.kinds import Fact

from .ward import TODAY, answerer, fact


def test_tokens() -> None:
    words = tokens("Ann Lee's A1c on 2018-08-12 w/o O'Neill 6.5%?")
    assert [t.text for t in words] == [
        *("Ann", "Lee", "A1c", "on", "2018-08-12", "w/o", "O'Neill", "6.5%", "?"),
    ]
    assert words[7].number == 6.5
    assert words[-1].mark
    assert [t.text for t in tokens("血钾k+")] == ["血", "钾", "k+"]


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("drugs", "drug"),
        ("allergies", "allergy"),
        ("gas", "gas"),
        ("virus", "virus"),
        ("dies", "die"),
        ("flies", "fly"),
        ("bus", "bus"),
        ("his", "his"),
        ("labs", "lab"),
        ("diagnosis", "diagnosis"),
    ],
)
def test_plurals(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_spelling_is_one() -> None:
    assert fold("Haemoglobin") == "hemoglobin"
    assert fold("Luísa") == "luisa"
    assert name_words("Anemia (disorder)") == ("anemia",)
    assert tidy("Gout (disorder)") == "Gout"
    assert tidy("Dander (animal) allergy") == "Dander (animal) allergy"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("12 August 2018", "2018-08-12", "2018-08-12"),
        ("Aug 12th, 2018", "2018-08-12", "2018-08-12"),
        ("February 2020", "2020-02-01", "2020-02-29"),
        ("1999", "1999-01-01", "1999-12-31"),
        ("2018-08", "2018-08-01", "2018-08-31"),
        ("2018/08/12", "2018-08-12", "2018-08-12"),
        ("31/12/2018", "2018-12-31", "2018-12-31"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("this year", "2024-01-01", "2024-12-31"),
        ("past 10 days", "2024-05-22", "2024-06-01"),
        ("yesterday", "2024-05-31", "2024-05-31"),
        ("10 days ago", "2024-05-22", "2024-05-22"),
        ("2105", "2105-01-01", "2105-12-31"),
        ("2018年8月", "2018-08-01", "2018-08-31"),
        ("2018年8月12日", "2018-08-12", "2018-08-12"),
        ("12/31/2018", "2018-12-31", "2018-12-31"),
        ("13/12/2018", "2018-12-13", "2018-12-13"),
        ("12/13/2018", "2018-12-13", "2018-12-13"),
        ("06/2020", "2020-06-01", "2020-06-30"),
        ("01.06.2020", "2020-06-01", "2020-06-01"),
        ("August 12, 2018", "2018-08-12", "2018-08-12"),
        ("the 12th of August 2018", "2018-08-12", "2018-08-12"),
        ("last month", "2024-05-01", "2024-05-31"),
        ("this month", "2024-06-01", "2024-06-30"),
        ("past 2 weeks", "2024-05-18", "2024-06-01"),
        ("past 3 months", "2024-03-01", "2024-06-01"),
        ("past year", "2023-06-01", "2024-06-01"),
        ("2 years ago", "2022-06-01", "2022-06-01"),
        ("3 months ago", "2024-03-01", "2024-03-01"),
        ("2 weeks ago", "2024-05-18", "2024-05-18"),
        ("previous 2 months", "2024-04-01", "2024-06-01"),
        ("past three years", "2021-06-01", "2024-06-01"),
        ("past 12 months", "2023-06-01", "2024-06-01"),
        ("past 3000 years", "0001-01-01", "2024-06-01"),
        ("31 August 2018", "2018-08-31", "2018-08-31"),
        ("August 31st, 2018", "2018-08-31", "2018-08-31"),
        ("1 May 2018", "2018-05-01", "2018-05-01"),
        ("1800年", "1800-01-01", "1800-12-31"),
        ("2101年5月", "2101-05-01", "2101-05-31"),
        ("32/5/12", "0032-05-12", "0032-05-12"),
        ("去年", "2023-01-01", "2023-12-31"),
        ("今年", "2024-01-01", "2024-12-31"),
        ("2018年", "2018-01-01", "2018-12-31"),
    ],
)
def test_times(text: str, first: str, last: str) -> None:
    words = tokens(f"seen {text} here")
    (stretch,) = stretches(words, TODAY)
    assert (stretch.first, stretch.last) == (first, last)
    # All of its words, and none beside them.
    assert (stretch.start, stretch.end) == (1, len(words) - 1)


@pytest.mark.parametrize(
    "text",
    [
        *("08/12/2018", "31/12/31", "12/31/31", "13/2020", "31.13.2020", "1799年", "99年"),
        *("May 21", "1000 days ago", "3 cups ago", "last one", "past", "1", "32nd"),
    ],
)
def test_no_time_at_all(text: str) -> None:
    assert stretches(tokens(text), TODAY) == []


@pytest.mark.parametrize("word", ["in", "since", "during"])
def test_a_month_with_half_a_year(word: str) -> None:
    (stretch,) = stretches(tokens(f"{word} May 21"), TODAY)
    assert (stretch.first, stretch.last, stretch.start, stretch.end) == (
        *("2021-05-01", "2021-05-31"),
        *(1, 3),
    )


def test_a_day_too_many_leaves_the_month() -> None:
    (stretch,) = stretches(tokens("32 August 2018"), TODAY)
    assert (stretch.first, stretch.last) == ("2018-08-01", "2018-08-31")


def test_what_is_no_time() -> None:
    assert stretches(tokens("08/12/2018 of 31 February 7 and 4548-4"), TODAY) == []


def test_years() -> None:
    assert years_between("2000-02-29", "2001-02-28") == 0
    assert years_between("2000-02-29", "2001-03-01") == 1
    assert years_between("2000", "2001-03-01") is None


def test_a_class_by_stem_and_member() -> None:
    statin = drug_classes()[("statin",)]
    assert statin.holds("simvastatin") == "-statin"
    assert statin.holds("nystatin") == ""
    assert statin.holds("statin") == ""
    assert drug_classes()[("cephalosporin",)].holds("cefuroxime") == "cef-"
    made = DrugClass("x", ("-ol",), ("pindo",))
    assert made.holds("pindo") == "pindo"
    assert made.holds("olx") == ""


def test_the_tables_are_whole() -> None:
    assert {m.tag for some in meanings().values() for m in some} >= {"when", "kind", "ask", "not"}
    assert other_words()[phrase_of("heart attack")] == ("myocardial infarction",)
    # A class that no stem and no member could ever fill is a line with a slip in it.
    assert all(c.stems or c.members for c in drug_classes().values())


def vocabulary(*names: tuple[str, str]) -> Vocabulary:
    return Vocabulary(Name(kind, text.casefold(), text) for kind, text in names)


def found(made: Vocabulary, phrase: str, kind: str) -> list[str]:
    match = made.find(phrase_of(phrase)).get(kind)
    return sorted(match.names) if match else []


def test_results_by_their_component() -> None:
    made = vocabulary(
        ("observation", "Hemoglobin [Mass/volume] in Blood"),
        ("observation", "Hemoglobin A1c/Hemoglobin.total in Blood"),
        ("observation", "Glucose [Mass/volume] in Urine by Test strip"),
        ("observation", "Glucose"),
        ("observation", "FEV1/FVC"),
        ("observation", "Total Cholesterol"),
        ("observation", "Tobacco smoking status"),
    )
    assert found(made, "hemoglobin", "observation") == ["hemoglobin [mass/volume] in blood"]
    assert found(made, "a1c", "observation") == ["hemoglobin a1c/hemoglobin.total in blood"]
    assert found(made, "glucose", "observation") == ["glucose"]
    assert found(made, "glucose urine", "observation") == [
        "glucose [mass/volume] in urine by test strip"
    ]
    assert found(made, "cholesterol", "observation") == ["total cholesterol"]
    assert found(made, "status", "observation") == []
    # One part of a ratio is not the ratio: it is only a loose match, which costs confidence.
    match = made.find(("fev1",))["observation"]
    assert match.loose


def test_names_that_share_a_code_are_one() -> None:
    code = (("http://loinc.org", "1742-6"),)
    made = Vocabulary(
        [
            Name("observation", "alanine aminotransferase", "Alanine aminotransferase", code),
            Name("observation", "gpt", "GPT", code),
            Name("observation", "ast", "AST"),
        ]
    )
    assert found(made, "alt", "observation") == ["alanine aminotransferase", "gpt"]


def test_narrower_names() -> None:
    made = vocabulary(
        ("condition", "Childhood asthma"),
        ("condition", "Suspected asthma"),
        ("condition", "History of asthma"),
        ("condition", "Asthma screening"),
        ("condition", "Concussion with no loss of consciousness"),
        ("condition", "Prediabetes"),
    )
    match = made.find(("asthma",))["condition"]
    assert (match.names, match.past, match.suspected) == (
        ["childhood asthma"],
        ["history of asthma"],
        ["suspected asthma"],
    )
    assert found(made, "loss of consciousness", "condition") == []
    assert found(made, "diabetes", "condition") == []


def test_people() -> None:
    made = People(
        [
            ("1", "name", "Ana Luísa Sousa"),
            ("1", "id", "7"),
            ("2", "name", "Ana Reis"),
            ("3", "name", "Abdul365 Koepp92"),
            ("4", "name", "Fatima Al-Sayed"),
        ]
    )

    def whom(text: str) -> list[tuple[tuple[str, ...], str]]:
        return [(n.patients, n.how) for n in made.find(tokens(text)) if n.how != "part"]

    assert whom("ana sousa") == [(("1",), "name")]
    assert whom("Sousa, Ana") == [(("1",), "name")]
    assert whom("Abdul Koepp") == [(("3",), "name")]
    assert whom("Fatima Al-Sayed") == [(("4",), "name")]
    assert whom("patient 7") == [(("1",), "id")]
    # A bare number is no patient: a potassium above 7.
    assert whom("above 7") == []
    assert whom("Ana Koepp") == []
    assert whom("what does 7 take") == []
    assert made.near(tokens("Ana Sosa")) == ("1",)
    assert made.near(tokens("Ana Smith")) == ()


def test_people_by_number() -> None:
    """The graph shows 4711 as P4711; whoever bears that id himself keeps it."""
    people = People([("1", "id", "4711"), ("2", "id", "4712"), ("3", "id", "P4712")])

    def whom(text: str) -> list[tuple[str, ...]]:
        return [named.patients for named in people.find(tokens(text))]

    assert whom("drugs of P4711") == [("1",)]
    assert whom("drugs of p4711") == [("1",)]
    assert whom("drugs of P4712") == [("3",)]
    assert whom("does 4711 cough") == [("1",)]
    assert whom("a dose of 4711") == []
    assert "sayed" in parts_of("Fatima Al-Sayed")


def test_a_typing_error_is_corrected_once() -> None:
    asked = answerer()
    asked.warm()
    _, spans = cut("Who takes lisinoprl?", asked._vocabulary, asked.people, TODAY)  # type: ignore[arg-type]
    assert [s.typed for s in spans if s.typed] == ["lisinopril"]
    # Two words are equally near, or none: nothing is guessed.
    _, spans = cut("Who takes zzzzzzz?", asked._vocabulary, asked.people, TODAY)  # type: ignore[arg-type]
    assert [s.words for s in spans if s.left] == ["zzzzzzz"]


def test_statuses() -> None:
    assert statuses("medication", "past") == ("stopped", "completed")
    assert statuses("condition", "planned") == ("planned",)
    assert statuses("condition", "any") is None
    assert "on hold" not in (statuses("medication", "now") or ())


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ({"status": "entered in error"}, "entered in error"),
        ({"certainty": "refuted"}, "refuted"),
        ({"certainty": "absent"}, "absent"),
        ({"certainty": "conditional"}, "only under a condition"),
        ({"status": "completed"}, "over"),
        ({"status": "planned"}, "planned"),
        ({}, ""),
    ],
)
def test_why_a_fact_is_left_out(made: dict[str, str], why: str) -> None:
    one = fact("p1", "condition", "Gout", **made)
    assert left_out_because(one, What(("condition",), when="now")) == why


def test_what_was_asked_for_is_not_left_out() -> None:
    refuted = fact("p1", "condition", "Gout", certainty="refuted")
    assert left_out_because(refuted, What(("condition",), when="ever", sure="refuted")) == ""
    doubtful = fact("p1", "condition", "Gout", certainty="provisional")
    assert left_out_because(doubtful, What(("condition",), sure="confirmed")) == "not confirmed"
    wrong = fact("p1", "condition", "Gout", status="entered in error")
    assert left_out_because(wrong, What(("condition",), when="in error")) == ""


def test_a_state_in_words() -> None:
    gone = fact("p1", "condition", "Gout", status="completed", start="2018-01-01", end="2018-02-01")
    assert state(gone) == "resolved, 2018-01-01 to 2018-02-01"
    refused = fact(
        "p1", "procedure", "Colonoscopy", status="not done", detail={"status reason": "refused"}
    )
    assert state(refused) == "not done, refused"


def test_a_word_without_a_place_in_the_form_is_found() -> None:
    asked = answerer()
    reading = asked.read("Is Ben Okoro taking apixaban?")
    assert reading.form is not None
    assert idle(reading.spans, reading.form, set()) == ([], [])
    other = Form("facts", Who(("record:ward/P2",)), What(("medication",), when="ever"))
    spans = asked.read("Which planned drugs of Ben Okoro were stopped?").spans
    assert idle(spans, other, set()) == ([], ["planned"])
    sure = asked.read("Which confirmed drugs of Ben Okoro were stopped?").spans
    assert idle(sure, other, set()) == (["confirmed"], [])


@pytest.mark.parametrize(
    ("question", "least", "most"),
    [
        ("Who takes lisinopril?", 0.97, 0.99),
        ("Who takes lisinoprl?", 0.85, 0.9),
        ("Okoro dob", 0.8, 0.9),
        ("Ben Okro dob", 0.6, 0.8),
        ("Ben Okoro hypertension", 0.8, 0.9),
        ("Is Ben Okoro alive?", 0.97, 0.99),
        ("Who has hypertension and asthma or diabetes?", 0.8, 0.9),
        ("Who has hypertension and asthma and diabetes?", 0.97, 0.99),
        ("Who has hypertension, asthma, diabetes and pneumonia?", 0.6, 0.7),
        ("Is Cora Diaz alive?", 0.8, 0.9),
    ],
)
def test_confidence(question: str, least: float, most: float) -> None:
    assert least <= answerer().ask(question).confidence < most


def test_partial_dates_are_compared_as_far_as_they_go() -> None:
    from osler.ask.form.relation import MemoryFacts

    own = "record:w/1"
    rows = [
        Fact(id=own, patient=own, kind="patient", name="id", value="1"),
        Fact(id="n", patient=own, kind="patient", name="name", value="Ed Poe"),
        Fact(
            id="a", patient=own, kind="procedure", name="Biopsy", status="completed", start="2018"
        ),
        Fact(
            id="b", patient=own, kind="procedure", name="Scan", status="completed", start="2018-05"
        ),
    ]
    asked = FormAnswerer(MemoryFacts(rows), today=lambda: datetime.date(2020, 1, 1))
    assert asked.ask("Which procedures did Ed Poe have in 2018?").answers == ["Biopsy", "Scan"]
    assert asked.ask("Which procedures did Ed Poe have in May 2018?").answers == ["Biopsy", "Scan"]
    assert asked.ask("Which procedures did Ed Poe have in June 2018?").answers == ["Biopsy"]
    assert asked.ask("Which procedures did Ed Poe have since 2019?").answers == []


def test_a_form_and_its_json_are_the_same() -> None:
    form = answerer().read("Who takes lisinopril but not apixaban?").form
    assert form is not None
    assert form_from(json_of(form)) == form


def test_doubts_are_told() -> None:
    asked = answerer()
    assert "read as Ben Okoro" in asked.ask("Ben Okro dob").note
    assert "read as" in asked.ask("Who takes lisinoprl?").note


def test_hidden_characters_do_not_part_words() -> None:
    assert fold("ana\u00ademia\u200b") == "anaemia".replace("ae", "e")
    assert [t.word for t in tokens("A-1's 7's")] == ["a-1", "7"]


def test_days_of_moments() -> None:
    seen = fact(
        "p1",
        "encounter",
        "Visit",
        status="completed",
        start="2018-01-01T10:00:00Z",
        end="2018-01-01T11:00:00Z",
    )
    assert state(seen) == "completed, 2018-01-01"
