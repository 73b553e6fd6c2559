"""The commands: grade, predict, train, label, judge."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from osler import Library
from osler.cli.main import build
from osler.errors import InputError, OslerError
from osler.grade.pair import Pair
from osler.grade.table_out import write_pairs

runner = CliRunner()


def run(*words: object, input: str | None = None) -> str:
    result = runner.invoke(build(), [str(word) for word in words], input=input)
    if isinstance(result.exception, OslerError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def folder(graph_library: Library, tmp_path: Path) -> Path:
    target = tmp_path / "library"
    shutil.copytree(graph_library.path, target)
    return target


def test_grade_prints_and_writes(folder: Path, tmp_path: Path) -> None:
    shown = run("grade", folder, "metformin", "treats", "diabetes mellitus", "--explain")
    assert "about this fact" in shown
    assert "supports" not in shown
    assert "RCor" in shown
    fact = ("metformin", "treats", "diabetes mellitus")
    lines = run("grade", folder, *fact, "--json", "-k", "1")
    hit = json.loads(next(line for line in lines.splitlines() if line.startswith("{")))
    assert hit["id"] == "p1"
    page, table = tmp_path / "heat.html", tmp_path / "facts.tsv"
    run("grade", folder, *fact, "--html", page, "--tsv", table, "--kgx", tmp_path / "g")
    assert "KImp" in page.read_text("utf-8")
    assert table.read_text("utf-8").count("\n") > 2
    assert (tmp_path / "g_edges.tsv").is_file()


def test_facts_of_a_paper(folder: Path) -> None:
    assert "metformin" in run("grade", folder, "--paper", "p1")
    assert "no two entities" in run("grade", folder, "--paper", "p6")
    with pytest.raises(InputError, match="three parts"):
        run("grade", folder, "metformin")
    with pytest.raises(InputError, match="not both"):
        run("grade", folder, "metformin", "--paper", "p1")


def test_label_train_predict(folder: Path, pairs: list[Pair], tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    given, labelled = tmp_path / "given.tsv", tmp_path / "labelled.tsv"
    write_pairs(given, pairs)
    told = run("label", "grade", folder, "--given", given, "--out", labelled)
    assert "kappa" in told
    assert labelled.is_file()
    told = run("label", "grade", folder, "--sample", tmp_path / "hand.tsv")
    assert "papers" in told
    run("train", "grade", folder, "--pairs", given, "--no-validate")
    shown = run("grade", folder, "metformin", "treats", "diabetes mellitus", "--json", "-k", "1")
    assert '"grade"' in shown
    out = tmp_path / "out.tsv"
    run("predict", "grade", folder / "models" / "grade", given, "--out", out)
    assert len(out.read_text("utf-8").splitlines()) == len(pairs) + 1
    with pytest.raises(InputError, match="there is no file"):
        run("predict", "grade", folder / "models" / "grade", tmp_path / "no", "--out", out)


def test_settings_of_a_method(folder: Path, pairs: list[Pair], tmp_path: Path) -> None:
    """Hints, ablations, layers and capsules from the command line."""
    pytest.importorskip("torch")
    from osler.grade.models import load_grader

    given = tmp_path / "given.tsv"
    write_pairs(given, pairs[:20])
    base = ("train", "grade", folder, "--pairs", given, "--no-validate", "--method", "hicapsrkl")
    settings = ("ablation=w/o KImp", "layers=2", "capsules=4", "hints=true", "width=16", "epochs=1")
    run(*base, *(word for one in settings for word in ("--set", one)))
    grader: Any = load_grader(folder / "models" / "grade")
    assert (grader.ablation, grader.layers, grader.capsules) == ("w/o KImp", 2, 4)
    assert grader.hints is True
    assert grader.network.caps_rcor.weights.shape == (1, 4, 4, 16)
    with pytest.raises(InputError, match="nothing here takes 'layer'"):
        run(*base, "--set", "layer=2")
    with pytest.raises(InputError, match="takes no encoder"):
        run(*base[:-1], "evidence", "--encoder", "minilm")


def test_clusters_are_checked(folder: Path, pairs: list[Pair], tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    given, clusters = tmp_path / "given.tsv", tmp_path / "clusters.tsv"
    write_pairs(given, pairs)
    base = ("label", "grade", folder, "--given", given, "--clusters", clusters)
    assert "mark 1 or 0" in run(*base)
    assert clusters.is_file()
    assert "clusters describe" in run(*base)
    shown = run(*base, "--check", input="n\n" * 400)
    assert "0 of" in shown


def test_judging(folder: Path, tmp_path: Path) -> None:
    facts, tasks = tmp_path / "facts.tsv", tmp_path / "list.tsv"
    facts.write_text("head\trelation\ttail\nmetformin\ttreats\tdiabetes mellitus\n", "utf-8")
    run("judge", "grade", folder, "--facts", facts, "--out", tasks)
    count = len(tasks.read_text("utf-8").splitlines()) - 1
    assert count >= 2
    for name, marks in (("first", "H\nM\n"), ("second", "h\nm\n"), ("third", "F\nM\n")):
        run("judge", "grade", tasks, "--annotator", name, input=marks + "q\n")
    shown = run("judge", "grade", tasks, "--out", tmp_path / "settled.tsv")
    assert "kappa of first and second: 1.000" in shown
    assert f"2 of {count} settled" in shown
    with pytest.raises(InputError, match="no judging list"):
        run("judge", "grade", tmp_path / "none.tsv")
