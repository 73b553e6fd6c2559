"""P20: a rolled-back, copied or half-restored library is noticed.

An older truth, or one that went its own way, is put under what was derived from a newer one. The
library must answer as one that was never anything else, and ``verify`` must name what is astray.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from osler import Library
from osler.errors import DamageError, LockedError, StorageError
from osler.store.lock import Lock
from samples import TrigramEncoder, paper

TERMS = (
    "id\tname\ttree_numbers\tentry_terms\n"
    "D000001\tAsthma\tC08\t\nD000002\tCopd\tC09\t\nD000003\tGout\tC10\t\n"
)
OLD = [paper(f"old-{n}", f"Asthma in adults, part {n}", f"Asthma was seen in {n}.") for n in (1, 2)]
LOST = [paper(f"lost-{n}", f"Copd in smokers, part {n}", f"Copd was seen in {n}.") for n in (1, 2)]
NEW = [paper(f"new-{n}", f"Gout in winter, part {n}", f"Gout was seen in {n}.") for n in (1, 2)]
QUESTIONS = ("asthma", "copd", "gout", "adults", "smokers winter")


def opened(folder: Path) -> Library:
    return Library.open(folder, encoder=TrigramEncoder())


def truth_of(folder: Path) -> dict[str, bytes]:
    """The truth's files as they are on disk."""
    return {path.name: path.read_bytes() for path in folder.glob("truth.sqlite*")}


def restore(folder: Path, files: dict[str, bytes]) -> None:
    for path in folder.glob("truth.sqlite*"):
        path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def answers(library: Library) -> dict[str, list[str]]:
    return {
        f"{method} {text}": [hit.id for hit in library.search(text, method=method)]
        for method in ("words", "vectors", "concepts")
        for text in QUESTIONS
    }


def fresh(folder: Path, documents: list) -> dict[str, list[str]]:
    """What a library answers that never held anything else."""
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        begin(library, folder.parent)
        library.add_documents(documents)
        library.embed()
        return answers(library)


def begin(library: Library, work: Path) -> None:
    (work / "terms.tsv").write_text(TERMS, "utf-8")
    library.add([work / "terms.tsv"])
    library.add_documents(OLD)
    library.embed()


@pytest.fixture
def rolled(tmp_path):
    """A library with the truth as it was before two more papers came."""
    folder = tmp_path / "library"
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        begin(library, tmp_path)
    before = truth_of(folder)
    with opened(folder) as library:
        library.add_documents(LOST)
        library.embed()
    return folder, before


def test_an_older_truth_answers_as_if_the_newer_had_never_been(rolled, tmp_path):
    folder, before = rolled
    restore(folder, before)
    assert any("another state" in line for line in Library.verify_folder(folder))
    with opened(folder) as library:
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresh", [])
        assert library.verify() == []
        library.add_documents(NEW)
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresher", NEW)
    assert Library.verify_folder(folder) == []


def test_a_truth_that_went_on_after_being_rolled_back_is_noticed_too(rolled, tmp_path):
    """The restored truth was used elsewhere, and has as many changes by now: no number tells."""
    folder, before = rolled
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(folder, elsewhere)
    restore(elsewhere, before)
    shutil.rmtree(elsewhere / "derived")
    with opened(elsewhere) as library:
        library.add_documents(NEW)
    restore(folder, truth_of(elsewhere))
    assert any("another state" in line for line in Library.verify_folder(folder))
    with opened(folder) as library:
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresh", NEW)
        assert library.verify() == []


@pytest.mark.parametrize("part", ["words", "passages", "vectors", "knowledge"])
def test_every_derived_state_of_another_truth_is_noticed(rolled, tmp_path, part):
    """One derived folder out of a newer library, the rest as it should be."""
    folder, before = rolled
    newer = tmp_path / "newer"
    shutil.copytree(folder / "derived" / part, newer)
    restore(folder, before)
    with opened(folder) as library:
        library.embed()
    shutil.rmtree(folder / "derived" / part)
    shutil.copytree(newer, folder / "derived" / part)
    assert any("another state" in line for line in Library.verify_folder(folder)), part
    with opened(folder) as library:
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresh", [])
    assert Library.verify_folder(folder) == []


@pytest.mark.parametrize("part", ["words", "passages", "vectors", "knowledge"])
def test_an_older_derived_state_of_the_same_truth_catches_up(rolled, tmp_path, part):
    folder, _ = rolled
    older = tmp_path / "older"
    shutil.copytree(folder / "derived" / part, older)
    with opened(folder) as library:
        library.add_documents(NEW)
        library.embed()
    shutil.rmtree(folder / "derived" / part)
    shutil.copytree(older, folder / "derived" / part)
    with opened(folder) as library:
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresh", [*LOST, *NEW])
    assert Library.verify_folder(folder) == []


def test_a_copy_of_the_folder_without_the_log_of_the_truth_is_noticed(tmp_path):
    """Somebody copies a library that is open, and leaves truth.sqlite-wal behind."""
    folder, copy = tmp_path / "library", tmp_path / "copy"
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        begin(library, tmp_path)
    with opened(folder) as library:
        library.add_documents(LOST)
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*-wal", "*-shm"))
    with opened(copy) as library:
        library.embed()
        assert answers(library) == fresh(tmp_path / "fresh", [])


def test_numbers_of_rows_and_changes_are_never_given_out_twice(rolled):
    folder, before = rolled
    with opened(folder) as library:
        seq = max(change.seq for change in library._documents.changes(0, limit=100))
        rows = library._documents.rows_of([paper.id for paper in LOST])
    restore(folder, before)
    with opened(folder) as library:
        assert library.truth.seq() >= seq
        library.add_documents(NEW)
        again = library._documents.rows_of([paper.id for paper in NEW])
    assert not set(again.values()) & set(rows.values())


@pytest.mark.parametrize("error", [StorageError, LockedError])
def test_where_nothing_can_be_written_the_astray_index_does_not_answer(rolled, monkeypatch, error):
    folder, before = rolled
    restore(folder, before)

    def refuse(self: Lock) -> None:
        raise error("the library cannot be written")

    monkeypatch.setattr(Lock, "__enter__", refuse)
    with pytest.raises(DamageError, match="another state"):
        opened(folder)


def test_no_numbers_taken_leave_no_mark(tmp_path):
    """An empty batch must not mark the last number anew: whatever noted it would be astray."""
    from osler.store.truth import Truth

    truth = Truth.create(tmp_path / "truth.sqlite")
    with truth.transaction() as connection:
        Truth.take(connection, 3)
    before = truth.mark(3)
    with truth.transaction() as connection:
        assert Truth.take(connection, 0) == 4
    assert truth.mark(3) == before
    assert truth.seq() == 3
    truth.close()


def test_a_reader_opens_while_a_terminology_comes_in_again(tmp_path):
    """Batches that change nothing, and a reader beside the writer."""
    from osler import Library

    terms = tmp_path / "terms.tsv"
    lines = ["id\tname\tsynonyms\tparents", *(f"DIS:{n}\tillness {n}\t\t" for n in range(9))]
    terms.write_text("\n".join(lines) + "\n", "utf-8")
    opened = []
    with Library.create(tmp_path / "lib") as library:
        library.add([terms], format="terms")

        def look(*_: object) -> None:
            with Library.open(tmp_path / "lib") as reader:
                opened.append(reader.counts())

        summary = library.add([terms], format="terms", again=True, progress=look)
    assert not summary.failed
    assert opened
