"""The one public door, and how light it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

import osler


def test_the_public_names_are_these():
    assert osler.__all__ == [
        "Document",
        "Entity",
        "Filter",
        "Hit",
        "Library",
        "OslerError",
        "Ranking",
        "Triple",
        "__version__",
        "simulate",
        "stance",
    ]
    for name in osler.__all__:
        assert getattr(osler, name) is not None
    with pytest.raises(AttributeError):
        osler.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import osler", {"numpy", "tantivy", "torch", "lxml", "typer", "onnxruntime"}),
        (
            "import osler.cli.main; osler.cli.main.build()",
            {"tantivy", "torch", "onnxruntime", "scipy", "sklearn", "gensim", "ir_measures"},
        ),
        ("from osler import Library", {"torch", "sklearn", "gensim", "onnxruntime", "scipy"}),
    ],
)
def test_heavy_packages_are_loaded_only_when_used(code, absent):
    script = f"{code}\nimport sys; print(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert absent.isdisjoint(out.split())
