"""Stopping rules on runs that can be counted by hand."""

import numpy as np
import pytest

from osler.kinds import Document
from osler.rank.desk.simulate import Simulation
from osler.rank.desk.stopping import rules_table, stop_allowed, stops, stops_after_dry
from osler.rank.desk.trace import steps_of
from osler.rank.labels import Label
from osler.rank.progress import reading
from osler.rank.topic import Topic


def run_of(places, total):
    marks = np.zeros(total, dtype=bool)
    marks[list(places)] = True
    return Simulation(0, tuple(range(total)), tuple(marks.tolist()))


def test_dry_spells_by_hand():
    marks = np.array([False, False, False, True, False, True, False, False, False])
    # What comes before the first relevant paper is no dry spell.
    assert stops_after_dry(marks, 2) == 8
    assert stops_after_dry(marks, 3) == 9
    assert stops_after_dry(marks, 4) == 9


def test_rules_by_hand():
    # 40 relevant papers: 39 first, the last at place 300 of 1,000.
    run = run_of([*range(39), 299], 1000)
    at = stops(run, list(steps_of(run)))
    assert at["50 in a row"] == 39 + 50
    assert at["5 % of all in a row (SAFE)"] == 39 + 50
    assert at["a quarter of all in a row"] == 39 + 250
    assert at["oracle"] == 38
    assert at["hypergeometric test (default)"] == at["the same from 20 found on"] > 300


def test_few_papers_are_read_to_the_end():
    run = run_of(range(5), 400)
    at = stops(run, list(steps_of(run)))
    assert at["hypergeometric test (default)"] < 400
    assert at["the same from 20 found on"] == 400


def test_table_over_runs():
    good, bad = run_of(range(40), 400), run_of([*range(30), *range(390, 400)], 400)
    runs = [(run, list(steps_of(run))) for run in (good, bad)]
    rows = {row.rule: row for row in rules_table(runs)}
    fifty = rows["50 in a row"]
    assert fifty.safe == 0.5
    assert fifty.recall == pytest.approx((1 + 30 / 40) / 2)
    assert fifty.least == 0.75
    assert fifty.saved == pytest.approx((1 - 90 / 400 + 1 - 80 / 400) / 2)
    assert rows["oracle"].safe == 1.0


def test_when_reading_may_stop():
    assert stop_allowed(20, 0.049, unread=5, risk=0.05)
    assert not stop_allowed(19, 0.001, unread=5, risk=0.05)
    assert not stop_allowed(20, 0.05, unread=5, risk=0.05)
    assert stop_allowed(0, 1.0, unread=0, risk=0.05)


def test_a_reader_with_few_finds_is_told_to_read_on():
    documents = [Document(id=str(number), title="t") for number in range(300)]
    labels = [Label(document.id, relevant=n < 5) for n, document in enumerate(documents[:295])]
    now = reading(labels, Topic("t"), len(documents))
    assert now.p < 0.05
    assert not now.stop
    assert "read everything" in now.so_far.words
