"""How soon each view of the page shows something, and whether anything jumps, in a real browser.

    python benchmarks/page_paint.py LIBRARY [--visits 5] [--starts 3]

For every view: first contentful paint from the moment of asking, in milliseconds, on the first
visit to a server that has just started (cold: new browser context, nothing loaded yet; the median
over several starts of the server) and as the median of later visits (warm); the server's part of it
(first byte, warm); when the whole view has arrived; and the sum of all layout shifts over the visit
(0 is none; what a click moves does not count). The bar is 200 ms to first content and no jump. At
last papers are put aside, and others decided on in a review, and the time from the press to the
page that shows it is told: the bar is 100 ms. A page that needs nothing of the library stands
first: what it takes is the browser's and the machine's, and on a machine that is busy with other
work it is what the others are to be compared with. The library is copied first: marks are kept in
the copy. Needs chromium and playwright.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

VIEWS = {
    "nothing (404)": "/nothing-is-here",
    "home": "/",
    "papers, empty": "/papers",
    "papers": "/papers?q=does+vitamin+D+protect+against+COVID-19",
    "papers, words": "/papers?q=telehealth&method=words",
    "document": "/document/34091026?q=vitamin+D+and+COVID-19",
    "rank, empty": "/rank",
    "rank": "/rank?topic=telehealth+in+primary+care",
    "facts, empty": "/facts",
    "facts": "/facts?head=vitamin+D&relation=prevents&tail=COVID-19",
    "facts, relevance": "/facts/relevance?head=COVID-19&relation=has+symptom&tail=Cough",
    "brief": "/brief?question=does+exercise+reduce+depression",
    "builder": "/papers/builder?o=AND&f=tiab&t=metformin&tree=Asthma",
    "answers, empty": "/answers",
    "answers": "/answers?q=What+helps+against+migraine",
    "answers, Chinese": "/answers?q=偏头痛吃什么药",
    "patients, empty": "/patients",
    "patients": "/patients?q=Which+medications+is+patient+P20001+taking%3F",
    "graph, empty": "/graph",
    "graph": "/graph?entity=Asthma",
    "paths": "/graph?entity=Asthma&to=Cough",
    "library": "/library",
    "saved": "/saved",
    "review": "/review",
    "project": "/review/paint",
    "screening": "/review/paint/screen?by=Ann",
    "REST": "/docs",
}
BAR = 200.0
MARK = 100.0
"""Milliseconds from a press to the page that shows it."""
QUIET = 100.0
"""What the page that needs nothing takes at most on a machine that is at rest: beyond it, the
machine's own delay is added to the bar, and said."""

WATCH = """
window.__shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.__shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
READ = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
  first: performance.getEntriesByType("navigation")[0].responseStart,
  whole: performance.getEntriesByType("navigation")[0].loadEventEnd,
  shifts: window.__shifts,
})"""


Visit = dict[str, float]
"""What the browser says of one visit, by the names in READ."""


def visit(browser: Any, address: str, width: int) -> Visit:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    # A paint is told a frame later, a shift with the next frame.
    seen: Visit = {"paint": -1.0}
    for _ in range(20):
        page.wait_for_timeout(100)
        seen = page.evaluate(READ)
        if seen["paint"] >= 0:
            break
    context.close()
    return seen


PRESS = """() => new Promise((done) => {
  const button = document.querySelector("form.keep button");
  const begun = performance.now();
  new MutationObserver(() => requestAnimationFrame(() => done(performance.now() - begun)))
    .observe(button, { subtree: true, childList: true, characterData: true, attributes: true });
  button.click();
})"""


DECIDE = """() => new Promise((done) => {
  const card = document.querySelector(".paper-card:focus");
  const begun = performance.now();
  new MutationObserver(() => requestAnimationFrame(() => done({
    took: performance.now() - begun,
    went: document.activeElement !== card && document.activeElement.matches(".paper-card"),
  }))).observe(card, { attributes: true, attributeFilter: ["class"] });
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "i" }));
})"""


