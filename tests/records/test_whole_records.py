"""Every item that each reader gives for a rich example, field by field, as whole/*.txt has it.

The examples reach each resource type, table and annotation; the expected lines are
what the readers gave, pinned against change and sampled by eye, not read through whole. After a
wanted change ``python tests/records/test_whole_records.py`` writes them anew: read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity, Fact, Note, Reject, Triple

WHOLE = Path(__file__).parent / "whole"
CASES = sorted(path.name for path in WHOLE.iterdir() if path.is_dir())


def lines(case: str) -> Iterator[str]:
    files = [path for path in (WHOLE / case).rglob("*") if path.is_file()]
    source = Source(files[0] if len(files) == 1 else WHOLE / case)
    reader = recognise(source)
    yield f"reader {reader.name}"
    for item in reader.read(source):
        if isinstance(item, Fact):
            told = msgspec.to_builtins(item)
            place = told.pop("source", {})
            told.pop("content", "")
            for name in ("id", "patient", "entity", "part_of", "encounter"):
                if told.get(name):
                    told[name] = told[name].removeprefix("record:")
            if told.get("entity") == told["id"]:
                told["entity"] = "itself"
            where = "{file} {place} {start}-{end}".format(
                **{"file": "", "place": "", "start": 0, "end": 0, **place}
            )
            text = place.get("text", "")
            quoted = text[place.get("start", 0) : place.get("end", 0)] or f"{len(text)} characters"
            said = ", ".join(f"{key}: {value}" for key, value in told.items() if value != "own")
            yield f"fact {said} <{where} {quoted}>"
        elif isinstance(item, Triple):
            yield f"  edge {item.head} | {item.relation} | {item.tail} <{item.source}>"
        elif isinstance(item, Entity):
            also = f" also {list(item.synonyms)}" if item.synonyms else ""
            yield f"  node {item.id} | {item.type} | {item.name}{also}"
        elif isinstance(item, Note):
            yield f"note {item.file} {item.place} {item.what} {item.count}: {item.reason}"
        else:
            assert isinstance(item, Reject)
            yield f"reject {item.file} {item.place} {item.id}: {item.reason}"


@pytest.mark.parametrize("case", CASES)
def test_everything_that_a_reader_gives(case: str) -> None:
    expected = (WHOLE / f"{case}.txt").read_text("utf-8").splitlines()
    assert list(lines(case)) == expected


if __name__ == "__main__":
    for name in CASES:
        (WHOLE / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", "utf-8")
