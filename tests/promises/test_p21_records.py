"""P21 for patients' records: after removal no file of the library holds a word of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler import Library
from osler.errors import InputError
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


def test_a_file_that_is_named_after_its_patient_loses_its_name(tmp_path):
    folder = tmp_path / "library"
    path = ward(tmp_path / "Zoe_Zebrafink.json", "zoe", "Gout")
    with Library.create(folder) as library:
        library.add([ward(tmp_path / "b.json", "other", "Measles"), path])
        done = library.erase_records(patient="record:Zoe_Zebrafink/zoe")
        assert (done.facts, done.patients, done.notes) == (3, 1, [])
        assert files_with(folder, "Zebrafink") == []
        assert library.status()["patients"]["sources"] == {"b": 1}
        # A folder that is added once more brings nobody back, and nobody's name.
        assert library.add([path]).already == ["Zoe_Zebrafink.json"]
        assert files_with(folder, "Zebrafink") == []
        assert library.verify() == []
        library.add([path], again=True)
        assert library.status()["patients"]["sources"] == {"Zoe_Zebrafink": 1, "b": 1}


def test_removing_a_source_leaves_another_s_file_of_the_same_name(tmp_path):
    """Seen: the ledger forgot both files, and the rejects of the one that stays."""
    (tmp_path / "w1").mkdir()
    (tmp_path / "w2").mkdir()
    with Library.create(tmp_path / "library") as library:
        library.add([ward(tmp_path / "w1" / "ward.json", "p1", "Gout")])
        stays = ward(tmp_path / "w2" / "ward.json", "p1", "Measles")
        text = json.loads(stays.read_text())
        text["entry"].append({"resource": {"resourceType": "Condition", "id": "c9"}})
        text["entry"].append({"resource": "none"})
        stays.write_text(json.dumps(text), "utf-8")
        library.add([stays])
        rejects = list(library.rejects())
        assert rejects
        library.remove_source("ward")
        assert list(library.rejects()) == rejects
        assert library.add([stays]).already == ["ward.json"]
        library.remove_patient("record:ward-2/p1")
        assert [reject for reject in library.rejects() if reject.id == "p1"] == []


def test_one_of_two_is_named_never_both_and_never_none(tmp_path):
    with Library.create(tmp_path / "library") as library:
        for given in ({}, {"patient": "record:a/p", "source": "a"}):
            with pytest.raises(InputError, match="name one"):
                library.erase_records(**given)


def test_a_reader_that_holds_the_log_is_told_of(tmp_path):
    with Library.create(tmp_path / "library") as library:
        library.add([ward(tmp_path / "a.json", "p1", "Gout")])
        with Library.open(library.path) as reader, reader.truth.snapshot() as connection:
            connection.execute("SELECT count(*) FROM facts").fetchone()
            notes = library.erase_records(source="a").notes
            assert any("another program is reading" in note for note in notes)
