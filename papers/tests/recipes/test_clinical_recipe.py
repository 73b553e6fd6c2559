"""The recipe ``clinical-kbqa`` runs whole at a small size and gives the numbers that it expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.recipes import load


def test_small_run(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from osler_papers.recipes.clinical_kbqa import Size, experiment

    size = Size(
        records=0.02, questions=0.02, train=90, dev=25, test=30, epochs=1, rows=("AAR path",)
    )
    lines: list[str] = []
    got = experiment(tmp_path / "data", tmp_path / "out", progress=lines.append, size=size)
    assert got["accuracy"] >= 0.7
    assert got["unanswerable refused"] >= 0.7
    text = (tmp_path / "out" / "tables.md").read_text(encoding="utf-8")
    for wanted in ("Table 5", "Table 4", "Table 1", "Figure 3", "examples a second", "paper 26900"):
        assert wanted in text
    whole = {e.name for e in load("clinical-kbqa").expected}
    needs_rows = {"AAR full above SGEmb full", "path above type", "type & path above path"}
    assert whole - needs_rows <= set(got)
