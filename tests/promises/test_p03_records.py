"""P3, P5, P13: an id is the identity; a bad record costs itself; the same input gives the same."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from osler import Library
from osler.errors import OslerError
from osler.measures.trec import write_run
from promises.handed import HANDED
from samples import TrigramEncoder

GOOD, EVERY = 1_188, 100
QUESTIONS = {f"q{n}": f"word{n} word{n + 40} word{n + 80} common" for n in range(25)}


def record(number: int) -> dict[str, object]:
    rng = random.Random(number)
    # Few words and short texts: many documents tie.
    text = " ".join(rng.choices([f"word{n}" for n in range(150)], k=9))
    title = f"Paper on word{number % 150}" if number % 3 else "The same title"
    return {"_id": f"d{number:05}", "title": title, "text": f"common {text}."}


BROKEN: dict[str, bytes] = {
    "no json": b"{no json",
    "cut off": b'{"_id": "cut", "title": "A title", "te',
    "a list": b'["list"]',
    "null": b"null",
    "a number": b"17",
    "no id": b'{"title": "XQZ secret", "text": "x"}',
    "an empty id": b'{"_id": "", "text": "XQZ secret"}',
    "a blank id": b'{"_id": "  \\t ", "text": "XQZ secret"}',
    "an id that is no text": b'{"_id": {"a": 1}, "text": "XQZ secret"}',
    "a text that is none": b'{"_id": "b1", "title": {"a": 1}, "text": [1, 2]}',
    "no utf-8": b'{"_id": "b2", "title": "caf\xe9", "text": "x"}',
    "half a character": b'{"_id": "b3\\ud800", "title": "t", "text": "x"}',
    "too deep": b'{"_id": "b4", "metadata": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "too long": b'{"_id": "b5", "text": "' + b"x" * 40_000 + b'"}',
    "nothing in it": b"{}",
}


def corpus(path, numbers, *, broken: bool) -> dict[int, str]:
    """Writes the file; the lines that are broken, by number."""
    lines: list[bytes] = []
    bad: dict[int, str] = {}
    kinds = list(BROKEN)
    for place, number in enumerate(numbers):
        if broken and place % EVERY == 50:
            kind = kinds[len(bad) % len(kinds)]
            lines.append(BROKEN[kind])
            bad[len(lines)] = kind
        lines.append(json.dumps(record(number)).encode())
    path.write_bytes(b"\n".join(lines) + b"\n")
    return bad


def made(folder, name, file) -> Library:
    library = Library.create(folder / name, encoder=TrigramEncoder())
    library.add([file])
    return library


def run_file(library, path, method="words") -> bytes:
    write_run(path, library.search_many(QUESTIONS, k=100, method=method))
    return path.read_bytes()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    corpus(folder / "clean.jsonl", range(GOOD), broken=False)
    library = made(folder, "clean", folder / "clean.jsonl")
    library.embed()
    yield folder, library
    library.close()


def test_broken_records_of_a_dozen_kinds_cost_themselves_alone(world, tmp_path, monkeypatch):
    """P5, P3: all good ones are in, each bad one is listed with file, line and reason, and no
    answer shifts."""
    monkeypatch.setenv("OSLER_MAX_FIELD", "20000")
    folder, clean = world
    bad = corpus(tmp_path / "broken.jsonl", range(GOOD), broken=True)
    # Every kind, however many records there are of each.
    with (tmp_path / "broken.jsonl").open("ab") as stream:
        for kind in list(BROKEN)[len(bad) :]:
            bad[GOOD + len(bad) + 1] = kind
            stream.write(BROKEN[kind] + b"\n")
    assert set(bad.values()) == set(BROKEN)
    assert len(BROKEN) >= 12
    library = made(tmp_path, "broken", tmp_path / "broken.jsonl")
    listed = list(library.rejects())
    assert {r.place for r in listed} == {f"line {line}" for line in bad}
    assert len(listed) == len(bad)
    assert all(r.file == "broken.jsonl" and r.reason for r in listed)
    assert not any("XQZ" in r.reason for r in listed)
    assert len(library) == GOOD
    assert library.digest() == clean.digest()
    assert run_file(library, tmp_path / "a.trec") == run_file(clean, tmp_path / "b.trec")
    (entry,) = library.ledger.all()
    assert entry.counts["rejected"] == len(bad)
    library.close()


def test_duplicates_are_counted_and_listed(world, tmp_path):
    """P3: the same records again, some changed: nothing is there twice, nothing is silent."""
    folder, clean = world
    numbers = [*range(GOOD), *range(0, GOOD, 10)]
    corpus(tmp_path / "twice.jsonl", numbers, broken=False)
    library = made(tmp_path, "twice", tmp_path / "twice.jsonl")
    doubled = [n for n in library.ledger.notes() if "more than once" in n.reason]
    assert sorted(r.id for r in doubled) == [f"d{n:05}" for n in range(0, GOOD, 10)]
    assert len(library) == GOOD
    assert library.digest() == clean.digest()
    (entry,) = library.ledger.all()
    assert Counter(entry.counts)["merged"] == len(doubled)
    library.close()


def test_a_removed_or_a_joined_document_never_shifts_another_s_answer(world, tmp_path):
    """P3: what is found is what the id says, whatever went before it."""
    library = made(tmp_path, "less", world[0] / "clean.jsonl")
    library.embed()
    gone = [f"d{n:05}" for n in range(0, GOOD, 3)]
    library.remove(gone)
    for method in ("words", "vectors"):
        for hit in library.search("common word3", k=200, method=method, evidence=False):
            assert hit.id not in gone
            assert library.document(hit.id).title == hit.title
    ids, matrix = library.vectors([f"d{n:05}" for n in range(GOOD)])
    assert ids == [f"d{n:05}" for n in range(GOOD) if n % 3]
    encoder = TrigramEncoder()
    for place in range(0, len(ids), 97):
        text = library.document(ids[place])
        expected = encoder.encode([f"{text.title}. {text.abstract}"])[0]
        assert abs(float(expected @ matrix[place]) - 1) < 1e-3
    library.close()


@pytest.mark.parametrize("method", ["words", "vectors", "hybrid"])
def test_a_shuffled_corpus_ranks_the_same(world, method, tmp_path, monkeypatch):
    """P13: another order, other batches: the same digest and, byte for byte, the same run."""
    monkeypatch.setenv("OSLER_BATCH", "173")
    numbers = list(range(GOOD))
    random.Random(7).shuffle(numbers)
    corpus(tmp_path / "shuffled.jsonl", numbers, broken=False)
    library = made(tmp_path, "shuffled", tmp_path / "shuffled.jsonl")
    library.embed()
    assert library.digest() == world[1].digest()
    shuffled = run_file(library, tmp_path / "a.trec", method)
    assert shuffled == run_file(world[1], tmp_path / "b.trec", method)
    assert shuffled == run_file(library, tmp_path / "c.trec", method)
    library.close()


@pytest.mark.parametrize("name", ["facts", "checked clusters", "a judging list", "marked papers"])
def test_a_line_that_cannot_be_read_is_not_passed_over(name, tmp_path):
    """What a command is handed by a person is read whole or refused by line."""
    read, file, seed = HANDED[name]
    (tmp_path / file).write_bytes(seed + b"\xff\xfe\n")
    lines = seed.count(b"\n") + 1
    with pytest.raises(OslerError, match=f"line {lines}: not UTF-8"):
        read(tmp_path / file)


def test_how_deep_a_record_may_be_does_not_hang_on_the_interpreter():
    """A package that raises the interpreter's bound must not let a record in that others reject,
    less what lies below its twentieth level."""
    import sys

    from osler.corpus.making import json_object

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    try:
        assert json_object(BROKEN["too deep"]) is None
        assert json_object(BROKEN["too deep"].decode()) is None
    finally:
        sys.setrecursionlimit(before)
    # The record itself is a level, and the list below it the second.
    assert json_object('{"a": ' + "[" * 498 + "1" + "]" * 498 + "}") is not None
    assert json_object('{"a": ' + "[" * 500 + "]" * 500 + "}") is None
    assert json_object('{"a": [' + ", ".join(["[]"] * 600) + "]}") is not None
