"""The tables of words, as they are written and as they are read."""

from __future__ import annotations

import pytest

from osler.ask.form.lexicon import (
    DrugClass,
    Meaning,
    drug_classes,
    meanings,
    meant,
    other_words,
    phrase_of,
    rows,
    spelled,
    spread,
    stems,
)
from osler.ask.form.tokens import tokens


@pytest.mark.parametrize(
    ("phrase", "ways"),
    [
        ("of kind", ["of kind"]),
        ("of {any,whatever} kind", ["of any kind", "of whatever kind"]),
        ("{,all} of it", ["of it", "all of it"]),
        ("{a,b} or {c,d}", ["a or c", "a or d", "b or c", "b or d"]),
    ],
)
def test_all_ways_through_a_phrase(phrase: str, ways: list[str]) -> None:
    assert spread(phrase) == ways


CLASS = DrugClass("x", ("-pril", "cef-"), ("digoxin", "!cefdinir"))


@pytest.mark.parametrize(
    ("word", "by"),
    [
        ("lisinopril", "-pril"),
        ("cefalexin", "cef-"),
        ("digoxin", "digoxin"),
        # A stem alone is no drug; at the other end it says nothing; one is said to be none.
        ("pril", ""),
        ("cef", ""),
        ("prilocaine", ""),
        ("incef", ""),
        ("cefdinir", ""),
        ("aspirin", ""),
    ],
)
def test_what_a_class_of_drugs_holds(word: str, by: str) -> None:
    assert CLASS.holds(word) == by


def test_the_table_is_read_without_its_comments() -> None:
    for table in ("lexicon", "terms", "classes"):
        lines = list(rows(table))
        assert lines
        assert all(len(line) > 1 and not line[0].startswith("#") for line in lines)


def test_phrases_are_known_by_their_words() -> None:
    for phrase, some in spelled().items():
        assert phrase
        assert all(phrase)
        assert some
        assert len(set(some)) == len(some), phrase
        # Nothing is left of how the table writes it.
        assert not set("{}*|").intersection("".join(phrase)), phrase
    for some in meanings().values():
        assert len(set(some)) == len(some)


def test_a_sign_inside_a_phrase_is_kept_where_it_is_a_slash() -> None:
    assert phrase_of("Blood, whole / arm?") == ("blood", "whole", "/", "arm")
    for said in ("w/o", "y/n", "and/or", "self-harm"):
        assert phrase_of(said)
    assert any(m.tag == "not" for m in meant(tokens("w/o")))
    assert any(m.tag == "ask" for m in meant(tokens("y/n")))
    assert any(m.tag == "join" for m in meant(tokens("and/or")))
    # Chinese words are known sign by sign, words with a mark by their parts.
    assert any(m.tag == "join" for m in meant(tokens("并且")))
    assert any(m.tag == "not" for m in meant(tokens("don't")))


def test_a_plural_is_looked_up_as_it_is_spelled_first() -> None:
    assert meant(tokens("patient")) != meant(tokens("patients"))
    assert meant(tokens("patients")) == spelled()[("patients",)]
    assert ("colonoscopies",) not in spelled()
    assert Meaning("kind", "medication") in meant(tokens("drugs"))
    assert meant(tokens("xyzzy")) == ()


def test_beginnings_are_long_enough_to_mean_something() -> None:
    assert all(len(beginning) > 1 and "*" not in beginning for beginning, _ in stems())
    assert ("reveal", Meaning("ask", "show")) in stems()
    starred = [p for _, _, listed in rows("lexicon") for p in listed.split("|") if "*" in p]
    assert len(stems()) == len([p for p in starred if len(p) > 2])


def test_every_term_stands_for_itself() -> None:
    for terms, phrases in rows("terms"):
        for term in terms.split("|"):
            assert other_words()[phrase_of(term)], term
        for phrase in phrases.split("|"):
            assert set(terms.split("|")) <= set(other_words()[phrase_of(phrase)]), phrase


def test_a_dash_in_the_table_of_classes_is_no_drug() -> None:
    for drug_class in drug_classes().values():
        assert "-" not in (*drug_class.stems, *drug_class.members)
        assert drug_class.stems or drug_class.members
