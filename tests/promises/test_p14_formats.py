"""P14: a library of every format that was ever written opens and answers as it did, or says why
not."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from osler import Library
from osler.errors import VersionError
from osler.store.layout import FORMAT
from promises import whole

FIXTURES = Path(__file__).parent / "fixtures"
FORMATS = sorted(FIXTURES.glob("format-*.zip"), key=lambda path: path.name)
"""``format-3-facts`` is of a later day than ``format-3``: the same format, with patients' facts."""


def number(path: Path) -> int:
    return int(path.stem.split("-")[1])


def as_then(folder: Path, expected: dict) -> dict:
    """The answers to what was asked when the fixture was made."""
    given = json.loads(json.dumps(whole.answers(folder)))
    return {key: given[key] for key in expected}


def unpacked(path: Path, folder: Path) -> tuple[Path, dict]:
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder / "library", json.loads((folder / "answers.json").read_text("utf-8"))


def test_every_format_has_a_fixture():
    assert {number(path) for path in FORMATS} == set(range(1, FORMAT + 1))
    assert sum(path.stat().st_size for path in FORMATS) < 300_000


@pytest.mark.parametrize("path", FORMATS, ids=lambda path: path.stem)
def test_an_old_library_answers_as_it_did(path, tmp_path):
    folder, expected = unpacked(path, tmp_path)
    assert as_then(folder, expected) == expected
    assert Library.verify_folder(folder) == []
    assert json.loads((folder / "library.json").read_text())["format"] == FORMAT
    with Library.open(folder, encoder=whole.TrigramEncoder()) as library:
        library.add_documents([whole.paper("new", "A new paper on mumps")])
        assert [h.id for h in library.search("mumps", method="words")] == ["new"]
        assert library.verify() == []


OLD = [path for path in FORMATS if number(path) < FORMAT]


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_an_old_library_that_cannot_be_written_says_so(path, tmp_path):
    folder, _ = unpacked(path, tmp_path)
    with _held(folder), pytest.raises(VersionError, match="open it once where it can be written"):
        Library.open(folder)
    held = json.loads((folder / "library.json").read_text())["format"]
    assert held == number(path)
    Library.open(folder).close()
    assert Library.verify_folder(folder) == []


def _held(folder: Path):
    from osler.store.lock import Lock

    return Lock(folder / "write.lock", what="writing to this library")


def test_a_kill_during_the_upgrade_leaves_an_old_or_a_new_library(tmp_path, monkeypatch):
    from osler.store import upgrade

    folder, expected = unpacked(FORMATS[0], tmp_path)
    real = upgrade._add_checksums
    done = []

    def stops(connection, table, columns):
        real(connection, table, columns)
        done.append(table)
        if len(done) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(upgrade, "_add_checksums", stops)
    with pytest.raises(KeyboardInterrupt):
        Library.open(folder)
    monkeypatch.undo()
    assert json.loads((folder / "library.json").read_text())["format"] == 1
    assert as_then(folder, expected) == expected


@pytest.mark.parametrize("version", [FORMAT + 1, 99])
def test_a_newer_library_says_what_to_do(version, tmp_path):
    folder, _ = unpacked(FORMATS[-1], tmp_path)
    card = json.loads((folder / "library.json").read_text())
    (folder / "library.json").write_text(json.dumps({**card, "format": version}))
    with pytest.raises(VersionError, match="install a newer osler"):
        Library.open(folder)


def test_an_older_model_without_a_checked_configuration_still_loads(tmp_path):
    from osler.learn.saved import load_model

    folder, _ = unpacked(FORMATS[0], tmp_path)
    config = json.loads((folder / "models" / "small" / "config.json").read_text())
    assert "check" not in config
    assert load_model(folder / "models" / "small", framework="numpy")[1] == {"a": 1}
