"""P12: many readers and one writer: a reader sees whole states, a second writer a clear error."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from osler import Library
from osler.errors import LockedError
from samples import TrigramEncoder, paper

SIZE = 40


def version(number: int) -> list:
    return [paper(f"d{n:02}", f"Common version {number}", f"Text {n}.") for n in range(SIZE)]


READER = """
import sys
sys.path.insert(0, sys.argv[2])
from samples import TrigramEncoder
from osler import Library
seen, last, searches = set(), -1, 0
held = Library.open(sys.argv[1], encoder=TrigramEncoder())
print("ready", flush=True)
while len(seen) < 4 or searches < 20:
    fresh = Library.open(sys.argv[1], encoder=TrigramEncoder())
    for library in (held, fresh):
        found = library.search("common", k=100, method="words")
        versions = {int(hit.title.split()[-1]) for hit in found}
        assert len(found) == SIZE, len(found)
        assert len(versions) == 1, versions
        assert {int(d.title.split()[-1]) for d in library.documents()} != set()
        searches += 1
    (now,) = versions
    assert now >= last, (now, last)
    last = now
    seen |= versions
    fresh.close()
print(searches, len(seen))
""".replace("SIZE", str(SIZE))


def test_readers_see_whole_states_while_a_writer_writes(tmp_path):
    """Each write changes all documents at once: no reader ever sees two versions, or fewer. The
    writer goes on until both readers have seen several states, however slow the machine is."""
    folder = tmp_path / "library"
    tests = Path(__file__).parent.parent
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        library.add_documents(version(0))
        readers = [
            subprocess.Popen(
                [sys.executable, "-c", READER, folder, tests],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
            for _ in range(2)
        ]
        for reader in readers:
            assert reader.stdout.readline() == "ready\n"
        number = 0
        while any(reader.poll() is None for reader in readers):
            number += 1
            try:
                library.add_documents(version(number))
            except LockedError:
                # A reader that opens in the middle may catch the index up: one writer at a time.
                time.sleep(0.01)
        for reader in readers:
            out, err = reader.communicate()
            assert reader.returncode == 0, err
            searches, states = map(int, out.split())
            assert searches >= 20
            assert states >= 4
        assert library.verify() == []


def test_a_snapshot_stands_still(tmp_path):
    """Within one snapshot the same is read, whatever is written meanwhile."""
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(version(0))
        with Library.open(tmp_path / "library", encoder=TrigramEncoder()) as reader:
            with reader.truth.snapshot():
                before = reader.digest()
                library.add_documents(version(1))
                library.remove(["d01"])
                assert reader.digest() == before
                assert len(list(reader.documents())) == SIZE
            assert reader.digest() == library.digest() != before


def test_a_second_writer_gets_a_clear_error_at_once(tmp_path):
    folder = tmp_path / "library"
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        library.add_documents(version(0))
        file = tmp_path / "corpus.jsonl"
        file.write_text('{"_id": "x", "title": "t", "text": "x"}\n')
        with library._writing():
            for command in (
                ["add", folder, file],
                ["remove", folder, "d01"],
                ["rebuild", folder],
                ["save", folder, "s", "common"],
            ):
                done = subprocess.run(
                    [sys.executable, "-m", "osler.cli.main", *map(str, command)],
                    capture_output=True,
                    text=True,
                )
                assert done.returncode == 1, done.stderr
                assert done.stderr.startswith(f"E202 another program (process {os.getpid()})")
                assert len(done.stderr.strip().splitlines()) == 1
            # Readers are not in the way of a writer, nor it in theirs.
            with Library.open(folder, encoder=TrigramEncoder()) as reader:
                assert len(reader.search("common", method="words", k=50)) == SIZE
        assert library.verify() == []


def test_threads_share_a_library(tmp_path):
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:
        library.add_documents(version(0))
        failed: list[BaseException] = []
        stop = threading.Event()

        def read() -> None:
            try:
                while not stop.is_set():
                    titles = {h.title for h in library.search("common", k=50, method="words")}
                    assert len(titles) == 1, titles
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(1, 8):
            library.add_documents(version(number))
        stop.set()
        for thread in threads:
            thread.join()
        if failed:
            pytest.fail(repr(failed[0]))


def test_a_folder_that_is_replaced_while_it_is_read_is_read_again(tmp_path, monkeypatch):
    """Found by the soak: a reader met half of the old arrays and half of the new ones. Here a
    writer steps in before each of the arrays in turn, twice, and then leaves the reader alone."""
    import numpy as np

    from osler.knowledge import arrays

    folder = tmp_path / "concepts"

    def save(number: int) -> None:
        columns = {f"a{n}": np.full(50, number) for n in range(12)}
        arrays.save(folder, "test", columns, {}, {"number": number})

    save(0)
    load, steps = np.load, {"left": 0, "place": 0, "number": 0}

    def disturbed(path, **options):
        if steps["left"] and path.name == f"a{steps['place']}.npy":
            steps["left"] -= 1
            steps["number"] += 1
            save(steps["number"])
        return load(path, **options)

    monkeypatch.setattr(np, "load", disturbed)
    for place in range(12):
        steps.update(left=2, place=place)
        loaded = arrays.load(folder, "test", check=False, mmap=False)
        assert steps["left"] == 0
        assert {int(column[0]) for column in loaded.arrays.values()} == {loaded.notes["number"]}
        assert loaded.notes["number"] == steps["number"] == 2 * place + 2
    # A kill between the two renames leaves the old folder under its other name.
    folder.rename(tmp_path / ".concepts.old-1")
    assert len(arrays.load(folder, "test", mmap=False).arrays) == 12
    save(7)
    assert arrays.load(folder, "test", mmap=False).notes["number"] == 7
    assert [path.name for path in tmp_path.iterdir()] == ["concepts"]
