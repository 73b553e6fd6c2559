"""The desk's words against scikit-learn's, and Chinese."""

import numpy as np
import pytest

from osler.rank.desk.tfidf import terms, tfidf, words

TEXTS = [
    "Statins and muscle pain: a cohort study of statins",
    "Muscle pain after exercise; a review",
    "Aspirin, 100 mg daily, for prevention in adults",
    "",
    "A cohort of adults with asthma and pain in the muscle",
]


def test_equals_scikit_learn():
    vectoriser = pytest.importorskip("sklearn.feature_extraction.text").TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, max_df=0.95
    )
    expected = vectoriser.fit_transform(TEXTS)
    matrix, names = tfidf(TEXTS)
    assert sorted(names) == sorted(vectoriser.vocabulary_)
    columns = [vectoriser.vocabulary_[name] for name in names]
    assert np.abs((expected[:, columns] - matrix).toarray()).max() < 1e-12


def test_a_row_by_hand():
    # Two texts; "pain" stands in both (idf 1), "muscle" and "muscle pain" in one (ln(3/2) + 1).
    matrix, names = tfidf(["muscle pain", "pain"], max_df=1.0)
    rare = np.log(3 / 2) + 1
    length = np.sqrt(1 + 2 * rare**2)
    row = dict(zip(names, matrix.toarray()[0], strict=True))
    assert row == pytest.approx(
        {"pain": 1 / length, "muscle": rare / length, "muscle pain": rare / length}
    )


def test_what_stands_nearly_everywhere_is_left_out():
    _, names = tfidf(["common one", "common two", "common three"])
    assert "common" not in names
    assert "two" in names


def test_chinese_is_cut_into_pairs_of_characters():
    assert words("糖尿病 HbA1c") == ["糖尿", "尿病", "hba1c"]
    assert "糖尿 尿病" in terms("糖尿病")


def test_no_texts_and_empty_texts():
    matrix, names = tfidf([])
    assert matrix.shape == (0, 0)
    assert names == []
    assert tfidf(["", ""])[0].shape == (2, 0)
