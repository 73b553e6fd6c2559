"""Each view, as a person uses it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from serving import VIEWS


def whole(page: Any, address: str | Callable[[str], bool]) -> None:
    """Wait until a press has led to this address and all of it is there: a view's frame goes out
    before what it holds, so what is counted at once may be half."""
    page.wait_for_url(address, wait_until="load")


def test_two_clicks_to_an_explained_hit(visit):
    person = visit()
    page = person.open("/papers")
    page.get_by_label("Question, words or a query").fill("budesonide asthma")
    page.get_by_role("button", name="Search").click()
    page.locator(".why summary").first.click()
    shown = page.locator(".why-body").first
    assert shown.is_visible()
    assert "Concepts that the question and the paper share" in shown.inner_text()
    assert page.locator(".why-body svg.bars").first.is_visible()
    # The evidence carries a concept in its colour, and its name on hover.
    concept = page.locator(".sentence .c-disease").first
    assert concept.get_attribute("title") == "Asthma"


def test_filters_narrow_and_widen(visit):
    page = visit().open("/papers?q=asthma")
    page.get_by_role("link", name=re.compile("Air and Health")).click()
    whole(page, "**journal=*")
    assert page.locator(".chips a").count() == 1
    for source in page.locator(".hit .source").all_inner_texts():
        assert "Air and Health" in source
    page.locator(".chips a").click()
    whole(page, lambda address: "journal" not in address)
    assert page.locator(".chips a").count() == 0


def test_a_document_from_a_hit_and_on_to_a_concept(visit):
    page = visit().open("/papers?q=budesonide+asthma")
    page.locator(".hit-title a").first.click()
    whole(page, "**/document/*")
    assert page.locator("h1").inner_text().startswith("Budesonide")
    assert page.locator(".abstract .evidence").count() == 1
    page.locator(".abstract a.c-drug").first.click()
    whole(page, "**/graph?*")
    assert page.locator(".entity-name").is_visible()
    assert page.locator("svg.tree").is_visible()


def test_marking_papers_changes_the_order(visit):
    page = visit().open("/rank?topic=telehealth+visits")
    first = page.locator(".hit-title").first.inner_text()
    assert first.startswith("Telehealth")
    for wanted, button in 2 * (
        ("Sleep and wakefulness", "Relevant"),
        ("Telehealth in", "Not relevant"),
    ):
        hit = page.locator(".hit", has_text=wanted).first
        title = hit.locator(".hit-title").inner_text()
        hit.get_by_role("button", name=button, exact=True).click()
        page.locator(".marked", has_text=title).wait_for()
    page.locator(".hit-list > li:first-child .hit-title", has_text="Sleep").wait_for()
    assert "2 relevant, 2 not" in page.locator(".filters").inner_text()
    page.get_by_role("button", name="Remove the mark of Sleep").first.click()
    page.get_by_text("1 relevant, 2 not").wait_for()


def test_marking_works_without_scripts(visit):
    page = visit(java_script_enabled=False).open("/rank?topic=melatonin+and+rest")
    page.get_by_role("button", name="Relevant", exact=True).first.click()
    assert "1 relevant, 0 not" in page.locator(".filters").inner_text()


def test_names_are_completed_from_the_graph(visit):
    page = visit().open("/facts/relevance")
    page.get_by_label("Head").press_sequentially("asth")
    page.locator("#head-list option").first.wait_for(state="attached")
    assert page.locator("#head-list option").first.get_attribute("value") == "Asthma"
    assert "treated by" in page.locator("#relation-list").inner_html()


def test_papers_stand_in_four_columns(visit):
    page = visit().open(VIEWS["grade"])
    if page.locator(".problem").count():
        assert "osler" in page.locator(".problem").inner_text()
        return
    titles = page.locator(".g-col h2").all_inner_texts()
    assert [title.split()[0] for title in titles] == ["H", "F", "M", "I"]
    assert page.locator(".g-col .hit").count() > 0


def test_answers_are_explained_from_left_to_right(visit):
    page = visit().open(VIEWS["match"])
    assert page.locator(".answer-text").count() > 1
    place = {
        node.locator("text").text_content(): node.bounding_box()["x"]
        for node in page.locator("svg.flow").first.locator(".node").all()
    }
    assert place["Migraine Disorders"] == min(place.values())
    assert len(set(place.values())) > 1


def test_own_answers_can_be_matched_in_chinese(visit):
    page = visit().open("/answers")
    page.get_by_label("Health question").fill("偏头痛吃什么药")
    page.get_by_text("Own candidate answers").click()
    page.locator("#answers").fill("多喝水\n可以服用舒马普坦")
    page.get_by_role("button", name="Find answers").click()
    first = page.locator(".answer-text").first
    assert first.inner_text() == "可以服用舒马普坦"
    assert first.get_attribute("lang") == "zh"


def test_asking_shows_where_the_answer_stands(visit):
    page = visit().open("/patients")
    page.locator(".examples button").first.click()
    page.wait_for_selector(".answers li, .refusal")
    page.wait_for_load_state("load")
    assert page.locator(".answers li, .refusal").count() > 0
    if page.locator(".answers li").count():
        assert page.get_by_role("heading", name="Where it stands").is_visible()
        assert page.locator(".heat .h").count() > 2
        assert page.locator("svg.bars").is_visible()
        assert page.locator("svg.tree").count() > 0


def test_paths_join_two_entities(visit):
    page = visit().open("/graph")
    page.get_by_label("Concept").fill("Asthma")
    page.get_by_label("Paths to").fill("COVID-19")
    page.get_by_role("button", name="Look up").click()
    whole(page, "**/graph?*to=*")
    assert page.locator("svg.flow .node").count() == 3
    assert "Cough" in page.locator(".path-list").inner_text()


def test_the_status_and_the_documentation(visit):
    page = visit().open("/library")
    assert "31" in page.locator(".figures").inner_text()
    page.get_by_role("link", name="REST interface").click()
    whole(page, "**/docs")
    assert page.locator(".operation").count() > 10


def test_a_view_works_by_keyboard_alone(visit):
    page = visit().open("/papers?q=asthma")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("statins")
    page.keyboard.press("Enter")
    page.locator("text=Statins and muscle pain").first.wait_for()
    summary = page.locator(".why summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator(".why-body").first.is_visible()


def test_the_link_to_a_view_is_copied(visit):
    page = visit(permissions=["clipboard-read", "clipboard-write"]).open("/papers?q=asthma")
    page.locator("[data-copy]").click()
    page.get_by_text("Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith("/papers?q=asthma")


def test_tags_in_titles_do_not_run(visit):
    page = visit().open("/papers?q=asthma+cough")
    page.goto(page.url.split("/papers")[0] + "/document/evil-1")
    assert "<script>" in page.locator("h1").inner_text()
    assert page.evaluate("window.broken") is None


@pytest.mark.parametrize("width", [320, 768])
@pytest.mark.parametrize("name", ["search", "document", "match", "status", "rank", "docs"])
def test_narrow_screens_scroll_down_only(visit, name, width):
    person = visit()
    person.page.set_viewport_size({"width": width, "height": 800})
    page = person.open(VIEWS[name])
    for fold in page.locator("main details").all():
        fold.evaluate("one => { one.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["search", "document", "match", "graph"])
def test_nothing_jumps_while_it_loads(visit, name):
    page = visit().open(VIEWS[name])
    shifted = page.evaluate(
        """() => new Promise(done => {
            let sum = 0;
            new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value; })
                .observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 200);
        })"""
    )
    assert shifted < 0.02
