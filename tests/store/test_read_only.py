"""The truth on a medium where nothing can be written, and beside somebody who writes it after
all."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from osler import Library
from osler.errors import LockedError
from osler.store.truth import Truth
from samples import PAPERS, TrigramEncoder, paper


@pytest.fixture
def no_shared_memory(monkeypatch):
    """As on a read-only medium: SQLite cannot make the file of its shared memory. The list is the
    switch."""
    switch = [True]
    real = Truth._open

    def refuse(self, uri, **options):
        if switch and "vfs" not in uri and "immutable" not in uri:
            raise sqlite3.OperationalError("unable to open database file")
        return real(self, uri, **options)

    monkeypatch.setattr(Truth, "_open", refuse)
    return switch


def test_a_log_without_its_shared_memory_is_read(tmp_path, no_shared_memory):
    """Burnt with truth.sqlite-wal beside the file: an old state was shown as the whole."""
    no_shared_memory.clear()
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(PAPERS)
        library.truth.clear_log()
        library.add_documents([paper("late", "Late", "Late.")])
        shutil.copytree(
            library.path, tmp_path / "burnt", ignore=shutil.ignore_patterns("*-shm", "*.lock")
        )
        assert (tmp_path / "burnt" / "truth.sqlite-wal").stat().st_size
    no_shared_memory.append(True)
    truth = Truth(tmp_path / "burnt" / "truth.sqlite")
    with truth.snapshot() as connection:
        (count,) = connection.execute("SELECT count(*) FROM documents").fetchone()
    assert count == len(PAPERS) + 1
    truth.close()


def test_a_writer_beside_is_noticed_and_nothing_lasts(tmp_path, no_shared_memory):
    """A reader that cannot lock met a writer, and called a sound library malformed for good."""
    no_shared_memory.clear()
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(PAPERS)
        library.truth.clear_log()
    no_shared_memory.append(True)
    reader = Truth(tmp_path / "library" / "truth.sqlite")
    counting = "SELECT count(*) FROM documents"
    with reader.snapshot() as connection:
        assert connection.execute(counting).fetchone() == (len(PAPERS),)
    no_shared_memory.clear()
    with Library.open(tmp_path / "library", encoder=TrigramEncoder()) as library:
        no_shared_memory.append(True)
        more = [paper(f"n{n}", f"New {n}", "Text. " * 500) for n in range(300)]

        def meanwhile() -> None:
            with reader.snapshot() as connection:
                connection.execute(counting).fetchone()
                library.add_documents(more)
                library.truth.clear_log()

        with pytest.raises(LockedError, match="was written while it was read"):
            meanwhile()
        for _ in range(3):
            with reader.snapshot() as connection:
                assert connection.execute(counting).fetchone() == (len(PAPERS) + 300,)
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    reader.close()
