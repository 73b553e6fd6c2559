"""One library and one application for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import serving
from samples import TrigramEncoder


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not turn a page with a status into one that was begun without it."""
    from osler.serve import page

    monkeypatch.setattr(page, "WAIT", 20.0)


@pytest.fixture(scope="session")
def served_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return serving.build(tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="session")
def client(served_library: Path) -> Iterator[TestClient]:
    from osler.serve.app import create_app

    app = create_app(served_library, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(
        app, base_url="http://127.0.0.1", raise_server_exceptions=False, follow_redirects=False
    ) as made:
        yield made
