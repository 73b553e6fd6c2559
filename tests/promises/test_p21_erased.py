"""P21: what was removed is gone: from the truth, indexes, vectors, caches and freed pages.

Bytes are searched in every file of the library, and files that hold words or numbers in a form of
their own are asked: how many documents does a term stand in, deleted ones included?
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler import Library
from osler.errors import UnknownId
from osler.kinds import Heading, Note, Reject, Section
from osler.store.forgetting import is_removed, without
from samples import TrigramEncoder, paper

CANARY = "zyxwcanary"
TERMS = "id\tname\ttree_numbers\tentry_terms\nD000001\tAsthma\tC08\t\n"


def secret(id: str, word: str = CANARY) -> object:
    return paper(
        id,
        f"{word} in adults with asthma",
        f"The {word}abstract was long. Asthma was seen.",
        keywords=(f"{word}keyword",),
        headings=(Heading(f"{word}heading"),),
        journal=f"{word}journal",
        full_text=(Section(f"The {word}body is told here. " * 300, "Methods"),),
    )


def others(start: int, count: int = 30) -> list:
    return [
        paper(
            f"o{n:03}",
            f"Asthma, part {n}",
            f"Asthma in {n} adults.",
            full_text=(Section(f"Full text {n} of asthma. " * 20, "Methods"),),
        )
        for n in range(start, start + count)
    ]


@pytest.fixture
def library(tmp_path):
    (tmp_path / "terms.tsv").write_text(TERMS, "utf-8")
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add([tmp_path / "terms.tsv"])
        library.add_documents(others(0))
        library.add_documents([*others(30, 5), secret("secret"), *others(35, 5)])
        library.add_documents([secret("secret", CANARY + "second"), *others(60)])
        library.embed()
        yield library


def holding(folder: Path, *needles: bytes) -> dict[str, bytes]:
    """Files with one of the byte strings in them, in any case."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            for needle in needles:
                if needle in data or needle in data.lower():
                    found[str(path.relative_to(folder))] = needle
    return found


def vector_bytes(library: Library) -> list[bytes]:
    ids, matrix = library.vectors(["secret"])
    assert ids == ["secret"]
    vector = matrix[0]
    return [vector.astype(np.float32).tobytes(), vector.astype(np.float16).tobytes()]


def terms_left(library: Library) -> dict[str, int]:
    """Words of the removed document that an index still knows."""
    left = {}
    engine = library.engine
    for index, fields in (
        (engine.words, ("title", "abstract", "keywords", "headings")),
        (engine.passages, ("text",)),
    ):
        searcher = index._index.searcher()
        for field in fields:
            for term, count in searcher.terms_with_prefix(field, CANARY[:6], limit=100):
                left[f"{field} {term}"] = count
    return left


def test_a_removed_paper_stands_in_no_file(library):
    needles = [CANARY.encode(), *vector_bytes(library)]
    assert holding(library.path, *needles)
    assert terms_left(library)
    done = library.erase(["secret"])
    assert done.documents == 1
    assert done.parts >= 1
    assert done.vectors >= 1
    assert done.cached >= 1
    assert holding(library.path, *needles) == {}
    assert terms_left(library) == {}
    library.close()
    assert holding(library.path, *needles) == {}


def answers(library: Library) -> dict[str, list[str]]:
    return {
        method: [hit.id for hit in library.search("asthma adults", k=50, method=method)]
        for method in ("words", "vectors", "concepts")
    }


def test_the_rest_answers_as_if_it_had_never_been(library, tmp_path):
    library.remove(["secret"])
    with Library.create(tmp_path / "never", encoder=TrigramEncoder()) as never:
        never.add([tmp_path / "terms.tsv"])
        never.add_documents([*others(0), *others(30, 5), *others(35, 5), *others(60)])
        never.embed()
        assert answers(library) == answers(never)
    assert library.verify() == []
    library.rebuild()
    assert library.verify() == []
    # A tombstone stays: the old file brings nothing back.
    file = tmp_path / "again.jsonl"
    file.write_text('{"_id": "secret", "title": "again", "text": "again"}\n', "utf-8")
    library.add([file])
    with pytest.raises(UnknownId):
        library.document("secret")


