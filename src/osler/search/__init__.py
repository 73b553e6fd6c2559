"""Search: a question in words, papers with evidence; one ranker a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.lazy import lazy
from osler.search.ranker import SearchRanker, rankers

if TYPE_CHECKING:
    from osler.search.concepts import Concepts
    from osler.search.hybrid import Hybrid
    from osler.search.words import Words
    from osler.text.encoder import load_encoder

_HOMES = {
    "Concepts": "osler.search.concepts",
    "Hybrid": "osler.search.hybrid",
    "Words": "osler.search.words",
    "load_encoder": "osler.text.encoder",
}
__all__ = ["Concepts", "Hybrid", "SearchRanker", "Words", "load_encoder", "rankers"]
__getattr__ = lazy(__name__, _HOMES)
