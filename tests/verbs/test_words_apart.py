"""A word two letters away is another word: nothing is told of it."""

import json

import pytest

from osler import Library


@pytest.fixture
def library(tmp_path):
    bundle = {
        "resourceType": "Bundle",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": "f1", "name": [{"text": "Farah Nol"}]}},
            {
                "resource": {
                    "resourceType": "Condition",
                    "id": "c1",
                    "clinicalStatus": {"coding": [{"code": "active"}]},
                    "subject": {"reference": "Patient/f1"},
                    "code": {"text": "Hypertension"},
                }
            },
        ],
    }
    (tmp_path / "bundle.json").write_text(json.dumps(bundle), encoding="utf-8")
    with Library.create(tmp_path / "lib") as library:
        library.add([tmp_path / "bundle.json"])
        yield library


def test_hypotension_is_no_hypertension(library):
    assert library.ask("Does Farah Nol have hypertension?").answers == ["yes"]
    assert library.ask("Does Farah Nol have hypotension?").refused


def test_a_slip_of_one_letter_is_read(library):
    answer = library.ask("Does Farah Nol have hypertenson?")
    assert answer.answers == ["yes"]
    assert answer.confidence < 0.9
