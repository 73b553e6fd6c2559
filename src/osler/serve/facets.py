"""A page of hits, and how all hits spread over years, journals and kinds of paper."""

from __future__ import annotations

from osler.kinds import Ranking
from osler.serve.reader import Reader
from osler.verbs.facets import Facets, facets
from osler.verbs.search import SearchRequest, search


def search_and_count(reader: Reader, request: SearchRequest) -> tuple[Ranking, Facets]:
    """One page of hits, and filters counted over all of them."""
    ranking = search(reader, request)
    return ranking, facets(reader, request)
