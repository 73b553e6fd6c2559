"""Terms of a collection of questions and answers: their numbers, how rare they are, BM25.

Everything works on one question against many answers: the question's weights are laid out once
over the whole vocabulary, the answers' terms are looked up there together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.match.texts import Kept
from osler.stopping import check_stopped
from osler.text import bm25

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cut = Callable[[str], Sequence[str]]


class Row:
    """A text as numbered terms and their counts; ``length`` counts unknown terms too."""

    __slots__ = ("counts", "ids", "length", "unknown", "weights")

    def __init__(self, ids: Ints, counts: Floats, length: int, unknown: int) -> None:
        self.ids = ids
        self.counts = counts
        self.length = length
        self.unknown = unknown
        self.weights: Floats = counts


class Rows:
    """Several texts behind one another."""

    def __init__(self, rows: Sequence[Row]) -> None:
        sizes = [len(row.ids) for row in rows]
        self.count = len(rows)
        self.ids = np.concatenate([row.ids for row in rows]) if rows else np.zeros(0, np.int64)
        self.counts = np.concatenate([row.counts for row in rows]) if rows else np.zeros(0)
        self.weights = np.concatenate([row.weights for row in rows]) if rows else np.zeros(0)
        self.owner = np.repeat(np.arange(self.count), sizes)
        self.lengths = np.array([row.length for row in rows], np.float64)

    def summed(self, values: Floats) -> Floats:
        """The sum of a value a term, by text."""
        return np.bincount(self.owner, values, minlength=self.count).astype(np.float64)


class Lexicon:
    """The vocabulary of a collection. ``row`` numbers a text, and keeps the last ones."""

    def __init__(self, cut: Cut, vocabulary: Sequence[str], idf: Floats, mean_length: float):
        self.cut = cut
        self.vocabulary = list(vocabulary)
        self.numbers = {term: number for number, term in enumerate(self.vocabulary)}
        self.idf = np.asarray(idf, np.float64)
        self.mean_length = max(float(mean_length), 1.0)
        self.rarest = float(self.idf.max()) if len(self.idf) else 1.0
        self.row = Kept(self._row)
        self._scratch = np.zeros(len(self.vocabulary))

    @classmethod
    def build(cls, cut: Cut, texts: Iterable[str], *, least: int = 1) -> Lexicon:
        seen: Counter[str] = Counter()
        total = count = 0
        for text in texts:
            check_stopped()
            terms = cut(text)
            seen.update(set(terms))
            total += len(terms)
            count += 1
        kept = sorted(term for term, number in seen.items() if number >= least)
        having = np.array([seen[term] for term in kept], np.float64)
        return cls(cut, kept, bm25.idf(having, count), total / max(count, 1))

    def __len__(self) -> int:
        return len(self.vocabulary)

    def _row(self, text: str) -> Row:
        terms = self.cut(text)
        counts = Counter(terms)
        known = sorted(
            (self.numbers[term], count) for term, count in counts.items() if term in self.numbers
        )
        ids = np.array([number for number, _ in known], np.int64)
        row = Row(
            ids,
            np.array([count for _, count in known], np.float64),
            len(terms),
            len(counts) - len(known),
        )
        weights = (1 + np.log(row.counts)) * self.idf[ids]
        norm = float(np.sqrt((weights**2).sum()))
        row.weights = weights / norm if norm else weights
        return row

    def rows(self, texts: Iterable[str]) -> Rows:
        return Rows([self.row(text) for text in texts])

    def looked_up(self, ids: Ints, values: Floats, rows: Rows) -> Floats:
        """For each term of the rows, its value among ``ids``; zero where it is not there."""
        self._scratch[ids] = values
        weights: Floats = self._scratch[rows.ids]
        self._scratch[ids] = 0.0
        return weights

    def bm25(self, question: Row, answers: Rows) -> Floats:
        """The answers' BM25 for the question's terms, each as often as it is asked."""
        asked = self.looked_up(question.ids, question.counts * self.idf[question.ids], answers)
        return answers.summed(asked * self.saturated(answers))

    def saturated(self, answers: Rows) -> Floats:
        lengths = answers.lengths[answers.owner]
        return np.asarray(bm25.saturated(answers.counts, lengths, self.mean_length))

    def best(self, question: Row) -> float:
        """What BM25 can at most give: every known term of the question, endlessly often."""
        return float((question.counts * self.idf[question.ids]).sum() * (bm25.K1 + 1))

    def cosine(self, question: Row, answers: Rows) -> Floats:
        """Cosine of (1 + log count) idf."""
        products = self.looked_up(question.ids, question.weights, answers)
        return answers.summed(products * answers.weights)

    def state(self, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        return (
            {f"{name}.idf": self.idf.astype(np.float32)},
            {name: {"vocabulary": self.vocabulary, "mean_length": self.mean_length}},
        )

    @classmethod
    def restore(
        cls, cut: Cut, name: str, tensors: Mapping[str, Any], config: Mapping[str, Any]
    ) -> Lexicon:
        numbers = config[name]
        idf = np.asarray(tensors[f"{name}.idf"], np.float64)
        return cls(cut, numbers["vocabulary"], idf, numbers["mean_length"])
