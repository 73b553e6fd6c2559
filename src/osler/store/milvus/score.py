"""What candidates score: BM25 as the embedded engine counts it, over the whole query tree.

score = sum over words t in fields f of weight * idf(t, f) * tf * (k1 + 1) / (tf + norm),
norm = k1 * (1 - b + b * |f| / average |f|), idf = log(1 + (N - n + 0.5) / (n + 0.5)),
with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza 2009, as Lucene and tantivy write it). Both keep
the length of a field in one byte, and so does this, or equal texts would score differently. The
idf of a phrase is the sum of its words'.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.store.milvus.held import FIELDS, Held
from osler.store.milvus.ledger import State
from osler.store.milvus.plan import AllOf, AnyOf, Every, Labelled, Nothing, Plan, Stem, Word, Years
from osler.store.milvus.schema import NO_YEAR
from osler.store.milvus.tokens import LETTERS
from osler.text import bm25

Array = npt.NDArray[Any]
Marks = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


@functools.cache
def norm_table() -> Array:
    """The lengths that one byte can stand for: exact up to 40, then three leading bits."""
    exact = 24
    table = list(range(exact))
    for code in range(256 - exact):
        value = code if code < 8 else (8 | (code & 7)) << ((code >> 3) - 1)
        table.append(exact + value)
    return np.array(table, np.int64)


def kept_length(lengths: Array) -> Array:
    """Lengths as the byte keeps them: rounded down to one that it can stand for."""
    table = norm_table()
    kept: Array = table[np.searchsorted(table, lengths, side="right") - 1]
    return kept


def idf(documents: int, total: int) -> float:
    """Of a term that stands in ``documents`` out of ``total``."""
    # Counts may run ahead of the total for a moment, between two reads of the ledger.
    total = max(total, documents)
    return float(bm25.idf(documents, total))


class Scorer:
    """Scores some candidates; every part of a plan gives who matches, and how well."""

    def __init__(
        self,
        held: Sequence[Held],
        tokens: Sequence[str],
        numbers: Array,
        frequencies: Mapping[str, int],
        state: State,
    ) -> None:
        self.held = held
        self.count = len(held)
        self.frequencies = frequencies
        self.state = state
        self._tf = self._table(tokens, numbers)
        lengths = np.array([each.lengths for each in held], np.int64).reshape(-1, len(FIELDS))
        self._norms: dict[str, Array] = {}
        for place, field in enumerate(FIELDS):
            average = state.average(field)
            if average:
                length = kept_length(lengths[:, place])
                self._norms[field] = bm25.room(length, average)

    def _table(self, tokens: Sequence[str], numbers: Array) -> dict[str, Array]:
        """How often each token stands in each candidate."""
        if not self.count or not len(tokens):
            return {token: np.zeros(self.count) for token in tokens}
        order = np.argsort(numbers, kind="stable")
        wanted = numbers[order]
        sizes = [len(each.numbers) for each in self.held]
        flat = np.concatenate([each.numbers for each in self.held])
        times = np.concatenate([each.counts for each in self.held])
        owner = np.repeat(np.arange(self.count), sizes)
        at = np.minimum(np.searchsorted(wanted, flat), len(wanted) - 1)
        hit = wanted[at] == flat
        table = np.zeros((len(tokens), self.count))
        table[order[at[hit]], owner[hit]] = times[hit]
        return {token: table[place] for place, token in enumerate(tokens)}

    def score(self, plan: Plan) -> tuple[Marks, Scores]:
        match plan:
            case Nothing():
                return np.zeros(self.count, bool), np.zeros(self.count)
            case Every():
                return np.ones(self.count, bool), np.ones(self.count)
            case Word():
                times = self._times(plan)
                return times > 0, plan.weight * self._bm25(plan, times)
            case Stem():
                return self._constant(self._holding(plan), plan.weight)
            case Years():
                return self._constant(self._within(plan), 0.0)
            case Labelled():
                wanted = frozenset(plan.labels)
                marks = np.fromiter(
                    (not wanted.isdisjoint(each.labels) for each in self.held), bool, self.count
                )
                return self._constant(marks, plan.weight)
            case AnyOf():
                return self._any(plan)
            case AllOf():
                return self._all(plan)

    def _any(self, plan: AnyOf) -> tuple[Marks, Scores]:
        marks, total = np.zeros(self.count, bool), np.zeros(self.count)
        for part, weight in plan.parts:
            holds, score = self.score(part)
            marks |= holds
            total += weight * score
        return marks, total

    def _all(self, plan: AllOf) -> tuple[Marks, Scores]:
        marks, total = np.ones(self.count, bool), np.zeros(self.count)
        for part in plan.parts:
            holds, score = self.score(part)
            marks &= holds
            total += score
        for part in plan.without:
            marks &= ~self.score(part)[0]
        return marks, np.where(marks, total, 0.0)

    @staticmethod
    def _constant(marks: Marks, value: float) -> tuple[Marks, Scores]:
        return marks, np.where(marks, value, 0.0)

    # -- words ---------------------------------------------------------------------------------

    def _bm25(self, word: Word, times: Array) -> Array:
        norms = self._norms.get(word.field)
        if norms is None:
            return np.zeros(self.count)
        total = self.state.total(word.field)
        rarity = sum(idf(self.frequencies.get(token, 0), total) for token in word.tokens)
        result: Array = rarity * (bm25.K1 + 1) * times / (times + norms)
        return result

    def _times(self, word: Word) -> Array:
        """How often a word or a phrase stands in each candidate."""
        if len(word.tokens) == 1:
            return self._tf[word.tokens[0]]
        having = functools.reduce(np.logical_and, (self._tf[token] > 0 for token in word.tokens))
        places = np.flatnonzero(having)
        times = np.zeros(self.count)
        if not len(places):
            return times
        texts = [self.held[place].words for place in places.tolist()]
        times[places] = _sloppy(texts, word) if word.slop else _exactly(texts, word)
        return times

    def _holding(self, stem: Stem) -> Marks:
        wanted = frozenset(stem.tokens)
        return np.fromiter(
            (not wanted.isdisjoint(each.words.split()) for each in self.held), bool, self.count
        )

    def _within(self, years: Years) -> Marks:
        year = np.array([each.year for each in self.held], np.int64)
        marks: Marks = year > NO_YEAR
        if years.low is not None:
            marks &= year >= years.low
        if years.high is not None:
            marks &= year <= years.high
        return marks


def _exactly(texts: Sequence[str], word: Word) -> list[int]:
    """How often the tokens follow each other. A field's tokens stand together and no token of
    another field is among them, so the whole text can be looked through."""
    counts = []
    size = len(word.tokens)
    wanted = list(word.tokens)
    for text in texts:
        tokens = text.split()
        counts.append(
            sum(
                tokens[at : at + size] == wanted
                for at, token in enumerate(tokens)
                if token == wanted[0]
            )
        )
    return counts


def _sloppy(texts: Sequence[str], word: Word) -> list[int]:
    """How often the tokens stand near each other, counted by tantivy itself in a small index of
    the candidates: what "near" means has more turns than one would like to write twice."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("place", fast=True)
    builder.add_text_field("text", tokenizer_name="whitespace")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(15_000_000, num_threads=1)
    own_letters = (LETTERS[word.field], chr(ord(LETTERS[word.field]) + 1))
    lengths = []
    for place, text in enumerate(texts):
        own = [token for token in text.split() if token[0] in own_letters]
        lengths.append(len(own))
        fields = {"place": place, "text": " ".join(own)}
        writer.add_document(tantivy.Document.from_dict(fields, schema))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    query = tantivy.Query.phrase_query(schema, "text", list(word.tokens), slop=word.slop)
    hits = searcher.search(query, limit=len(texts), count=False).hits
    places = searcher.fast_field_values("place", [address for _, address in hits])
    # Its score at known statistics gives back the number of times.
    rarity = sum(idf(searcher.doc_freq("text", token), len(texts)) for token in word.tokens)
    average = sum(lengths) / len(lengths)
    kept = kept_length(np.array(lengths))
    counts = [0] * len(texts)
    for (score, _), place in zip(hits, places, strict=True):
        norm = bm25.room(float(kept[place]), average)
        share = score / (rarity * (bm25.K1 + 1))
        counts[place] = max(1, round(share * norm / (1 - share)))
    return counts
