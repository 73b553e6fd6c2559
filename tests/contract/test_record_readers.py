# ruff: noqa: E501 - lines of the formats themselves
"""What every record reader keeps: empty and broken input, no text of a record in a reject."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from osler.errors import OslerError
from osler.files.reader import readers
from osler.files.source import Source
from osler.kinds import Entity, Fact, Note, Reject, Triple

NAMES = [name for name, cls in readers if cls.gives == "records"]
CANARY = "XQZCANARY"


def test_all_formats_are_here() -> None:
    assert len(NAMES) >= 11


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        f"{CANARY} {CANARY}\n".encode(),
        b"<root><TEXT>x</TEXT></root>",
        b"{}",
        b"[1, 2]",
        b"\n" * 1000,
    ],
)
def test_broken_files_end_in_rejects_or_one_clear_error(
    name: str, content: bytes, tmp_path: Path
) -> None:
    path = (
        tmp_path
        / f"7.{ {'brat': 'ann', 'i2b2-2010-relations': 'con', 'i2b2-2011-coreference': 'chains'}.get(name, 'dat') }"
    )
    path.write_bytes(content)
    try:
        items = list(readers.resolve(name).read(Source(path)))
    except OslerError as error:
        if CANARY in str(error):
            pytest.fail("an error quotes the record")
        return
    assert all(isinstance(i, Entity | Triple | Fact | Note | Reject) for i in items)
    assert not any(CANARY in i.reason for i in items if isinstance(i, Reject | Note))


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_folder_gives_nothing(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    with contextlib.suppress(OslerError):
        assert list(readers.resolve(name).read(Source(folder))) == []


@pytest.mark.parametrize("name", NAMES)
def test_said_in_one_line(name: str) -> None:
    cls = readers.get(name)
    assert cls.help
    assert "\n" not in cls.help


BOMB = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "%s"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c SYSTEM "file:///etc/passwd">]><ROOT><RECORD ID="1"><SMOKING STATUS="SMOKER"/><TEXT>&b;&c;</TEXT></RECORD></ROOT>""" % (
    "x" * 1000
)


def test_xml_is_inert(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text(BOMB, encoding="utf-8")
    try:
        items = list(readers.resolve("i2b2-2006-smoking").read(Source(path)))
    except OslerError:
        return
    assert not any("root:" in i.name or len(i.name) > 500 for i in items if isinstance(i, Entity))


def test_deep_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.xml"
    path.write_text("<a>" * 5000 + "</a>" * 5000, encoding="utf-8")
    with pytest.raises(OslerError):
        list(readers.resolve("i2b2-2006-smoking").read(Source(path)))
