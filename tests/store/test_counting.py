"""Facets and orders are the same whether an engine has columns or looks at every document."""

from __future__ import annotations

import pytest

from osler import Library
from osler.kinds import Document, Heading
from osler.kinds.query import Filter, Term
from osler.store.counting import UNKNOWN, CountedByDocument, citations, day

PAPERS = [
    Document(
        id=f"d{number}",
        title="asthma" if number % 3 else "nothing",
        published=("2020-03-05", "2021", "", "2019-12")[number % 4],
        journal=("Lung", "", "Air")[number % 3],
        types=("Review", "Journal Article")[: 1 + number % 2],
        headings=(Heading("Asthma", "D1"),) if number % 2 else (),
        language="en",
        metadata={"citations": str(number % 5)} if number % 6 else {},
    )
    for number in range(40)
]


class ByDocument(CountedByDocument):
    """An engine without columns, over one that has them."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.search_words = library.engine.search_words

    def size(self) -> int:
        return len(self.library)

    def fetch(self, rows):
        return {row: (1, document) for row, document in self.library.by_rows(rows).items()}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with Library.create(tmp_path_factory.mktemp("counting") / "lib") as made:
        made.add_documents(PAPERS)
        yield made


def test_values_are_counted_alike(library):
    node, filter = Term("asthma", "title"), Filter(years=(2019, None))
    fields = ("year", "type", "journal", "heading", "language")
    columns = library.engine.facets(node, fields, 50, filter)
    looked = ByDocument(library).facets(node, fields, 50, filter)
    assert {name: dict(values) for name, values in columns.items()} == {
        name: dict(values) for name, values in looked.items()
    }
    assert dict(columns["year"])["2021"] == 7


@pytest.mark.parametrize("by", ["date", "journal", "citations"])
def test_orders_are_alike(library, by):
    node = Term("asthma", "title")
    columns = {each.row: each.score for each in library.engine.ordered(node, by, 40)}
    looked = {each.row: each.score for each in ByDocument(library).ordered(node, by, 40)}
    assert columns == looked
    assert max(columns.values()) == 0
    first = library.engine.ordered(node, by, 3)
    assert {each.row for each in first} >= {r for r, score in columns.items() if score == 0}


def test_days_and_counts():
    assert [day(text) for text in ("2021-03-05", "2021-03", "2021", "", "soon")] == [
        20210305,
        20210300,
        20210000,
        0,
        0,
    ]
    assert citations(Document(id="a", metadata={"Cited by": "12"})) == 12
    assert citations(Document(id="a", metadata={"citations": "many"})) == UNKNOWN
