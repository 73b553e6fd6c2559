"""The models that a finished review is screened with, and the curve in pixels."""

import sys
import types

import numpy as np
import pytest

from osler.errors import ChoiceError, NeedsError
from osler.rank.desk.models import PEER, TIMES, Relearning, model, model_names
from osler.rank.desk.simulate import screened
from osler.verbs.simulate import simulate

TEXTS = [f"melatonin sleep trial {n}" for n in range(6)] + [f"asthma lungs {n}" for n in range(14)]
TRUTH = np.array([True] * 6 + [False] * 14)


def test_a_ranker_by_name_orders_by_the_marks_so_far():
    orders, batch = model("hybrid", TEXTS)
    assert batch == 1
    run = screened(orders, TRUTH, seed=0, batch=batch)
    assert sum(run.marks[:8]) == 6
    # Marks are taken back: the next seed begins anew.
    again = screened(orders, TRUTH, seed=0, batch=batch)
    assert again == run
    assert model("hybrid", ["a"] * (3 * TIMES))[1] == 3


def test_relearning_by_hand():
    seen = []

    def scores(marks):
        seen.append(marks)
        return np.array([1.0, 3.0, 3.0, 2.0])

    orders = Relearning(4, scores)
    orders.mark({1: True})
    assert orders.order().tolist() == [2, 3, 0]
    orders.mark({2: False, 3: False, 0: True})
    assert orders.order().tolist() == []
    orders.unmark([2])
    assert orders.order().tolist() == [2]
    assert seen[0] == {1: True}


def test_unknown_and_absent_models(monkeypatch):
    with pytest.raises(ChoiceError):
        model("nothing", TEXTS)
    assert PEER in model_names()
    monkeypatch.setitem(sys.modules, "asreview", None)
    with pytest.raises(NeedsError, match="pip install asreview"):
        model(PEER, TEXTS)


def test_asreview_learns_by_its_own_code(monkeypatch):
    """A stand-in with ASReview's names: what it is given, and that its ranking is followed."""
    pytest.importorskip("pandas")
    given = []

    class Cycle:
        @classmethod
        def from_meta(cls, meta):
            assert meta == "default"
            return cls()

        def transform(self, papers):
            assert list(papers["title"]) == TEXTS
            return np.eye(len(papers))

        def fit(self, features, labels):
            given.append((features.argmax(axis=1).tolist(), labels.tolist()))

        def rank(self, features):
            return np.arange(len(features))[::-1]

    def module(name, **content):
        made = types.ModuleType(name)
        made.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, made)

    module("asreview")
    module("asreview.learner", ActiveLearningCycle=Cycle)
    module("asreview.models")
    module("asreview.models.models", get_ai_config=lambda: {"value": "default"})
    orders, _ = model(PEER, TEXTS)
    orders.mark({3: True, 19: False})
    assert orders.order()[:3].tolist() == [18, 17, 16]
    assert given == [([3, 19], [1, 0])]


def test_several_methods_side_by_side(tmp_path):
    table = tmp_path / "r.csv"
    # The relevant ones last: who learns nothing reads them last.
    rows = [*zip(TEXTS, TRUTH, strict=True)][::-1]
    lines = [f"{text},{int(mark)}" for text, mark in rows]
    table.write_text("title,included\n" + "\n".join(lines) + "\n")
    one, two = simulate(table, method=["elas", "bm25-extra"], seeds=1)
    assert (one.method, two.method) == ("elas", "bm25-extra")
    assert one.mean["atd"] < two.mean["atd"]
    pytest.importorskip("matplotlib")
    one.write(tmp_path / "out")
    assert (tmp_path / "out" / "curve.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "out" / "seed-0.asreview").read_bytes()[:2] == b"PK"
