"""The copy of a library's records under derived/: damage is found, and never answered from."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.kinds import Entity, Triple
from osler.records import opening
from osler.records.kb import COPY


def entities() -> list[Entity]:
    drugs = [Entity(id=f"drug:d{n}", name=f"drug number {n}", type="drug") for n in range(40)]
    return [Entity(id="patient:P1", name="P1", type="patient"), *drugs]


def triples() -> list[Triple]:
    return [Triple("patient:P1", "takes", f"drug:d{n}", f"w.tsv:{n}") for n in range(40)]


def opened(folder: Path, stamp: str = "1") -> list[str]:
    return opening.opened(folder, stamp, entities, triples).names


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening, "WORTH_KEEPING", 10)
    opened(tmp_path / "records")
    return tmp_path / "records"


def test_a_sound_copy_is_used(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(opening.check(copy)) == []

    def fail() -> list[Entity]:
        raise AssertionError("built again")

    kb = opening.opened(copy, "1", fail, triples)
    assert kb.names[0] == "P1"
    assert len(opened(copy, "2")) == 41


@pytest.mark.parametrize("name", COPY)
@pytest.mark.parametrize("how", ["flip", "cut", "gone"])
def test_damage_is_found_and_replaced(copy: Path, name: str, how: str) -> None:
    right = opened(copy)
    path = copy / name
    data = bytearray(path.read_bytes())
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.write_bytes(data[: len(data) // 2])
    else:
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(bytes(data))
    assert any(name in line for line in opening.check(copy))
    assert opened(copy) == right
    assert list(opening.check(copy)) == []


def test_a_lost_stamp_is_said(copy: Path) -> None:
    (copy / "stamp.json").write_text("{", encoding="utf-8")
    assert any("stamp" in line for line in opening.check(copy))
    assert len(opened(copy)) == 41
    assert list(opening.check(copy)) == []


def test_nothing_is_wrong_where_there_is_no_copy(tmp_path: Path) -> None:
    assert list(opening.check(tmp_path / "records")) == []


def test_verify_and_rebuild(tmp_path: Path, make_library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WORTH_KEEPING", 1)
    table = tmp_path / "t.tsv"
    table.write_text(
        "head\thead_type\trelation\ttail\ttail_type\nP1\tpatient\ttakes\tmetformin\tdrug\n"
    )
    library = make_library([])
    library.add([table], format="clinical-triples")
    library.records()
    folder = library.layout.derived / "records"
    assert library.verify() == []
    names = folder / "names.msgpack"
    names.write_bytes(names.read_bytes().replace(b"metformin", b"metfarmin"))
    assert any("names.msgpack" in line for line in library.verify())
    assert library.ask("Which drug does P1 take?").answers == ["metformin"]
    names.write_bytes(b"")
    library.rebuild()
    assert library.verify() == []
