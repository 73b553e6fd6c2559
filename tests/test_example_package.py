"""A stranger's package (examples/osler-example) shows in every door; no file of ours knows it."""

from __future__ import annotations

import asyncio
import json
import threading
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from typer.testing import CliRunner

import osler
from osler import Library
from osler.cli.main import build
from samples import PAPERS, TrigramEncoder

try:
    distribution("osler-example")
except PackageNotFoundError:
    pytest.skip("pip install ./examples/osler-example", allow_module_level=True)

CATALOGUE = "%catalogue\nc1 | Asthma in towns | Air was measured.\nc2 | Rest | Asthma and rest.\n"
ROOT = Path(osler.__file__).parent


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "papers.cat").write_text(CATALOGUE)
    with Library.create(
        folder / "library",
        encoder=TrigramEncoder(),  # type: ignore[arg-type]
        engine="embedded-example",
    ) as library:
        library.add_documents(PAPERS)
        library.add([folder / "papers.cat"])
    return folder / "library"


def told(*words: str) -> str:
    done = CliRunner().invoke(build(), list(words))
    assert done.exit_code == 0, done.output
    return done.output


def test_no_file_of_ours_knows_it():
    for path in ROOT.rglob("*.py"):
        assert "osler_example" not in path.read_text("utf-8"), path


def test_python(place: Path):
    with Library.open(place, encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        assert {"c1", "c2"} <= {document.id for document in library.documents()}
        assert library.engine.name == "embedded-example"
        hits = library.search("asthma", k=3, method="recent-words")
        assert len(list(hits)) == 3


def test_the_command_line(place: Path):
    lines = told("search", str(place), "asthma", "--method", "recent-words", "--json").splitlines()
    assert json.loads(lines[0])
    assert "recent-words" in told("methods", "search")
    assert "Journal of Lipids" in told("journals", str(place))


def test_rest_and_the_page(place: Path):
    from starlette.testclient import TestClient

    from osler.serve.app import create_app

    app = create_app(place, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1") as client:
        found = client.get("/api/v1/search", params={"q": "asthma", "method": "recent-words"})
        assert found.status_code == 200, found.text
        assert found.json()["hits"]
        page = client.get("/journals")
        assert page.status_code == 200, page.text
        assert "Journal of Lipids" in page.text
        assert 'href="/journals"' in client.get("/library").text, "it stands in the menu"
        assert "recent-words" in client.get("/papers").text


def test_a_graph_embedding_trains():
    pytest.importorskip("torch")
    from osler.kinds import Triple
    from osler.knowledge.embeddings import train_embeddings

    triples = [Triple(f"t{n}", "next", f"t{n + 1}") for n in range(9)]
    learned = train_embeddings(triples, method="distmult", dimension=8, epochs=2)
    assert learned.entities.shape == (10, 8)


def test_mcp(place: Path):
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from osler.serve.mcp import create_server

    answers = []

    async def run() -> None:
        async with mcp.Client(create_server(place, encoder=TrigramEncoder())) as client:  # type: ignore[arg-type]
            arguments = {"question": "asthma", "method": "recent-words"}
            answers.append(await client.call_tool("search", arguments))

    # In a thread of its own: a browser test of this process may have left its event loop running.
    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    thread.join()
    assert not answers[0].is_error, answers[0].content
    assert answers[0].structured_content["hits"]
