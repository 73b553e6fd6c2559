"""The same paper twice: groups that can be taken apart again."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from osler import Library
from osler.errors import InputError, OslerError
from osler.kinds import Author, Document
from osler.review.duplicates import (
    FoldedRecord,
    _keys,
    first_page,
    folded,
    groups,
    pairs,
    plain_doi,
    probability,
)

TITLE = "Effects of early walking on recovery after stroke in older adults"


def record(id: str, **more: object) -> FoldedRecord:
    given = {"title": folded(TITLE), "authors": "smith lee", "year": 2019, "page": "21"}
    return FoldedRecord(id=id, **{**given, **more})  # type: ignore[arg-type]


def test_fields_are_folded() -> None:
    assert folded("Müller's  Étude!") == "muller s etude"
    assert first_page("S221-8") == "s221"
    assert plain_doi("http://dx.doi.org/10.1097/MOL.0b013e") == "10.1097/mol.0b013e"
    assert plain_doi("NA") == ""


def test_what_agrees_and_what_does_not() -> None:
    assert probability(record("a"), record("b")) > 0.95
    assert probability(record("a"), record("b", title="something else about the heart")) < 0.1
    other = record("b", authors="garcia", year=2011, page="900")
    assert probability(record("a"), other) < 0.5
    part = record("b", title=folded(TITLE + " part 2"))
    assert probability(record("a", title=folded(TITLE + " part 1")), part) < 0.9


def test_a_talk_and_its_article_are_two_publications() -> None:
    article = record("a", journal="j hypertens", volume="33", page="1001", year=2015)
    talk = record("b", journal="circulation conference", volume="130", page="", year=2014)
    assert probability(article, talk) < 0.5
    # In one journal, a year and a volume later.
    later = record("b", journal="j hypertens", volume="31", page="", year=2014)
    assert probability(article, later) < 0.9
    assert probability(article, record("b", journal="j hypertens", volume="33", page="")) > 0.9
    # Two speakers, a page apart, under the DOI of the whole supplement.
    doi = {"doi": "10.1002/dmrr.2604", "journal": "diabetes"}
    one = record("a", page="51", authors="chen wang liang", **doi)
    other = record("b", page="52", authors="wang yan liang", **doi)
    assert probability(one, other) < 0.9
    assert probability(one, record("b", page="51", authors="chen wang liang", **doi)) > 0.99


def test_a_preprint_and_its_article_are_one_paper() -> None:
    words = folded("Walking was begun on the first day after stroke in half of the adults. " * 3)
    article = record("a", journal="stroke", volume="33", doi="10.1/a", abstract=words)
    preprint = record("b", journal="medrxiv", page="", doi="10.1101/b", year=2018, abstract=words)
    assert probability(article, preprint) > 0.9


def test_groups_and_pairs_that_were_set_apart() -> None:
    three = [record("a"), record("b"), record("c"), record("x", title="nothing like it at all")]
    assert [(one.group, one.id) for one in groups(three)] == [(1, "a"), (1, "b"), (1, "c")]
    # b and c stay with one of them, a and b never meet.
    apart = {frozenset("ab")}
    together = [one.id for one in groups(three, apart)]
    assert len(together) == 2
    assert set(together) != {"a", "b"}


def papers() -> list[Document]:
    authors = (Author("Smith"), Author("Lee"))
    more = {"authors": authors, "published": "2019", "metadata": {"pages": "21-8"}}
    return [
        Document(id="1", title=TITLE, **more),  # type: ignore[arg-type]
        Document(id="2", title=TITLE.upper() + ".", **more),  # type: ignore[arg-type]
        Document(id="3", title="Another paper about the kidney and its function", **more),  # type: ignore[arg-type]
    ]


def test_a_library_tells_and_forgets_nothing(tmp_path: Path) -> None:
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(papers())
        assert [one.id for one in library.duplicates().records] == ["1", "2"]
        assert len(library) == 3
        library.set_apart("1", "2")
        assert library.duplicates().records == []
        assert library.duplicates().set_apart == 1
        library.set_apart("1", "2", apart=False)
        assert [one.id for one in library.duplicates().records] == ["1", "2"]
        with pytest.raises(InputError):
            library.set_apart("1", "1")
        with pytest.raises(OslerError):
            library.set_apart("1", "unknown")


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from osler.cli.main import build

    with Library.create(tmp_path / "lib") as library:
        library.add_documents(papers())
    out = tmp_path / "out.csv"
    result = CliRunner().invoke(build(), ["duplicates", str(tmp_path / "lib"), "--out", str(out)])
    assert result.exit_code == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "group,id,probability"
    assert [line.split(",")[:2] for line in lines[1:]] == [["1", "1"], ["1", "2"]]


def test_a_record_is_compared_with_those_that_share_a_key() -> None:
    """A DOI where there is one, both ends of the title, its longest words, its place."""
    keys = {name: rest for name, *rest in _keys(record("a", doi="10.1/x", volume="7 (2)"))}
    assert keys == {
        "doi": ["10.1/x"],
        "start": ["".join(TITLE.lower().split())[:24]],
        "end": ["".join(TITLE.lower().split())[-24:]],
        "words": ["recovery", "effects", "walking"],
        "place": ["2019", "21", "7"],
    }
    assert "doi" not in {name for name, *_ in _keys(record("a"))}


def test_a_different_doi_speaks_against_and_the_last_pair_of_a_block_is_compared() -> None:
    same = probability(record("a", doi="10.1/x"), record("b", doi="10.1/y"))
    bare = probability(record("a"), record("b"))
    odds = [p / (1 - p) for p in (bare, same)]
    assert math.log(odds[0] / odds[1]) == pytest.approx(3.0, abs=0.01)
    # Three of one paper: each is compared with each that follows, the neighbour too.
    assert [(a, b) for a, b, _ in pairs([record("a"), record("b"), record("c")])] == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
