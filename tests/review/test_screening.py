"""What is read next, how much is told to be found, and what is drawn."""

from __future__ import annotations

import re

import pytest

from osler.rank.desk.recall import found_so_far
from osler.rank.desk.screener import Screener
from osler.rank.screening import stopping_p
from osler.review.estimate_svg import estimate_svg
from osler.review.flow import Flow
from osler.review.flow_drawing import WIDE, flow_png, flow_svg, laid_out
from osler.verbs.screening import BY_FINDING, BY_MARKS, ScreeningMoment, over_time, teach
from samples import paper

DRUGS = ("melatonin", "education", "light")
PAPERS = [
    paper(f"p{n:02}", f"Sleep and {DRUGS[n % 3]}, study {n}", f"{DRUGS[n % 3]} was studied. " * 2)
    for n in range(30)
]


@pytest.fixture
def projects(make_library):
    made = make_library(PAPERS).projects
    made.new("p")
    made.search("p", "sleep")
    return made


def screen(projects, ids, reviewer="ann"):
    for id in ids:
        verdict = "include" if int(id[1:]) % 3 == 0 else "exclude"
        projects.decide("p", id, verdict, reviewer=reviewer)


def test_the_order_is_the_screeners_over_the_own_decisions(projects):
    papers = list(projects.get("p").papers)
    assert [one.id for one in projects.next("p", reviewer="ann", k=40).papers] == papers
    assert projects.next("p", reviewer="ann").order == BY_FINDING
    screen(projects, ["p00", "p03", "p01", "p02"])
    now = projects.next("p", reviewer="ann", k=40)
    assert now.order == BY_MARKS
    assert (now.read, now.left) == (4, 26)
    by_id = {one.id: f"{one.title} {one.abstract}" for one in PAPERS}
    expected = Screener([by_id[id] for id in papers])
    places = [papers.index(id) for id in ("p00", "p03", "p01", "p02")]
    expected.mark(dict(zip(places, [True, True, False, False], strict=True)))
    assert [one.id for one in now.papers] == [papers[row] for row in expected.order()]
    assert all(int(one.id[1:]) % 3 == 0 for one in now.papers[:8])
    assert "melatonin" in now.papers[0].carried
    # Bob is not moved by Ann, nor another project by this one.
    assert [one.id for one in projects.next("p", reviewer="bob", k=40).papers] == papers
    projects.new("q")
    projects.search("q", "sleep")
    assert projects.next("q", reviewer="ann").order == BY_FINDING


def test_a_changed_and_a_taken_back_word_are_learned(projects):
    screen(projects, ["p00", "p03", "p01", "p02"])
    first = [one.id for one in projects.next("p", reviewer="ann", k=40).papers]
    projects.decide("p", "p04", "include", reviewer="ann")
    projects.decide("p", "p01", "include", reviewer="ann")
    moved = [one.id for one in projects.next("p", reviewer="ann", k=40).papers]
    assert [id for id in first if id != "p04"] != moved
    projects.undo("p", reviewer="ann")
    projects.undo("p", reviewer="ann")
    assert [one.id for one in projects.next("p", reviewer="ann", k=40).papers] == first


def test_put_off_papers_teach_nothing_and_are_not_counted(projects):
    screen(projects, ["p00", "p01", "p03", "p02"])
    before = projects.next("p", reviewer="ann", k=40)
    assert before.estimate is not None
    last = [one.id for one in before.papers][-1]
    projects.decide("p", last, "maybe", reviewer="ann")
    now = projects.next("p", reviewer="ann", k=40)
    assert last not in [one.id for one in now.papers]
    assert (now.read, now.left) == (5, 25)
    marks = [True, False, True, False]
    expected = found_so_far(marks, 29)
    assert now.estimate is not None
    assert (now.estimate.read, now.estimate.total, now.estimate.found) == (4, 29, 2)
    assert (now.estimate.low, now.estimate.high) == (expected.low, expected.high)
    assert now.estimate.words == expected.words
    assert now.estimate.p == stopping_p(marks, 29, target=0.95)
    assert now.estimate.stop is (now.estimate.p < 0.05)


def test_words_leave_only_papers_that_hold_them(projects):
    held = projects.next("p", reviewer="ann", k=40, words="Light study").papers
    assert [int(one.id[1:]) % 3 for one in held] == [2] * 10
    assert projects.next("p", reviewer="ann", words="light melatonin").papers == []


def test_nothing_is_said_before_both_kinds(projects):
    screen(projects, ["p00", "p03"])
    assert projects.next("p", reviewer="ann").estimate is None
    assert over_time(projects.get("p"), "ann") == []


