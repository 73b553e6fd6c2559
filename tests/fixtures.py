"""Fixtures that the product's tests and those of papers/ share: libraries in temporary folders, and
the data sets where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from osler import Document, Library
from samples import PAPERS, TrigramEncoder

ROOT = Path(__file__).parent.parent
# What a test expects does not depend on whether the weights that ship are in this checkout; those
# that are about them name their folder.
os.environ.setdefault("OSLER_WEIGHTS", str(ROOT / "tests" / "no-weights"))
# A busy machine is no reason to fail; tests of a server that is away set their own.
os.environ.setdefault("OSLER_MILVUS_SECONDS", "120")


@pytest.fixture
def encoder() -> TrigramEncoder:
    return TrigramEncoder()


@pytest.fixture
def make_library(tmp_path: Path, encoder: TrigramEncoder) -> Iterator[Callable[..., Library]]:
    """Makes libraries; ``make_library(documents, name=...)``."""
    opened: list[Library] = []

    def make(documents: Sequence[Document] = PAPERS, *, name: str = "library") -> Library:
        library = Library.create(tmp_path / name, encoder=encoder)  # type: ignore[arg-type]
        if documents:
            library.add_documents(documents)
        opened.append(library)
        return library

    yield make
    for library in opened:
        library.close()


@pytest.fixture
def library(make_library: Callable[..., Library]) -> Library:
    return make_library()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder that holds the data sets; tests that need it are skipped without it."""
    folder = Path(os.environ.get("OSLER_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the data sets are not at hand: set OSLER_DATA to their folder")
    return folder
