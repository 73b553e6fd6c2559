"""P21 for patients' records: after removal no file of the library holds a word of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler import Library
from osler.records import opening

CANARY = "Zebrafinkitis"


def ward(path: Path, patient: str, condition: str) -> Path:
    entries = [
        {"resource": {"resourceType": "Patient", "id": patient, "name": [{"text": f"N{patient}"}]}},
        {
            "resource": {
                "resourceType": "Condition",
                "id": "c1",
                "subject": {"reference": f"Patient/{patient}"},
                "code": {"text": condition, "coding": [{"system": "s", "code": f"C{condition}"}]},
            }
        },
    ]
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    return path


def files_with(folder: Path, word: str) -> list[str]:
    data = word.encode()
    return [p.name for p in folder.rglob("*") if p.is_file() and data in p.read_bytes()]


@pytest.mark.parametrize("by", ["patient", "source"])
def test_removed_is_gone(tmp_path, monkeypatch, by):
    monkeypatch.setattr(opening, "WORTH_KEEPING", 1)
    folder = tmp_path / "library"
    with Library.create(folder) as library:
        library.add([ward(tmp_path / "a.json", "patxyz", CANARY)])
        library.add([ward(tmp_path / "b.json", "other", "Gout")])
        library.records()
        assert files_with(folder, CANARY)
        if by == "patient":
            assert library.remove_patient("record:a/patxyz") == 3
        else:
            assert library.remove_source("a") == 3
        assert files_with(folder, CANARY) == []
        assert files_with(folder, "patxyz") == []
        assert "Gout" in library.records().names
        assert CANARY not in library.records().names
        assert library.verify() == []
    assert files_with(folder, CANARY) == []


def test_a_removed_source_can_be_read_again(tmp_path):
    with Library.create(tmp_path / "library") as library:
        path = ward(tmp_path / "a.json", "p1", "Gout")
        library.add([path])
        library.remove_source("a")
        assert not list(library.entities("records"))
        summary = library.add([path])
        assert not summary.already
        assert "Gout" in library.records().names
