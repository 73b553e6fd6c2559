"""Makes the pictures of the documentation again, from a library: ``make screenshots``.

python tests/browser/screenshots.py LIBRARY FOLDER

The Rank view is shown with a few marks: they are given on a copy of the library.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from conftest import INSTALL, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHOTS = {
    "search": ("/papers?q=does+vitamin+D+protect+against+COVID-19", ".why summary", "light"),
    "document": ("/document/34091026?q=vitamin+D+and+COVID-19", "", "light"),
    "rank": ("/rank?topic=telehealth+in+primary+care", "", "light"),
    "grade": ("/facts/relevance?head=COVID-19&relation=has+symptom&tail=Cough", "", "light"),
    "match": ("/answers?q=What+helps+against+migraine", "", "light"),
    "match-zh": ("/answers?q=偏头痛吃什么药", "", "light"),
    "ask": ("/patients?q=Which+medications+is+patient+P20001+taking%3F", "", "light"),
    "graph": ("/graph?entity=Asthma", "", "light"),
    "status": ("/library", "", "light"),
    "dark": ("/document/34091026?q=vitamin+D+and+COVID-19", "", "dark"),
}
"""Name: address, what is clicked first, colour scheme."""


BRIEF = "does calcifediol reduce mortality in COVID-19?"
"""The question of the README's picture."""


def mark(page: Page) -> None:
    """Two papers that fit, two that do not."""
    for number, name in enumerate(("Relevant", "Relevant", "Not relevant", "Not relevant"), 1):
        page.get_by_role("button", name=name, exact=True).first.click()
        page.locator(f".marked li >> nth={number - 1}").wait_for()
    page.locator(".hit.going").wait_for(state="detached")


def main(library: Path, folder: Path) -> None:
    """Serve a copy and take the pictures."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / library.resolve().name
        shutil.copytree(library, copy)
        shoot(copy, folder)


def shoot_brief(library: Path, browser: Browser, picture: Path) -> None:
    """A brief as it prints, down to where the papers that take a side end."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "brief.html"
        subprocess.run(
            [sys.executable, "-m", "osler.cli.main", "brief", library.name, BRIEF, "--out", file],
            cwd=library.parent,
            check=True,
        )
        page = browser.new_page(viewport={"width": 860, "height": 640}, color_scheme="light")
        page.goto(file.as_uri())
        page.screenshot(path=picture)
        page.close()
    print(picture)


def shoot(library: Path, folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    program = chromium()
    if program is None:
        raise SystemExit(INSTALL)
    folder.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "osler.cli.main", "serve", library.name, "--port", "0"],
        # Beside it, so that no picture shows where somebody's folders are.
        cwd=library.parent,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(r"http://[\d.]+:\d+", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for name, (address, clicked, scheme) in SHOTS.items():
                page = browser.new_page(
                    viewport={"width": 1200, "height": 800},
                    color_scheme=scheme,  # type: ignore[arg-type]
                )
                page.set_default_timeout(120_000)
                page.goto(found.group() + address, wait_until="load")
                if name == "rank":
                    mark(page)
                if clicked:
                    page.locator(clicked).first.click()
                page.screenshot(path=folder / f"{name}.png")
                page.close()
                print(folder / f"{name}.png")
            shoot_brief(library, browser, folder / "brief.png")
            browser.close()
    finally:
        server.terminate()
        server.wait(15)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
