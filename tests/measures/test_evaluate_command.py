"""``osler evaluate`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from osler.cli.columns import columns
from osler.cli.commands import Commands
from osler.cli.evaluate import _split, register
from osler.errors import ChoiceError, FieldError
from osler.measures.trec import write_run


@pytest.fixture
def app() -> typer.Typer:
    commands = Commands()

    # A second command, so that typer keeps the first one's name.
    @commands.app.command("other")
    def other() -> None: ...

    register(commands)
    return commands.joined()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    queries = [f"q{i}" for i in range(10)]
    (tmp_path / "qrels.tsv").write_text("".join(f"{q} 0 good 1\n" for q in queries))
    write_run(tmp_path / "poor.trec", {q: {"good": 1.0, "bad": 2.0} for q in queries})
    write_run(tmp_path / "fine.trec", {q: {"good": 2.0, "bad": 1.0} for q in queries[:9]})
    return [str(tmp_path / name) for name in ("qrels.tsv", "poor.trec", "fine.trec")]


def test_a_table_of_means_and_comparisons(app: typer.Typer, files: list[str]) -> None:
    result = CliRunner().invoke(app, ["evaluate", *files, "-m", "P@1 RR"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("means of 10 queries")
    assert lines[1].split() == ["run", "P@1", "RR"]
    assert lines[3].split() == ["poor", "0.0000", "0.5000"]
    assert lines[5].split() == ["fine", "0.9000", "0.9000"]
    assert "against poor, two-sided" in result.stdout
    row = next(line for line in lines if line.startswith("fine  P@1"))
    assert "+0.9000" in row
    assert "9/0" in row
    assert "fine lacks 1 of 10 judged queries: they score zero" in result.stderr


def test_one_run_is_measured_by_the_default_measures(app: typer.Typer, files: list[str]) -> None:
    result = CliRunner().invoke(app, ["evaluate", *files[:2]])
    assert result.stdout.splitlines()[1].split() == ["run", "nDCG@10", "P@10", "R@100", "AP"]
    assert "against" not in result.stdout


def test_json_holds_everything_and_queries_when_asked(app: typer.Typer, files: list[str]) -> None:
    result = CliRunner().invoke(app, ["evaluate", *files, "-m", "P@1", "-m", "RR", "--json"])
    found = json.loads(result.stdout)
    assert found["means"]["fine"]["P@1"]["value"] == 0.9
    assert {one["measure"] for one in found["comparisons"]} == {"P@1", "RR"}
    assert all(0 <= one["bootstrap_holm"] <= 1 for one in found["comparisons"])
    assert "per_query" not in found
    result = CliRunner().invoke(app, ["evaluate", *files, "--json", "--per-query"])
    assert json.loads(result.stdout)["per_query"]["poor"]["AP"]["q3"] == 0.5


def test_a_row_a_query(app: typer.Typer, files: list[str]) -> None:
    result = CliRunner().invoke(app, ["evaluate", *files, "-m", "RR", "--per-query"])
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["q0", "poor", "0.5000"] in lines
    assert ["q9", "fine", "0.0000"] in lines


def test_runs_of_one_name_are_told_apart(
    app: typer.Typer, files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    again = tmp_path / "sub" / "poor.trec"
    again.write_text(Path(files[1]).read_text())
    result = CliRunner().invoke(
        app, ["evaluate", files[0], files[1], str(again), files[1], "--json"]
    )
    found = json.loads(result.stdout)
    assert len(found["means"]) == 3
    assert all(one["wilcoxon"] == 1.0 for one in found["comparisons"])


def test_errors_name_the_place(app: typer.Typer, files: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.trec"
    bad.write_text("q0 Q0 good\n")
    result = CliRunner().invoke(app, ["evaluate", files[0], str(bad)])
    assert isinstance(result.exception, FieldError)
    assert "bad.trec line 1 has 3 fields" in str(result.exception)
    result = CliRunner().invoke(app, ["evaluate", *files[:2], "-m", "nDGC@10"])
    assert isinstance(result.exception, ChoiceError)
    assert "choices" in str(result.exception)


def test_measures_are_split_outside_parentheses() -> None:
    assert _split("nDCG@10, P@5") == ["nDCG@10", "P@5"]
    assert _split("P(rel=2, judged_only=True)@5 AP") == ["P(rel=2, judged_only=True)@5", "AP"]


def test_columns_line_up_whatever_the_script() -> None:
    text = columns(["name", "value"], [["咳嗽", "1.5"], ["cough", "12.25"]])
    assert text.splitlines() == ["name   value", "-----  -----", "咳嗽     1.5", "cough  12.25"]
