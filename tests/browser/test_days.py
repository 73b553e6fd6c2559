"""Working days: a librarian's, a curator's, a clinician's, each by mouse on a wide light screen and
by keyboard alone on a narrow dark one. (The reviewer's day is in ``test_reviewer_day.py``.)

Nothing may jump, nothing may be said on the console, nothing may be asked of the outside.
"""

from __future__ import annotations


def test_a_librarian_s_day(person):
    page = person.page
    # A paper by its PMID: one field, one key.
    person.open("/")
    person.write(page.locator("#q"), "901")
    page.keyboard.press("Enter")
    page.locator("h1", has_text="Budesonide and albuterol").wait_for()
    person.calm()
    # Two queries, put together; one paper put aside.
    for words in ("asthma", "title:sleep"):
        person.open("/papers")
        person.write(page.locator("#q"), words)
        page.keyboard.press("Enter")
        page.locator(".hit-list > li").first.wait_for()
        person.calm()
    person.use(page.get_by_role("button", name="Put aside").first)
    page.get_by_role("button", name="In the basket").first.wait_for()
    page.locator("[data-basket]", has_text="1").wait_for()
    person.use(page.get_by_role("link", name="Queries (2)"))
    person.write(page.get_by_label("Combine queries"), "#1 OR #2")
    page.keyboard.press("Enter")
    page.locator(".hit-list > li").first.wait_for()
    assert page.locator("#q").input_value() == "(asthma) OR (title:sleep)"
    person.calm()
    # The basket leaves as a file.
    person.use(page.get_by_role("link", name="Basket (1)"))
    with page.expect_download() as saved:
        person.use(page.get_by_role("link", name="RIS"))
    assert saved.value.suggested_filename == "osler-basket.ris"
    # A query is built from a line and a heading.
    person.open("/papers/builder?tree=Asthma")
    person.write(page.get_by_label("Words").first, "budesonide")
    person.use(page.get_by_role("button", name="Put together"))
    person.use(page.get_by_role("link", name="Show them"))
    page.locator(".hit-title", has_text="Budesonide").first.wait_for()
    person.calm()


def test_a_curator_s_day(person):
    page = person.page
    person.open("/")
    person.write(page.locator("#q"), "does budesonide treat asthma?")
    page.keyboard.press("Enter")
    person.use(page.locator(".offers a").first)
    column = page.get_by_role("region", name="Supports it")
    column.locator(".hit").first.wait_for()
    person.calm()
    accept = column.get_by_role("button", name="Accept").first
    person.use(accept)
    page.get_by_text("Say who decides first.").wait_for()
    person.write(page.locator("#by"), "Lee")
    person.use(accept)
    column.locator("button[value=accept][aria-pressed=true]").first.wait_for()
    person.use(column.get_by_role("button", name="Undo").first)
    column.locator("button[value=accept][aria-pressed=false]").first.wait_for()
    person.use(accept)
    with page.expect_response(lambda one: "said=unsure" in (one.request.post_data or "")) as kept:
        person.use(column.get_by_role("button", name="Unsure").first)
    assert kept.value.ok
    person.open("/facts/decided")
    page.get_by_role("heading", name="Unsure").wait_for()
    page.locator(".decided-facts", has_text="Budesonide treated asthma").wait_for()
    with page.expect_download() as saved:
        person.use(page.get_by_role("link", name="Nanopublications"))
    assert saved.value.suggested_filename == "osler-facts.trig"
    person.use(page.get_by_role("button", name="Take it back"))
    page.get_by_text("None yet").wait_for()
    # The graph grows where it stands, and the address with it.
    person.open("/graph?entity=Asthma")
    person.use(page.locator("a.act[aria-label='Open Cough here']"))
    page.locator("a.act[aria-label='Close Cough']").wait_for()
    assert "open=" in page.url
    person.calm()


def test_a_clinician_s_day(person):
    page = person.page
    person.open("/patients")
    person.use(page.locator(".examples button").first)
    page.locator(".answers li, .refusal").first.wait_for()
    person.calm()
    person.open("/answers")
    person.write(page.get_by_label("Health question"), "What helps against migraine disorders?")
    page.keyboard.press("Enter")
    page.locator(".answer-text").first.wait_for()
    person.calm()
    # One page of evidence, ready to print.
    person.open("/papers?q=does+budesonide+treat+asthma")
    person.use(page.get_by_role("link", name="One page of evidence"))
    page.locator(".brief-question").wait_for()
    person.calm()
