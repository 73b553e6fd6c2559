"""Documents in the truth: what replaces what, what stays deleted, which papers are one."""

from __future__ import annotations

import json

import pytest

from osler import Library
from osler.errors import UnknownId
from osler.kinds import Section
from samples import paper


def write_jsonl(path, documents):
    lines = [json.dumps({"_id": d.id, "title": d.title, "text": d.abstract}) for d in documents]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_newer_description_replaces_an_older_one(make_library):
    library = make_library([paper("7", "old title", revised="2020-01-01")])
    library.add_documents([paper("7", "new title", revised="2021-01-01")])
    assert library.document("7").title == "new title"
    assert len(library) == 1


def test_an_older_description_changes_nothing(make_library):
    library = make_library([paper("7", "new title", revised="2021-01-01")])
    assert library.add_documents([paper("7", "old title", revised="2020-01-01")]) == 0
    assert library.document("7").title == "new title"


def test_the_same_again_is_no_change(make_library):
    library = make_library([paper("7", "title")])
    before = library.truth.seq()
    assert library.add_documents([paper("7", "title")]) == 0
    assert library.engine.applied() <= before


def test_what_was_removed_is_not_found_and_stays_away(make_library, tmp_path):
    file = write_jsonl(tmp_path / "corpus.jsonl", [paper("7", "gone"), paper("8", "kept")])
    library = make_library([])
    library.add([file])
    library.remove(["7"])
    assert [hit.id for hit in library.search("gone kept", method="words")] == ["8"]
    library.add([file], again=True)
    with pytest.raises(UnknownId):
        library.document("7")
    library.add([file], again=True, revive=True)
    assert library.document("7").title == "gone"


def test_a_newer_revision_brings_a_removed_paper_back(make_library):
    from osler.kinds import Deletion

    library = make_library([paper("7", "first", revised="2020-01-01")])
    library.remove(["7"])
    with library._writing(), library.truth.transaction() as connection:
        _, outcomes = library._documents.write(
            connection, [paper("7", "same", revised="2020-01-01")]
        )
        assert [o.what for o in outcomes] == ["skipped"]
        _, outcomes = library._documents.write(
            connection, [paper("7", "later", revised="2022-01-01"), Deletion("99")]
        )
        assert [o.what for o in outcomes] == ["replaced", "withdrawn"]
    assert library.document("7").title == "later"


def test_a_deletion_read_before_its_paper_keeps_the_paper_out(make_library):
    from osler.kinds import Deletion

    library = make_library([])
    with library._writing(), library.truth.transaction() as connection:
        _, outcomes = library._documents.write(connection, [Deletion("7"), paper("7", "late")])
    assert [o.what for o in outcomes] == ["withdrawn", "skipped"]
    assert len(library) == 0


@pytest.mark.parametrize("pmid_first", [True, False])
def test_one_paper_under_a_pmid_and_a_doi_is_one_document(make_library, pmid_first):
    citation = paper(
        "123", "Citation", "The abstract.", ids={"pmid": "123", "doi": "10.1/x"}, journal="J"
    )
    article = paper(
        "PMC9",
        "Citation",
        ids={"doi": "10.1/x", "pmcid": "PMC9"},
        full_text=(Section("All of it."),),
    )
    library = make_library([])
    for document in (citation, article) if pmid_first else (article, citation):
        library.add_documents([document])
    assert len(library) == 1
    found = library.document("123")
    assert found.id == "123"
    assert found.abstract == "The abstract."
    assert found.full_text[0].text == "All of it."
    assert found.ids == {"pmid": "123", "doi": "10.1/x", "pmcid": "PMC9"}
    for name in ("10.1/x", "10.1/X", "PMC9"):
        assert library.document(name).id == "123"
    assert [hit.id for hit in library.search("citation", method="words")] == ["123"]


