"""P19: every record that is read has one fate, all are told, and nothing there is harmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Note, Pair, Reject, Section, Triple
from osler.store.account import FATES, gap, told
from samples import paper

FULL = "Statins and muscle pain in two hundred adults"


def jsonl(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def ris(path: Path, *records: dict[str, str]) -> Path:
    text = "".join(
        "TY  - JOUR\n" + "".join(f"{tag}  - {value}\n" for tag, value in r.items()) + "ER  - \n"
        for r in records
    )
    path.write_text(text, "utf-8")
    return path


def test_the_sum_in_words():
    assert told({"read": 1_002, "stored": 1_000, "rejected": 2}) == (
        "1,002 read = 1,000 stored + 2 rejected"
    )
    assert gap({"read": 3, "stored": 2}) == 1
    assert "≠" in told({"read": 3, "stored": 2})


def test_each_fate_is_counted_once(make_library, tmp_path):
    file = jsonl(
        tmp_path / "c.jsonl",
        {"_id": "a", "title": "one", "text": "x"},
        {"_id": "a", "title": "one", "text": "x"},
        {"_id": "b", "title": "two", "text": "y"},
        {"title": "no id", "text": "z"},
        {"_id": "gone", "title": "removed before", "text": "z"},
    )
    library = make_library([paper("gone", "removed"), paper("b", "old")])
    library.remove(["gone"])
    summary = library.add([file])
    assert summary.counts["read"] == 5
    assert gap(summary.counts) == 0
    assert {fate: summary.counts[fate] for fate in FATES if summary.counts[fate]} == {
        "stored": 1,
        "merged": 1,
        "replaced": 1,
        "skipped": 1,
        "rejected": 1,
    }
    assert summary.sum == ("5 read = 1 stored + 1 merged + 1 replaced + 1 skipped + 1 rejected")
    assert [(n.what, n.id) for n in summary.remarks] == [
        ("merged", "a"),
        ("replaced", "b"),
        ("skipped", "gone"),
    ]
    assert list(library.ledger.notes()) == summary.remarks
    assert library.verify() == []


def test_a_sum_that_does_not_hold_is_a_failure(make_library, tmp_path, monkeypatch):
    """A store that loses a record in silence: the program itself says so."""
    file = jsonl(
        tmp_path / "c.jsonl", *({"_id": str(n), "title": "t", "text": "x"} for n in range(5))
    )
    from osler.store import ingest

    def forgetful(*parts, strict):
        return list(zip(*parts, strict=strict))[1:]

    monkeypatch.setattr(ingest, "zip", forgetful, raising=False)
    summary = make_library([]).add([file])
    assert "5 read ≠ 4 stored" in summary.failed["c.jsonl"]


def test_a_damaged_note_is_noticed(make_library, tmp_path):
    library = make_library([])
    row = {"_id": "a", "title": "one", "text": "x"}
    library.add([jsonl(tmp_path / "c.jsonl", row, row)])
    with library._writing(), library.truth.transaction() as connection:
        connection.execute("UPDATE notes SET reason = 'another'")
    assert any("notes" in line for line in library.verify())


def test_a_note_of_a_reader_counts_for_its_records(make_library, tmp_path):
    class Claims(Reader):
        name = "claims"
        help = "for this test"

        @classmethod
        def recognises(cls, head: Head) -> bool:
            return False

        def read(self, source: Source) -> Iterator[Item]:
            yield paper("a", "one")
            yield Note(source.name, "claims", "skipped", "Claim is not read", count=12)
            yield Reject(source.name, "entry 3", "nothing in this record could be read")

    (tmp_path / "claims").write_text("x")
    readers.register("claims")(Claims)
    try:
        summary = make_library([]).add([tmp_path / "claims"], format="claims")
    finally:
        readers._classes.pop("claims", None)
    assert summary.sum == "14 read = 1 stored + 12 skipped + 1 rejected"


def test_a_reader_that_fails_ends_its_file_alone(make_library, tmp_path, monkeypatch):
    from osler.corpus import beir

    good = jsonl(tmp_path / "good.jsonl", {"_id": "a", "title": "one", "text": "x"})
    bad = jsonl(tmp_path / "bad.jsonl", {"_id": "b", "title": "canary", "text": "x"})
    honest = beir._document

    def fails(id, record):
        if id == "b":
            raise KeyError("canary")
        return honest(id, record)

    monkeypatch.setattr(beir, "_document", fails)
    library = make_library([])
    summary = library.add([bad, good])
    assert "KeyError" in summary.failed["bad.jsonl"]
    assert "canary" not in summary.failed["bad.jsonl"]
    assert [d.id for d in library.documents()] == ["a"]


def test_a_file_of_no_known_format_does_not_end_the_batch(make_library, tmp_path):
    unknown = tmp_path / "letter.docx"
    unknown.write_bytes(b"PK\x03\x04 nothing that is read")
    after = jsonl(tmp_path / "after.jsonl", {"_id": "a", "title": "one", "text": "x"})
    library = make_library([])
    summary = library.add([unknown, after])
    assert "no format" in summary.failed["letter.docx"]
    assert len(library) == 1


def test_a_folder_of_papers_is_read_file_by_file(make_library, tmp_path):
    folder = tmp_path / "papers"
    (folder / "more").mkdir(parents=True)
    jsonl(folder / "a.jsonl", {"_id": "a", "title": "one", "text": "x"})
    ris(folder / "more" / "b.ris", {"TI": FULL, "DO": "10.1/b"})
    (folder / "notes.docx").write_bytes(b"PK\x03\x04")
    (folder / ".hidden").write_text("x")
    library = make_library([])
    summary = library.add([folder])
    assert len(library) == 2
    assert set(summary.failed) == {"papers/notes.docx"}
    assert any("1 hidden" in note for note in summary.notes)


def test_an_amended_column_reads_the_file_again(make_library, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("id,title,name,text\n1,Wrong,Right,Some words\n")
    library = make_library([])
    library.add([table])
    assert library.document("1").title == "Wrong"
    amended = library.add([table], columns={"title": "name"})
    assert not amended.already
    assert library.add([table], columns={"title": "name"}).already == ["t.csv"]
    assert "Right" in {d.title for d in library.documents()}
    assert len(library.ledger.all()) == 1


def test_a_poorer_export_harms_nothing(make_library, tmp_path):
    """One's own search, exported without authors and abstract, replaced whole papers."""
    library = make_library([])
    rich = {"TI": FULL, "DO": "10.1/x", "AB": "A long abstract.", "AU": "Author, A", "PY": "2020"}
    library.add([ris(tmp_path / "rich.ris", rich)])
    whole = library.document("10.1/x")
    poor = ris(tmp_path / "poor.ris", {"TI": FULL, "DO": "10.1/x", "PY": "2021"})
    tried = library.add([poor], dry_run=True)
    assert library.document("10.1/x") == whole
    assert "changed published" in tried.remarks[0].reason
    assert len(library.ledger.all()) == 1
    summary = library.add([poor])
    assert [n.reason for n in summary.remarks] == [n.reason for n in tried.remarks]
    assert summary.sum == tried.sum == "1 read = 1 replaced"
    after = library.document("10.1/x")
    assert (after.abstract, after.authors) == (whole.abstract, whole.authors)
    assert after.published == "2021"
    assert "kept" in summary.remarks[0].reason


