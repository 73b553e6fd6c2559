"""Search: a question in words, papers with evidence; one ranker a file."""

from osler.search.ranker import Ranker, rankers

__all__ = ["Ranker", "rankers"]