def test_a_paper_that_joins_two_documents_leaves_one(make_library):
    library = make_library(
        [paper("123", "Both", ids={"pmid": "123"}), paper("d", "Both names", ids={"doi": "10.1/x"})]
    )
    library.add_documents([paper("123", "Both", ids={"pmid": "123", "doi": "10.1/x"})])
    assert len(library) == 1
    assert library.document("d").id == "123"
    assert [hit.id for hit in library.search("both", method="words")] == ["123"]


def test_joining_happens_inside_one_batch_too(make_library):
    library = make_library(
        [
            paper("PMC9", "T", ids={"doi": "10.1/x", "pmcid": "PMC9"}),
            paper("123", "T", "Abstract.", ids={"pmid": "123", "doi": "10.1/x"}),
            paper("124", "Other", ids={"pmid": "124"}),
        ]
    )
    assert sorted(d.id for d in library.documents()) == ["123", "124"]


def test_a_retraction_is_never_lost_by_joining(make_library):
    library = make_library([paper("123", "T", ids={"doi": "10.1/x"}, retracted=True)])
    library.add_documents([paper("PMC9", "T", ids={"doi": "10.1/x"})])
    assert library.document("10.1/x").retracted


def test_duplicates_in_a_file_are_counted_and_listed(make_library, tmp_path):
    file = write_jsonl(
        tmp_path / "c.jsonl", [paper("a", "one"), paper("a", "two"), paper("b", "x")]
    )
    library = make_library([])
    summary = library.add([file])
    assert summary.counts["replaced"] == 1
    assert [(n.id, n.what) for n in summary.remarks] == [("a", "replaced")]
    assert "more than once" in summary.remarks[0].reason
    assert summary.clean
    assert library.document("a").title == "two"


def test_a_digest_does_not_depend_on_the_order_of_adding(make_library):
    papers = [paper(str(i), f"title {i}") for i in range(20)]
    one = make_library(papers, name="one")
    other = make_library([], name="other")
    for document in reversed(papers):
        other.add_documents([document])
    assert one.digest() == other.digest()
    other.add_documents([paper("3", "changed")])
    assert one.digest() != other.digest()


def test_documents_come_in_order_of_id_and_by_name(library: Library):
    assert [d.id for d in library.documents()] == ["1", "2", "3", "4", "5"]
    assert [d.id for d in library.documents(["3", "1"])] == ["3", "1"]
    with pytest.raises(UnknownId, match="E206"):
        library.document("no such")


def test_reading_some_documents_does_not_walk_all_of_them(library: Library):
    """SQLite would take the index of tombstones, which holds every document, for a page, a row or
    the few changes after a number."""
    documents = library._documents
    ids = [document.id for document in documents.all()]
    rows = list(documents.rows_of(ids).values())
    connection = library.truth.reader
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    try:
        documents.get(ids[0])
        documents.by_rows(rows[:2])
        documents.titles(rows[:2])
        documents.current(rows[:2])
        documents.at_rows(rows[:2])
        documents.rows_of(ids[:2])
        documents.numbered(ids[:2])
        documents.page(limit=2, after=ids[0])
        documents.waiting(documents.last_seq())
        documents.changed(documents.last_seq())
        list(documents.all())
    finally:
        connection.set_trace_callback(None)
    reads = [text for text in asked if "FROM documents" in text]
    assert len(reads) >= 11
    for text in reads:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()
        steps = " ".join(step[3] for step in plan)
        assert "documents_deleted" not in steps, (text, steps)
        assert "TEMP B-TREE" not in steps, (text, steps)


def test_a_name_is_looked_up_not_searched_for(library):
    """Most questions are asked first whether a paper goes by them."""
    connection = library.truth.reader
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    try:
        with pytest.raises(UnknownId):
            library.document("statins and muscle pain")
    finally:
        connection.set_trace_callback(None)
    (text,) = [text for text in asked if "FROM names" in text]
    steps = [step[3] for step in connection.execute(f"EXPLAIN QUERY PLAN {text}")]
    assert steps == ["SEARCH names USING PRIMARY KEY (scheme=? AND value=?)"]
