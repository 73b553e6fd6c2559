"""How far vectors reach is counted once for each state of the library, and anew for the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler import Library
from osler.store.embedding import Embedding
from samples import PAPERS, TrigramEncoder, paper


def test_counted_once_for_each_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    whole = Embedding.coverage

    def counting(self: Embedding) -> object:
        counted.append(1)
        return whole(self)

    monkeypatch.setattr(Embedding, "coverage", counting)
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(PAPERS)
        before = library.coverage()
        assert library.coverage() == before
        assert len(counted) == 1
        with Library.open(tmp_path / "library", encoder=TrigramEncoder()) as other:
            other.add_documents([paper("99", "A paper that another program adds", "It is read.")])
        after = library.coverage()
        assert len(counted) == 2
        assert after.readable == before.readable + 1
        library.remove(["99"])
        assert library.coverage().readable == before.readable
