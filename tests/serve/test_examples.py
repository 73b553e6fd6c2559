"""The examples of the REST interface answer, one after the other, on a library of the samples."""

from __future__ import annotations

import json
import subprocess
from importlib import resources
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from osler import Library
from osler.serve.examples import ADDRESS, API, EXAMPLES, curl, example_of
from osler.serve.reference import description
from osler.serve.views.docs import operations
from samples import TrigramEncoder


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    from osler.serve.app import create_app

    shipped = Path(str(resources.files("osler.demo")))
    files = [
        shipped / "samples" / n for n in ("papers.csv", "concepts.tsv", "facts.tsv", "ward.json")
    ]
    folder = tmp_path_factory.mktemp("examples") / "papers"
    with Library.create(folder, encoder=TrigramEncoder()) as library:
        library.add([*files, shipped / "answers.tsv"])
    app = create_app(folder, encoder=TrigramEncoder())
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
        yield made


def test_every_operation_answers_its_example(client):
    for one in operations(description()):
        example = example_of(one["method"], one["path"])
        assert example is not None, f"{one['method']} {one['path']} has no example"
        answer = client.request(one["method"], example.address(one["path"]), json=example.body)
        assert answer.status_code == 200, (one["method"], one["path"], answer.text)
        assert answer.content


def test_no_example_is_left_over():
    known = {
        f"{one['method']} {one['path'].removeprefix(API)}" for one in operations(description())
    }
    assert set(EXAMPLES) == known


def test_an_example_says_something_of_the_samples(client):
    hits = client.get(example_of("GET", f"{API}/search").address(f"{API}/search")).json()
    assert hits["hits"][0]["id"].startswith("m")
    said = client.post(f"{API}/stance", json=EXAMPLES["POST /stance"].body).json()
    assert said["stance"] == "no effect found"


def test_a_line_for_curl_is_what_the_shell_takes():
    line = curl("POST", f"{API}/stance").replace("curl ", "printf '%s\\n' ", 1)
    words = subprocess.run(["sh", "-c", line], capture_output=True, text=True).stdout.splitlines()
    assert words[0] == f"{ADDRESS}{API}/stance"
    assert words[1:4] == ["-H", "Content-Type: application/json", "-d"]
    assert json.loads(words[4]) == EXAMPLES["POST /stance"].body
    assert curl("GET", "/api/v1/a-stranger") == ""
