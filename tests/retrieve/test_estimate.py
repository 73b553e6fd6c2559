"""Channels that have not seen everything: what they would say is estimated, never held against."""

from __future__ import annotations

import numpy as np
import pytest

from osler.kinds import Document, Filter, ScoreParts
from osler.retrieve import reading_now
from osler.retrieve.channel import Candidates
from osler.retrieve.estimate import ESTIMATED, estimate
from osler.retrieve.fusion import fusions
from osler.retrieve.pool import Like, Pool

NONE = np.zeros(0, np.int64)


def candidates(scores, rows=None):
    rows = np.arange(len(scores)) if rows is None else np.asarray(rows)
    return Candidates(rows.astype(np.int64), np.asarray(scores, float), np.ones(len(rows), int))


def test_a_line_through_what_both_saw():
    others = np.arange(400.0)
    values = 3.0 + 0.5 * others
    unseen = np.zeros(400, bool)
    unseen[::2] = True
    found = estimate(np.where(unseen, -9.0, values), others, unseen, np.ones(400, bool))
    assert found[~unseen].tolist() == values[~unseen].tolist()
    # The prior flattens it a little, the middle stays.
    assert np.abs(found[unseen] - values[unseen]).max() < 5.0
    assert found[unseen].mean() == pytest.approx(values[unseen].mean(), abs=0.5)


def test_better_words_never_make_a_paper_worse():
    others = np.arange(100.0)
    unseen = others >= 50
    found = estimate(np.where(unseen, 0.0, -others), others, unseen, np.ones(100, bool))
    assert (np.diff(found[unseen]) >= 0).all()


def test_a_channel_that_saw_nothing_is_left_alone():
    values = np.zeros(5)
    unseen = np.ones(5, bool)
    assert estimate(values, np.arange(5.0), unseen, ~unseen).tolist() == values.tolist()


@pytest.mark.parametrize("name", ["z-score", "rrf", "min-max"])
def test_a_paper_without_a_vector_is_not_behind_for_it(name):
    words = candidates([25, *np.linspace(20, 1, 39)])
    # Vectors agree with words; the best paper by words has none.
    vectors = candidates(np.linspace(0.9, 0.1, 40)[1:], np.arange(1, 40))
    channels = {"words": words, "vectors": vectors}
    fusion = fusions.resolve(name)
    punished = fusion.fuse(channels)
    assert punished.rows[punished.order()[0]] != 0
    fair = fusion.fuse(channels, {"vectors": lambda rows: rows == 0})
    assert fair.rows[fair.order()[0]] == 0
    assert fair.contributed["vectors"][0] == 0
    assert fair.contributed[ESTIMATED].nonzero()[0].tolist() == [0]
    total = sum(fair.contributed.values())
    assert np.allclose(total, fair.scores)


@pytest.mark.parametrize("name", ["z-score", "rrf", "min-max"])
def test_nothing_changes_where_all_have_vectors(name):
    rng = np.random.default_rng(1)
    channels = {
        "words": candidates(rng.random(30)),
        "vectors": candidates(rng.random(30), np.arange(10, 40)),
    }
    plain = fusions.resolve(name).fuse(channels)
    asked = fusions.resolve(name).fuse(
        channels, {"vectors": lambda rows: np.zeros(len(rows), bool)}
    )
    assert plain.scores.tolist() == asked.scores.tolist()
    assert list(plain.contributed) == list(asked.contributed)


def test_a_pool_measures_deviation_over_what_was_seen():
    pool = Pool({"words": candidates(np.arange(100.0))})
    unseen = np.arange(100) >= 20
    vectors = candidates(np.arange(20) / 20)
    like = Like(unseen, np.arange(100.0), np.ones(100, bool))
    standard = pool.put("vectors", vectors, like=like)
    assert standard[~unseen].mean() == pytest.approx(0, abs=1e-9)
    assert standard[~unseen].std() == pytest.approx(1)
    assert standard[99] > standard[19]


@pytest.fixture
def half_embedded(make_library):
    """Thirty papers, of which the first half has vectors; the best one by words has none."""
    papers = [
        Document(id=f"p{n:02d}", title=f"Sleep and rest, part {n}", published="2020")
        for n in range(29)
    ]
    papers.append(Document(id="best", title="Melatonin for insomnia and sleep", published="2020"))
    library = make_library(papers[:15])
    library.embed()
    library.add_documents(papers[15:])
    assert library.coverage().share < 1
    return library


@pytest.mark.parametrize("method", ["hybrid", "concepts", "concepts-learned"])
def test_what_waits_and_is_wanted_is_read_at_once(half_embedded, method):
    """A paper's score is the same before its vector was made and after."""
    before = half_embedded.search("melatonin for insomnia", method=method, k=15)
    assert half_embedded.coverage().waiting == 15
    half_embedded.embed()
    after = half_embedded.search("melatonin for insomnia", method=method, k=15)
    assert [hit.id for hit in before.hits] == [hit.id for hit in after.hits]
    told, again = (
        [next(r for r in hit.reasons if isinstance(r, ScoreParts)) for hit in each.hits]
        for each in (before, after)
    )
    assert not any(ESTIMATED in parts.contributed for parts in told)
    assert [parts.raw["vectors"] for parts in told] == pytest.approx(
        [parts.raw["vectors"] for parts in again], abs=1e-3
    )


@pytest.mark.parametrize("method", ["hybrid", "vectors", "concepts"])
def test_a_filter_holds_for_what_is_read_at_once(half_embedded, method):
    old = Document(id="old", title="Melatonin for insomnia", published="1980")
    half_embedded.add_documents([old])
    asked = {"method": method, "k": 40}
    everything = half_embedded.search("melatonin for insomnia", **asked)
    assert "old" in {hit.id for hit in everything.hits}
    recent = half_embedded.search(
        "melatonin for insomnia", filter=Filter(years=(2000, None)), **asked
    )
    assert "old" not in {hit.id for hit in recent.hits}
    assert recent.hits[0].id == "best"


@pytest.mark.parametrize("method", ["hybrid", "concepts", "concepts-learned"])
def test_a_search_while_vectors_are_made(half_embedded, method, monkeypatch):
    monkeypatch.setattr(reading_now, "READ_AT_ONCE", 0)
    ranking = half_embedded.search("melatonin for insomnia", method=method, k=5)
    assert ranking.hits[0].id == "best"
    parts = next(r for r in ranking.hits[0].reasons if isinstance(r, ScoreParts))
    assert ESTIMATED in parts.contributed
    assert parts.contributed["vectors"] == 0
    half_embedded.embed()
    ranking = half_embedded.search("melatonin for insomnia", method=method, k=5)
    assert ranking.hits[0].id == "best"
    for hit in ranking.hits:
        parts = next(r for r in hit.reasons if isinstance(r, ScoreParts))
        assert ESTIMATED not in parts.contributed
