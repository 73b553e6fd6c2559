"""A review in the browser: two reviewers and a third, three projects, 2,000 papers, and a server
that is killed in the middle."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from osler.library import Library
from osler.review.flow import flow_of
from samples import paper

SHOTS = Path(__file__).parent.parent.parent / "out" / "screenshots"
PAPERS = 2_000
NAMES = ("insomnia", "migraine", "asthma in children")
OF_TOPIC = {
    "insomnia": ("melatonin", "sleep onset", "insomnia"),
    "migraine": ("triptan", "headache days", "migraine"),
    "asthma in children": ("budesonide", "wheeze", "asthma"),
}
SETTINGS = ("adults in primary care", "older people at home", "nurses on night shifts", "students")
DESIGNS = ("A randomised trial", "A cohort study", "A survey", "A qualitative study")


def papers() -> list[Any]:
    """Titles and abstracts of ours: a tenth of each topic's papers is about its drug."""
    draw = random.Random(7)
    made = []
    for number in range(PAPERS):
        topic = NAMES[number % 3]
        drug, outcome, disease = OF_TOPIC[topic]
        about = draw.random() < 0.1
        setting, design = draw.choice(SETTINGS), draw.choice(DESIGNS)
        title = f"{design} of {drug if about else 'education'} for {disease} in {setting}"
        text = (
            f"We studied {disease} in {setting}. "
            + (f"{drug.capitalize()} was given for {draw.randint(2, 12)} weeks. " if about else "")
            + f"{outcome.capitalize()} changed by {draw.randint(1, 40)} % in {number + 20} people. "
            + draw.choice(("More work is needed.", "Costs were low.", "Few people left the study."))
        )
        made.append(
            paper(f"p{number:04}", f"{title} ({number})", text, published=f"{2000 + number % 22}")
        )
    return made


class Served:
    """``osler serve`` in a process of its own, on one port, that can be killed and begun again."""

    def __init__(self, library: Path) -> None:
        self.library = library
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "osler",
                "serve",
                str(self.library),
                "--port",
                str(self.port),
                "--no-browser",
            ],
            env=os.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.address}/api/v1/projects", timeout=5).read()
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                return
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    def get(self, path: str, **parameters: Any) -> Any:
        query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        place = f"{self.address}/api/v1/projects{urllib.parse.quote(path)}{query}"
        with urllib.request.urlopen(place, timeout=30) as answer:
            return json.load(answer)

    def post(self, path: str, **body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.address}/api/v1/projects{urllib.parse.quote(path)}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("story") / "library"
    with Library.create(place) as library:
        library.add_documents(papers())
    served = Served(place)
    served.begin()
    yield served
    served.end()


class Person:
    """Somebody with a browser, who notes what the page complains about."""

    def __init__(self, browser: Any, server: Served, name: str, **options: Any) -> None:
        options.setdefault("viewport", {"width": 1280, "height": 900})
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(20_000)
        self.page = self.context.new_page()
        self.name, self.server = name, server
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._said)

    def _said(self, message: Any) -> None:
        # While the server is down, a request that fails is what the story is about.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def open(self, path: str) -> Any:
        self.page.goto(f"{self.server.address}{path}", wait_until="load")
        return self.page

    def shot(self, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"review-{name}.png", full_page=True)


def fits(text: str) -> bool:
    return "melatonin" in text.lower()


def screen_by_key(person: Person, count: int) -> list[float]:
    """Decide on papers by keyboard as their text asks for; milliseconds until the page knew that
    each was kept."""
    page = person.page
    for _ in range(count):
        page.wait_for_selector(".paper-card:focus:not(.decided)")
        card = page.locator(".paper-card:focus")
        id = card.get_attribute("data-id")
        key = "r" if fits(card.inner_text()) else "i"
        page.keyboard.press(key)
        page.wait_for_selector(f'.paper-card.decided[data-id="{id}"]', state="attached")
    page.wait_for_selector("#screening:not([data-waiting])")
    return page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter((one) => one.name.endsWith('/decide')).map((one) => one.duration)"
    )


def adds_up(flow: dict[str, Any]) -> None:
    assert sum(flow["sources"].values()) == flow["identified"]
    assert flow["identified"] == flow["duplicates"] + flow["other"] + flow["screened"]
    assert (
        flow["screened"] == flow["screened_excluded"] + flow["screened_undecided"] + flow["sought"]
    )
    assert flow["sought"] == flow["not_retrieved"] + flow["assessed"]
    assert (
        flow["assessed"]
        == flow["assessed_excluded"] + flow["assessed_undecided"] + flow["included"]
    )


