"""Learned weights: features, gradient, training, files."""

from __future__ import annotations

import numpy as np
import pytest

from osler.errors import FormatError, InputError, MissingModel
from osler.retrieve import learned
from osler.retrieve.learned import AGREEMENTS, CHANNELS, LearnedWeights, Lesson


def lesson(rng: np.random.Generator, useful: str = "vectors", size: int = 40) -> Lesson:
    standard = {name: rng.normal(size=size) for name in CHANNELS}
    grades = (standard[useful] > 0.8).astype(float) * 2 + (standard[useful] > 0.3)
    return Lesson(standard, grades, learned.ideal_dcg(grades.tolist()))


def test_features_are_scores_damped_scores_and_ranks():
    features = learned.channel_features(np.array([0.0, 4.0, -1.0, 4.0]))
    assert features[:, 0].tolist() == [0.0, 4.0, -1.0, 4.0]
    assert features[1, 1] == pytest.approx(2 * np.tanh(2.0))
    assert features[:, 2] == pytest.approx([10 / 12, 1.0, 10 / 13, 1.0])  # equals share a rank


def test_training_finds_the_channel_that_knows():
    rng = np.random.default_rng(1)
    weights = learned.train([lesson(rng) for _ in range(60)], epochs=20, rate=0.03)
    fresh = {name: rng.normal(size=200) for name in CHANNELS}
    given = weights.contributions(fresh)
    spread = {name: float(values.std()) for name, values in given.items()}
    assert max(spread, key=spread.get) == "vectors"
    order = np.argsort(-sum(given.values()))
    assert fresh["vectors"][order[:10]].mean() > 0.7


def test_ndcg_of_a_lesson_is_one_in_the_best_order_and_less_in_another():
    standard = {"words": np.array([3.0, 2.0, 1.0, 0.0])}
    one = Lesson(standard, np.array([2, 1, 0, 0.0]), learned.ideal_dcg([2, 1]))
    assert learned.ndcg(one, LearnedWeights({"words": [1, 0, 0]})) == pytest.approx(1.0)
    assert learned.ndcg(one, LearnedWeights({"words": [-1, 0, 0]})) < 0.7


def test_training_twice_gives_the_same():
    one = learned.train([lesson(np.random.default_rng(s)) for s in range(9)], epochs=2)
    two = learned.train([lesson(np.random.default_rng(s)) for s in range(9)], epochs=2)
    assert one.json() == two.json()


def test_the_gradient_is_that_of_the_cost():
    rng = np.random.default_rng(3)
    one = lesson(rng, size=12)
    weights = rng.normal(size=3 * len(CHANNELS) + len(AGREEMENTS)) * 0.1

    def cost(at: np.ndarray, frozen: np.ndarray) -> float:
        # LambdaRank keeps the swaps' worth fixed at the present order.
        order = one.features @ frozen
        rank = np.empty(len(order), int)
        rank[np.argsort(-order)] = np.arange(len(order))
        discount = 1 / np.log2(rank + 2)
        better = np.maximum(one.grades[:, None] - one.grades[None, :], 0)
        worth = better * abs(discount[:, None] - discount[None, :]) / one.ideal
        scores = one.features @ at
        return float((worth * np.log1p(np.exp(-(scores[:, None] - scores[None, :])))).sum())

    exact = learned._gradient(one, weights)
    for at in range(0, len(weights), 5):
        step = np.zeros_like(weights)
        step[at] = 1e-5
        slope = (cost(weights + step, weights) - cost(weights - step, weights)) / 2e-5
        assert exact[at] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_a_missing_channel_teaches_and_gives_nothing():
    rng = np.random.default_rng(0)
    standard = {"words": rng.normal(size=5)}
    one = Lesson(standard, np.arange(5), 1.0)
    assert one.features.shape == (5, 3 * len(CHANNELS) + len(AGREEMENTS))
    assert not one.features[:, 3 : 3 * len(CHANNELS)].any()
    given = LearnedWeights({"vectors": [1, 1, 1]}).contributions(standard)
    assert given["words"].tolist() == [0.0] * 5


def test_what_channels_and_agreements_give_is_the_score_of_the_features():
    rng = np.random.default_rng(4)
    standard = {name: rng.normal(size=9) for name in CHANNELS if name != "concepts"}
    flat = rng.normal(size=3 * len(CHANNELS) + len(AGREEMENTS))
    weights = LearnedWeights.of_flat(flat)
    assert weights.flat == pytest.approx(flat)
    one = Lesson(standard, np.zeros(9), 1.0)
    total = sum(weights.contributions(standard).values())
    kept = np.lexsort((np.arange(9), -sum(standard.values())))
    assert total[kept] == pytest.approx(one.features @ flat)


def test_questions_that_tell_nothing_apart_are_refused():
    flat = Lesson({"words": np.zeros(3)}, np.zeros(3), 1.0)
    with pytest.raises(InputError, match="tells two documents apart"):
        learned.train([flat])


def test_weights_are_written_and_read_back(tmp_path):
    weights = LearnedWeights({"words": [0.1, 0.2, 0.3]}, card={"questions": 7})
    path = tmp_path / "weights.json"
    path.write_bytes(weights.json())
    again = LearnedWeights.resolve(str(path))
    assert again is not None
    assert again.weights == weights.weights
    assert again.card == {"questions": 7}
    assert LearnedWeights.resolve(None) is None
    assert LearnedWeights.resolve(weights) is weights


@pytest.mark.parametrize("data", [b"", b"[]", b'{"weights": {"words": {"z": 1}}}', b'{"x": 1}'])
def test_a_file_that_holds_no_weights_is_named(tmp_path, data):
    path = tmp_path / "w.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"w\.json"):
        LearnedWeights.resolve(str(path))


def test_a_missing_file_says_how_to_make_one(tmp_path):
    with pytest.raises(MissingModel, match="osler train search"):
        LearnedWeights.resolve(str(tmp_path / "none.json"))
    with pytest.raises(InputError):
        LearnedWeights({"words": [1.0]})


def test_the_shipped_weights_know_every_channel_and_carry_a_card():
    weights = LearnedWeights.resolve(learned.SHIPPED)
    assert weights is not None
    assert set(weights.weights) == set(CHANNELS)
    assert {"questions", "method", "measured"} <= set(weights.card)


def test_ideal_dcg_is_that_of_the_best_order():
    assert learned.ideal_dcg([0, 2, 1, -1]) == pytest.approx(2 + 1 / np.log2(3))
