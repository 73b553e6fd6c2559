"""Marks stay where they belong: a project's act in its searches, a question's in its own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from osler.errors import UnknownId
from osler.kinds import ScoreParts
from osler.rank.desk.screener import Screener
from osler.retrieve.judgements import BOUND, Judged
from osler.verbs import marked
from samples import paper

DRUGS = ("melatonin", "education")
PAPERS = [
    paper(
        f"p{n:02}",
        f"Sleep study {n} of {DRUGS[n % 2]} in adults",
        f"{DRUGS[n % 2].capitalize()} was given for {n + 2} weeks. Sleep was measured at home."
        + " Adults were asked." * (n % 5),
    )
    for n in range(40)
]


@pytest.fixture
def library(make_library):
    made = make_library(PAPERS)
    made.projects.new("insomnia")
    made.projects.search("insomnia", "sleep")
    made.projects.new("other")
    made.projects.search("other", "sleep")
    for n in range(8):
        verdict = "include" if n % 2 == 0 else "exclude"
        made.projects.decide("insomnia", f"p{n:02}", verdict, reviewer="ann")
    return made


def order(ranking):
    return [hit.id for hit in ranking]


def contributed(hit):
    return next(one for one in hit.reasons if isinstance(one, ScoreParts)).contributed


def test_marks_act_in_the_projects_own_searches(library):
    plain = library.search("sleep study adults", k=40)
    assert not any("marks" in note for note in plain.notes)
    moved = library.search("sleep study adults", k=40, project="insomnia")
    assert any("ordered with 8 marks of the project insomnia" in note for note in moved.notes)
    assert order(moved) != order(plain)
    relevant = [int(id[1:]) % 2 == 0 for id in order(moved)]
    assert sum(relevant[:20]) >= 15 > sum(int(id[1:]) % 2 == 0 for id in order(plain)[:20])
    # Another project has no marks, and is not moved by these.
    other = library.search("sleep study adults", k=40, project="other")
    assert order(other) == order(plain)
    assert any("play no part" in note for note in other.notes)
    off = library.search("sleep study adults", k=40, project="insomnia", without_marks=True)
    assert order(off) == order(plain)
    assert off.notes == plain.notes
    with pytest.raises(UnknownId):
        library.search("sleep", project="nobody's")


def test_what_marks_add_is_bounded(library):
    moved = library.search("sleep study adults", k=40, project="insomnia")
    told = [contributed(hit) for hit in moved]
    rest = np.array([sum(v for k, v in one.items() if k != "marks") for one in told])
    marks = np.array([one["marks"] for one in told])
    assert np.abs(marks).max() <= BOUND * rest.std() * 1.0001
    assert np.abs(marks).max() > 0
    assert [round(hit.score, 6) for hit in moved] == [round(x, 6) for x in rest + marks]


def test_one_of_two_reviewers_alone_moves_nothing(library):
    library.projects.edit("insomnia", reviewers=2)
    again = library.search("sleep study adults", k=40, project="insomnia")
    assert any("the 0 marks" in note for note in again.notes)


def test_support_is_the_area_of_marks_left_out():
    texts = [f"{one.title} {one.abstract}" for one in PAPERS]
    clear = {n: n % 2 == 0 for n in range(20)}
    weight = marked.support(Screener(texts), clear)
    # Every one is told apart: what is missing is the standard error of an area of 1 by ten times
    # ten pairs.
    assert weight == pytest.approx(1 - 2 * marked.standard_error(1.0, 10, 10))
    noise = {n: n // 2 % 2 == 0 for n in range(20)}
    assert marked.support(Screener(texts), noise) == 0.0
    few = {0: True, 1: False, 2: True, 3: False}
    assert marked.learned(texts, few)[1] == 0.0
    assert marked.learned(texts, dict.fromkeys(range(9), True))[1] == 0.0


def test_the_area_is_scikit_learns(monkeypatch):
    """Support of marks that are told apart in part, worked out with another program's area."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=30)
    marks = {n: bool(scores[n] + rng.normal() > 0) for n in range(30)}

    class Known:
        """Gives each paper the same score, whatever it is told."""

        def mark(self, marks):
            return None

        def unmark(self, rows):
            return None

        def scores(self):
            return scores

    area = roc_auc_score([marks[n] for n in range(30)], scores)
    ones = sum(marks.values())
    error = marked.standard_error(area, ones, 30 - ones)
    assert marked.support(Known(), marks) == pytest.approx(2 * (area - error - 0.5))


def test_the_standard_error_by_hand():
    # q1 = .8 / 1.2, q2 = 1.28 / 1.8; (.16 + 49 (q1 - .64) + 49 (q2 - .64)) / 2500 = .0019804
    assert marked.standard_error(0.8, 50, 50) == pytest.approx(0.0445, abs=5e-5)


# -- judgements that the library keeps for everybody ----------------------------------------------


def questions(count, *, agree):
    """Judged questions in pairs of the same words; ``agree`` judges the same papers relevant."""
    texts = [f"topic{n // 2} word{n // 2} number {'x' if n % 2 else 'y'}" for n in range(count)]
    grades = []
    for n in range(count):
        base = 10 * (n // 2) if agree else 10 * n
        grades.append({base + i: 1.0 for i in range(5)})
    empty = np.zeros((count, 0), np.float32)
    return Judged([f"q{n}" for n in range(count)], texts, empty, grades, empty)


def test_other_questions_vote_only_where_that_is_shown_to_help():
    assert questions(30, agree=True).supported
    assert not questions(30, agree=False).supported
    assert not questions(8, agree=True).supported
    votes = questions(30, agree=True).votes("topic3 word3 number z", None, None)
    assert not votes.own
    assert set(votes.candidates.rows.tolist()) >= set(range(30, 35))
    alone = questions(30, agree=False)
    assert not len(alone.votes("topic3 word3 number z", None, None).candidates.rows)
    own = alone.votes("number x, word3 topic3", None, None)
    assert own.own
    assert own.candidates.rows.tolist() == list(range(70, 75))
    assert own.marks == 5


def test_each_question_votes_for_its_own_papers_and_many_do_not_outvote_few():
    alone = questions(4, agree=False)
    assert alone.votes("topic0 word0 number y", None, None).candidates.rows.tolist() == [*range(5)]
    empty = np.zeros((2, 0), np.float32)
    grades = [{0: 1.0}, dict.fromkeys(range(1, 17), 1.0)]
    held = Judged(["few", "many"], ["sleep one", "sleep two"], empty, grades, empty)
    held.__dict__["supported"] = True
    votes = held.votes("sleep", None, None)
    scores = dict(zip(votes.candidates.rows.tolist(), votes.candidates.scores, strict=True))
    # Sixteen judged papers: each has a vote divided by the fourth root of 16.
    assert scores[0] / scores[1] == pytest.approx(2.0)