def test_two_reviewers_three_projects_two_thousand_papers(browser, server):
    ann = Person(browser, server, "Ann")
    page = ann.open("/review")
    for name in NAMES:
        page.fill("#new-name", name)
        page.locator("summary").first.click()
        page.fill("#new-question", f"What helps against {name}?")
        page.fill("#new-reasons", "wrong intervention\nwrong population\nno comparison")
        page.fill("#new-highlights", "melatonin\nsleep*" if name == "insomnia" else "trial*")
        page.fill("#new-reviewers", "2")
        page.click("form.card-form > button")
        page.wait_for_selector(f"h1:has-text('{name}')")
        disease = OF_TOPIC[name][2]
        page.fill("#query", f"title:{disease}" if name != "insomnia" else "insomnia OR migraine")
        page.click("text=Search and add")
        page.wait_for_selector("[aria-label=Searches] table")
        page = ann.open("/review")
    ann.shot("list")
    found = {name: server.get(f"/{name}")["papers"] for name in NAMES}
    assert found["insomnia"] > 1_300
    assert sum(found.values()) >= PAPERS

    # Ann reads by keyboard.
    page = ann.open("/review/insomnia/screen?by=Ann")
    page.keyboard.press("/")
    page.keyboard.type("melatonin")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=melatonin")
    screen_by_key(ann, 2)
    page = ann.open("/review/insomnia/screen?by=Ann")
    spent = screen_by_key(ann, 23)
    page.keyboard.press("u")
    page.wait_for_selector("[data-said]:has-text('24 read')")
    assert server.get("/insomnia")["reviewers"][0]["read"] == 24
    screen_by_key(ann, 1)
    page.keyboard.press("n")
    page.keyboard.type("look again")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.wait_for_selector(".paper-card.decided .verdict:has-text('Maybe')")
    page.wait_for_selector("#screening:not([data-waiting])")
    assert server.get("/insomnia")["reviewers"][0]["maybe"] == 1
    page.wait_for_selector(".progress-line:has-text('what was learned')")
    ann.shot("screen")
    print(f"a mark was kept in {sorted(spent)[len(spent) // 2]:.0f} ms (median of {len(spent)})")

    # Bob reads on a telephone, in the dark, without JavaScript, and sees nothing of Ann's words.
    bob = Person(
        browser,
        server,
        "Bob",
        java_script_enabled=False,
        color_scheme="dark",
        viewport={"width": 390, "height": 844},
    )
    page = bob.open("/review/insomnia/screen?by=Bob")
    assert "0 read" in page.locator("[data-said]").inner_text()
    before = {
        line["entry"]["document"]: line["entry"]["verdict"]
        for line in server.get("/insomnia/log")["entries"]
        if line["entry"]["type"] == "decided"
    }
    differ = 0
    for _ in range(12):
        card = page.locator(".paper-card").first
        id = card.get_attribute("data-id")
        yes = fits(card.inner_text())
        if before.get(id) == "exclude" and not differ:
            yes, differ = not yes, 1
        if not yes:
            card.locator("select[name=reason]").select_option("wrong intervention")
        card.locator("button.v-include" if yes else "button.v-exclude").click()
        page.wait_for_load_state("load")
    assert "12 read" in page.locator("[data-said]").inner_text()
    bob.shot("screen-390-dark")

    # The server is killed while Ann goes on: every decision that was acknowledged is there.
    page = ann.open("/review/insomnia/screen?by=Ann")
    screen_by_key(ann, 4)
    kept = 26 + 4
    server.kill()
    page.wait_for_selector(".paper-card:focus:not(.decided)")
    page.keyboard.press("i")
    page.wait_for_selector("[data-said]:has-text('not kept')")
    server.begin()
    line = next(one for one in server.get("/insomnia")["reviewers"] if one["reviewer"] == "Ann")
    assert line["read"] == kept
    page.keyboard.press("i")
    page.wait_for_selector(f"[data-said]:has-text('{kept + 1} read')")
    line = next(one for one in server.get("/insomnia")["reviewers"] if one["reviewer"] == "Ann")
    assert line["read"] == kept + 1

    # A third ends the conflicts; who is a side of one is not shown the other's words.
    assert server.get("/insomnia")["conflicts"]["abstract"] >= 1
    page = ann.open("/review/insomnia/conflicts?by=Ann")
    assert "You are a side" in page.inner_text("main")
    assert "Bob" not in page.locator(".papers").inner_text()
    cid = Person(browser, server, "Cid")
    page = cid.open("/review/insomnia/conflicts?by=Cid")
    cid.shot("conflicts")
    while page.locator("button.v-include").count():
        page.locator("button.v-include").first.click()
        page.wait_for_load_state("load")
    assert server.get("/insomnia")["conflicts"]["abstract"] == 0

    # Many decisions of two people in another project; the first does not move.
    held = server.get("/insomnia")
    draw = random.Random(3)
    for reviewer in ("Ann", "Bob"):
        for one in server.get("/migraine/next", reviewer=reviewer, limit=60)["papers"]:
            yes = "triptan" in one["abstract"].lower() or draw.random() < 0.1
            server.post(
                "/migraine/decisions",
                document=one["id"],
                verdict="include" if yes else "exclude",
                reviewer=reviewer,
                reason="" if yes else draw.choice(["wrong population", "no comparison"]),
            )
    for id in [one["document"] for one in server.get("/migraine/conflicts")["conflicts"]]:
        server.post(
            "/migraine/decisions", document=id, verdict="include", reviewer="Cid", resolves=True
        )
    sought = server.get("/migraine/next", reviewer="Ann", stage="full text", limit=50)["papers"]
    assert len(sought) > 3
    server.post("/migraine/not-retrieved", document=sought[0]["id"], reviewer="Ann")
    for number, one in enumerate(sought[1:]):
        for reviewer in ("Ann", "Bob"):
            server.post(
                "/migraine/decisions",
                document=one["id"],
                verdict="exclude" if number % 3 == 0 else "include",
                reviewer=reviewer,
                stage="full text",
                reason="no comparison" if number % 3 == 0 else "",
            )
    assert server.get("/insomnia") == held
    untouched = server.get("/asthma in children")
    assert untouched["reviewers"] == []
    assert untouched["flow"]["screened_undecided"] == untouched["papers"]
    for name in NAMES:
        adds_up(server.get(f"/{name}/prisma"))

    # What the page draws and lists is what the log adds up to.
    page = ann.open("/review/migraine?by=Ann")
    page.locator("details:has-text('The counts as a table') summary").click()
    told = {
        row.locator("td").nth(0).inner_text().strip(): row.locator("td").nth(1).inner_text()
        for row in page.locator("details:has-text('The counts as a table') tbody tr").all()
    }
    flow = server.get("/migraine/prisma")
    assert told["Records screened"] == f"{flow['screened']:,}"
    assert told["Studies included in review"] == str(flow["included"])
    drawn = page.inner_html("svg.prisma")
    assert f"Studies included in review (n = {flow['included']})" in drawn
    assert "kappa" in page.inner_text("main")
    ann.shot("project")
    dark = Person(browser, server, "Dark", color_scheme="dark")
    dark.open("/review/migraine?by=Ann")
    dark.shot("project-dark")
    narrow = Person(browser, server, "Narrow", viewport={"width": 390, "height": 844})
    for path, name in (
        ("/review", "list-390"),
        ("/review/migraine?by=Ann", "project-390"),
        ("/review/insomnia/screen?by=Ann", "screen-390"),
        ("/review/insomnia/conflicts?by=Cid", "conflicts-390"),
    ):
        narrow.open(path)
        assert narrow.page.evaluate("document.documentElement.scrollWidth") <= 390, path
        narrow.shot(name)

    # The files hold it all, and the library agrees when the server has gone.
    log = urllib.request.urlopen(f"{server.address}/review/migraine/export.log").read()
    assert log.count(b'"decided"') == sum(
        line["entry"]["type"] == "decided" for line in server.get("/migraine/log")["entries"]
    )
    server.end()
    with Library.open(server.library) as library:
        assert flow_of(library.projects.get("migraine")).included == flow["included"]
        assert library.verify() == []
    for person in (ann, bob, cid, dark, narrow):
        assert person.errors == []
        person.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_reviews(browser, axe, tmp_path, scheme):
    with Library.create(tmp_path / "library") as library:
        library.add_documents(papers()[:60])
        projects = library.projects
        projects.new(
            "insomnia", question="Why?", reasons=["a", "b"], highlights=["sleep*"], reviewers=2
        )
        projects.search("insomnia", "insomnia OR migraine")
        for number, id in enumerate(list(projects.get("insomnia").papers)[:12]):
            for who in ("Ann", "Bob"):
                verdict = "include" if (number + (who == "Bob") * (number == 5)) % 3 else "exclude"
                projects.decide("insomnia", id, verdict, reviewer=who)
    served = Served(tmp_path / "library")
    served.begin()
    try:
        visitor = Person(browser, served, "Axe", color_scheme=scheme)
        for path in (
            "/review",
            "/review/insomnia?by=Ann",
            "/review/insomnia/screen?by=Ann",
            "/review/insomnia/screen",
            "/review/insomnia/screen?by=Ann&stage=full+text",
            "/review/insomnia/conflicts?by=Cid",
            "/review/nothing",
        ):
            page = visitor.open(path)
            for fold in page.locator("main details").all():
                fold.evaluate("one => { one.open = true; }")
            page.evaluate(axe)
            found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            serious = [
                (path, one["id"], one["nodes"][0]["target"], one["nodes"][0]["failureSummary"])
                for one in found["violations"]
                if one["impact"] != "minor"
            ]
            assert serious == []
        visitor.context.close()
    finally:
        served.end()
