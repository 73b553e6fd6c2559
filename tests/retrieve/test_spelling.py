"""Spelling: from the library's own words and the terminology, applied only when accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler import Library
from samples import paper

PAPERS = (
    paper("1", "Heart attack in women", "A heart attack was seen in women. The heart failed."),
    paper("2", "Ivermectin", "Ivermectin was given for disease of the kidney."),
    paper("3", "Hart disease", "Hart and colleagues wrote of the heart."),
    *(paper(f"f{n}", f"Barley variety {n}", "A heart of barley.") for n in range(40)),
)
TERMS = (
    "id\tname\tsynonyms\tparents\nMESH:D000001\tHeart attack\tMyocardial infarction\t\n"
    "MESH:D000002\tKidney\t\t\nMESH:D000003\tYaws\t\t\n"
)


@pytest.fixture
def library(tmp_path: Path):
    terms = tmp_path / "terms.tsv"
    terms.write_text(TERMS)
    with Library.create(tmp_path / "library") as opened:
        opened.add_documents(PAPERS)
        opened.add([terms], format="terms")
        yield opened


def suggested(library, text):
    return library.search(text, method="words").suggestion


def test_a_slip_is_found(library):
    assert suggested(library, "ivermctin") == "ivermectin"
    assert suggested(library, "kidney and ivermetcin") == "kidney and ivermectin"


def test_words_that_make_a_name_win(library):
    """Hart stands in a paper, and is an author; beside an attack it is a heart."""
    assert suggested(library, "hart atack") == "heart attack"


def test_what_is_known_is_left_alone(library):
    assert suggested(library, "heart attack") == ""
    assert suggested(library, "yaws") == ""  # the terminology has the word, no paper does
    assert suggested(library, "xyzzyx") == ""
    assert suggested(library, "hart") == ""


def test_nothing_is_searched_for_unasked(library):
    plain = library.search("ivermctin", method="words")
    assert plain.query == "ivermctin"
    assert [hit.id for hit in plain.hits] == []
    accepted = library.search("ivermctin", method="words", accept_spelling=True)
    assert accepted.query == "ivermectin"
    assert [hit.id for hit in accepted.hits] == ["2"]
    assert accepted.notes[0] == "searched for ivermectin, not for ivermctin"


def test_a_query_of_the_language_is_not_respelled(library):
    assert library.search("title:ivermctin", method="words").suggestion == ""


def test_terms_asked_for_again_hold_what_was_added_since(library) -> None:
    before = library.engine.terms("z", 10)
    assert library.engine.terms("z", 10) == before
    assert not any(term.startswith("zolpidem") for term in before)
    library.add_documents([paper("new", "Zolpidem for sleep", "")])
    assert "zolpidem" in library.engine.terms("z", 10)


def test_terms_of_some_lengths_are_those_of_all_terms(library) -> None:
    every = library.engine.terms("h", 10)
    assert {len(term) for term in every} >= {4, 5}
    for lengths in (range(4, 5), range(5, 9), range(1, 3)):
        assert library.engine.terms("h", 10, lengths) == [t for t in every if len(t) in lengths]
