"""The list in docs/explanation/promises.md is true: every promise has tests, every test named
there exists, and the page names no fewer than these files hold."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from promises.breaks import BREAKS, changed

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "explanation" / "promises.md"
NODE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROMISES = 22


def sections() -> dict[int, str]:
    found: dict[int, str] = {}
    for part in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        number = re.match(r"P(\d+)\b", part)
        if number:
            found[int(number[1])] = part
    return found


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_promise_has_its_section():
    assert sorted(sections()) == list(range(1, PROMISES + 1))


@pytest.mark.parametrize("number", range(1, PROMISES + 1))
def test_every_promise_names_tests_that_exist(number):
    named = NODE.findall(sections()[number])
    assert named, f"P{number} names no test"
    for file, name in named:
        path = ROOT / file
        assert path.is_file(), file
        assert name in functions(path), f"{file} has no {name}"


def test_every_test_that_the_page_names_exists():
    """Those of the attacks too, which stand in no promise's section."""
    for file, name in set(NODE.findall(PAGE.read_text("utf-8"))):
        assert name in functions(ROOT / file), f"{file} has no {name}"


def test_no_proof_is_left_out():
    """A test of a promise that the page does not name is a promise that nobody can look up."""
    named = set(NODE.findall(PAGE.read_text("utf-8")))
    for path in sorted((ROOT / "tests" / "promises").glob("test_p*.py")):
        file = str(path.relative_to(ROOT))
        assert any(where == file for where, _ in named), f"{file} is named nowhere"


def test_commands_and_files_that_the_page_names_exist():
    text = PAGE.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"`make ([a-z]+)", text)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for file in set(re.findall(r"`((?:tests|benchmarks|src)/[\w/.]+\.(?:py|c))`", text)):
        assert (ROOT / file).is_file(), file


def test_every_promise_can_be_broken():
    """``make breaks``: the changes still fit the files, and each test that must fail is listed."""
    order = list(dict.fromkeys(one.promise for one in BREAKS))
    assert order == [f"P{number}" for number in range(1, PROMISES + 1)]
    for one in BREAKS:
        text = (ROOT / "src" / "osler" / one.file).read_text("utf-8")
        assert changed(text, one) != text
        assert f"`tests/promises/{one.test}`" in sections()[int(one.promise[1:])], one.test
