"""Votes of judged questions."""

from __future__ import annotations

import numpy as np
import pytest

from osler.retrieve.channel import Candidates
from osler.retrieve.judgements import Judged


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def by_row(found: Candidates) -> dict[int, float]:
    return dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True))


def trusted(judged: Judged) -> Judged:
    """As in a library whose judged questions were shown to vote well for each other."""
    judged.__dict__["supported"] = True
    return judged


@pytest.fixture
def judged() -> Judged:
    return Judged(
        ["a", "b", "c"],
        ["statins and muscle pain", "asthma near roads", "statin safety"],
        np.stack([unit(1, 0, 0), unit(0, 1, 0), unit(1, 0.4, 0)]),
        [{10: 2.0, 11: 1.0}, {20: 2.0}, {10: 1.0, 12: 0.0, 13: 1.0}],
        np.stack([unit(1, 0, 0), unit(0, 1, 0), unit(1, 0, 0)]),
        {10: 5, 11: 6, 20: 7, 12: 8, 13: 9},
    )


def test_likeness_is_highest_for_the_same_question(judged):
    like = judged.likeness("statins and muscle pain", unit(1, 0, 0), unit(1, 0, 0))
    assert like[0] == pytest.approx(1.0, abs=1e-6)
    assert like[0] > like[2] > like[1]
    assert (like >= 0).all()


def test_votes_go_to_documents_of_like_questions(judged):
    votes = trusted(judged).votes("muscle pain from statins", unit(1, 0.1, 0), unit(1, 0, 0))
    scores = by_row(votes.candidates)
    assert max(scores, key=scores.get) == 10
    assert scores[10] > scores[11] > scores.get(20, 0.0)
    assert scores[12] == 0.0  # judged not relevant: no vote for it
    assert votes.candidates.seqs.tolist() == [5, 6, 8, 9, 7]
    assert votes.neighbours[0][0] == "a"
    assert 0 < votes.trust <= 1


def test_an_unlike_question_gets_no_votes(judged):
    votes = trusted(judged).votes("crop yields", unit(0, 0, 1), unit(0, 0, 1))
    assert votes.trust == 0
    assert len(votes.candidates) == 0


def test_a_question_with_many_judgements_does_not_outvote_one_with_few():
    vectors = np.stack([unit(1, 0), unit(1, 0)])
    broad = dict.fromkeys(range(100, 200), 1.0)
    judged = Judged(["a", "b"], ["x", "y"], vectors, [{1: 1.0}, broad], vectors)
    votes = trusted(judged).votes("z", unit(1, 0), unit(1, 0))
    scores = by_row(votes.candidates)
    assert scores[1] > scores[100] > 0


def test_without_vectors_words_alone_decide():
    none = np.zeros((2, 0), np.float32)
    judged = Judged(["a", "b"], ["statin pain", "asthma"], none, [{1: 1.0}, {2: 1.0}], none)
    votes = judged.votes("statin pain", None, None)
    assert votes.candidates.rows.tolist() == [1]
    assert votes.trust == 1.0


def test_no_judged_question_gives_no_vote():
    none = np.zeros((0, 3), np.float32)
    assert judged_nothing(none).votes("x", unit(1, 0, 0), unit(1, 0, 0)).trust == 0


def judged_nothing(none: np.ndarray) -> Judged:
    return Judged([], [], none, [], none)


def test_vectors_are_seen_from_the_middle_of_the_collection():
    # Seen from zero, any two texts of this encoder have a cosine above 0.9.
    middle = np.array([0, 0, 3.0], np.float32)
    questions = np.stack([unit(1, 0, 3), unit(0, 1, 3)])
    texts, grades = ["aspirin", "roads"], [{1: 1.0}, {2: 1.0}]
    near_zero = Judged(["a", "b"], texts, questions, grades, questions)
    seen = Judged(["a", "b"], texts, questions, grades, questions, middle=middle / 10**0.5)
    asked = unit(1, 0, 3)
    assert near_zero.likeness("x", asked, asked)[1] == pytest.approx(0.7 * 0.9, abs=1e-6)
    like = seen.likeness("x", asked, asked)
    assert like == pytest.approx([0.7, 0.0], abs=1e-6)
    assert trusted(near_zero).votes("x", unit(0, -1, 3), unit(0, -1, 3)).trust > 0.5
    assert trusted(seen).votes("x", unit(0, -1, 3), unit(0, -1, 3)).trust == 0


def test_a_centre_that_nothing_is_known_of_stays_nothing():
    vectors = np.stack([unit(1, 0), unit(0, 1)])
    centres = np.stack([unit(1, 0), np.zeros(2, np.float32)])
    judged = Judged(
        ["a", "b"], ["x", "y"], vectors, [{1: 1.0}, {2: 1.0}], centres, middle=np.ones(2) / 2
    )
    assert judged.centres[1].tolist() == [0.0, 0.0]
    assert np.linalg.norm(judged.centres[0]) == pytest.approx(1.0)
