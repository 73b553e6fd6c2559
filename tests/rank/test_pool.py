"""Papers as rankers see them: parts of a pool, and two pools as one."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Document, Section
from osler.rank.pool import Pool, joined
from osler.rank.ranker import check_fit
from osler.rank.topic import Topic


def documents(*ids):
    return [
        Document(id=id, title=f"Title {id}", sections=(Section(f"text of {id}"),)) for id in ids
    ]


def test_two_pools_are_one_with_all_that_both_hold():
    first = Pool(documents("a", "b"), vectors=np.eye(2), concepts={"a": ["C1"], "c": ["old"]})
    second = Pool(documents("c"), vectors=np.full((1, 2), 3.0), concepts={"c": ["C2"]})
    both = joined(first, second)
    assert both.ids == ["a", "b", "c"]
    assert both.vectors.tolist() == [[1, 0], [0, 1], [3, 3]]
    # What the first says of a paper holds.
    assert both.concepts == {"a": ["C1"], "c": ["old"]}
    assert both.title_terms == first.title_terms + second.title_terms
    assert both.body_terms == first.body_terms + second.body_terms
    assert both.texts == first.texts + second.texts


def test_where_one_pool_lacks_vectors_both_have_none():
    bare, whole = Pool(documents("a")), Pool(documents("b"), vectors=np.ones((1, 2)))
    for both in (joined(bare, whole), joined(whole, bare)):
        assert both.vectors is None
        assert both.concepts is None
        assert len(both) == 2


def test_a_part_keeps_what_was_worked_out():
    pool = Pool(documents("a", "b", "c"), vectors=np.arange(6.0).reshape(3, 2)).warm()
    part = pool.take([2, 0])
    assert part.ids == ["c", "a"]
    assert part.vectors.tolist() == [[4, 5], [0, 1]]
    for name in ("title_terms", "body_terms", "texts"):
        assert part.__dict__[name] == [getattr(pool, name)[row] for row in (2, 0)]
    # Nothing is worked out that was not asked for.
    assert "texts" not in Pool(documents("a")).take([0]).__dict__
    with pytest.raises(ValueError, match="one vector a document"):
        Pool(documents("a"), vectors=np.ones((2, 2)))


def test_nothing_is_learned_without_a_topic_or_without_a_paper_of_one():
    pool = Pool(documents("a", "b"))
    with pytest.raises(InputError, match="no topic"):
        check_fit(pool, np.zeros(2, dtype=np.int64), [], learns=False)
    with pytest.raises(ValueError, match="one target a paper"):
        check_fit(pool, np.zeros(1, dtype=np.int64), [Topic("a")])
    with pytest.raises(InputError, match="no relevant paper"):
        check_fit(pool, np.ones(2, dtype=np.int64), [Topic("a")])
    check_fit(pool, np.ones(2, dtype=np.int64), [Topic("a")], learns=False)