def test_few_relevant_papers_never_let_a_reviewer_stop(projects):
    """Nine relevant papers of thirty, first of all: the test alone would let go one paper before
    the end, with one of 21 unread."""
    papers = sorted(projects.get("p").papers, key=lambda id: int(id[1:]) % 3 != 0)
    screen(projects, papers[:9])
    projects.decide("p", papers[9], "exclude", reviewer="ann")
    screen(projects, papers[10:-1])
    now = projects.next("p", reviewer="ann").estimate
    assert now.found == 9
    assert now.p == pytest.approx(1 / 21)
    assert now.words.endswith("With fewer than 20 relevant papers, read everything.")
    assert not now.stop
    screen(projects, papers[-1:])
    assert projects.next("p", reviewer="ann").estimate.stop


def test_the_estimate_over_time_is_what_was_said_then(projects):
    order = ["p00", "p01", "p03", "p02", "p06"]
    screen(projects, order)
    moments = over_time(projects.get("p"), "ann")
    assert [one.read for one in moments] == [1, 2, 3, 4, 5]
    marks = [int(id[1:]) % 3 == 0 for id in order]
    for one in moments:
        then = found_so_far(marks[: one.read], 30)
        assert (one.found, one.low, one.high) == (then.found, then.low, then.high)


def test_a_screener_is_brought_to_any_marks():
    screener = Screener([f"{one.title} {one.abstract}" for one in PAPERS])
    for marks in ({0: True, 1: False}, {0: True, 2: False, 3: True}, {0: False, 3: True}, {}):
        teach(screener, marks)
        assert dict(zip(screener.rows, screener.relevant, strict=True)) == marks


# -- pictures ----------------------------------------------------------------------------------


def flow(**more):
    given = {
        "sources": {"PubMed": 70, "Embase & <others>": 40},
        "identified": 110,
        "duplicates": 7,
        "other": 3,
        "screened": 100,
        "screened_excluded": 60,
        "screened_undecided": 10,
        "screened_reasons": {},
        "sought": 30,
        "not_retrieved": 1,
        "assessed": 29,
        "assessed_excluded": 9,
        "assessed_undecided": 0,
        "assessed_reasons": {"wrong population of people who were not asked for": 5, "other": 4},
        "included": 20,
    }
    return Flow(**{**given, **more})


def test_every_count_is_drawn():
    text = flow_svg(flow(), title="A & B")
    assert text.startswith("<svg")
    for told in (
        "Records identified (n = 110)",
        "PubMed (n = 70)",
        "Embase &amp; &lt;others&gt; (n = 40)",
        "Duplicates (n = 7)",
        "Removed for other reasons (n = 3)",
        "Records screened (n = 100)",
        "Records excluded (n = 60)",
        "Not yet decided on (n = 10)",
        "Reports sought for retrieval (n = 30)",
        "Reports not retrieved (n = 1)",
        "Reports assessed for eligibility (n = 29)",
        "Reports excluded (n = 9)",
        "other (n = 4)",
        "Studies included in review (n = 20)",
        "<title>A &amp; B</title>",
    ):
        assert told in text, told
    assert "Not yet decided on" not in flow_svg(flow(screened_undecided=0), title="")
    assert "other reasons" not in flow_svg(flow(other=0), title="")
    assert flow_png(flow(), title="A & B")[:8] == b"\x89PNG\r\n\x1a\n"


def test_boxes_do_not_touch_and_hold_their_text():
    drawing = laid_out(flow())
    for above, below in zip(drawing.rows, drawing.rows[1:], strict=False):
        assert max(box.top + box.height for box in above) + 20 < min(box.top for box in below)
    assert drawing.height > max(box.top + box.height for box in drawing.rows[-1])
    for part, begun, end in drawing.bands:
        assert end - begun >= 7 * len(part)
    assert {box.left for row in drawing.rows for box in row} == {44, 44 + WIDE + 60}
    assert all(len(line) <= 44 for row in drawing.rows for box in row for line in box.lines)


def test_the_estimate_is_drawn_with_a_middle_only_where_it_tells_something():
    early = ScreeningMoment(read=10, found=2, low=0.1, estimate=0.5, high=0.9)
    later = ScreeningMoment(read=50, found=8, low=0.7, estimate=0.8, high=0.95)
    text = estimate_svg([early, later], 100, about="found by Ann & Bob")
    assert "found by Ann &amp; Bob: after 50 of 100 papers 70% to 95%" in text
    (middle,) = re.findall(r'class="middle" points="([^"]*)"', text)
    assert len(middle.split()) == 1
    (band,) = re.findall(r'class="between" points="([^"]*)"', text)
    assert len(band.split()) == 4
    # Half of the papers stand in the middle of the width, and a share of 1 at the top.
    x, y = map(float, middle.split(","))
    assert x == pytest.approx(48 + (560 - 48 - 14) / 2)
    assert y == pytest.approx(12 + (240 - 12 - 40) * 0.2)
    assert estimate_svg([], 100, about="") == ""
    # The width at which an estimate begins to tell something does.
    edge = estimate_svg(
        [ScreeningMoment(read=9, found=2, low=0.5, estimate=0.7, high=0.9)], 10, about=""
    )
    assert re.findall(r'class="middle" points="([^"]*)"', edge) != [""]
