"""How papers use words: terms by their rarity, and a topic's own words."""

import math

import numpy as np
import pytest

from osler.kinds import Document, Section
from osler.rank.pool import Pool
from osler.rank.word_features import TopicFeatures, WordFeatures


def pool_of(*texts, concepts=None):
    return Pool(
        [
            Document(id=str(number), title=title, sections=(Section(text),))
            for number, (title, text) in enumerate(texts)
        ],
        concepts=concepts,
    )


def test_a_topics_words_by_hand():
    features = TopicFeatures(["grief loss", "fear"])
    assert features.terms == ["fear", "grief", "loss"]
    assert features.width == 15
    assert features.owners == ["fear"] * 3 + ["grief"] * 3 + ["loss"] * 3 + [""] * 6
    pool = pool_of(
        ("Loss", "grief grief and grief loss"), ("Grief", "loss"), ("Fear", "fear"), ("A", "b")
    )
    raw = features.raw(pool)
    three, two = math.log(4), math.log(3)
    # A term: ln(1 + count), whether it is there, whether in the title. A topic: the share of its
    # words there, in the title, and of its pairs as neighbours.
    assert raw[0] == pytest.approx([0, 0, 0, three, 1, 0, two, 1, 1, 1, 0.5, 1, 0, 0, 0])
    # A pair that the end of the title parts is none.
    assert raw[1, 9:12] == pytest.approx([1, 0.5, 0])
    assert raw[2] == pytest.approx([two, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0])
    assert not raw[3].any()


def test_columns_are_in_units_of_their_spread_and_none_shouts():
    features = TopicFeatures(["fear"])
    # One of 100 papers uses the word: its deviation is nearly ten times the column's spread.
    pool = pool_of(("Fear", "fear"), *[("A", "b")] * 99)
    given = features.fit(pool).transform(pool)
    raw = features.raw(pool)
    assert features.spread[1] == pytest.approx(raw[:, 1].std())
    assert given[1, 1] == pytest.approx(-raw[:, 1].mean() / raw[:, 1].std())
    assert given.max() == 5
    # What never varied is left at nothing, and later stands as it is.
    assert given[:, 5] == pytest.approx(0)
    bare = pool_of(("A", "b"), ("A", "b"))
    later = TopicFeatures(["fear"]).fit(bare).transform(pool_of(("Fear", "fear")))
    assert later[0, :3] == pytest.approx([math.log(3), 1, 1])


def test_a_row_is_of_length_one_by_rarity_and_pairs_do_not_span_title_and_text():
    pool = pool_of(
        ("fear grief", "loss loss"), ("fear", "grief loss"), ("fear", "grief loss"), ("steel", "x")
    )
    words = WordFeatures().fit(pool)
    matrix = words.transform(pool)
    assert np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()[:3]) == pytest.approx(1)
    assert "grief loss" in words.names
    assert "title:fear" in words.names
    column = words.names.index("grief loss")
    assert (matrix[:, column].toarray().ravel() > 0).tolist() == [False, True, True, False]
    line = dict(zip([words.names[c] for c in matrix[0].indices], matrix[0].data, strict=True))
    idf = dict(zip(words.names, words.idf, strict=True))
    wanted = (1 + math.log(2)) * idf["loss"] / idf["fear"]
    assert line["loss"] / line["fear"] == pytest.approx(wanted)


def test_concepts_are_terms_where_they_are_linked():
    concepts = {"0": ["C1"], "1": ["C1"], "2": ["C2"]}
    pool = pool_of(("a1", "b1"), ("a1", "b1"), ("a1", "b1"), concepts=concepts)
    words = WordFeatures().fit(pool)
    assert "concept:C1" in words.names
    column = words.names.index("concept:C1")
    held = words.transform(pool)[:, column].toarray().ravel() > 0
    assert held.tolist() == [True, True, False]
