"""The page on review projects runs, command by command, in a fresh folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from osler.cli.main import build

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "review-project.md"


def blocks(kind: str) -> list[str]:
    found = re.findall(r"```(\w*)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [body for name, body in found if name == kind]


def test_the_page_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (table,) = blocks("csv")
    Path("papers.csv").write_text(table, encoding="utf-8")
    shown: list[str] = []
    ran = 0
    for block in blocks(""):
        if not block.startswith("osler "):
            printed = [line.split() for line in block.strip().splitlines()]
            assert printed == [line.split() for line in shown[-len(printed) :]]
            continue
        for line in block.strip().splitlines():
            answer = CliRunner().invoke(build(), shlex.split(line)[1:])
            if answer.exception and not isinstance(answer.exception, SystemExit):
                raise answer.exception
            # The table has a record that cannot be read.
            assert answer.exit_code == (3 if line == "osler add lib papers.csv" else 0), line
            ran += 1
            if "prisma" in line and "--out" not in line:
                shown = [row for row in answer.stdout.splitlines() if row.strip()]
    assert ran > 25
    for name in ("flow.svg", "rayyan.csv", "insomnia.jsonl"):
        assert Path(name).stat().st_size > 500
    (code,) = blocks("python")
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102


@pytest.mark.parametrize("name", ["docs/explanation/review.md"])
def test_what_the_docs_name_is_there(name):
    root = PAGE.parent.parent.parent
    for path in re.findall(r"`(tests/[\w/.]+)`", (root / name).read_text("utf-8")):
        assert (root / path).is_file(), path
