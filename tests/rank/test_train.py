"""What the card of a trained ranker says it can do, on papers held out in turn."""

import numpy as np
import pytest

from osler.kinds import Document, Section
from osler.rank.examples import Examples
from osler.rank.papers.about import About
from osler.rank.papers.bm25_extra import Bm25ExtraRanker
from osler.rank.pool import Pool
from osler.rank.topic import Topic
from osler.rank.train import train_ranker

WORDS = ["sleep melatonin night", "fear shock threat"]


def trained(make, each):
    """A card of two topics with so many papers each."""
    texts = [f"{WORDS[topic]} {number}" for topic in range(2) for number in range(each)]
    pool = Pool(
        [Document(id=str(n), title="", sections=(Section(t),)) for n, t in enumerate(texts)]
    )
    examples = Examples(
        rows=np.arange(len(texts)),
        targets=np.repeat([0, 1], each),
        topics=[Topic("Sleep"), Topic("Fear")],
        labelled=len(texts),
    )
    return train_ranker(make, pool, examples)


@pytest.mark.parametrize(("each", "measured"), [(1, False), (2, True), (6, True)])
def test_two_papers_of_each_topic_are_enough_to_hold_one_out(each, measured):
    ranker, card = trained(About, each)
    measures = {one.name: one.value for one in card.measures}
    if measured:
        assert measures["mean average precision"] == pytest.approx(1.0)
        assert f"{2 * each} papers held out" in card.measures[0].on
    else:
        assert measures == {}
    assert [topic.id for topic in ranker.topics] == ["Sleep", "Fear"]


def test_a_method_that_learns_nothing_is_not_measured():
    assert trained(Bm25ExtraRanker, 4)[1].measures == ()
