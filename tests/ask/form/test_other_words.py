"""Words that no table of the questions knows: set aside by their place, or read as others."""

from __future__ import annotations

import datetime

import pytest

from osler.ask.form import lexicon
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.called import other_names, pointless
from osler.ask.form.people import People
from osler.ask.form.relation import MemoryFacts
from osler.ask.form.spans import cut
from osler.ask.form.synonyms import synonyms, unknown, ways
from osler.ask.form.tokens import tokens
from osler.ask.form.vocabulary import Name, Vocabulary

from .ward import TODAY, fact, patient


def test_a_word_beside_the_lexicon_is_no_word_of_it() -> None:
    table = synonyms()
    assert not set(table) & {p[0] for p in lexicon.spelled() if len(p) == 1}
    known = {p[0] for p in lexicon.spelled() if len(p) == 1}
    assert {word for others in table.values() for word in others} <= known
    assert table["ingesting"][0] == "consuming"


def test_ways_are_tried_in_the_order_of_their_likelihood() -> None:
    words = [t for t in tokens("ingesting flummoxed ingests") if t.word in synonyms()]
    first, *_ = ways(words)
    assert list(first.values()) == [synonyms()["ingesting"][0], synonyms()["ingests"][0]]
    # A word without others, or too many of them, has no way at all.
    assert list(ways(tokens("ingesting flummoxed"))) == []
    assert list(ways(tokens("ingesting ingesting ingesting"))) == []
    assert list(ways([])) == []


def test_a_word_that_may_be_a_name_is_not_guessed() -> None:
    names = Vocabulary([Name("condition", "a", "Asthma")])
    for question, left in (("zorking asthma", ["zorking"]), ("asthma of Zork zorking", [])):
        words, spans = cut(question, names, People(()), datetime.date(2024, 1, 1))
        assert [token.word for token in unknown(spans, words)] == left


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("collarbone", "clavicle"),
        ("broken collarbone", "fracture clavicle"),
        ("broke kneecap", "fracture patella"),
        ("lockjaw", "tetanus"),
    ],
)
def test_other_names_of_a_thing(said: str, name: str) -> None:
    assert tuple(name.split()) in set(other_names(tuple(said.split())))


def test_a_word_with_many_senses_is_a_thing_only_beside_others() -> None:
    assert list(other_names(("broken",))) == []
    assert ("fracture",) in set(other_names(("broken",), hurt=True))
    assert pointless(("broke", "both", "her", "legs")) == ("broke", "legs")


@pytest.fixture(scope="module")
def hurt() -> FormAnswerer:
    return FormAnswerer(
        MemoryFacts(
            [
                *patient("q1", "Della Foxley"),
                fact("q1", "condition", "Fracture of clavicle", start="2019-01-01"),
                fact("q1", "condition", "Second degree burn", start="2020-02-02"),
                fact("q1", "medication", "Digoxin 0.25 MG Oral Tablet", start="2020-02-02"),
            ]
        ),
        today=lambda: TODAY,
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("When did Della Foxley break her collarbone?", ["2019-01-01"]),
        ("Has Della Foxley ever broken a collarbone?", ["yes"]),
        ("When was it that Della Foxley burnt herself?", ["2020-02-02"]),
        ("Did Della Foxley break her kneecap?", []),
        ("Is Della Foxley ingesting digoxin?", ["yes"]),
        ("della foxlay digoxin?", ["yes"]),
    ],
)
def test_what_is_guessed_is_shown_and_less_sure(
    hurt: FormAnswerer, question: str, answers: list[str]
) -> None:
    answer = hurt.ask(question)
    assert answer.answers == answers
    assert not answers or answer.confidence < 0.9
    assert not answers or "read as" in answer.note


def test_what_is_set_aside_is_said(asked: FormAnswerer) -> None:
    answer = asked.ask("Does my granny Cora Diaz have asthma?")
    assert answer.confidence < 0.9
    assert "“my granny” is taken to ask nothing" in answer.note


def test_an_english_word_is_no_typing_error_of_another(asked: FormAnswerer) -> None:
    assert "filling" in lexicon.english()
    assert "fallin" not in lexicon.english()
    assert "not understood: “filling”" in asked.ask("Is MRN-7's creatinine filling?").note
    assert asked.ask("Is MRN-7's creatinine fallin?").form is not None


def test_letters_that_medicine_uses_are_not_texted() -> None:
    words = [token.word for token in tokens("u r im IM dis 18 u")]
    assert words == ["you", "r", "i'm", "im", "dis", "18", "u"]
