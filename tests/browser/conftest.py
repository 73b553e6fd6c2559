"""A real browser on a real server: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import serving
from persons import Person

ROOT = Path(__file__).parent.parent.parent
SHOTS = ROOT / "out" / "screenshots"
AXE = ROOT / ".stamps" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
INSTALL = "no chromium is installed: apt-get install -y chromium"


def chromium() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = chromium()
    if program is None:
        pytest.skip(INSTALL)
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core's source, where it was installed for development."""
    file = Path(os.environ.get("OSLER_AXE", AXE))
    if not file.is_file():
        pytest.skip("axe-core is not installed: make axe")
    return file.read_text("utf-8")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    library = serving.build(tmp_path_factory.mktemp("browser"))
    with serving.served(library) as found:
        yield found


class Visitor:
    """A person with a browser: opens views, and notes every error and every request."""

    def __init__(self, page: Any, address: str, name: str) -> None:
        self.page = page
        self.address = address
        self.name = name
        self.errors: list[str] = []
        self.foreign: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._asked)

    def _said(self, message: Any) -> None:
        # A view whose status says that something is missing is no error of the page.
        if message.type == "error" and "server responded with a status of 4" not in message.text:
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.foreign.append(request.url)

    def open(self, path: str) -> Any:
        self.page.goto(f"{self.address}{path}", wait_until="load")
        return self.page

    def shot(self) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{self.name}.png", full_page=True)


@pytest.fixture
def stranger() -> type[Visitor]:
    """A visitor for a server of one's own."""
    return Visitor


@pytest.fixture
def visit(
    browser: Any, address: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; at the end of the test each leaves a picture, and had no error."""
    made: list[tuple[Any, Visitor]] = []
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.removeprefix("test_").lower()).strip("-")

    def visitor(**options: Any) -> Visitor:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        context.set_default_timeout(15_000)
        one = Visitor(context.new_page(), address, f"{name}-{len(made)}" if made else name)
        made.append((context, one))
        return one

    yield visitor
    for context, one in made:
        one.shot()
        context.close()
    for _, one in made:
        assert one.errors == []
        assert one.foreign == []


@pytest.fixture(params=["mouse", "keys"])
def person(request: pytest.FixtureRequest, visit: Callable[..., Visitor]) -> Person:
    """By mouse on a wide light screen, then by keys alone on a narrow dark one."""
    keys = request.param == "keys"
    return Person(visit(color_scheme="dark" if keys else "light"), keys)
