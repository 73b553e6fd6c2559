"""Fusion: hand-worked values, and what every fusion must keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError
from osler.retrieve.channel import Candidates
from osler.retrieve.fusion import MinMax, ReciprocalRank, ZScore, fusions


def candidates(scores: dict[int, float]) -> Candidates:
    return Candidates.of((row, 1, score) for row, score in scores.items())


A = candidates({1: 3.0, 2: 2.0, 3: 1.0})
B = candidates({2: 0.9, 4: 0.1})


def totals(fused):
    return dict(zip(fused.rows.tolist(), fused.scores.tolist(), strict=True))


def test_reciprocal_rank_by_hand():
    got = totals(ReciprocalRank(k=60).fuse({"a": A, "b": B}))
    assert got[1] == pytest.approx(1 / 61)
    assert got[2] == pytest.approx(1 / 62 + 1 / 61)
    assert got[4] == pytest.approx(1 / 62)


def test_min_max_by_hand():
    got = totals(MinMax(weights={"a": 0.5, "b": 2.0}).fuse({"a": A, "b": B}))
    assert got == pytest.approx({1: 0.5, 2: 0.25 + 2.0, 3: 0.0, 4: 0.0})


def test_z_score_by_hand():
    got = totals(ZScore(weights={"a": 1.0, "b": 0.5}).fuse({"a": A, "b": B}))
    spread = np.std([3, 2, 1])
    # What b did not find lies at its least score, one deviation below its mean.
    assert got[1] == pytest.approx(1 / spread - 0.5)
    assert got[2] == pytest.approx(0.0 + 0.5)
    assert got[4] == pytest.approx(-1 / spread - 0.5)


def test_z_scores_are_over_the_whole_collection_where_it_is_known():
    # Ten documents, of which the channel found two: the other eight score zero.
    found = candidates({1: 4.0, 2: 1.0}).among(10)
    everything = [4.0, 1.0, *[0.0] * 8]
    got = totals(ZScore().fuse({"a": found, "b": candidates({3: 1.0, 4: 0.0})}))
    mean, spread = np.mean(everything), np.std(everything)
    assert got[1] == pytest.approx((4 - mean) / spread - 1)
    assert got[3] == pytest.approx((0 - mean) / spread + 1)


@pytest.mark.parametrize("name", ["rrf", "min-max", "z-score"])
def test_a_fusion_is_chosen_by_name_class_or_object(name):
    cls = fusions.get(name)
    assert type(fusions.resolve(name)) is type(fusions.resolve(cls)) is cls
    own = cls()
    assert fusions.resolve(own) is own


def test_a_wrong_name_lists_the_choices():
    with pytest.raises(ChoiceError, match="did you mean 'z-score'"):
        fusions.resolve("zscore")
    with pytest.raises(InputError):
        ZScore(weights={"a": -1})


_SCORES = st.dictionaries(st.integers(1, 30), st.floats(-5, 50, width=16), max_size=20)


@given(_SCORES, _SCORES, st.sampled_from(["rrf", "min-max", "z-score"]))
def test_what_channels_contribute_sums_to_the_score(a, b, name):
    fused = fusions.resolve(name).fuse({"a": candidates(a), "b": candidates(b)})
    assert set(fused.rows.tolist()) == set(a) | set(b)
    assert np.isfinite(fused.scores).all()
    total = sum(fused.contributed.values(), np.zeros(len(fused.rows)))
    np.testing.assert_allclose(fused.scores, total, atol=1e-6)
    # A document that is better in one channel and equal in the other is never worse.
    for row in a:
        for other in a:
            if a[row] > a[other] and row not in b and other not in b:
                got = totals(fused)
                assert got[row] >= got[other] - 1e-9
