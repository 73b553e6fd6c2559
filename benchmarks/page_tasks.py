"""Five tasks as a person would do them in a browser: presses and seconds of each.

    python benchmarks/page_tasks.py LIBRARY

Find a paper by its PMID; export all trials of 2021 on a drug; screen thirty papers; decide a fact;
ask about a patient. A press is a click or a key that leads somewhere; typing is not counted. The
library is copied first, and the copy served. Needs chromium and playwright.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAPERS = 30


class Hand:
    """Presses things, and counts."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address, self.presses = page, address, 0
        self.note = ""

    def begin(self) -> None:
        self.page.goto(f"{self.address}/", wait_until="load")

    def click(self, thing: Any) -> None:
        self.presses += 1
        thing.click()

    def key(self, name: str) -> None:
        self.presses += 1
        self.page.keyboard.press(name)


def find_by_pmid(hand: Hand) -> None:
    hand.page.keyboard.type("34091026")
    hand.key("Enter")
    hand.page.locator("article.paper h1").wait_for()


def export_trials(hand: Hand) -> None:
    page = hand.page
    page.keyboard.type("vitamin D")
    hand.key("Enter")
    hand.click(page.locator("a.offer", has_text="Look for papers"))
    hand.click(page.locator(".filters a", has_text="2021").first)
    page.locator(".chips li").first.wait_for()
    hand.click(page.locator(".filters a", has_text="trial").first)
    page.locator(".chips li").nth(1).wait_for()
    with page.expect_download() as saved:
        hand.click(page.locator(".tools a", has_text="CSV"))
    hand.note = f"{len(Path(saved.value.path()).read_text('utf-8').splitlines()) - 1} rows"


def screen_papers(hand: Hand) -> None:
    page = hand.page
    hand.click(page.get_by_role("link", name="Review").first)
    page.locator("#new-name").fill("thirty")
    hand.click(page.get_by_role("button", name="Begin"))
    page.locator("#query").fill("telehealth OR telemedicine OR sleep")
    hand.click(page.get_by_role("button", name="Search and add"))
    page.locator("#by").first.fill("Lee")
    hand.click(page.get_by_role("button", name="Screen"))
    for number in range(PAPERS):
        page.locator(".paper-card:focus:not(.decided)").wait_for()
        hand.key("i" if number % 3 else "r")
    page.locator("[data-said]", has_text=f"{PAPERS} read").wait_for()
    hand.note = page.locator("[data-said]").inner_text().split(",")[0]


def decide_a_fact(hand: Hand) -> None:
    page = hand.page
    page.keyboard.type("does vitamin D prevent COVID-19?")
    hand.key("Enter")
    page.locator(".offers a").first.wait_for()
    hand.key("Enter")
    page.locator("#by").fill("Lee")
    hand.click(page.get_by_role("button", name="Accept").first)
    page.locator(".decide-fact [role=status]", has_text="kept").first.wait_for()


def ask_about_a_patient(hand: Hand) -> None:
    page = hand.page
    hand.click(page.get_by_role("link", name="Patients").first)
    page.locator("#q").fill("Which medications is patient P20001 taking?")
    hand.key("Enter")
    page.locator(".answers li, .refusal").first.wait_for()


TASKS: dict[str, Callable[[Hand], None]] = {
    "find a paper by its PMID": find_by_pmid,
    "export all 2021 trials on a drug": export_trials,
    "screen 30 papers": screen_papers,
    "decide a fact": decide_a_fact,
    "ask about a patient": ask_about_a_patient,
}


def done(program: str, address: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, task in TASKS.items():
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            page.set_default_timeout(30_000)
            hand = Hand(page, address)
            begun = time.monotonic()
            hand.begin()
            task(hand)
            spent = time.monotonic() - begun
            print(f"{name:34} {hand.presses:3} presses {spent:6.1f} s  {hand.note}", flush=True)
            context.close()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--chromium", help="the browser's program")
    options = parser.parse_args()
    program = options.chromium or shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise SystemExit("no chromium is installed: apt-get install -y chromium")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        shutil.copytree(options.library, copy)
        command = [sys.executable, "-m", "osler.cli.main", "serve", str(copy), "--port", "0"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            place = re.search(r"http://[\d.]+:\d+", line)
            if place is None:
                raise SystemExit(f"the server did not start: {line}")
            done(program, place.group())
        finally:
            server.terminate()
            server.wait(15)


if __name__ == "__main__":
    main()
