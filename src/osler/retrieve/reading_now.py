"""Papers that the encoder has not read yet and that a question may well want are read at once.

A paper's rank must not depend on whether its vector is there yet. The quick table has read every
paper, so it and the words tell which of those that wait are likely to stand high; a few of these
are read while the question waits, and what was read is kept.
"""

from __future__ import annotations

import numpy as np

from osler.retrieve.channel import Candidates
from osler.retrieve.pool import Pool, standard_scores
from osler.retrieve.view import Request, View
from osler.text.team import READ_AT_ONCE

WORDS, QUICK = 0.25, 0.75


def read_likely(request: Request, view: View, words: Candidates) -> None:
    """Read what waits and is likely to be wanted, so that its vector takes part: all of it, where
    it is little enough."""
    name = view.encoder.fingerprint
    if view.engine.vector_count(name) >= view.total:
        return
    applied = view.engine.vectors_applied(name, view.encoder.dimension)
    later = view.documents.changes(applied, limit=READ_AT_ONCE + 1)
    if len(later) <= READ_AT_ONCE:
        view.read([change.row for change in later if change.document is not None])
        return
    quick = view.quickly(request.text, request.depth, request.filter)
    pool = Pool({"words": words, "quick": quick})
    waiting = view.without_vector(pool.rows, np.zeros(0, np.int64))
    if not waiting.any():
        return
    likely = WORDS * standard_scores(pool.lay("words", words), words.background)
    if len(quick):
        likely += QUICK * standard_scores(pool.lay("quick", quick), quick.background)
    best = np.lexsort((pool.rows, -likely))
    view.read(pool.rows[best[waiting[best]]][:READ_AT_ONCE].tolist())
