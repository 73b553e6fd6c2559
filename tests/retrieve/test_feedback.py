"""Feedback: the relevance model against its formula, Rocchio against geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from osler.kinds import Document, Heading, Section
from osler.kinds.query import Weighted
from osler.retrieve import feedback


def test_shares_sum_to_one_and_follow_the_scores():
    shares = feedback.shares(np.array([3.0, 2.0, 2.0]))
    assert shares.sum() == pytest.approx(1.0)
    assert shares[0] / shares[1] == pytest.approx(math.e)
    assert len(feedback.shares(np.zeros(0))) == 0
    assert np.isfinite(feedback.shares(np.array([1e6, -1e6]))).all()


def test_words_of_a_document_count_headings_double_and_leave_stop_words():
    document = Document(
        id="1",
        title="The statins",
        sections=(Section("statins and pain"),),
        headings=(Heading("Pain"),),
    )
    assert feedback.document_words(document) == {"statins": 2.0, "pain": 3.0}
    assert feedback.document_words(document, headings=False) == {"statins": 2.0, "pain": 1.0}


def test_the_relevance_model_is_p_of_word_times_share_times_idf():
    documents = [({"statins": 2.0, "pain": 2.0}, 0.75), ({"statins": 1.0, "trial": 3.0}, 0.25)]
    frequency = {"statin": 10, "pain": 40, "trial": 90}
    model = dict(feedback.relevance_model(documents, lambda ts: {t: frequency[t] for t in ts}, 100))

    def idf(n: int) -> float:
        return math.log(1 + (100 - n + 0.5) / (n + 0.5))

    raw = {
        "statins": (0.75 * 0.5 + 0.25 * 0.25) * idf(10),
        "pain": 0.75 * 0.5 * idf(40),
        "trial": 0.25 * 0.75 * idf(90),
    }
    total = sum(raw.values())
    assert model == pytest.approx({word: value / total for word, value in raw.items()})
    assert sum(model.values()) == pytest.approx(1.0)
    assert feedback.relevance_model([], lambda ts: dict.fromkeys(ts, 0), 100) == []


def test_inflections_of_one_term_are_one():
    found = [({"trials": 1.0, "trial": 1.0}, 1.0)]
    model = feedback.relevance_model(found, lambda terms: dict.fromkeys(terms, 5), 100)
    assert len(model) == 1


def test_rm3_mixes_the_question_in():
    question = [("pain", 1.0), ("statin", 1.0)]
    node = feedback.rm3(question, [("statins", 0.6), ("dose", 0.4)], own=0.5)
    assert isinstance(node, Weighted)
    weights = {part.text: weight for part, weight in node.parts}
    assert weights == pytest.approx({"pain": 0.25, "statin": 0.55, "dose": 0.2})
    assert feedback.rm3([], []) is None
    only = feedback.rm3([], [("dose", 1.0)], own=0.5)
    assert only is not None
    assert only.parts[0][1] == pytest.approx(0.5)


def test_rocchio_moves_towards_the_documents_and_keeps_length_one():
    question = np.array([1.0, 0.0, 0.0])
    near = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    moved = feedback.rocchio(question, near, np.array([0.9, 0.1]))
    assert np.linalg.norm(moved) == pytest.approx(1.0, abs=1e-6)
    assert moved[1] > moved[2] > 0
    assert moved @ near[0] > question @ near[0]
    assert np.array_equal(feedback.rocchio(question, near[:0], np.zeros(0)), question)
    against = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    opposed = feedback.rocchio(question, against, np.array([0.5, 0.5]))
    assert np.array_equal(opposed, question)
