"""Single decisions of the reading and of the answers, each held against a slip that no question of
the tables would show."""

from __future__ import annotations

import pytest

from osler.ask.form.about_asker import asker_asides
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.form import Concept, Form, Has, Person, What, Who, form_from, json_of
from osler.ask.form.lexicon import Meaning, stems
from osler.ask.form.people import Named
from osler.ask.form.session import Session
from osler.ask.form.spans import Span
from osler.ask.form.times import Stretch
from osler.ask.form.tokens import tokens
from osler.ask.form.vocabulary import Match
from osler.errors import InputError
from osler.kinds import FactSource

from .ward import fact, over, patient


def said(*words: str | Span) -> list[Span]:
    """Spans in a row; a verb of asking is marked by a star."""
    spans = []
    for at, word in enumerate(words):
        if isinstance(word, Span):
            spans.append(word)
            continue
        asker = (Meaning("asker", "-"),) if word.endswith("*") else ()
        mark = word if word in ",?" else ""
        spans.append(Span(at, at + 1, word.rstrip("*"), asker, mark=mark))
    return spans


HELD = [
    Span(3, 4, "2019", time=Stretch(3, 4, "2019-01-01", "2019-12-31")),
    Span(3, 4, "3", number=3.0),
    Span(3, 4, "gout", concept={"condition": Match("condition", ["gout"])}),
    Span(3, 4, "xyz", left=True),
    Span(3, 4, "Ann Lee", person=Named(3, 4, ("p",), "name", 1.0)),
]


@pytest.mark.parametrize("held", HELD)
def test_a_clause_that_holds_something_is_no_aside(held: Span) -> None:
    assert asker_asides(said("so that", "i", "know*", held)) == set()


def test_the_places_of_asides() -> None:
    assert asker_asides(said("so that", "i", "know*", "more", "?")) == {0, 1, 2, 3}
    assert asker_asides(said("i", "should", "know*", "that")) == {0, 1, 2}
    mum = Span(1, 2, "mum", (Meaning("relative", "mother"),))
    ann = Span(3, 4, "Ann Lee", person=Named(3, 4, ("p",), "name", 1.0))
    assert asker_asides(said("my", mum, ",", ann)) == {0, 1}
    assert asker_asides(said("my", mum, ",", "who")) == set()


def test_forms_are_data() -> None:
    """A form is short as JSON, comes back whole, and can stand in a set."""
    who = Who(where=Has(What(("condition",), Concept("gout", "condition", ("gout",)))))
    of_sex = Form("patients", Who(where=Person("sex", "=", "female")))
    assert json_of(of_sex) == {
        "answer": "patients",
        "who": {"where": {"type": "person", "what": "sex", "value": "female"}},
    }
    assert json_of(Form("patients", who)) == {
        "answer": "patients",
        "who": {
            "where": {
                "type": "has",
                "what": {
                    "kinds": ("condition",),
                    "concept": {"words": "gout", "kind": "condition", "names": ("gout",)},
                },
            }
        },
    }
    assert len({Form("patients", who), form_from(json_of(Form("patients", who))), of_sex}) == 2
    with pytest.raises(InputError, match="no form"):
        form_from({"answer": 7})


def test_a_death_that_is_denied_is_as_sure_as_one_that_is_told() -> None:
    asked = over(*patient("p", "Ann Lee", death="false"))
    answer = asked.ask("Is Ann Lee alive?")
    assert (answer.answers, answer.confidence) == (["yes"], 0.98)
    assert over(*patient("p", "Ann Lee")).ask("Is Ann Lee alive?").confidence < 0.9


def test_beginnings_of_words_are_the_tables_own() -> None:
    assert ("reveal", Meaning("ask", "show")) in stems()


def test_there_is_nothing_to_train_save_or_load() -> None:
    asked = over(*patient("p", "Ann Lee"))
    for act in (lambda: asked.fit([]), lambda: asked.save("x"), lambda: asked.load("x")):
        with pytest.raises(InputError, match="read by rules"):
            act()


def test_what_is_left_out_is_what_the_clause_names(asked: FormAnswerer) -> None:
    stopped = asked.ask("What drugs does MRN-7 have, leaving out what was stopped?")
    assert "Lisinopril 10 MG Oral Tablet" not in stopped.answers
    assert "Lisinopril 20 MG Oral Tablet" in stopped.answers


def test_an_exception_stands_right_behind_what_it_takes_out() -> None:
    facts = [fact("p", "condition", "Gout"), fact("p", "condition", "Asthma")]
    asked = over(*patient("p", "Ann Lee"), *facts)
    assert asked.ask("Asthma apart, which conditions does Ann Lee have?").answers == ["Gout"]
    assert not asked.ask("Asthma in Ann Lee apart, which conditions does she have?").answers
    assert not asked.ask("Conditions apart, which allergies does Ann Lee have?").answers


def test_four_letters_may_hold_a_slip_and_three_may_not() -> None:
    asked = over(*patient("p", "Anna Sosa"), *patient("q", "Leo Poe"))
    assert asked.people.near(tokens("Ana Sosa")) == ("record:ward/p",)
    assert asked.people.near(tokens("Leo Pae")) == ()


def test_a_fact_without_a_day_is_named_with_its_state() -> None:
    facts = [fact("p", "condition", "Gout", status="completed"), fact("p", "condition", "Gout")]
    answer = over(*patient("p", "Ann Lee"), *facts).ask("When was Ann Lee's gout diagnosed?")
    assert not answer.answers
    assert answer.note.endswith("Gout is on record (resolved), its date is not")
    single = over(*patient("p", "Ann Lee"), facts[0])
    note = single.ask("When was Ann Lee's gout diagnosed?").note
    assert note.endswith("Gout is on record (resolved), its date is not")


def test_a_session_remembers_the_last_form_and_keeps_it_past_a_refusal() -> None:
    facts = [
        fact("p", "medication", "Metformin", start="2019-01-01"),
        fact("p", "condition", "Gout", start="2018-01-01"),
    ]
    session = Session(over(*patient("p", "Ann Lee"), *facts))
    assert session.ask("Is Ann Lee on metformin?").answers == ["yes"]
    assert session.ask("xyzzy?").refused
    assert session.ask("Does she have gout?").answers == ["yes"]


def test_the_date_of_a_drug_is_asked_whatever_became_of_it() -> None:
    facts = [
        fact("p", "medication", "Digoxin", status="stopped", start="2017-03-01"),
        fact("p", "condition", "Gout", status="completed", start="2018-01-01"),
    ]
    asked = over(*patient("p", "Ann Lee"), *facts)
    assert asked.ask("Start date of Ann Lee's digoxin?").answers == ["2017-03-01"]
    assert not asked.ask("Since when does Ann Lee have gout?").answers


def test_a_source_without_offsets_marks_the_name() -> None:
    assert (FactSource().start, FactSource().end) == (0, 0)
