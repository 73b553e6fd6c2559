"""Damage is reported, never answered from."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from osler import Library
from osler.errors import (
    DamageError,
    LibraryError,
    LockedError,
    MissingLibrary,
    OslerError,
    StorageError,
    VersionError,
)
from samples import PAPERS, TrigramEncoder

verify_folder = Library.verify_folder
QUERIES = ("asthma", '"muscle pain"', "title:asthma NOT children", "肺癌")


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "library"
    with Library.create(path, encoder=TrigramEncoder()) as library:
        library.add_documents(PAPERS)
        library.embed()
        library.judge({"q": {"1": 1}}, {"q": "asthma"})
    return path


def answers(path: Path) -> list[object]:
    with Library.open(path, encoder=TrigramEncoder()) as library:
        found: list[object] = []
        for method in ("words", "hybrid"):
            for query in QUERIES:
                hits = library.search(query, method=method).hits
                found.append([(h.id, h.title, h.score, h.reasons) for h in hits])
        found.append(list(library.documents()))
        found.append(library.decisions.judgements())
        return found


def files(path: Path) -> list[Path]:
    return sorted(
        p for p in path.rglob("*") if p.is_file() and p.stat().st_size and "lock" not in p.name
    )


@pytest.mark.parametrize("kind", ["flip", "cut"])
def test_flipped_or_cut_files_are_named_or_change_no_answer(sound, tmp_path, kind):
    expected = answers(sound)
    assert verify_folder(sound) == []
    rng = random.Random(11)
    reported = 0
    for number, name in enumerate(p.relative_to(sound) for p in files(sound)):
        for attempt in range(3 if kind == "flip" else 2):
            copy = tmp_path / f"{number}-{attempt}"
            shutil.copytree(sound, copy)
            target = copy / name
            data = bytearray(target.read_bytes())
            if kind == "flip":
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            else:
                data = data[: len(data) // (attempt + 2)]
            target.write_bytes(data)
            try:
                damaged = verify_folder(copy)
            except OslerError as error:
                assert error.code.startswith("E2")
                damaged = [str(error)]
            if damaged:
                reported += 1
            else:
                assert answers(copy) == expected, f"{name} was changed and nobody noticed"
            shutil.rmtree(copy)
    assert reported > 10


def test_rebuild_mends_what_is_derived(sound, tmp_path):
    expected = answers(sound)
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy)
    for path in files(copy / "derived"):
        path.write_bytes(b"nonsense")
    assert verify_folder(copy)
    Library.rebuild_folder(copy)
    with Library.open(copy, encoder=TrigramEncoder()) as library:
        library.rebuild()
    assert verify_folder(copy) == []
    assert answers(copy) == expected


def test_a_document_whose_row_was_changed_is_not_shown(make_library, encoder):
    import sqlite3

    library = make_library()
    library.close()
    with sqlite3.connect(library.layout.truth) as db:
        db.execute("UPDATE documents SET body = replace(body, 'asthma', 'eczema') WHERE id = '2'")
    db.close()
    with Library.open(library.path, encoder=encoder) as again:
        with pytest.raises(DamageError, match="document 2 is damaged"):
            again.document("2")
        assert any("document 2" in line for line in again.verify())


def test_a_library_that_is_none_or_newer_says_so(tmp_path, make_library):
    with pytest.raises(MissingLibrary, match="E201"):
        Library.open(tmp_path / "nowhere")
    library = make_library()
    library.close()
    library.layout.card.write_text('{"format": 99, "engine": {}}')
    with pytest.raises(VersionError, match="newer"):
        Library.open(library.path)
    library.layout.card.write_text("{")
    with pytest.raises(DamageError):
        Library.open(library.path)


def test_a_folder_in_use_is_not_taken(tmp_path, make_library):
    library = make_library()
    with pytest.raises(LibraryError, match="already"):
        Library.create(library.path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(LibraryError, match="not empty"):
        Library.create(tmp_path / "full")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        Library.create(tmp_path / "file" / "inside")


def test_the_second_writer_gets_a_clear_error(library, encoder):
    with library._writing():
        with pytest.raises(LockedError, match="E202"):
            library.add_documents(PAPERS)
        other = Library.open(library.path, encoder=encoder)
        assert [h.id for h in other.search("statins", method="words")] == ["1"]
        other.close()