@pytest.mark.parametrize("first", [True, False])
def test_a_poorer_duplicate_in_one_file_leaves_the_full_one(make_library, tmp_path, first):
    rich = {"TI": FULL, "DO": "10.1/x", "AB": "A long abstract.", "AU": "Author, A"}
    poor = {"TI": FULL, "DO": "10.1/x", "AB": "A long ..."}
    pair = (rich, poor) if first else (poor, rich)
    library = make_library([])
    summary = library.add([ris(tmp_path / "two.ris", *pair)])
    assert library.document("10.1/x").abstract == "A long abstract."
    assert library.document("10.1/x").authors
    assert summary.counts["merged" if first else "replaced"] == 1
    assert gap(summary.counts) == 0


def test_one_doi_of_many_abstracts_is_many_papers(make_library, tmp_path):
    """Fifteen abstracts of a conference under one DOI became one."""
    titles = ("Gout in old age", "Asthma near roads", "Tea drinking", "Sleep of nurses")
    records = [{"TI": t, "DO": "10.1/meeting", "AB": f"About: {t}"} for t in titles]
    file = ris(tmp_path / "meeting.ris", *records)
    library = make_library([])
    summary = library.add([file])
    assert sorted(d.title for d in library.documents()) == sorted(titles)
    assert summary.counts["stored"] == 4
    assert [n.what for n in summary.remarks] == ["stored"] * 3
    assert all("another title" in n.reason for n in summary.remarks)
    # Read again, each finds itself.
    assert library.add([file], again=True).sum == "4 read = 4 unchanged"
    # And a fuller description of one of them finds it by DOI and title.
    more = {"TI": "Asthma near roads", "DO": "10.1/meeting", "ID": "x9", "KW": "traffic"}
    assert library.add([ris(tmp_path / "more.ris", more)]).counts["merged"] == 1
    assert len(library) == 4


