"""Sources, joins and removal of patients, as a person runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def osler(*arguments, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "osler.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=120,
    )
    assert done.returncode == code, done.stderr
    return done


def ward(path, patient):
    person = {
        "resourceType": "Patient",
        "id": patient,
        "identifier": [{"system": "urn:mrn", "value": "7"}],
    }
    path.write_text(json.dumps(person), "utf-8")
    return path


def test_add_by_source_join_part_and_remove(tmp_path):
    lib = tmp_path / "lib"
    osler("new", lib)
    osler("add", lib, ward(tmp_path / "a.json", "p1"), "--source", "north")
    told = osler("add", lib, ward(tmp_path / "b.json", "p1"), "--join-on", "urn:mrn").stderr
    assert "2 patients of several sources are 1 people, joined by urn:mrn" in told
    patients = json.loads(osler("status", lib, "--json").stdout)["patients"]
    assert patients["sources"] == {"north": 1, "b": 1}
    assert patients["joined"] == {"record:b/p1": ["record:b/p1", "record:north/p1"]}
    line = json.loads(osler("records", "joined", lib).stdout)
    assert line["ids"] == ["record:b/p1", "record:north/p1"]
    osler("records", "join", lib, "--on", "urn:mrn", "--undo")
    assert osler("records", "joined", lib).stdout == ""
    osler("remove", lib, "--source", "north")
    osler("remove", lib, "--patient", "record:b/p1")
    assert "E206" in osler("remove", lib, "--patient", "record:b/p1", code=1).stderr
    assert "remove takes" in osler("remove", lib, code=2).stderr
    osler("verify", lib)
