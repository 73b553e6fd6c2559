"""Documentation cannot drift: what exists is documented, links lead somewhere."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="session")
def reference(tmp_path_factory):
    """The reference as the program writes it, by a process of its own: it leaves out what other
    packages bring."""
    folder = tmp_path_factory.mktemp("reference")
    subprocess.run([sys.executable, "-m", "osler.cli.reference", str(folder)], check=True)
    return folder


@pytest.mark.parametrize("name", ["commands.md", "settings.md", "errors.md", "rest.md"])
def test_the_reference_is_what_the_program_says_of_itself(name, reference):
    written = (ROOT / "docs" / "reference" / name).read_text("utf-8")
    made = (reference / name).read_text("utf-8")
    assert written == made, "run: python -m osler.cli.reference docs/reference"


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


DOORS = {
    "osler": "the library and the nouns",
    "osler.search": "`search`: rankers and encoders",
    "osler.rank": "`rank` and screening",
    "osler.grade": "`grade`",
    "osler.match": "`match`",
    "osler.ask": "`ask`",
    "osler.graph": "graphs, linking, paths, embeddings",
    "osler.evaluate": "measures and comparisons",
    "osler.recipes": "recipes",
    "osler.bulk": "work on a cluster",
    "osler.replica": "libraries that are only searched",
    "osler.brief": "`brief`",
    "osler.errors": "the tree of errors",
    "osler.plugins": "what plug-ins are made of",
}
"""The public doors. What is imported in the documentation comes through one of them."""


def imported(page: Path) -> list[tuple[str, str]]:
    """Every (module, name) of Osler's that the Python on a page imports."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    blocks += re.findall(r"(?m)^((?: {4}(?:from|import) .*\n)+)", text)
    found = []
    for block in blocks:
        for node in ast.walk(ast.parse(textwrap.dedent(block))):
            if isinstance(node, ast.Import):
                found += [(alias.name, "") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [(node.module or "", alias.name) for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] == "osler"]


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda p: str(p.relative_to(ROOT))
)
def test_the_docs_import_only_from_public_doors(page):
    for module, name in imported(page):
        assert module in DOORS, f"{module} is no public door: {', '.join(DOORS)}"
        assert not name or hasattr(import_module(module), name), f"{module} has no {name}"


@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens_on_all_that_it_names(door):
    module = import_module(door)
    names = getattr(module, "__all__", [])
    assert list(names) == sorted(set(names), key=names.index)
    for name in names:
        assert getattr(module, name) is not None
