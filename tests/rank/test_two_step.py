"""The paper's two steps, and settings as a person types them."""

from pathlib import Path

import numpy as np
import pytest

from osler.cli.rank import _options
from osler.errors import InputError
from osler.learn.options import check_taken, fitting, parsed
from osler.rank.papers.bm25_extra import Bm25ExtraRanker
from osler.rank.papers.hybrid import Hybrid
from osler.rank.papers.sup_docnade import SupDocNadeRanker
from osler.rank.papers.two_step import TwoStep
from osler.rank.sentences.supervised import SupervisedSentences
from osler.rank.sentences.votes import Votes


def test_the_cluster_comes_first_in_the_second_rankers_order(world):
    pool, targets, topics = world
    ranker = TwoStep(classifier="hybrid", reranker="bm25-extra").fit(pool, targets, topics)
    scores = ranker.scores(pool)
    chances = Hybrid().fit(pool, targets, topics).scores(pool)
    second = Bm25ExtraRanker().fit(pool, targets, topics).scores(pool)
    whole = np.hstack([chances, 1 - chances.sum(axis=1, keepdims=True)])
    cluster = whole.argmax(axis=1)
    for topic in range(len(topics)):
        inside, outside = cluster == topic, cluster != topic
        assert scores[inside, topic].min() >= scores[outside, topic].max()
        for part in (inside, outside):
            order = np.argsort(-scores[part, topic], kind="stable")
            assert (order == np.argsort(-second[part, topic], kind="stable")).all()
    assert scores.min() >= 0
    assert scores.max() <= 1
    again = TwoStep.restore(*ranker.state())
    assert np.allclose(again.scores(pool), scores)


def test_settings_as_they_are_typed():
    given = parsed(["lambda=0.05", "hidden=100", "members=bm25-extra,hybrid", "beta=1"])
    assert given == {"weight": "0.05", "hidden": "100", "members": "bm25-extra,hybrid", "beta": "1"}
    assert fitting(SupDocNadeRanker, given) == {"weight": 0.05, "hidden": 100}
    assert fitting(Votes, given) == {"members": ("bm25-extra", "hybrid")}
    assert fitting(SupervisedSentences, given)["beta"] == 1.0
    check_taken(given, [SupDocNadeRanker, Votes, SupervisedSentences])


@pytest.mark.parametrize("pair", ["hidden", "=3", "hidden="])
def test_what_is_no_setting(pair):
    with pytest.raises(InputError, match="no setting"):
        parsed([pair])


def test_settings_that_nothing_takes_or_that_do_not_fit():
    with pytest.raises(InputError, match="nothing here takes 'gamma'"):
        check_taken({"gamma": "1"}, [Hybrid])
    with pytest.raises(InputError, match="hidden is not 'many'"):
        fitting(SupDocNadeRanker, {"hidden": "many"})


@pytest.mark.parametrize("setting", [{"beta": -2.0}, {"hidden": 0}, {"epochs": 0}])
def test_settings_that_make_no_sense(setting):
    with pytest.raises(InputError, match="or more"):
        SupervisedSentences(**setting)


def test_files_of_word_vectors_go_to_those_that_take_them():
    files = [Path("a.vec"), Path("b.vec")]
    # The default ranker of sentences has a weight of that name.
    papers, sentences = _options("a-sup-docnade", "hybrid", [], files)
    assert (papers, sentences) == ({"vectors": files}, {})
    papers, sentences = _options("hybrid", "supervised", ["beta=1"], files)
    assert (papers, sentences) == ({}, {"beta": 1.0, "vectors": files[0]})
    with pytest.raises(InputError, match="neither svm nor the sentence ranker hybrid takes"):
        _options("svm", "hybrid", [], files)
