"""Rank: a topic with a few labelled papers, papers by relevance and their best sentence.

Methods are classes, one a file, registered by name: ``rankers`` order papers, ``sentence_rankers``
order the sentences of one paper, ``representations`` turn a text into a vector. The default of
both is ``hybrid``, Osler's own, and ``elas`` for papers that are marked both ways; the others are
those of the seed paper (Chaudhary, Gupta, Schütze: Multi-grain Neural Relevance Ranking,
BioNLP-OST 2019), whose equation numbers they cite.
"""

from osler.rank.labels import Label, read_labels
from osler.rank.pool import Pool
from osler.rank.progress import reading
from osler.rank.ranker import TopicRanker, rankers
from osler.rank.screening import may_stop, stopping_p, work_saved
from osler.rank.sentence_ranker import Abstract, SentenceRanker, sentence_rankers
from osler.rank.topic import Topic

__all__ = [
    "Abstract",
    "Label",
    "Pool",
    "SentenceRanker",
    "Topic",
    "TopicRanker",
    "may_stop",
    "rankers",
    "read_labels",
    "reading",
    "sentence_rankers",
    "stopping_p",
    "work_saved",
]
