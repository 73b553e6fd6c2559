"""Every reader stands in the documentation, with its help line's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.files.reader import readers

DOCS = Path(__file__).parent.parent.parent / "docs"


def _ours(cls: type) -> bool:
    """Another package documents its own."""
    return cls.__module__.startswith("osler.")


@pytest.mark.parametrize(
    "name", [n for n, cls in readers if cls.gives == "documents" and _ours(cls)]
)
def test_the_reader_is_documented(name: str) -> None:
    text = (DOCS / "reference" / "readers.md").read_text("utf-8")
    assert f"\n## {name}\n" in text
    assert readers.get(name).help in text