def test_exports_that_count_their_rows_do_not_overwrite_each_other(make_library, tmp_path):
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("id,title,abstract\n1,Gout in old age,First\n")
    other.write_text("id,title,abstract\n1,Asthma near roads,Second\n")
    library = make_library([])
    library.add([one])
    summary = library.add([other])
    assert len(library) == 2
    assert "another paper" in summary.remarks[0].reason


IDS = st.sampled_from(["a", "b", "c", "d"])
TITLES = st.sampled_from(["", "Gout in old age", "Gout in old age.", "Asthma near roads"])
NAMES = st.dictionaries(
    st.sampled_from(["pmid", "doi", "pmcid"]), st.sampled_from(["1", "2"]), max_size=3
)
PAPERS = st.builds(
    lambda id, title, text, ids: paper(id, title, text, ids=ids),
    IDS,
    TITLES,
    st.sampled_from(["", "Some words.", "Some words. And more."]),
    NAMES,
)
ITEMS = st.one_of(
    PAPERS,
    st.builds(lambda id: Entity(id=f"X:{id}", name=f"name {id}"), IDS),
    st.builds(lambda one, two: Triple(f"X:{one}", "r", f"X:{two}", "f"), IDS, IDS),
    st.builds(lambda id, text: Pair(id=id, question=text, answer="a"), IDS, TITLES),
    st.builds(lambda n: Reject("f", f"line {n}", "broken"), st.integers(1, 9)),
    st.builds(
        lambda what, n: Note("f", "p", what, "by rule", count=n),
        st.sampled_from(["merged", "replaced", "skipped"]),
        st.integers(1, 5),
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches=st.lists(st.lists(ITEMS, max_size=8), max_size=3), own=st.booleans())
def test_whatever_comes_the_sum_holds(make_library, tmp_path, batches, own):
    """Items of every kind, ids and names that clash: read = the sum, in every file, and what the
    truth holds is what was stored."""

    class Given(Reader):
        name = "any"
        help = "for this test"
        own_ids = own

        @classmethod
        def recognises(cls, head: Head) -> bool:
            return False

        def read(self, source: Source) -> Iterator[Item]:
            yield from self.options["items"]

    from osler.store.ingest import Ingest, Summary

    library = make_library([], name=f"lib{len(list(tmp_path.iterdir()))}")
    for number, items in enumerate(batches):
        file = tmp_path / f"f{number}-{len(list(tmp_path.iterdir()))}"
        file.write_text(str(file))
        before = {d.id: d for d in library.documents()}
        summary = Summary()
        ingest = Ingest(
            library.truth,
            library._documents,
            library._graphs,
            library.ledger,
            on_changes=lambda changes: None,
        )
        ingest.read(Source(file), Given(items=items), again=False, summary=summary, options={})
        assert gap(summary.counts) == 0
        expected = sum(item.count if isinstance(item, Note) else 1 for item in items)
        assert summary.counts["read"] == expected
        after = {d.id: d for d in library.documents()}
        texts = " ".join(d.abstract for d in after.values())
        for document in before.values():
            assert document.abstract in texts or not own
    library.close()


def test_a_field_is_never_emptied():
    from osler.store.identity import join

    held = paper("1", FULL, "All.", keywords=("a", "b"), full_text=(Section("x"),), journal="J")
    joined = join(held, paper("1", FULL, keywords=("a",), journal="Journal"))
    assert joined.document.keywords == ("a", "b")
    assert joined.document.abstract == "All."
    assert joined.document.full_text == held.full_text
    assert joined.changed == ("journal",)
    assert set(joined.kept) == {"sections", "keywords", "full_text"}


def test_a_paper_that_brings_its_pmid_finds_the_row_of_that_pmid(make_library):
    """Two rows, one of them named by the PMID that the third tells: it was called damage."""
    library = make_library(
        [
            paper("d", "Gout in old age", ids={"doi": "10.1/x"}),
            paper("123", "Gout in old age", ids={"pmid": "123"}),
        ]
    )
    library.add_documents([paper("d", "Gout in old age", ids={"pmid": "123", "doi": "10.1/x"})])
    assert [d.id for d in library.documents()] == ["123"]
    assert library.document("d").id == "123"
