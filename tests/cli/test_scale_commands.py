"""``osler new --engine milvus``, ``add --on``, ``snapshot`` and replicas, as typed."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip("pymilvus", reason="pip install 'osler[milvus]'")

from osler.cli.main import build
from osler.cli.replicas import served
from osler.errors import InputError, OslerError
from osler.library import Library


def osler(*arguments: object) -> str:
    result = CliRunner().invoke(build(), [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_a_library_on_milvus_from_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setenv("OSLER_MILVUS_TOKEN", "user:secret-canary")
    lib, corpus = tmp_path / "lib", tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "1", "title": "Asthma", "text": "Steroids help."}\n')
    osler("new", lib, "--engine", "milvus", "--uri", lib / "milvus.db")
    card = json.loads((lib / "library.json").read_text())["engine"]
    assert (card["name"], card["uri"], card["collection"]) == ("milvus", "milvus.db", "osler")
    osler("add", lib, corpus)
    assert "Asthma" in osler("search", lib, "steroids", "--method", "words")
    assert "everything holds" in osler("verify", lib)
    assert "secret-canary" not in osler("settings") + (lib / "library.json").read_text()
    with served(None, "milvus", str(lib / "milvus.db"), None, None) as folder:
        with Library.open(folder) as replica:
            assert replica.search("steroids", method="words").hits[0].id == "1"
        with pytest.raises(OslerError):
            osler("add", folder, corpus)
    assert not folder.exists()


def test_bulk_work_from_the_command_line(tmp_path):
    pytest.importorskip("distributed", reason="pip install 'osler[dask]'")
    lib, corpus = tmp_path / "lib", tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "1", "title": "Asthma", "text": "Steroids help."}\n')
    osler("new", lib)
    assert "1 read = 1 stored" in osler("add", lib, corpus, "--on", "local:1", "--no-vectors")


@pytest.mark.parametrize(
    "given",
    [
        ("lib", "milvus", None, None, None),
        ("lib", None, "x.db", None, None),
        (None, "milvus", None, None, None),
        (None, "milvos", "x.db", None, None),
    ],
)
def test_what_cannot_be_served(given, tmp_path):
    lib, *rest = given
    with pytest.raises(InputError), served(tmp_path if lib else None, *rest):
        pass