def test_what_was_removed_or_replaced_earlier_is_cleared_by_erase(library):
    """Deletions that came out of a file, and older versions of a paper."""
    library.erase()
    assert not [term for term in terms_left(library) if "second" not in term]


def test_a_reader_that_holds_the_log_is_told_of(library):
    with Library.open(library.path, encoder=TrigramEncoder()) as reader:
        with reader.truth.snapshot() as connection:
            connection.execute("SELECT count(*) FROM documents").fetchone()
            library.add_documents(others(200, 2))
            done = library.erase(["secret"])
            assert any("another program is reading" in note for note in done.notes)
        assert library.erase().notes == []
    assert holding(library.path, CANARY.encode()) == {}


def test_what_people_decided_of_a_removed_paper_names_it_no_more(library):
    """A review still adds up; who was reviewed is not told, nor what was written of them."""
    projects = library.projects
    projects.new("asthma", reviewers=1)
    projects.search("asthma", f"{CANARY}second OR part")
    projects.decide("asthma", "secret", "exclude", reviewer="ann", reason="", note=CANARY)
    projects.decide("asthma", "o000", "include", reviewer="ann", note="kept")
    library.save_search("first", f"{CANARY}second")
    library.judge({"q": {"secret": 1, "o000": 0}}, {"q": "steroids"})
    said = {f"curated\x1fdrug\x1ftreats\x1fill\x1f{id}": "accepted" for id in ("secret", "o000")}
    library.judge({}, said)
    library.set_apart("secret", "o001")
    library.set_apart("o002", "o003")
    with library._writing(), library.truth.transaction() as connection:
        entry = library.ledger.start(connection, fingerprint="f", name="f.ris", format="ris")
        for id in ("secret", "o000"):
            library.ledger.reject(connection, entry, [Reject("f.ris", "line 1", "odd", id)])
            note = Note("f.ris", f"id {id}", "merged", "its DOI is known", id)
            library.ledger.note(connection, entry, [note])
    before = projects.prisma("asthma")
    library.remove(["secret"])
    project = projects.get("asthma")
    assert projects.prisma("asthma") == before
    named = [id for id in project.papers if is_removed(id)]
    assert len(named) == 1
    assert library.decisions.saved_search("first").ids == named
    decided = project.decisions["abstract"]
    assert decided[named[0]]["ann"].verdict == "exclude"
    assert decided[named[0]]["ann"].note == ""
    assert decided["o000"]["ann"].note == "kept"
    assert "secret" not in decided
    assert named[0] not in project.to_screen("bob")
    assert library.decisions.judgements() == {"q": {"o000": 0}}
    assert library.decisions.pairs_apart() == {frozenset(("o002", "o003"))}
    assert [key for key in library.decisions.queries() if "curated" in key] == [list(said)[1]]
    assert [reject.id for reject in library.rejects()] == ["o000"]
    assert [note.id for note in library.ledger.notes()] == ["o000"]
    assert library.verify() == []
    # The query itself is the reviewer's, and stays; what it found of the paper does not.
    tables = ("review_log", "searches", "judgements", "queries", "notes", "rejects")
    for table in tables:
        for row in library.truth.reader.execute(f"SELECT * FROM {table}"):
            assert not [cell for cell in row if "secret" in str(cell)], table


def test_a_removed_paper_that_nobody_had_decided_on_is_counted_apart(library):
    library.projects.new("asthma")
    library.projects.search("asthma", f"{CANARY}second")
    library.remove(["secret"])
    project = library.projects.get("asthma")
    assert project.to_screen("ann") == []
    flow = library.projects.prisma("asthma")
    assert (flow.identified, flow.other, flow.screened) == (1, 1, 0)


def test_what_is_not_about_the_paper_stays_word_for_word():
    names = {"a": "removed:1"}
    log = {"document": "b", "note": "as in a", "tags": ["a"], "ids": ["a", "b"], "at": {"a": 2}}
    assert without(log, names) == {
        "document": "b",
        "note": "as in a",
        "tags": ["removed:1"],
        "ids": ["removed:1", "b"],
        "at": {"removed:1": 2},
    }
    assert without({"document": "a", "note": "x", "tags": [], "n": 1}, names) == {
        "document": "removed:1",
        "n": 1,
    }
