"""Entities that question and answer both name: how many there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.kinds import Reason
from osler.match.matcher import Candidate, Floats, Matcher
from osler.match.reasons import pair_reasons


class SharedEntities(Matcher):
    """A library without a graph has none: all scores are zero then."""

    name = "shared-entities"
    help = "the number of entities that question and answer share"

    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        known = self.sources.known
        if known is None:
            return np.zeros(len(candidates))
        asked = set(known.link(question).main)
        return np.array(
            [len(asked.intersection(known.link(c.text).main)) for c in candidates], np.float64
        )

    def explain(self, question: str, candidate: Candidate) -> tuple[Reason, ...]:
        known = self.sources.known
        if known is None:
            return ()
        shared = set(known.link(question).main) & set(known.link(candidate.text).main)
        each = 1 / len(shared) if shared else 0.0
        return pair_reasons(known, [((entity, entity), each) for entity in sorted(shared)])
