"""``rebuild``: readers see the old until the new is whole, and nobody's vectors are lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from osler import Library
from osler.errors import LockedError
from osler.store.lock import Lock
from samples import TrigramEncoder, paper

TERMS = "id\tname\ttree_numbers\tentry_terms\nD000001\tAsthma\tC08\t\n"
SIZE = 300
METHODS = ("words", "vectors", "concepts")

READER = """
import sys
sys.path.insert(0, sys.argv[2])
from samples import TrigramEncoder
from osler import Library
held = Library.open(sys.argv[1], encoder=TrigramEncoder())
print("ready", flush=True)
searches = 0
for line in sys.stdin:
    fresh = Library.open(sys.argv[1], encoder=TrigramEncoder())
    for library in (held, fresh):
        library.engine.reload()
        for method in ("words", "vectors", "concepts"):
            found = library.search("asthma", k=5, method=method)
            assert len(found) == 5, (method, len(found))
            searches += 1
    fresh.close()
    print(searches, flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "terms.tsv").write_text(TERMS, "utf-8")
    papers = [paper(f"d{n:03}", f"Asthma, part {n}", f"Asthma in {n} adults.") for n in range(SIZE)]
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(papers)
        library.add([tmp_path / "terms.tsv"])
        library.embed()
    return tmp_path / "library"


def opened(folder: Path) -> Library:
    return Library.open(folder, encoder=TrigramEncoder())


def test_readers_of_another_process_see_the_old_until_the_new_is_whole(folder, monkeypatch):
    """A search between any two steps of a rebuild finds what it found before."""
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, folder, Path(__file__).parent.parent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert reader.stdout.readline() == "ready\n"
    asked = 0

    def look(*_: object) -> None:
        nonlocal asked
        reader.stdin.write("\n")
        reader.stdin.flush()
        assert reader.stdout.readline().strip(), "a reader saw less than was there"
        asked += 1

    from osler.retrieve import knowing
    from osler.store import embedded

    for place, name in (
        (embedded.EmbeddedEngine, "begin_anew"),
        (embedded.EmbeddedEngine, "apply"),
        (embedded.EmbeddedEngine, "add_vectors"),
        (embedded.EmbeddedEngine, "end_vectors"),
        (embedded.WordIndex, "commit"),
        (embedded.PassageIndex, "commit"),
        (knowing, "write_json"),
    ):
        inner = getattr(place, name)

        def around(*given: object, inner=inner, **named: object) -> object:
            look()
            made = inner(*given, **named)
            look()
            return made

        monkeypatch.setattr(place, name, around)
    with opened(folder) as library:
        library.rebuild(progress=look)
    reader.communicate()
    assert reader.returncode == 0
    assert asked >= 12


def test_searches_beside_a_rebuild_always_find(folder):
    """The issue's count: 211 of 711 searches during a rebuild answered with no hits."""
    found: list[int] = []
    stop = threading.Event()

    def read() -> None:
        with opened(folder) as library:
            while not stop.is_set():
                library.engine.reload()
                found.extend(len(library.search("asthma", k=5, method=m)) for m in METHODS)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(5):
            Library.rebuild_folder(folder)
    finally:
        stop.set()
        reader.join()
    assert len(found) >= 15
    assert set(found) == {5}
    assert Library.verify_folder(folder) == []


def test_a_rebuild_waits_for_nobody_who_makes_vectors(folder):
    with opened(folder) as library:
        with (
            Lock(library.layout.embed_lock, what="making vectors for this library"),
            pytest.raises(LockedError, match="making vectors"),
        ):
            library.rebuild()
        assert library.coverage().done == SIZE


def test_vectors_stay_where_the_cache_is_gone(folder):
    (folder / "vectors.sqlite").unlink()
    with opened(folder) as library:
        library.rebuild()
        assert library.coverage().done == SIZE


def test_a_rebuild_that_fails_leaves_the_old(folder, monkeypatch):
    from osler.store.documents import Documents

    with opened(folder) as library:
        whole = Documents.changes

        def cut(self: Documents, after: int, *, limit: int) -> list:
            changes = whole(self, after, limit=100)
            if changes and changes[0].seq > 150:
                raise KeyboardInterrupt
            return changes

        monkeypatch.setattr(Documents, "changes", cut)
        with pytest.raises(KeyboardInterrupt):
            library.rebuild()
        monkeypatch.undo()
        assert len(library.search("asthma", k=SIZE, method="words")) == SIZE
        assert library.verify() == []
        library.add_documents([paper("late", "Asthma again", "Late.")])
        assert len(library.search("asthma", k=2 * SIZE, method="words")) == SIZE + 1
