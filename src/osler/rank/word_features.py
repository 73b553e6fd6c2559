"""Word features for learning: stemmed terms, pairs of neighbours and title terms, TF-IDF weighted.

Everything is computed over the whole pool at once on arrays of term numbers, so that tens of
thousands of papers take seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise, repeat
from typing import Any

import numpy as np

from osler.rank.pool import Floats, Ints, Pool
from osler.stopping import check_stopped
from osler.text.stopwords import FUNCTION_WORDS
from osler.text.tokens import terms

STOP_TERMS = frozenset(chain.from_iterable(terms(word) for word in FUNCTION_WORDS))


class WordFeatures:
    """Terms, neighbouring pairs, title terms and concepts of at least ``min_documents`` papers.

    A feature is named ``term``, ``term term``, ``title:term`` or ``concept:id``. Values are
    ``(1 + log count) * idf`` with ``idf = log((1 + n) / (1 + df)) + 1``; rows have length 1.
    """

    def __init__(self, *, min_documents: int = 2) -> None:
        self.min_documents = min_documents
        self.names: list[str] = []
        self.idf: Floats = np.zeros(0)

    def fit(self, pool: Pool) -> WordFeatures:
        counts: dict[str, int] = {}
        for row in range(len(pool)):
            check_stopped()
            for name in set(_names(pool, row)):
                counts[name] = counts.get(name, 0) + 1
        # From two papers or less, words that stand in two papers say little: take every word.
        least = self.min_documents if len(pool) > 10 else 1
        self._set([name for name in sorted(counts) if counts[name] >= least])
        df = np.array([counts[name] for name in self.names], dtype=float)
        self.idf = np.log((1 + len(pool)) / (1 + df)) + 1
        return self

    def _set(self, names: Sequence[str]) -> None:
        self.names = list(names)
        index = {name: i for i, name in enumerate(self.names)}
        pairs = [name for name in self.names if " " in name]
        titles = [name[6:] for name in self.names if name.startswith("title:")]
        singles = [n for n in self.names if " " not in n and ":" not in n]
        parts = {part for name in pairs for part in name.split(" ")}
        # Every term that a feature speaks of has a number; the next number is any other term's,
        # the one after it a stop word's.
        known = sorted(parts.union(singles, titles))
        size = len(known)
        self._terms = {term: i for i, term in enumerate(known)}
        self._single = np.full(size + 1, -1, dtype=np.int64)
        self._title = np.full(size + 1, -1, dtype=np.int64)
        for table, terms_, prefix in ((self._single, singles, ""), (self._title, titles, "title:")):
            for term in terms_:
                table[self._terms[term]] = index[prefix + term]
        codes = np.array(
            [
                self._terms[a] * (size + 1) + self._terms[b]
                for a, b in (name.split(" ") for name in pairs)
            ],
            dtype=np.int64,
        )
        order = np.argsort(codes, kind="stable")
        self._codes = codes[order]
        self._pair = np.array([index[name] for name in pairs], dtype=np.int64)[order]
        self._concepts = {n[8:]: i for n, i in index.items() if n.startswith("concept:")}
        self._size = size
        self._terms.update(dict.fromkeys(STOP_TERMS, size + 1))

    def transform(self, pool: Pool) -> Any:
        """A sparse matrix, a row a paper."""
        from scipy.sparse import csr_matrix

        size, get = self._size, self._terms.get
        flat: list[int] = []
        lengths = np.empty(2 * len(pool), dtype=np.int64)
        for row, (title, body) in enumerate(zip(pool.title_terms, pool.body_terms, strict=True)):
            check_stopped()
            flat.extend(map(get, title, repeat(size)))
            flat.extend(map(get, body, repeat(size)))
            lengths[2 * row], lengths[2 * row + 1] = len(title), len(body)
        numbers = np.array(flat, dtype=np.int64)
        part = np.repeat(np.arange(2 * len(pool)), lengths)
        meant = numbers <= size
        numbers, part = numbers[meant], part[meant]
        rows, columns = [], []

        def keep(where: Ints, what: Ints) -> None:
            known = what >= 0
            rows.append(where[known])
            columns.append(what[known])

        keep(part // 2, self._single[numbers])
        titled = part % 2 == 0
        keep(part[titled] // 2, self._title[numbers[titled]])
        if len(self._codes) and len(numbers) > 1:
            pair = numbers[:-1] * (size + 1) + numbers[1:]
            places = np.searchsorted(self._codes, pair).clip(max=len(self._codes) - 1)
            # Title and abstract are two texts: no pair spans them.
            hit = (self._codes[places] == pair) & (part[:-1] == part[1:])
            keep(part[:-1][hit] // 2, self._pair[places[hit]])
        if pool.concepts is not None and self._concepts:
            named = [
                (row, self._concepts[entity])
                for row, id in enumerate(pool.ids)
                for entity in pool.concepts.get(id, ())
                if entity in self._concepts
            ]
            if named:
                more = np.array(named, dtype=np.int64)
                keep(more[:, 0], more[:, 1])
        where, what = np.concatenate(rows), np.concatenate(columns)
        matrix = csr_matrix(
            (np.ones(len(where)), (where, what)), shape=(len(pool), len(self.names))
        )
        matrix.sum_duplicates()
        matrix.data = (1 + np.log(matrix.data)) * self.idf[matrix.indices]
        sizes = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
        matrix.data *= np.repeat(1 / np.where(sizes > 0, sizes, 1), np.diff(matrix.indptr))
        return matrix

    def state(self) -> dict[str, Any]:
        return {"names": self.names, "min_documents": self.min_documents}

    @classmethod
    def restore(cls, config: Mapping[str, Any], idf: Floats) -> WordFeatures:
        restored = cls(min_documents=config["min_documents"])
        restored._set(config["names"])
        restored.idf = np.asarray(idf, dtype=float)
        return restored


def _names(pool: Pool, row: int) -> list[str]:
    title = [term for term in pool.title_terms[row] if term not in STOP_TERMS]
    body = [term for term in pool.body_terms[row] if term not in STOP_TERMS]
    names = title + body
    for part in (title, body):
        names += [f"{a} {b}" for a, b in pairwise(part)]
    names += [f"title:{term}" for term in title]
    if pool.concepts is not None:
        names += [f"concept:{e}" for e in pool.concepts.get(pool.documents[row].id, ())]
    return names


class TopicFeatures:
    """How a paper uses the topics' own words: counts, presence, presence in the title, and the
    share of each topic's words and pairs of words in title and text.

    Topics are searched for by their names, so papers carry those words for a reason; a learner
    given them as features of their own sees that from few examples.
    """

    def __init__(self, queries: Sequence[str]) -> None:
        self.queries = list(queries)
        self._words = [
            list(dict.fromkeys(t for t in terms(query) if t not in STOP_TERMS)) for query in queries
        ]
        self.terms = sorted(set(chain.from_iterable(self._words)))
        self.mean: Floats = np.zeros(self.width)
        self.spread: Floats = np.ones(self.width)

    @property
    def width(self) -> int:
        return 3 * len(self.terms) + 3 * len(self._words)

    @property
    def owners(self) -> list[str]:
        """The term that each column speaks of; empty for a column of a whole topic."""
        return [t for term in self.terms for t in (term, term, term)] + [""] * (
            3 * len(self._words)
        )

    def fit(self, pool: Pool) -> TopicFeatures:
        raw = self.raw(pool)
        self.mean = raw.mean(axis=0)
        spread = raw.std(axis=0)
        self.spread = np.where(spread > 1e-9, spread, 1.0)
        return self

    def transform(self, pool: Pool) -> Floats:
        # Clipped: a column that hardly varied in training must not shout later.
        return np.asarray(np.clip((self.raw(pool) - self.mean) / self.spread, -5, 5))

    def raw(self, pool: Pool) -> Floats:
        values = np.zeros((len(pool), self.width))
        place = {term: i for i, term in enumerate(self.terms)}
        first = 3 * len(self.terms)
        pairs = [list(pairwise(words)) for words in self._words]
        for row, (title, body) in enumerate(zip(pool.title_terms, pool.body_terms, strict=True)):
            check_stopped()
            counts = dict.fromkeys(self.terms, 0)
            for term in chain(title, body):
                if term in counts:
                    counts[term] += 1
            titled = set(title)
            for term, count in counts.items():
                at = 3 * place[term]
                values[row, at : at + 3] = np.log1p(count), count > 0, term in titled
            for topic, words in enumerate(self._words):
                at = first + 3 * topic
                if not words or not any(counts[word] for word in words):
                    continue
                values[row, at] = sum(counts[word] > 0 for word in words) / len(words)
                values[row, at + 1] = sum(word in titled for word in words) / len(words)
                if pairs[topic]:
                    near = set(pairwise(title))
                    near.update(pairwise(body))
                    hit = sum(pair in near for pair in pairs[topic])
                    values[row, at + 2] = hit / len(pairs[topic])
        return values
