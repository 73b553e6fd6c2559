"""Scores that lean on their neighbours'."""

from __future__ import annotations

import numpy as np
import pytest

from osler.retrieve.channel import Fused
from osler.retrieve.neighbours import BEST, NEIGHBOURS, lean, leant, moved

# Two pairs of like documents, around one centre.
PAIRS = np.array([[1, 0.1], [1, -0.1], [-1, 0.1], [-1, -0.1]], np.float32)


class View:
    """Vectors by row, and nothing else."""

    def __init__(self, vectors: dict[int, np.ndarray]) -> None:
        self._vectors = vectors

    def vectors_of(self, rows: list[int]) -> tuple[list[int], np.ndarray]:
        held = [row for row in rows if row in self._vectors]
        return held, np.array([self._vectors[row] for row in held], np.float32).reshape(-1, 2)


def test_each_score_goes_part_of_the_way_to_its_nearest_neighbour():
    scores = np.array([4.0, 0.0, 2.0, 1.0])
    # The nearest of each is its twin: 0.5 * (other - own).
    assert lean(scores, PAIRS, nearest=1, leaning=0.5).tolist() == [-2.0, 2.0, -0.5, 0.5]


def test_neighbours_count_by_the_square_of_their_cosine():
    # At 0, 30 and 60 degrees and opposite to them, so that the centre is at zero.
    angles = np.deg2rad([0, 30, 60, 180, 210, 240])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    scores = np.array([4.0, 0.0, 2.0, 1.0, 1.0, 1.0])
    got = lean(scores, vectors, nearest=2, leaning=0.5)
    # Of the first: cosines sqrt(3)/2 and 1/2, squares 3/4 and 1/4.
    assert got[0] == pytest.approx(0.5 * (0.75 * 0.0 + 0.25 * 2.0 - 4.0), abs=1e-5)
    # The second lies as far from the first as from the third.
    assert got[1] == pytest.approx(0.5 * 3.0, abs=1e-5)


def test_where_no_neighbour_is_alike_each_counts_the_same():
    # Three at 120 degrees: every cosine is -1/2.
    angles = np.deg2rad([0, 120, 240])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    got = lean(np.array([3.0, 1.0, 2.0]), vectors, nearest=2, leaning=0.5)
    assert got == pytest.approx([0.5 * (1.5 - 3), 0.5 * (2.5 - 1), 0.0])


def test_what_all_have_in_common_makes_nobody_alike():
    far = PAIRS + np.array([100, 100], np.float32)
    scores = np.array([4.0, 0.0, 2.0, 1.0])
    assert lean(scores, far, nearest=1, leaning=0.5).tolist() == [-2.0, 2.0, -0.5, 0.5]


def test_more_neighbours_than_there_are_and_none_at_all():
    scores = np.array([4.0, 0.0])
    assert lean(scores, PAIRS[:2], nearest=5, leaning=0.25).tolist() == [-1.0, 1.0]
    assert lean(scores[:1], PAIRS[:1]).tolist() == [0.0]
    assert lean(scores[:0], PAIRS[:0]).tolist() == []


def test_what_has_no_vector_stays_and_so_does_what_is_not_among_the_best():
    rows = np.arange(BEST + 2)
    scores = np.linspace(10, 0, BEST + 2)
    vectors = {row: np.array([np.cos(row), np.sin(row)]) for row in range(1, BEST + 2)}
    change = moved(rows, scores, View(vectors))
    assert change[0] == 0.0
    assert change[BEST:].tolist() == [0.0, 0.0]
    assert np.all(change[1:BEST] != 0.0)


def test_a_ranking_tells_how_far_neighbours_moved_it():
    rows = np.array([7, 8, 9, 10])
    fused = Fused(
        rows, rows, np.array([4.0, 0.0, 2.0, 1.0]), {}, {"words": np.array([4.0, 0.0, 2.0, 1.0])}
    )
    vectors = dict(zip(rows.tolist(), PAIRS, strict=True))
    after = leant(fused, View(vectors))
    parts = after.contributed["words"] + after.contributed[NEIGHBOURS]
    assert after.scores == pytest.approx(parts)
    assert after.contributed[NEIGHBOURS].tolist() != [0.0] * 4
    assert NEIGHBOURS not in fused.contributed
