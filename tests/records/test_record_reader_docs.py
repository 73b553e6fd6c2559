"""Every reader of records stands in the reference, with its help line; none chokes on odd bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.files.reader import readers
from osler.files.source import Head

DOCS = Path(__file__).parent.parent.parent / "docs"
RECORDS = [name for name, kind in readers if kind.gives == "records"]


@pytest.mark.parametrize("name", RECORDS)
def test_the_reader_is_documented(name: str) -> None:
    text = (DOCS / "reference" / "readers.md").read_text("utf-8")
    assert f"\n## {name}\n" in text
    assert readers.get(name).help in text


@pytest.mark.parametrize(
    "text",
    [
        "head,head_type,relation,tail,tail_type\na,patient,r\r,b,c\n",
        'head,head_type,relation,tail,tail_type\n"a,patient,r,b,c\n',
        "a\rb,c\n",
        "\0,\0\n",
        "",
    ],
)
@pytest.mark.parametrize("name", RECORDS)
def test_odd_bytes_are_only_not_recognised(name: str, text: str) -> None:
    head = Head(name="odd", start=text.encode())
    assert readers.get(name).recognises(head) in (True, False)


@given(st.binary(max_size=200))
def test_any_bytes_are_looked_at_without_an_error(start: bytes) -> None:
    for name in RECORDS:
        readers.get(name).recognises(Head(name="odd", start=start))
