"""The forms of /docs: filled, sent to this server alone, and answered, under the page's policy."""

from __future__ import annotations

import json


def test_an_operation_is_tried(visit):
    person = visit()
    page = person.open("/docs")
    form = page.locator("details.try", has_text="Try GET /search").first
    form.locator("summary").click()
    question = form.get_by_label("q", exact=True)
    assert question.input_value() == "does melatonin improve sleep"
    question.fill("budesonide asthma")
    form.get_by_role("button", name="Send").click()
    form.get_by_role("status").filter(has_text="200 in ").wait_for()
    answer = json.loads(form.locator("pre").inner_text())
    assert answer["hits"][0]["id"] == "asthma-1"
    assert (person.errors, person.foreign) == ([], [])


def test_a_body_is_sent_as_it_stands(visit):
    person = visit()
    page = person.open("/docs")
    form = page.locator("details.try", has_text="Try POST /stance").first
    form.locator("summary").click()
    form.get_by_role("button", name="Send").click()
    form.get_by_role("status").filter(has_text="200 in ").wait_for()
    assert json.loads(form.locator("pre").inner_text())["stance"] == "no effect found"
    form.get_by_label("Body").fill('{"claim": ""}')
    form.get_by_role("button", name="Send").click()
    form.get_by_role("status").filter(has_text="422 in ").wait_for()
    assert "E104" in form.locator("pre").inner_text()


def test_a_path_is_filled_in(visit):
    page = visit().open("/docs")
    form = page.locator("details.try", has_text="Try GET /documents/{id}").first
    form.locator("summary").click()
    form.get_by_label("id", exact=True).fill("asthma-1")
    form.get_by_label("with", exact=True).fill("mentions related")
    form.get_by_role("button", name="Send").click()
    form.get_by_role("status").filter(has_text="200 in ").wait_for()
    assert '"related"' in form.locator("pre").inner_text()
