"""Query-aware attention-based representation, equation (1):

    a_{i,k}   = cos(e(q_i), e(d_k))
    Phi_i(d)  = sum_k a_{i,k} e(d_k)
    QAR(d)    = Phi_q(d) = sum_i Phi_i(d)

Since Phi is linear in the attention, the histograms of all query words are summed first: a text
costs one product of two small matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.rank.pool import Floats
from osler.rank.representations.base import representations, unit
from osler.rank.representations.esr import EmbeddingSum


def attention(query: Floats, text: Floats) -> Floats:
    """a: for each word of the text, its cosine to each word of the query, summed."""
    return np.asarray(unit(text) @ unit(query).sum(axis=0))


def query_aware(query: Floats, text: Floats) -> Floats:
    """Phi_q: word vectors of the text (a row a word), weighted by their attention and summed."""
    return np.asarray(attention(query, text) @ text)


@representations.register("qar")
class QueryAware(EmbeddingSum):
    """The query itself is represented by its embedding sum, as in the paper."""

    name = "qar"
    help = "word vectors weighted by their closeness to the query's words (eq. 1)"

    def transform(self, texts: Sequence[str], *, query: str = "") -> Floats:
        asked = self._rows(query)
        if not texts:
            return np.zeros((0, self.source.dimension))
        return np.stack([query_aware(asked, self._rows(text)) for text in texts])

    def query(self, text: str) -> Floats:
        return np.asarray(self._rows(text).sum(axis=0))
