"""A library on Milvus that is rebuilt while others read it, or whose truth was rolled back."""

from __future__ import annotations

import contextlib
import stat
import threading
from pathlib import Path

import pytest

pytest.importorskip("pymilvus", reason="pip install 'osler[milvus]'")

from osler import Library
from osler.errors import DamageError
from osler.store.milvus import ledger
from osler.store.milvus.engine import MilvusEngine
from samples import PAPERS, TrigramEncoder, paper


@pytest.fixture
def library(tmp_path, encoder):
    with Library.create(tmp_path / "library", encoder=encoder, engine="milvus") as made:
        made.add_documents(PAPERS)
        made.embed()
        yield made


def found(library: Library) -> list[list[str]]:
    return [[hit.id for hit in library.search("asthma", method=m)] for m in ("words", "vectors")]


def test_readers_see_the_old_until_the_new_is_whole(library, monkeypatch):
    monkeypatch.setattr(ledger, "FRESH", 0.05)
    monkeypatch.setattr("osler.store.milvus.engine.FRESH", 0.05)
    before = found(library)
    assert all(before)
    seen: list[list[list[str]]] = []
    stop = threading.Event()
    with Library.open(library.path, encoder=TrigramEncoder()) as reader:

        def read() -> None:
            while not stop.is_set():
                seen.append(found(reader))

        thread = threading.Thread(target=read)
        thread.start()
        try:
            for _ in range(2):
                library.rebuild()
        finally:
            stop.set()
            thread.join()
        assert found(reader) == before
        engine = reader.engine
        assert isinstance(engine, MilvusEngine)
        assert engine.generation == 2
    assert seen
    assert all(one == before for one in seen)
    assert found(library) == before
    assert library.verify() == []
    library.add_documents([paper("late", "Asthma again", "Late.")])
    assert "late" in found(library)[0]


def test_collections_that_follow_another_truth_are_refused(library, encoder):
    folder = library.path
    library.close()
    before = (folder / "truth.sqlite").read_bytes()
    with Library.open(folder, encoder=encoder) as again:
        again.add_documents([paper("lost", "Copd in smokers", "Copd.")])
        again.embed()
    (folder / "truth.sqlite").write_bytes(before)
    assert any("another state" in line for line in Library.verify_folder(folder))
    with pytest.raises(DamageError, match="another state"):
        Library.open(folder, encoder=encoder)
    Library.rebuild_folder(folder)
    with Library.open(folder, encoder=encoder) as again:
        assert [hit.id for hit in again.search("copd", method="words")] == []
        assert found(again)[0]
        again.embed()
        assert found(again)[1]
        assert again.verify() == []


def ports() -> set[str]:
    """The ports that this process listens on, by the numbers of their sockets."""
    listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {row[9] for row in listening if row[3] == "0A"}
    own = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            own.add(str(descriptor.readlink()).removeprefix("socket:[").rstrip("]"))
    return sockets & own


def test_milvus_lite_listens_where_nobody_else_reaches_it(library, encoder):
    """No port of the loopback, which every user of the machine could open."""
    path = library.path
    library.close()
    before = ports()  # another test of this process may have left a server running
    with Library.open(path, encoder=encoder) as again:
        assert found(again)[0]
        assert ports() <= before
        address = again.engine.connection._lite
        assert address.startswith("unix:")
        folder = Path(address.removeprefix("unix:")).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_removed_paper_is_found_by_nobody_and_told_of(library):
    (id,) = [paper.id for paper in PAPERS if "Asthma in children" in paper.title]
    done = library.erase([id])
    assert done.documents == 1
    assert done.vectors == 1
    assert any("compacts" in note for note in done.notes)
    assert all(id not in ids for ids in found(library))
