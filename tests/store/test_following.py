"""An index that fails while documents are written: nothing of it counts as taken in."""

from __future__ import annotations

import pytest

from osler import Library
from osler.errors import DamageError, StorageError
from osler.kinds import Section
from osler.store.derived import sound
from osler.store.passages import PassageIndex
from samples import paper


@pytest.fixture
def library(make_library):
    old = Section("The old text speaks of colchicine and gout. " * 8, "RESULTS")
    return make_library([paper("1", "A long article", full_text=(old,)), paper("2", "Other")])


def found(library, word):
    return [hit.id for hit in library.search(word, method="words")]


def test_a_change_that_an_index_refused_is_not_noted_as_taken_in(library, monkeypatch):
    """Found at one point of 275, where the lock of the passages could not be made: the words went
    on to commit, the passages noted a change that they never saw, and kept the old text."""
    honest, refused = PassageIndex._open_writer, []

    def once(index):
        if not refused:
            refused.append(index)
            raise StorageError("the passage index cannot be written")
        return honest(index)

    monkeypatch.setattr(PassageIndex, "_open_writer", once)
    new = Section("The new text speaks of allopurinol and its dose. " * 8, "RESULTS")
    changed = paper("1", "A long article", full_text=(new,))
    with pytest.raises(StorageError):
        library.add_documents([changed])
    assert refused
    folder = library.path
    library.close()
    with Library.open(folder) as again:
        assert again.verify() == []
        assert found(again, "allopurinol") == ["1"]
        assert found(again, "colchicine") == []


def test_a_file_that_failed_in_an_index_is_caught_up_by_the_next(library, monkeypatch, tmp_path):
    """``add`` says so and ends: what the index lacks comes from the truth when it is opened."""
    honest, refused = PassageIndex._open_writer, []

    def once(index):
        if not refused:
            refused.append(index)
            raise StorageError("the passage index cannot be written")
        return honest(index)

    monkeypatch.setattr(PassageIndex, "_open_writer", once)
    path = tmp_path / "changed.jsonl"
    row = '{"_id": "1", "title": "Another article", "text": "Of allopurinol."}'
    path.write_text(f"{row}\n", "utf-8")
    summary = library.add(path)
    assert refused
    assert summary.failed
    assert any("catches up" in note for note in summary.notes)
    folder = library.path
    library.close()
    with Library.open(folder) as again:
        assert found(again, "allopurinol") == ["1"]
        # The file says nothing of the full text: what was there stays.
        assert found(again, "colchicine") == ["1"]
        assert again.verify() == []


def test_a_lock_that_cannot_be_made_is_no_damage():
    """A full disk was called damage, with the advice to make the index again."""
    for why in ("IoError(Os { code: 28 })", "LockBusy"):
        with pytest.raises(StorageError, match="its lock cannot be taken"), sound("the index"):
            raise ValueError(f"Failed to acquire Lockfile: {why}")
    with pytest.raises(DamageError), sound("the index"):
        raise ValueError("Data corrupted")
