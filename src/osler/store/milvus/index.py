"""Search in one collection of words: candidates by Milvus, scores by us.

BM25 of Milvus brings more candidates than are asked for, with the filter already applied; each is
then scored as the embedded engine would, so the order is its order. (Milvus counts a document's
length over all fields together, and Milvus Lite counts rarity by segment.) A query with phrases,
headings or years is asked as an expression instead: all that it lets through are candidates, as
far as Milvus gives them out; beyond that the best by BM25 are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from osler.kinds.query import Node
from osler.store.milvus.connection import Connection
from osler.store.milvus.filters import conjunction, expression
from osler.store.milvus.held import Held, Memory
from osler.store.milvus.ledger import WIDEST, Ledger, State
from osler.store.milvus.plan import Plan, Planner, bag, every_word, is_flat
from osler.store.milvus.score import Scorer

MOST = 16_384
"""Rows that Milvus gives out in one answer."""
SPARE = 400
"""Candidates beyond twice the hits asked for."""


class Found(NamedTuple):
    held: Held
    score: float


class WordSearch:
    """One collection whose rows have ``words``; ``key`` is its primary field."""

    def __init__(
        self,
        connection: Connection,
        collection: str,
        ledger: Ledger,
        *,
        key: str,
        fields: list[str],
    ) -> None:
        self.connection = connection
        self.collection = collection
        self.ledger = ledger
        self.key = key
        self.fields = fields
        self._memory: Memory | None = None

    def _plan(self, node: Node, weights: Mapping[str, float]) -> Plan:
        return Planner(weights, self.ledger.starting_with, widest=WIDEST).plan(node)

    @staticmethod
    def _visible(state: State) -> str:
        return f"seq <= {state.applied}" if state.writing else ""

    def search(
        self, node: Node, k: int, *, weights: Mapping[str, float], within: str = ""
    ) -> list[Found]:
        """The best k, and all that tie with the last of them."""
        state = self.ledger.state()
        if not state.applied:
            return []
        plan = self._plan(node, weights)
        within = conjunction([within, self._visible(state)])
        if is_flat(plan):
            return self._flat(plan, k, within, state)
        matches = conjunction([expression(plan).text, within])
        keys = self._listed(matches)
        if len(keys) >= MOST:
            keys = list(dict.fromkeys([*self._nearest(bag(plan), MOST, matches), *keys]))
        return _best(self._scored(plan, keys, state), k)

    def _flat(self, plan: Plan, k: int, within: str, state: State) -> list[Found]:
        text = bag(plan)
        if not text:
            return []
        limit = min(MOST, 2 * k + SPARE)
        while True:
            keys = self._nearest(text, limit, within)
            hits = self._scored(plan, keys, state)
            best = _best(hits, k)
            # Where all candidates tie with the last of the best, more may be out there.
            tied = best and len(best) == len(hits)
            if len(keys) < limit or limit == MOST or not tied:
                return best
            limit = min(MOST, 2 * limit)

    def _nearest(self, text: str, limit: int, within: str) -> list[int]:
        """The keys of the best by Milvus's own BM25."""
        if not text:
            return []
        hits = self.connection.call(
            "search",
            self.collection,
            data=[text],
            anns_field="bm25",
            limit=limit,
            filter=within,
            output_fields=[self.key],
            search_params={"metric_type": "BM25"},
        )
        return [int(hit[self.key]) for hit in hits[0]]

    def _listed(self, matches: str) -> list[int]:
        """The keys of what an expression lets through, as many as Milvus gives."""
        rows = self.connection.query(
            self.collection, matches or f"{self.key} >= 0", [self.key], limit=MOST
        )
        return [int(row[self.key]) for row in rows]

    def _scored(self, plan: Plan, keys: list[int], state: State) -> list[Found]:
        """Those that match, with their scores; of two versions of a row the newer."""
        tokens = sorted({token for word in every_word(plan) for token in word.tokens})
        # Kept here too: shared memories live as long as somebody holds one.
        self._memory = Memory.of(self.connection.place, self.collection, state.made, self.fields)
        held, numbers = self._memory.get(self.connection, keys, tokens)
        frequencies = self.ledger.frequencies(tokens)
        marks, scores = Scorer(held, tokens, numbers, frequencies, state).score(plan)
        # Single precision, as the embedded engine has it: what ties there ties here.
        rounded = scores.astype(np.float32)
        hits = [Found(held[at], float(rounded[at])) for at in np.flatnonzero(marks)]
        newest: dict[int, int] = {}
        for each in hits:
            newest[each.held.row] = max(each.held.seq, newest.get(each.held.row, 0))
        return [each for each in hits if newest[each.held.row] == each.held.seq]

    def count(self, node: Node, *, weights: Mapping[str, float], within: str = "") -> int:
        """How many rows match, however many that are."""
        state = self.ledger.state()
        if not state.applied:
            return 0
        plan = self._plan(node, weights)
        says = expression(plan)
        matches = conjunction([says.text, within, self._visible(state)]) or f"{self.key} >= 0"
        if says.exact:
            return self.connection.count(self.collection, matches)
        total = 0
        for page in self.connection.pages(self.collection, matches, [self.key]):
            keys = [int(row[self.key]) for row in page]
            total += len(self._scored(plan, keys, state))
        return total


def _best(hits: list[Found], k: int) -> list[Found]:
    """Sorted, the first k and all that tie with the last of them."""
    hits.sort(key=lambda each: (-each.score, each.held.row))
    if len(hits) <= k:
        return hits
    least = hits[k - 1].score
    return [each for each in hits if each.score >= least]
