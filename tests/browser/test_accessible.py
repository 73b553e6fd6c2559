"""axe-core in every view and state, light and dark: no finding above minor."""

from __future__ import annotations

from typing import Any

import pytest

import serving
from osler import Library
from serving import VIEWS


def findings(page: Any, axe: str) -> list[tuple[str, str, list[Any]]]:
    # The frame goes out before what a view holds.
    page.wait_for_load_state("load")
    for fold in page.locator("main details").all():
        fold.evaluate("one => { one.open = true; }")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:4])
        for one in found["violations"]
        if one["impact"] != "minor"
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_above_minor(visit, axe, scheme):
    person = visit(color_scheme=scheme)
    wrong = {}
    for name, address in VIEWS.items():
        page = person.open(address)
        if found := findings(page, axe):
            wrong[name] = found
    person.open("/patients").locator(".examples button").first.click()
    person.page.wait_for_selector(".answers li, .refusal")
    wrong["patients, asked"] = findings(person.page, axe)
    person.open("/").locator("#q").fill("does budesonide treat asthma")
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector(".offers")
    wrong["home, offers"] = findings(person.page, axe)
    assert {name: found for name, found in wrong.items() if found} == {}


def test_axe_on_an_empty_library_and_on_work(browser, axe, stranger, tmp_path):
    """The first run, and a job while it goes on and after."""
    Library.create(tmp_path / "new").close()
    (tmp_path / "bad.jsonl").write_text('{"_id": "1", "title": "One", "text": "It is."}\n{no\n')
    with serving.served(tmp_path / "new") as address:
        context = browser.new_context(viewport={"width": 390, "height": 800})
        person = stranger(context.new_page(), address, "first")
        page = person.open("/")
        assert findings(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator("input[type=file]").set_input_files(tmp_path / "bad.jsonl")
        page.get_by_text("could not be read").first.wait_for()
        assert findings(page, axe) == []
        page.get_by_role("button", name="Take it out again").click()
        page.get_by_text("1 paper was taken out").wait_for()
        context.close()
        assert person.errors == []
        assert person.foreign == []