def posted(address: str, path: str, **body: Any) -> None:
    request = urllib.request.Request(
        f"{address}/api/v1/projects{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=60).read()


def screening(browser: Any, address: str, visits: int) -> tuple[float, float, float]:
    """How long a decision in a review takes to show, by key: the median and the longest; and how
    long the server took to keep one behind it. The next paper has the focus each time."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/review/paint/screen?by=Ann", wait_until="load")
    took = []
    for _ in range(2 * visits):
        page.wait_for_selector(".paper-card:focus:not(.decided)")
        shown = page.evaluate(DECIDE)
        if not shown["went"]:
            raise SystemExit("the next paper did not take the focus")
        took.append(float(shown["took"]))
        page.wait_for_timeout(300)
    page.wait_for_selector(f"[data-said]:has-text('{2 * visits} read')")
    kept = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter((one) => one.name.endsWith('/decide')).map((one) => one.duration)"
    )
    context.close()
    return statistics.median(took), max(took), statistics.median(kept)


def marking(browser: Any, address: str, visits: int) -> float:
    """How long the page takes to show that a paper was put aside: the median of some presses."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/papers?q=telehealth&method=words", wait_until="load")
    took = []
    for _ in range(visits):
        took.append(float(page.evaluate(PRESS)))
        page.wait_for_timeout(300)
    context.close()
    return statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--visits", type=int, default=5, help="warm visits a view")
    parser.add_argument("--starts", type=int, default=3, help="starts of the server, for cold")
    parser.add_argument("--width", type=int, default=1280, help="of the window")
    parser.add_argument("--chromium", help="the browser's program")
    options = parser.parse_args()
    program = options.chromium or shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise SystemExit("no chromium is installed: apt-get install -y chromium")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        shutil.copytree(options.library, copy)
        measured(copy, program, options)


@contextmanager
def served(library: Path) -> Iterator[str]:
    """The address of a server that has just started over the library."""
    command = [sys.executable, "-m", "osler.cli.main", "serve", str(library), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        address = re.search(r"http://[\d.]+:\d+", line)
        if address is None:
            raise SystemExit(f"the server did not start: {line}")
        yield address.group()
    finally:
        server.terminate()
        server.wait(15)


def begun(browser: Any, address: str, width: int) -> None:
    """What a browser itself needs to begin is not the page's."""
    visit(browser, f"{address}/nothing-is-here", width)


def measured(library: Path, program: str, options: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        cold: dict[str, list[Visit]] = {name: [] for name in VIEWS}
        for number in range(options.starts):
            with served(library) as address:
                begun(browser, address, options.width)
                if not number:
                    posted(address, "", name="paint", question="telehealth in primary care")
                    posted(address, "/paint/searches", query="telehealth OR telemedicine")
                for name, path in VIEWS.items():
                    cold[name].append(visit(browser, address + path, options.width))
        with served(library) as address:
            begun(browser, address, options.width)
            over = table(browser, address, cold, options)
            took = marking(browser, address, options.visits)
            print(f"put aside: {took:.0f} ms to the changed button (bar {MARK:.0f})")
            over += ["put aside"] if took > MARK else []
            took, longest, kept = screening(browser, address, options.visits)
            print(
                f"a screening mark: {took:.0f} ms to the changed page, the longest {longest:.0f} "
                f"(bar {MARK:.0f}); on disk after {kept:.0f}"
            )
            over += ["a screening mark"] if longest > MARK else []
        browser.close()
    print("over the bar: " + (", ".join(over) if over else "none"))


def table(
    browser: Any, address: str, cold: dict[str, list[Visit]], options: argparse.Namespace
) -> list[str]:
    """Prints a row a view; gives the names of the views that are over the bar."""
    print(
        f"{'ms':16} {'paint, cold':>12} {'warm':>6} {'first byte':>11} {'whole, cold':>12} "
        f"{'warm':>6} {'jumps':>7}"
    )
    over, bar = [], BAR
    for number, (name, path) in enumerate(VIEWS.items()):
        visit(browser, address + path, options.width)
        warm = [visit(browser, address + path, options.width) for _ in range(options.visits)]
        first_paint = _median(cold[name], "paint")
        paint = _median(warm, "paint")
        jumps = max(one["shifts"] for one in (*cold[name], *warm))
        print(
            f"{name:16} {first_paint:12.0f} {paint:6.0f} {_median(warm, 'first'):11.0f} "
            f"{_median(cold[name], 'whole'):12.0f} {_median(warm, 'whole'):6.0f} {jumps:7.3f}",
            flush=True,
        )
        if not number:
            bar += max(0.0, min(first_paint, paint) - QUIET)
        elif max(first_paint, paint) > bar or jumps > 0:
            over.append(name)
    if bar > BAR:
        print(f"the machine is busy: the bar is taken at {bar:.0f} ms")
    return over


def _median(visits: list[Visit], name: str) -> float:
    return statistics.median(one[name] for one in visits)


if __name__ == "__main__":
    main()
