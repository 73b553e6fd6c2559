"""A library with facts of one patient and typed triples of another answers for both."""

import json

import pytest

from osler import Library

WARD = (
    "head\thead_type\trelation\ttail\ttail_type\n"
    "P7\tpatient\ttakes\tibuprofen\tdrug\n"
    "P7\tpatient\ttakes\taspirin\tdrug\n"
    "P8\tpatient\ttakes\twarfarin\tdrug\n"
)
BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {
            "resource": {
                "resourceType": "Patient",
                "id": "f1",
                "name": [{"given": ["Farah"], "family": "Nolan"}],
                "birthDate": "1970-01-02",
            }
        },
        {
            "resource": {
                "resourceType": "MedicationRequest",
                "id": "m1",
                "status": "stopped",
                "intent": "order",
                "subject": {"reference": "Patient/f1"},
                "medicationCodeableConcept": {"text": "metformin"},
            }
        },
    ],
}


@pytest.fixture
def library(tmp_path):
    (tmp_path / "ward.tsv").write_text(WARD, encoding="utf-8")
    (tmp_path / "bundle.json").write_text(json.dumps(BUNDLE), encoding="utf-8")
    library = Library.create(tmp_path / "lib")
    library.add([tmp_path / "ward.tsv"], format="clinical-triples")
    library.add([tmp_path / "bundle.json"])
    with library:
        yield library


def test_of_whom_only_triples_speak_the_graph_answers(library):
    answer = library.ask("Which drugs does P7 take?")
    assert sorted(answer.answers) == ["aspirin", "ibuprofen"]
    assert answer.method == "reader"


def test_of_whom_facts_speak_the_graph_is_not_asked(library):
    answer = library.ask("Is Farah Nolan taking metformin now?")
    assert answer.method == "form"
    assert "yes" not in [text.lower() for text in answer.answers]


def test_of_whom_nobody_speaks_nothing_is_told(library):
    answer = library.ask("Which drugs does P9 take?")
    assert answer.refused
    assert "P9" in answer.note
