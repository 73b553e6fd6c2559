"""What is done with a fuzzed input, whoever made it: Hypothesis (``test_fuzz.py``) or atheris
(``atheris_readers.py``)."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from osler.errors import OslerError
from osler.files.reader import readers
from osler.files.source import Source
from osler.kinds import Deletion, Document, Entity, Fact, Note, Pair, Reject, Triple

KINDS = (Document, Deletion, Entity, Triple, Pair, Fact, Reject, Note)
SECRET = "XQZPATIENT"
WORDS = [
    b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"<", b">", b"&", b"&#0;", b"&x;",
    b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<?", b"<!DOCTYPE", b"<!ENTITY", b'"', b"'", b"\\",
    b"{", b"}", b"[", b"]", b",", b"\t", b"|", b"\n", b"\r\n", b"\r", b"\x1c", b"\x85",
    "\u2028".encode(), b"-1", b"0", b"1e999", b"NaN", b"99999999999999999999", b"null", b"true",
    b"9999-99-99",
    b"\xef\xbb\xbf", b"\x1f\x8b", SECRET.encode(), b"..", b"/", b":", b";", b"\x7f", b"=", b"+",
    "\u202e\u200b".encode(), "肺癌".encode(), b"x" * 1_200,
]  # fmt: skip
Change = tuple[float, int, bytes, int]
"""Where (a share of the length), how many bytes go, what comes, how often it is repeated."""


def mutated(data: bytes, changes: list[Change]) -> bytes:
    for where, gone, put, times in changes:
        place = int(where * len(data))
        data = data[:place] + put * times + data[place + gone :]
    return data


def placed(seed: Path, target: Path, which: int, changes: list[Change]) -> Path:
    """The seed with one of its files mutated; a folder is copied whole."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    if seed.is_dir():
        copy = target / seed.name
        shutil.copytree(seed, copy)
        files = sorted(p for p in copy.rglob("*") if p.is_file())
        victim = files[which % len(files)]
        victim.write_bytes(mutated(victim.read_bytes(), changes))
        return copy
    copy = target / seed.name
    copy.write_bytes(mutated(seed.read_bytes(), changes))
    beside = seed.with_suffix(".txt")
    if beside.exists() and beside != seed:
        shutil.copy(beside, target)
    return copy


def reshaped(seed: Path, target: Path, which: int, where: float, value: Any) -> Path:
    """The seed with one value of one of its JSON files (or of a line of one) put in place of
    another: a number, a list, an object where a text was."""
    copy = placed(seed, target, 0, [])
    files = [copy] if copy.is_file() else sorted(copy.rglob("*.json"))
    victim = files[which % len(files)]
    lines = victim.suffix == ".jsonl"
    texts = victim.read_text("utf-8").splitlines() if lines else [victim.read_text("utf-8")]
    row = which % len(texts)
    held = json.loads(texts[row])
    places = list(_places(held))
    holder, key = places[min(int(where * len(places)), len(places) - 1)]
    holder[key] = value
    texts[row] = json.dumps(held)
    victim.write_text("\n".join(texts), "utf-8")
    return copy


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value that holds another, outer ones first."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def check_item(item: Any) -> None:
    """What every item holds: a kind that is known, an id, text that can be stored."""
    assert isinstance(item, KINDS), type(item)
    data = msgspec.json.encode(item)
    data.decode("utf-8")
    if isinstance(item, Reject | Note):
        assert item.file
        assert item.place
        assert item.reason
        assert SECRET not in item.reason, "a reject quotes the record"
        return
    assert "\0" not in "".join(strings(msgspec.to_builtins(item))), "a NUL got through"
    if isinstance(item, Triple):
        assert item.head
        assert item.relation
        assert item.tail
    else:
        assert item.id
        assert type(item) is type(msgspec.json.decode(data, type=type(item)))


def read_all(name: str, path: Path, *, seconds: float = 10) -> int:
    """Reads a source to its end or to its error; how many items it gave."""
    start = time.thread_time()
    count = 0
    source = Source(path)
    for _, cls in readers:
        cls.recognises(source.head())
    try:
        for item in readers.resolve(name).read(source):
            check_item(item)
            count += 1
    except OslerError as error:
        assert SECRET not in str(error), "an error quotes the record"
    spent = time.thread_time() - start
    assert spent < seconds, f"{spent:.1f} s"
    return count
