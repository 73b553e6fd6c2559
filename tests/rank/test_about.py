"""Papers about a topic among papers that only use its words."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Document, Section
from osler.rank.papers.about import About
from osler.rank.pool import Pool
from osler.rank.topic import Topic


def documents(prefix, texts):
    return [
        Document(id=f"{prefix}{number}", title="", sections=(Section(text),))
        for number, text in enumerate(texts)
    ]


GRIEF = ["loss grief widow mourning", "loss bereavement widow grief", "grief mourning loss death"]
FEAR = ["fear threat amygdala freezing", "fear startle threat shock", "freezing shock fear rats"]
NONE = ["hearing loss cochlea noise", "weight loss diet trial", "blood loss surgery trial"]


@pytest.fixture
def fitted():
    pool = Pool(documents("p", GRIEF + FEAR + NONE), vectors=np.eye(9, 4) + 0.1)
    targets = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    return About().fit(pool, targets, [Topic("Loss"), Topic("Fear")]), pool


def test_the_word_alone_is_not_enough(fitted):
    ranker, _ = fitted
    new = Pool(documents("n", ["loss of hearing in noise", "loss of a widow, grief"]))
    own, other = ranker.scores(new)[:, 0][[1, 0]]
    assert own > other


def test_discriminant_by_hand():
    vectors = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [-1, 0], [-1, 0]])
    pool = Pool(documents("p", ["a b", "a c", "d e", "d f", "g h", "g i"]), vectors=vectors)
    targets = np.array([0, 0, 1, 1, 2, 2])
    ranker = About(shrinkage=1.0, between=0.5).fit(pool, targets, [Topic("a"), Topic("d")])
    # No spread inside the groups: S is next to nothing times the identity, so the direction is
    # that of (m_t - m_none) + (m_t - m) / 2.
    first = np.array([2.0, 0.0]) + 0.5 * (np.array([1.0, 0.0]) - np.array([0.5, 0.5]))
    second = np.array([1.0, 1.0]) + 0.5 * (np.array([0.0, 1.0]) - np.array([0.5, 0.5]))
    for column, wanted in enumerate((first, second)):
        got = ranker.direction[:, column]
        assert got / np.linalg.norm(got) == pytest.approx(wanted / np.linalg.norm(wanted))


def test_parts_are_in_units_of_the_background(fitted):
    ranker, pool = fitted
    parts = ranker._parts(pool, ranker.words.transform(pool))
    scaled = (parts - ranker.shift[..., None]) / ranker.scale[..., None]
    background = scaled[:, :, 6:]
    assert background.mean(axis=2) == pytest.approx(np.zeros((3, 2)), abs=1e-9)
    spread = background.std(axis=2)
    assert np.all((np.abs(spread - 1) < 1e-9) | (spread < 1e-9))
    total = scaled.sum(axis=0).T
    assert ranker.scores(pool) == pytest.approx(0.5 + np.arctan(total) / np.pi)


def test_without_vectors_without_a_background_and_unfitted():
    pool = Pool(documents("p", GRIEF + FEAR))
    ranker = About().fit(pool, np.array([0, 0, 0, 1, 1, 1]), [Topic("Loss"), Topic("Fear")])
    assert (ranker.scores(pool).argmax(axis=1) == [0, 0, 0, 1, 1, 1]).all()
    with pytest.raises(InputError, match="learned nothing"):
        About().scores(pool)


def test_one_topic_against_what_is_marked_irrelevant():
    pool = Pool(documents("p", GRIEF + NONE))
    ranker = About().fit(pool, np.array([0, 0, 0, 1, 1, 1]), [Topic("Loss")])
    scores = ranker.scores(pool)[:, 0]
    assert scores[:3].min() > scores[3:].max()
    words = {word for (heat,) in ranker.reasons(pool, 0)[:1] for word, _ in heat.words}
    assert "grief" in words
