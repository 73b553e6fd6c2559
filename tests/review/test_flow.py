"""The PRISMA flow adds up, and projects stay apart, under any history of what people do."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from osler.errors import InputError, OslerError
from osler.library import Library
from osler.review.entries import (
    STAGES,
    VERDICTS,
    Began,
    Decided,
    Grouped,
    NotRetrieved,
    Searched,
    TakenBack,
)
from osler.review.flow import flow_lines, flow_of
from osler.review.project import folded
from samples import paper

IDS = [f"p{n}" for n in range(8)]
WHO = ["ann", "bob", "cid"]
decided = st.builds(
    Decided,
    document=st.sampled_from(IDS),
    verdict=st.sampled_from(VERDICTS),
    reviewer=st.sampled_from(WHO),
    stage=st.sampled_from(STAGES),
    reason=st.sampled_from(["", "animals", "no control"]),
    resolves=st.booleans(),
)
searched = st.builds(
    Searched,
    query=st.just("q"),
    source=st.sampled_from(["PubMed", "Embase", ""]),
    identified=st.integers(0, 12),
    documents=st.lists(st.sampled_from(IDS), max_size=8).map(tuple),
)
grouped = st.builds(
    Grouped,
    documents=st.lists(st.sampled_from(IDS), min_size=2, max_size=4, unique=True).map(tuple),
)
missing = st.builds(NotRetrieved, document=st.sampled_from(IDS), reviewer=st.just("ann"))
back = st.builds(TakenBack, seq=st.integers(1, 40), reviewer=st.just("ann"))
histories = st.lists(st.one_of(decided, decided, decided, searched, grouped, missing, back))


def adds_up(flow):
    assert sum(flow.sources.values()) == flow.identified
    assert flow.identified == flow.duplicates + flow.other + flow.screened
    assert flow.screened == flow.screened_excluded + flow.screened_undecided + flow.sought
    assert flow.sought == flow.not_retrieved + flow.assessed
    assert flow.assessed == flow.assessed_excluded + flow.assessed_undecided + flow.included
    assert sum(flow.screened_reasons.values()) == flow.screened_excluded
    assert sum(flow.assessed_reasons.values()) == flow.assessed_excluded
    assert all(count >= 0 for _, count in flow_lines(flow))


@given(histories, st.integers(1, 3))
@settings(max_examples=400)
def test_the_flow_adds_up_whatever_happened(history, reviewers):
    log = [(1, Began(reviewers=reviewers)), *enumerate(history, 2)]
    project = folded("p", log)
    adds_up(flow_of(project))
    assert set(project.included()) <= set(project.sought()) <= set(project.papers)


def test_the_flow_by_hand():
    """Ten records of two sources: two are one paper, one cannot be read, one is grouped."""
    words = [("p0", "include"), ("p1", "exclude"), ("p2", "include"), ("p3", "include")]
    log = [
        Began(reasons=("animals",)),
        Searched(source="PubMed", identified=6, documents=("p0", "p1", "p2", "p3", "p4")),
        Searched(source="Embase", identified=4, documents=("p0", "p5", "p6", "p7")),
        Grouped(documents=("p5", "p6")),
        *(Decided(document=d, verdict=v, reviewer="ann", reason="animals") for d, v in words),
        NotRetrieved(document="p3", reviewer="ann"),
        Decided(document="p0", verdict="include", reviewer="ann", stage="full text"),
        Decided(document="p2", verdict="exclude", reviewer="ann", stage="full text"),
    ]
    flow = flow_of(folded("p", enumerate(log, 1)))
    assert flow.sources == {"PubMed": 6, "Embase": 4}
    assert (flow.identified, flow.duplicates, flow.other, flow.screened) == (10, 2, 1, 7)
    assert (flow.screened_excluded, flow.screened_undecided, flow.sought) == (1, 3, 3)
    assert (flow.not_retrieved, flow.assessed) == (1, 2)
    assert (flow.assessed_excluded, flow.assessed_undecided, flow.included) == (1, 0, 1)
    assert flow.screened_reasons == {"animals": 1}
    assert flow.assessed_reasons == {"no reason given": 1}
    assert ("  from PubMed", 6) in flow_lines(flow)


verdicts = st.sampled_from(["include", "exclude"])


@given(st.lists(st.tuples(verdicts, verdicts), min_size=1, max_size=30))
def test_kappa_is_scikit_learns(pairs):
    ids = [f"d{n}" for n in range(len(pairs))]
    log = [Began(reviewers=2), Searched(documents=tuple(ids))]
    for id, (one, two) in zip(ids, pairs, strict=True):
        log.append(Decided(document=id, verdict=one, reviewer="ann"))
        log.append(Decided(document=id, verdict=two, reviewer="bob"))
    told = folded("p", enumerate(log, 1)).agreement("ann", "bob")
    assert told.papers == len(pairs)
    assert told.agreed == sum(a == b for a, b in pairs)
    if len({word for pair in pairs for word in pair}) == 1:
        assert told.kappa is None
    else:
        ones, twos = zip(*pairs, strict=True)
        assert told.kappa == pytest.approx(cohen_kappa_score(ones, twos))


def test_a_maybe_and_a_skip():
    log = [Began(reviewers=2), Searched(documents=("a", "b", "c", "d"))]
    words = {
        "a": ("include", "maybe"),
        "b": ("maybe", "maybe"),
        "c": ("include", "skip"),
        "d": ("include", "include"),
    }
    for id, (one, two) in words.items():
        log.append(Decided(document=id, verdict=one, reviewer="ann"))
        log.append(Decided(document=id, verdict=two, reviewer="bob"))
    project = folded("p", enumerate(log, 1))
    assert project.conflicts() == ["a", "b"]
    assert project.sought() == ["d"]
    assert project.agreements()[0].papers == 1


def test_of_two_reasons_the_first_of_the_list_counts():
    log = [Began(reviewers=2, reasons=("first", "second")), Searched(documents=("a",))]
    log += [Decided(document="a", verdict="exclude", reviewer="ann", reason="second")]
    log += [Decided(document="a", verdict="exclude", reviewer="bob", reason="first")]
    assert flow_of(folded("p", enumerate(log, 1))).screened_reasons == {"first": 1}


# -- projects stay apart -------------------------------------------------------------------------

moves = st.lists(
    st.tuples(
        st.sampled_from(["one", "two", "three"]),
        st.sampled_from(["decide", "undo", "search", "group", "missing", "resolve"]),
        st.sampled_from([f"{n:02}" for n in range(6)]),
        st.sampled_from(VERDICTS),
        st.sampled_from(WHO),
        st.sampled_from(STAGES),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    with Library.create(tmp_path_factory.mktemp("projects") / "lib") as library:
        library.add_documents(
            [paper(f"{n:02}", f"Statins trial {n % 5}", "muscle pain") for n in range(6)]
        )
        yield library


@given(moves)
@settings(max_examples=20, phases=(Phase.explicit, Phase.generate))
def test_no_project_touches_another(shelf, moves):
    projects = shelf.projects
    tag = f"{len(projects.names())}"
    names = [f"{name} {tag}" for name in ("one", "two", "three")]
    for name in names:
        projects.new(name, reviewers=2)
        projects.search(name, "statins")
    judged = shelf.decisions.judgements()
    for short, what, id, verdict, who, stage in moves:
        name = f"{short} {tag}"
        others = {one: projects.overview(one) for one in names if one != name}
        queues = {one: projects.get(one).to_screen(who) for one in others}
        try:
            if what == "decide":
                projects.decide(name, id, verdict, reviewer=who, stage=stage)
            elif what == "resolve":
                projects.decide(name, id, verdict, reviewer=who, stage=stage, resolves=True)
            elif what == "undo":
                projects.undo(name, reviewer=who)
            elif what == "search":
                projects.search(name, "trial")
            elif what == "group":
                projects.group(name)
            else:
                projects.not_retrieved(name, id, reviewer=who)
        except OslerError:
            pass
        adds_up(projects.prisma(name))
        assert others == {one: projects.overview(one) for one in others}
        assert queues == {one: projects.get(one).to_screen(who) for one in others}
    assert shelf.decisions.judgements() == judged


def test_duplicates_are_grouped_and_can_be_taken_apart(make_library):
    twins = [
        paper(f"t{n}", "Statins and muscle pain in older adults of the north", "Text " * 30)
        for n in range(2)
    ]
    library = make_library([*twins, paper("x", "Statins and sleep in children", "Other " * 30)])
    projects = library.projects
    projects.new("p")
    projects.search("p", "statins")
    (group,) = projects.group("p", reviewer="ann")
    assert set(group.documents) == {"t0", "t1"}
    flow = projects.prisma("p")
    assert (flow.identified, flow.duplicates, flow.screened) == (3, 1, 2)
    assert projects.group("p") == []
    projects.ungroup("p", "t1", reviewer="ann")
    assert projects.prisma("p").screened == 3
    # Who said that they are two papers is not asked again.
    assert projects.group("p") == []
    with pytest.raises(OslerError):
        projects.ungroup("p", "t1")


def test_a_group_never_hides_a_decision(make_library):
    twins = [
        paper(f"t{n}", "Statins and muscle pain in older adults of the north", "Text " * 30)
        for n in range(3)
    ]
    projects = make_library(twins).projects
    projects.new("p")
    projects.search("p", "statins")
    projects.decide("p", "t2", "include", reviewer="ann")
    (group,) = projects.group("p")
    assert group.documents[0] == "t2"
    assert projects.prisma("p").sought == 1
    projects.new("q")
    projects.search("q", "statins")
    for id in ("t0", "t1", "t2"):
        projects.decide("q", id, "include", reviewer="ann")
    assert projects.group("q") == []


def test_full_texts_that_cannot_be_had(make_library):
    projects = make_library([paper("a", "Statins"), paper("b", "Statins too")]).projects
    projects.new("p")
    projects.search("p", "statins")
    for id in "ab":
        projects.decide("p", id, "include", reviewer="ann")
    projects.not_retrieved("p", "a", reviewer="ann", note="no library has it")
    flow = projects.prisma("p")
    assert (flow.sought, flow.not_retrieved, flow.assessed) == (2, 1, 1)
    with pytest.raises(OslerError):
        projects.decide("p", "a", "include", reviewer="ann", stage="full text")
    projects.decide("p", "b", "include", reviewer="ann", stage="full text")
    with pytest.raises(InputError, match="decided on"):
        projects.not_retrieved("p", "b", reviewer="ann")
    projects.undo("p", reviewer="ann")
    projects.undo("p", reviewer="ann")
    assert projects.prisma("p").assessed == 2


def test_the_card_can_be_changed_and_is_checked(make_library):
    projects = make_library([]).projects
    projects.new("p", question="why", reasons=["a", "a", " "], highlights=["pain"])
    now = projects.edit("p", population="adults", reviewers=2)
    assert (now.card.question, now.card.population, now.card.reviewers) == ("why", "adults", 2)
    assert now.card.reasons == ("a",)
    for wrong in ({"colour": "red"}, {"reviewers": 0}, {"at": "x"}):
        with pytest.raises(InputError):
            projects.edit("p", **wrong)
    for name in ("", " ", "p", "a/b", "x" * 101, "\x07", ".", ".."):
        with pytest.raises(InputError):
            projects.new(name)
    assert projects.new(" a\x07  b ").name == "a b"
