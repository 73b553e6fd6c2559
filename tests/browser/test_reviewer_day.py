"""The reviewer's day, by mouse and by keys; and what a decision does before the server answers.

Nothing may jump, nothing may be said on the console, nothing may be asked of the outside.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

IN_HAND = ".paper-card:focus:not(.decided)"


def in_hand(page):
    """The paper that has the focus."""
    page.locator(IN_HAND).wait_for()
    return page.locator(IN_HAND).get_attribute("data-id")


def card_of(page, id):
    return page.locator(f'.paper-card[data-id="{id}"]')


def decided(person, key, verdict):
    """Decide on the paper in hand; the next one is in hand then."""
    page = person.page
    id = in_hand(page)
    if person.keys:
        page.keyboard.press(key)
    else:
        button = {"r": "Include", "i": "Exclude", "m": "Maybe"}[key]
        card_of(page, id).get_by_role("button", name=button).click()
    card_of(page, id).locator(".verdict", has_text=verdict).wait_for()
    return id


def said(page, text):
    page.locator("[data-said]", has_text=text).wait_for()


def test_a_reviewer_s_day(person):
    page, name = person.page, f"sleep by {'keys' if person.keys else 'mouse'}"
    # A project with its reasons and words, and a search.
    person.open("/review")
    person.write(page.get_by_label("Name"), name)
    person.use(page.locator("summary").first)
    reasons, words = "wrong outcome\nno comparison", "melatonin\ninsomn*"
    person.write(page.get_by_label("Reasons to exclude, one a line"), reasons)
    person.write(page.get_by_label("Words to mark"), words)
    person.write(page.get_by_label("Reviewers who must agree"), "2")
    person.use(page.get_by_role("button", name="Begin"))
    page.get_by_role("heading", name=name).wait_for()
    page.keyboard.press("/")
    page.keyboard.type("sleep OR telehealth")
    page.keyboard.press("Enter")
    page.get_by_role("group", name="Searches").wait_for()
    person.calm()
    person.write(page.get_by_label("Screen as"), "Ann")
    page.keyboard.press("Enter")
    # Own words and the terminology's are marked; a word leads to the papers that hold it.
    in_hand(page)
    person.calm()
    page.keyboard.press("/")
    page.keyboard.type("melatonin")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=melatonin")
    in_hand(page)
    assert set(page.locator(".paper-card mark").all_inner_texts()) >= {"Melatonin", "insomnia"}
    person.calm()
    # Down and up; a word each; the last one taken back.
    first = in_hand(page)
    page.keyboard.press("j")
    assert in_hand(page) != first
    page.keyboard.press("k")
    assert in_hand(page) == first
    assert decided(person, "r", "Included") == first
    said(page, "1 read")
    if person.keys:
        page.keyboard.press("u")
    else:
        page.get_by_role("button", name="Undo the last one").click()
    said(page, "0 read")
    assert in_hand(page) == first
    decided(person, "r", "Included")
    decided(person, "m", "Maybe")
    # A paper that goes, with its reason and a note.
    gone = in_hand(page)
    card = card_of(page, gone)
    person.choose(card.get_by_label("Reason"), "no comparison")
    if person.keys:
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.keyboard.type("one arm")
        page.keyboard.press("Escape")
    else:
        card.get_by_label("Note").fill("one arm")
        card.locator(".source").click()
    decided(person, "i", "Excluded")
    for _ in range(5):
        decided(person, "i", "Excluded")
    said(page, "8 read")
    person.calm()
    # A second reader differs; a third ends it, and sees the reason and the note.
    person.open(f"/review/{name}/screen?by=Bob")
    for _ in range(12):
        other = in_hand(page)
        if other == gone:
            break
        page.keyboard.press("j")
    assert decided(person, "r", "Included") == gone
    said(page, "1 read")
    person.calm()
    person.open(f"/review/{name}/conflicts?by=Cid")
    page.locator(".said", has_text="Ann: exclude, no comparison “one arm”").wait_for()
    person.use(page.get_by_role("button", name="Include"))
    page.get_by_text("No conflict at this stage").wait_for()
    person.calm()
    # The recall with its interval, the flow, the files.
    person.use(page.get_by_role("link", name="Overview"))
    page.locator(".recall .between").first.wait_for()
    page.locator(".prisma", has_text="Records screened").wait_for()
    person.calm()
    for link, file in (("PNG", "osler-prisma.png"), ("RIS", "osler-ris.ris")):
        with page.expect_download() as saved:
            person.use(page.get_by_role("link", name=link, exact=True))
        assert saved.value.suggested_filename == file


@pytest.fixture
def screening(visit, address):
    """Somebody who screens, in a project of one's own."""
    name = "marks"
    for path, body in (("", {"name": name}), (f"/{name}/searches", {"query": "sleep"})):
        request = urllib.request.Request(
            f"{address}/api/v1/projects{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            urllib.request.urlopen(request).read()
        except urllib.error.HTTPError as error:
            assert error.code == 409  # another test began it
    visitor = visit()
    visitor.open(f"/review/{name}/screen?by=Dee")
    yield visitor.page
    # What the browser itself says of a refused request is no error of the page.
    visitor.errors = [one for one in visitor.errors if "Failed to load resource" not in one]


PRESS = """key => new Promise((done) => {
  const card = document.activeElement;
  const begun = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  requestAnimationFrame(() => done({
    took: performance.now() - begun,
    decided: card.classList.contains("decided"),
    next: document.activeElement.dataset.id,
  }));
})"""


def test_a_decision_shows_before_the_server_answers(screening):
    page = screening
    held = []
    page.route("**/decide", lambda route: held.append(route))
    first = in_hand(page)
    shown = page.evaluate(PRESS, "r")
    assert shown["decided"]
    assert shown["next"] != first
    assert shown["took"] < 100
    # The second waits for its turn: the server hears of them in their order.
    page.evaluate(PRESS, "i")
    page.wait_for_timeout(200)
    assert len(held) == 1
    assert "verdict=include" in held[0].request.post_data
    held[0].continue_()
    for _ in range(50):
        if len(held) == 2:
            break
        page.wait_for_timeout(50)
    assert "verdict=exclude" in held[1].request.post_data
    held[1].continue_()
    said(page, "2 read")


@pytest.mark.parametrize(
    ("status", "why"), [(423, "somebody else writes"), (500, "could not be kept"), (0, "answer")]
)
def test_a_refused_decision_is_rolled_back_and_told(screening, status, why):
    page = screening
    first = in_hand(page)
    page.route(
        "**/decide",
        lambda route: route.fulfill(status=status, body="{}") if status else route.abort(),
    )
    page.keyboard.press("r")
    said(page, why)
    assert in_hand(page) == first
    card = card_of(page, first)
    assert why in card.locator(".verdict").inner_text()
    assert card.get_by_role("button", name="Include").is_visible()
    page.unroute("**/decide")
    page.keyboard.press("s")
    card.locator(".verdict", has_text="Skipped").wait_for()
    said(page, "read")
