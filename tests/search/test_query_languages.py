"""What queries of four languages find in a library."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from osler import Library
from osler.kinds import Author, Document, Heading

PAPERS = [
    Document(
        id="1",
        title="Asthma in children of the city",
        headings=(Heading("Asthma", "D1", True, ("drug therapy",)),),
        authors=(Author("Smith", "Jane Anne", "JA", "Hospital for Sick Children, Toronto"),),
        published="2012",
        language="en",
    ),
    Document(id="2", title="Children with severe asthma and women", published="2015"),
    Document(id="3", title="A woman with asthma, wheeze and a child", published="2020"),
    Document(id="4", title="Randomised study of hemoglobin", authors=(Author("Smith", "Jo", "J"),)),
    Document(id="5", title="Randomized study of haemoglobin", language="de"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Iterator[Library]:
    with Library.create(tmp_path_factory.mktemp("lines") / "lib") as made:
        made.add_documents(PAPERS)
        yield made


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        # words near each other, in any order; one word between is adj2, ~1, NEAR/2
        ('"asthma children"[ti:~0]', ""),
        ('"asthma children"[ti:~1]', "1"),
        ('"asthma children"[ti:~2]', "12"),
        ("(asthma adj2 children).ti.", "1"),
        ("(asthma adj3 children).ti.", "12"),
        ("(asthma NEAR/3 children):ti", "12"),
        ("(asthma NEXT/2 children):ti", "1"),
        ("(children NEXT/3 asthma):ti", "2"),
        ('title:"children asthma"~2', "12"),
        ('title:"children asthma"~>2', "2"),
        ("(wheez$ adj3 child$).ti.", "3"),
        ("(asthma adj4 (woman or women)).ti.", "23"),
        ("(severe asthma adj3 children).ti.", "2"),
        # wildcards over words, not stems
        ("wom?n.ti.", "23"),
        ("randomi#ed.ti.", "45"),
        ("h?emoglobin.ti.", "45"),
        ("h*moglobin:ti", "45"),
        ("h*moglobins:ti", "45"),
        ("title:st*dies", "45"),
        ("title:ch*ldren", "12"),
        ("randomi?ed:ti", "45"),
        ("child$3.ti.", "123"),
        ("h#emoglobin.ti.", "5"),
        # headings, qualifiers, addresses, authors
        ("exp asthma/", "1"),
        ("asthma/dt", "1"),
        ("exp asthma/ae", ""),
        ("dt.fs. and asthma.ti.", "1"),
        ("drug therapy[sh]", "1"),
        ("sick children[ad]", "1"),
        ("'asthma'/exp/mj", "1"),
        ("smith j$.au.", "14"),
        ("smith j.au.", "4"),
        # limits
        ("asthma:ti AND [2013-2020]/py", "23"),
        ('1. asthma.ti.\n2. child$.ti.\n3. and/1-2\n4. limit 3 to yr="2013 -Current"', "23"),
        ("hemoglobin:ti OR haemoglobin:ti NOT [german]/lim", "4"),
    ],
)
def test_a_line_finds_its_papers(library, query, ids):
    ranking = library.search(query, method="words")
    assert sorted(hit.id for hit in ranking) == sorted(ids)
    assert ranking.total == len(ids)


def test_a_language_that_no_mark_tells_can_be_named(library):
    assert library.search("asthma and wheeze", method="words", syntax="ovid").total == 1
    assert library.search("asthma and wheeze", method="words").total == 3


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("2021/05[dp]", "bcd"),
        ("2021/05:2021/06[dp]", "bcde"),
        ("2021/05/02:2021/06[dp]", "cde"),
        ("2021/05/01[dp]", "b"),
        ("2021/01[dp]", "a"),
        (":2021/04[dp]", "a"),
        ("2021/06:[dp]", "e"),
        ("2020/11:2021/05/13[dp]", "abc"),
        ("melatonin[ti] NOT 2021/05[dp]", "aef"),
        ("year:2021/05:2021/05/13", "bc"),
        ("2021[dp]", "abcde"),
    ],
)
def test_papers_by_month_and_day(tmp_path, query, ids):
    """What a record leaves out counts as the first; a paper without a date is in no range."""
    dates = {"a": "2021", "b": "2021-05", "c": "2021-05-13", "d": "2021-05-31", "e": "2021-06-30"}
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(
            Document(id=id, title="Melatonin", published=dates.get(id, "")) for id in "abcdef"
        )
        hits = library.search(query, k=10)
        assert "".join(sorted(hit.id for hit in hits.hits)) == ids
        assert hits.total == len(ids)
