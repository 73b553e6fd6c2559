"""The paper's formulas against plain transcriptions of them."""

import math

import numpy as np
import pytest

from osler.learn.temperature import fit_temperature, softmax
from osler.rank.bm25 import Bm25Extra
from osler.rank.logistic import fit_logistic
from osler.rank.measure import (
    average_precision,
    clustered_map,
    mean_average_precision,
    printed_f1,
    printed_recall,
)
from osler.rank.preprocess import Vocabulary, words
from osler.rank.representations.qar import query_aware
from osler.rank.sentences.votes import tally
from osler.rank.splits import folds, repeated
from osler.rank.words import Table


def test_query_aware_is_equation_one():
    rng = np.random.default_rng(0)
    query, text = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    expected = np.zeros(5)
    for q in query:
        for d in text:
            expected += q @ d / (np.linalg.norm(q) * np.linalg.norm(d)) * d
    assert np.allclose(query_aware(query, text), expected)


def test_bm25_extra_by_hand():
    texts = ["acute threat in rats", "a threat", "rats sleep", "fear"]
    found = Bm25Extra().fit(texts).features("Acute threat fear", texts[0])
    idf = {"acute": 1, "threat": 2, "fear": 1}
    idf = {w: math.log(1 + (4 - n + 0.5) / (n + 0.5)) for w, n in idf.items()}
    length = 4 / (8 / 4)  # "a" is no word: words have two letters
    bm25 = sum(idf[w] * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length)) for w in ("acute", "threat"))
    assert found[0] == pytest.approx(bm25)
    assert found[1] == pytest.approx(2 / 3)
    assert found[2] == pytest.approx(1 / 2)
    assert found[3] == pytest.approx((idf["acute"] + idf["threat"]) / sum(idf.values()))
    assert found[4] == pytest.approx(1 / 2)
    assert Bm25Extra().fit(texts).features("joy", "").tolist() == [0, 0, 0, 0, 0]


def test_preprocessing_of_section_4_1():
    assert words("The Rats were SLEEPING, in 2 mazes.") == ["rats", "sleeping", "mazes"]
    assert words("睡眠 of x") == ["睡", "眠"]
    known = Vocabulary.of([["a", "b"], ["a"], ["a", "b"], ["b"], ["c"], [], [], [], []])
    assert known.words == ["a", "b"]
    assert known.ids(["b", "z", "a"]) == [1, 0]


def test_splits_have_the_paper_s_sizes():
    sizes = (39, 38, 47, 21, 28, 27, 48, 18)
    targets = np.repeat(np.arange(8), sizes)
    found = list(repeated(targets))
    assert len(found) == 15
    for train, test in found:
        assert np.bincount(targets[test]).tolist() == [8, 8, 10, 5, 6, 6, 10, 4]
        assert len(train) == 209
        assert not set(train) & set(test)
    assert len({tuple(test) for _, test in found}) == 15
    parts = folds(targets, 5)
    assert sorted(np.concatenate(parts).tolist()) == list(range(266))
    # Later seeds go on where the earlier ones ended, with splits of their own.
    later = list(repeated(targets, first=3))
    assert all(
        np.array_equal(one, two) for one, two in zip(found[9][1:], later[0][1:], strict=True)
    )
    assert len(later) == len(found)
    assert not any(np.array_equal(later[-1][1], test) for _, test in found)


def test_logistic_regression_is_the_minimum():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    weights, bias = fit_logistic(x, y, 3, strength=2.0)
    off = softmax(x @ weights + bias)
    off[np.arange(60), y] -= 1
    assert np.abs(x.T @ off + weights / 2.0).max() < 1e-2
    assert np.abs(off.sum(axis=0)).max() < 1e-2


def test_temperature_tames_overconfidence():
    rng = np.random.default_rng(0)
    true = rng.normal(size=(4000, 3))
    y = np.array([rng.choice(3, p=p) for p in softmax(true)])
    assert fit_temperature(3 * true, y) == pytest.approx(3.0, rel=0.15)


def test_average_precision_and_clusters():
    scores = np.array([[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.7, 0.3]])
    gold = np.array([0, 0, 1, 1])
    assert average_precision(scores[:, 0], gold == 0) == pytest.approx((1 + 2 / 3) / 2)
    whole = mean_average_precision(scores, gold)
    inside = clustered_map(scores, scores.argmax(axis=1), gold)
    # The misplaced paper counts against the whole, not inside clusters.
    assert whole == pytest.approx(((1 + 2 / 3) / 2 + (1 + 2 / 3) / 2) / 2)
    assert inside == pytest.approx(((1 + 2 / 3) / 2 + 1) / 2)
    assert average_precision(np.zeros(2), np.zeros(2, dtype=bool)) == 0.0


def test_printed_artefacts_match_table_5():
    assert printed_recall(0.772) == pytest.approx(0.386)
    assert printed_f1(0.772) == pytest.approx(0.436, abs=5e-4)


def test_votes():
    a, b, c = np.array([3.0, 1, 0]), np.array([0.0, 1, 3]), np.array([0.0, 0.5, 1])
    assert int(np.argmax(tally([a, b, c]))) == 2
    assert int(np.argmax(tally([np.array([1.0, 0]), np.array([0.4, 0.5])]))) == 0
    assert int(np.argmax(tally([np.zeros(3)]))) == 0


@pytest.mark.parametrize("scale", ["share", "raw"])
def test_unsupervised_versions(abstracts, scale):
    from osler.rank.sentences.unsupervised import UnsupervisedOne, UnsupervisedTwo

    known = sorted({w for a in abstracts for w in words(a.document.text + " " + a.topic.words)})
    vectors = Table(known, np.random.default_rng(0).normal(size=(len(known), 20)))
    one = UnsupervisedOne(vectors=vectors, scale=scale).fit(abstracts)
    two = UnsupervisedTwo(vectors=vectors, scale=scale).fit(abstracts)
    # One whose topic's words stand in a sentence, one where they stand nowhere.
    for abstract in (abstracts[1], abstracts[0]):
        r_q, r_t = one.parts(abstract)
        bm25 = one.bm25.table(abstract.topic.words, abstract.sentences).sum(axis=1)
        assert (bm25.sum() > 0) == (abstract is abstracts[1])
        if scale == "share" and bm25.sum() > 0:
            bm25 = bm25 / bm25.sum()
        assert np.allclose(one.scores(abstract), r_q * r_q + r_t * r_t + bm25)
        expected = [q * q + (abs(t - q) if t > q else 0) * t for q, t in zip(r_q, r_t, strict=True)]
        assert np.allclose(two.scores(abstract), np.array(expected) + bm25)
