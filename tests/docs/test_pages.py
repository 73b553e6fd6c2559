"""Tutorials and how-to pages are run, block by block, and what they print is compared."""

from __future__ import annotations

import re
import shutil

import pytest

from docs.pages import PAGES, ROOT, RUN, blocks, expected, matches, run

REASONS: set[str] = set()
"""Why a block may be left out. A new reason is a decision, not an accident."""

SHOWN = {"text", "csv", "tsv", "json", "toml"}
"""Kinds of blocks that show a file or what something looks like, and are not run."""


def name(page) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_prints_what_it_says(page, tmp_path):
    if "curl " in page.read_text("utf-8") and not shutil.which("curl"):
        pytest.skip("curl is not installed")
    for block, printed in run(page, tmp_path):
        assert matches(expected(block), printed), (
            f"{name(page)} line {block.start + 1} printed\n{printed}\n"
            f"in place of\n{expected(block)}"
        )


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_runs_or_says_why_not(page):
    text = page.read_text("utf-8")
    for block in blocks(text):
        where = f"{name(page)} line {block.start + 1}"
        assert block.kind in {*RUN, *SHOWN}, f"{where}: what kind of block is it?"
        if block.reason:
            assert block.kind in RUN, f"{where} would not run anyway"
            assert block.reason in REASONS, f"{where}: {block.reason}"
        if block.printed:
            said = [line for line in block.printed.text.splitlines() if line.strip(" .")]
            assert said, f"{where}: output that is all wildcards compares nothing"
    assert not re.findall(r"(?m)^ {4}osler .*$", text), "a command stands in no block"


def test_what_is_not_run_is_known():
    """A few blocks of all pages: most of what is shown runs."""
    every = [block for page in PAGES for block in blocks(page.read_text("utf-8"))]
    left = [block for block in every if block.reason]
    ran = [block for block in every if block.runs]
    assert len(ran) > 3 * len(left), [block.text for block in left]


@pytest.mark.parametrize(
    ("expected_text", "printed", "same"),
    [
        ("3 papers match", "3 papers match\n", True),
        ("3 papers match", "4 papers match\n", False),
        ("score ...", "score 0.25\n", True),
        ("score ... of 1", "score 0.25 of 2\n", False),
        ("a\n...\nz", "a\nb\nc\nz\n", True),
        ("a\n...\nz", "a\nz\n", True),
        ("a\n...\nz", "a\nb\nc\n", False),
        ("a", "a\nb\n", False),
        ("a  \nb", "a\nb   \n", True),
        ("", "", True),
        ("", "a warning\n", False),
        ("a.c", "abc\n", False),
    ],
)
def test_wildcards(expected_text, printed, same):
    assert matches(expected_text, printed) is same


def test_a_page_is_read_as_it_stands():
    page = "x\n```sh\nls\n```\n\n```text\nout\n```\n"
    page += "<!-- not run: why -->\n```sh\nrm\n```\n```csv\na\n```"
    ls, out, rm, table = blocks(page)
    assert (ls.kind, ls.text, ls.printed) == ("sh", "ls", out)
    assert (rm.reason, rm.runs, rm.printed) == ("why", False, None)
    assert table.kind == "csv"


def test_a_block_that_fails_is_not_passed_over(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\nfalse\nx=1\n```\n```sh\necho $x\n```\n```python\n1/0\n```\n")
    printed = [told for _, told in run(page, tmp_path)]
    assert printed[:2] == ["(exit code 1)\n", "1\n"]
    assert printed[2].endswith("ZeroDivisionError: division by zero\n")
