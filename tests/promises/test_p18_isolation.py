"""P18: what is one patient's is never another's. Two guards hold it: ids are written one to one,
and a source is part of every id. Taking either out makes these tests fail (the last two see to
it)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from osler import Library
from osler.records import ids

ODD = st.one_of(
    st.text(min_size=1, max_size=30),
    st.text(alphabet="pP1/- _.%:#?&;|~+0h", min_size=1, max_size=12),
    st.sampled_from(
        ["12/3", "12-3", "12 3", "P1", "p1", "a" * 500, "a" * 500 + "b", "é", "e\u0301"]
    ),
)
NAMESAKES = ["12/3", "12-3", "12 3", "12%2F3", "12--3", " 12/3", "12/3 ", "P1", "p1", "１２", "12"]


@given(ODD, ODD, ODD, ODD)
@settings(max_examples=500, deadline=None)
def test_different_ids_stay_different(one, two, source, other):
    assert (ids.patient_id(source, one) == ids.patient_id(other, two)) == (
        (source, one) == (other, two)
    )


@given(ODD, ODD, ODD, st.one_of(ODD, st.integers(0, 10**6)))
@settings(max_examples=300, deadline=None)
def test_everything_of_a_patient_is_that_patients(source, patient, type, key):
    whole = ids.patient_id(source, patient)
    assert ids.owner(ids.node_id(whole, type, key)) == whole
    assert ids.owner(whole) == whole
    if len(source) <= ids.LONGEST and source.isprintable():
        assert ids.source_of(whole) == source


def test_a_number_is_no_text_of_digits():
    assert ids.node_id("record:a/b", "note", 3) != ids.node_id("record:a/b", "note", "3")


def records(patients: list[str], conditions: list[str]) -> dict[str, Any]:
    entries = []
    for number, (patient, condition) in enumerate(zip(patients, conditions, strict=True)):
        name = [{"text": "Ann Bee"}]
        entries.append({"resource": {"resourceType": "Patient", "id": patient, "name": name}})
        one = {
            "resourceType": "Condition",
            "id": f"c{number}",
            "subject": {"reference": f"Patient/{patient}"},
            "code": {"text": condition},
        }
        entries.append({"resource": one})
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def told(library: Library) -> list[set[str]]:
    """The conditions of each patient, by the facts and by the graph."""
    by_fact: dict[str, set[str]] = {}
    rows = library.truth.reader.execute("SELECT patient, name FROM facts WHERE kind = 'condition'")
    for patient, name in rows:
        by_fact.setdefault(patient, set()).add(name)
    names = {e.id: e.name for e in library.entities("records")}
    by_graph: dict[str, set[str]] = {}
    for triple in library.triples("records"):
        if triple.relation == "has condition":
            by_graph.setdefault(triple.head, set()).add(names[triple.tail])
    assert by_graph == by_fact
    return list(by_fact.values())


def ingest(tmp_path: Path, *wards: dict[str, Any]) -> list[set[str]]:
    paths = []
    for number, ward in enumerate(wards):
        paths.append(tmp_path / f"w{number}" / "ward.json")
        paths[-1].parent.mkdir()
        paths[-1].write_text(json.dumps(ward), "utf-8")
    with Library.create(tmp_path / "library") as library:
        library.add(paths)
        return told(library)


def test_odd_ids_and_namesakes_in_one_source(tmp_path):
    # FHIR has no blanks at the ends of an id, but a file may; a reference is matched as written.
    conditions = [f"condition {n}" for n in range(len(NAMESAKES))]
    found = ingest(tmp_path, records(NAMESAKES, conditions))
    assert sorted(found, key=str) == sorted(({c} for c in conditions), key=str)


def test_the_same_ids_in_two_sources(tmp_path):
    found = ingest(tmp_path, records(["p1"], ["Gout"]), records(["p1"], ["HIV"]))
    assert sorted(map(sorted, found)) == [["Gout"], ["HIV"]]


def test_without_the_first_guard_people_are_mixed(tmp_path, monkeypatch):
    """Ids as they were written before: the tests above would not hold."""
    import re

    monkeypatch.setattr(ids, "_UNSAFE", re.compile(r"(?!)"))
    monkeypatch.setattr(ids, "key_of", lambda text: re.sub(r"[^\w.+-]+", "-", text).lower())
    found = ingest(tmp_path, records(["12/3", "12-3"], ["Gout", "HIV"]))
    assert found == [{"Gout", "HIV"}]


def test_without_the_second_guard_people_are_mixed(tmp_path, monkeypatch):
    from osler.store.sources import Sources

    monkeypatch.setattr(Sources, "name", lambda *given, **named: "fhir")
    found = ingest(tmp_path, records(["p1"], ["Gout"]), records(["p1"], ["HIV"]))
    assert found == [{"Gout"}] or found == [{"HIV"}], "one condition took the other's place"
