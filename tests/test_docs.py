"""Documentation cannot drift: what exists is documented, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", ["commands.md", "settings.md", "errors.md", "rest.md"])
def test_the_reference_is_what_the_program_says_of_itself(name):
    from osler.cli.reference import PAGES as MADE

    written = (ROOT / "docs" / "reference" / name).read_text("utf-8")
    assert written == MADE[name](), "run: python -m osler.cli.reference docs/reference"


def test_every_search_method_is_documented():
    from osler.search import rankers

    text = (ROOT / "docs" / "how-to" / "search.md").read_text("utf-8")
    for name, kind in rankers:
        if kind.__module__.startswith("osler."):  # another package documents its own
            assert f"`{name}`" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_in_the_docs_is_python(page):
    for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        compile(block, str(page), "exec")
