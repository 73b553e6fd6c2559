"""Facts in the truth: replaced whole, older ones passed over, codes, joins, removal, damage."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from osler import Library
from osler.errors import InputError, UnknownId
from osler.kinds import Fact
from osler.records.building import person_facts, record, referred
from osler.records.ids import patient_id
from osler.store.facts import COLUMNS, FactRows, key_of
from osler.store.joins import Joins
from osler.store.sources import Sources

ANN = patient_id("ward", "p1")
SNOMED = "http://snomed.info/sct"


@pytest.fixture
def library(tmp_path):
    with Library.create(tmp_path / "library") as made:
        yield made


def write(library: Library, *facts: Fact, source: int = 1) -> dict[str, int]:
    with library.truth.transaction() as connection:
        return dict(FactRows(library.truth).write(connection, facts, source))


def gout(**fields: Any) -> Fact:
    return record(ANN, "condition", "Condition", "c1", fields.pop("name", "Gout"), **fields)


def person(*said: tuple[str, str], source: str = "ward", own: str = "p1") -> list[Fact]:
    from osler.kinds import FactSource

    told = [
        (name, value, {"codes": (("mrn", value),)} if name == "identifier" else {})
        for name, value in said
    ]
    return person_facts(patient_id(source, own), own, told, source=FactSource())


def test_columns_say_what_the_body_says(library):
    fact = gout(
        codes=((SNOMED, "90560007"),),
        certainty="refuted",
        start="2020",
        value="5.0",
        number=5,
        comparator="<",
        low=1,
    )
    write(library, fact)
    (held,) = FactRows(library.truth).facts()
    assert held == fact
    row = library.truth.reader.execute(
        "SELECT name_key, certainty, start, number, comparator, low, high FROM facts"
    ).fetchone()
    assert row == ("gout", "refuted", "2020", 5.0, "<", 1.0, None)
    codes = library.truth.reader.execute("SELECT code, system FROM fact_codes").fetchall()
    assert codes == [("90560007", SNOMED)]
    assert library.verify() == []


def test_a_record_comes_again(library):
    assert write(library, gout()) == {"stored": 1, "records": 1}
    assert write(library, gout()) == {"unchanged": 1, "records": 1}
    assert write(library, gout(name="Asthma", codes=((SNOMED, "1"),))) == {
        "replaced": 1,
        "records": 1,
    }
    assert [f.name for f in FactRows(library.truth).facts()] == ["Asthma"]


def test_an_older_version_never_replaces_a_newer(library):
    write(library, gout(name="Asthma", revised="2021"))
    assert write(library, gout(revised="2020"))["skipped"] == 1
    assert [f.name for f in FactRows(library.truth).facts()] == ["Asthma"]


def test_parts_go_with_their_record(library):
    write(library, *person(("name", "Ann"), ("name", "Annie"), ("sex", "female")))
    counts = write(library, *person(("name", "Ann B")))
    assert counts == {"replaced": 1, "stored": 1, "records": 1}
    held = {(f.name, f.value) for f in FactRows(library.truth).facts()}
    assert held == {("id", "p1"), ("name", "Ann B")}


def test_a_patient_only_referred_to_gives_way(library):
    from osler.kinds import FactSource

    known = person(("name", "Ann"))
    poor = referred(ANN, "p1", source=FactSource())
    write(library, poor)
    write(library, *known)
    assert write(library, poor) == {"unchanged": 1, "records": 0}
    assert {f.name for f in FactRows(library.truth).facts()} == {"id", "name"}


def test_damage_in_a_fact_or_a_code_is_named(library, tmp_path):
    write(library, gout(codes=((SNOMED, "1"),)), *person(("name", "Ann")))
    library.truth.close()
    with sqlite3.connect(library.layout.truth) as raw:
        raw.execute("UPDATE facts SET status = 'stopped' WHERE kind = 'condition'")
        raw.execute("UPDATE fact_codes SET code = '2'")
    lines = library.verify()
    assert any(line.startswith("facts:") for line in lines)
    assert any(line.startswith("fact_codes:") for line in lines)


def test_every_column_is_under_the_checksum(library):
    listed = {row[1] for row in library.truth.reader.execute("PRAGMA table_info(facts)").fetchall()}
    assert listed == {*COLUMNS, "row", "checksum"}


def test_key():
    assert key_of("  Type 2  DIABETES ") == "type 2 diabetes"


def bundle(path: Path, condition: str, *, id: str = "p1", mrn: str = "7") -> Path:
    person = {
        "resourceType": "Patient",
        "id": id,
        "name": [{"text": f"Ann of {path.stem}"}],
        "identifier": [{"system": "urn:mrn", "value": mrn}],
    }
    one = {
        "resourceType": "Condition",
        "id": "c1",
        "subject": {"reference": f"Patient/{id}"},
        "code": {"text": condition},
    }
    entries = [{"resource": person}, {"resource": one}]
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    return path


def conditions(library: Library) -> dict[str, set[str]]:
    rows = library.truth.reader.execute("SELECT patient, name FROM facts WHERE kind = 'condition'")
    found: dict[str, set[str]] = {}
    for patient, name in rows:
        found.setdefault(patient, set()).add(name)
    return found


def test_two_files_are_two_sources_unless_they_are_named(library, tmp_path):
    one = bundle(tmp_path / "a" / "ward.json", "Gout")
    two = bundle(tmp_path / "b" / "ward.json", "HIV")
    library.add([one, two])
    assert conditions(library) == {"record:ward/p1": {"Gout"}, "record:ward-2/p1": {"HIV"}}
    library.add([one], again=True)
    assert len(conditions(library)) == 2
    assert sorted(Sources(library.truth).all()) == ["ward", "ward-2"]


def test_a_named_source_is_one(library, tmp_path):
    one = bundle(tmp_path / "a.json", "Gout")
    library.add([one], source="north")
    assert list(conditions(library)) == ["record:north/p1"]
    with pytest.raises(InputError, match="before as the source north"):
        library.add([one], source="south", again=True)


def test_an_amended_file_is_the_same_source_and_corrects_its_records(library, tmp_path):
    path = bundle(tmp_path / "a.json", "Gout")
    library.add([path])
    bundle(path, "Asthma")
    summary = library.add([path])
    assert summary.counts["replaced"] == 1
    assert conditions(library) == {"record:a/p1": {"Asthma"}}
    nodes = [e for e in library.entities("records") if e.type == "condition"]
    assert [(e.name, e.synonyms) for e in nodes] == [("Asthma", ())]
    heads = {t.tail for t in library.triples("records") if t.relation == "has condition"}
    assert heads == {nodes[0].id}


def test_a_refuted_condition_leaves_the_graph(library, tmp_path):
    path = bundle(tmp_path / "a.json", "Gout")
    library.add([path])
    raw = json.loads(path.read_text())
    raw["entry"][1]["resource"]["verificationStatus"] = {"coding": [{"code": "refuted"}]}
    path.write_text(json.dumps(raw))
    library.add([path])
    assert not [t for t in library.triples("records") if t.relation == "has condition"]
    assert not [e for e in library.entities("records") if e.name == "Gout"]
    assert conditions(library) == {"record:a/p1": {"Gout"}}


def test_joined_by_a_rule_and_apart_again(library, tmp_path):
    library.add([bundle(tmp_path / "a.json", "Gout"), bundle(tmp_path / "b.json", "HIV", id="x")])
    joins = Joins(library.truth)
    assert joins.add("urn:other").people == {}
    assert joins.add("urn:mrn").people == {"record:a/p1": ["record:a/p1", "record:b/x"]}
    assert conditions(library) == {"record:a/p1": {"Gout", "HIV"}}
    library.add([bundle(tmp_path / "c.json", "Asthma", id="y")])
    assert conditions(library) == {"record:a/p1": {"Gout", "HIV", "Asthma"}}
    assert library.verify() == []
    joins.remove("urn:mrn")
    assert conditions(library) == {
        "record:a/p1": {"Gout"},
        "record:b/x": {"HIV"},
        "record:c/y": {"Asthma"},
    }
    assert library.verify() == []


def test_an_identifier_of_two_in_one_source_joins_nobody(library, tmp_path):
    folder = tmp_path / "ward"
    bundle(folder / "a.json", "Gout", id="p1")
    bundle(folder / "b.json", "HIV", id="p2")
    library.add([folder, bundle(tmp_path / "other.json", "Asthma", id="p3")])
    joined = Joins(library.truth).add("urn:mrn")
    assert joined.people == {}
    assert len(joined.doubtful) == 1


def test_a_source_and_a_patient_that_are_not_there(library):
    with pytest.raises(UnknownId):
        library.remove_patient("record:a/nobody")
    with pytest.raises(UnknownId):
        library.remove_source("nowhere")


def test_removing_one_of_two_joined_sources(library, tmp_path):
    library.add([bundle(tmp_path / "a.json", "Gout"), bundle(tmp_path / "b.json", "HIV", id="x")])
    Joins(library.truth).add("urn:mrn")
    library.remove_source("a")
    assert conditions(library) == {"record:b/x": {"HIV"}}
    assert not [e for e in library.entities("records") if e.id.startswith("record:a/")]
    assert library.verify() == []


def test_a_part_that_comes_again_otherwise_takes_its_place(library):
    import msgspec

    whole, part = person(("name", "Ann"))
    write(library, whole, part)
    other = msgspec.structs.replace(part, value="Anna")
    assert write(library, whole, other) == {"unchanged": 1, "replaced": 1, "records": 1}
    assert [f.value for f in FactRows(library.truth).facts(kind="patient")] == ["p1", "Anna"]


def test_facts_of_one_patient_or_kind(library):
    other = record("record:ward/p2", "condition", "Condition", "c9", "Asthma")
    write(library, *person(("name", "Ann")), gout(), other)
    rows = FactRows(library.truth)
    assert [f.name for f in rows.facts(patient=ANN)] == ["id", "name", "Gout"]
    assert [f.name for f in rows.facts(kind="condition")] == ["Gout", "Asthma"]
    assert [f.name for f in rows.facts(patient=ANN, kind="condition")] == ["Gout"]
    assert rows.patients() == [ANN]
