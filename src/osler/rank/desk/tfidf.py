"""Words and pairs of words of a whole pool, weighted by how rare they are in it.

tf = 1 + ln(count), idf = ln((1 + N) / (1 + df)) + 1, rows of length one; what stands in more than
``max_df`` of the papers is left out. That is the feature space of ELAS u4, ASReview's default
(https://doi.org/10.1038/s42256-020-00287-7 describes the tool). Rarity is counted over all papers,
read or not: it needs no mark, and with few marks it is most of what is known.

Words are runs of two or more letters or digits. A run of Chinese is cut into its character pairs,
since nothing stands between its words.
"""

from __future__ import annotations

import itertools
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from osler.text.scripts import CJK_CHARACTER

_WORD = re.compile(r"(?u)\b\w\w+\b")
MAX_DF = 0.95


def words(text: str) -> list[str]:
    """The words of a text, in order."""
    plain = _WORD.findall(text.lower())
    if CJK_CHARACTER.search(text) is None:
        return plain
    return [part for word in plain for part in _parts(word)]


def _parts(word: str) -> Iterator[str]:
    if CJK_CHARACTER.search(word) is None:
        yield word
    else:
        yield from (word[at : at + 2] for at in range(len(word) - 1))


def terms(text: str) -> list[str]:
    """Words and pairs of neighbouring words."""
    single = words(text)
    return single + [f"{first} {second}" for first, second in itertools.pairwise(single)]


def tfidf(texts: Iterable[str], *, max_df: float = MAX_DF) -> tuple[Any, list[str]]:
    """A sparse matrix, a row a text, and the term of each column."""
    from scipy.sparse import csr_matrix

    numbers: dict[str, int] = {}
    columns, counts, starts = array("i"), array("d"), array("q", [0])
    for text in texts:
        for term, count in Counter(terms(text)).items():
            columns.append(numbers.setdefault(term, len(numbers)))
            counts.append(count)
        starts.append(len(columns))
    rows = len(starts) - 1
    matrix = csr_matrix(
        (
            np.frombuffer(counts, dtype=np.float64).copy(),
            np.frombuffer(columns, dtype=np.int32).copy(),
            np.frombuffer(starts, dtype=np.int64).copy(),
        ),
        shape=(rows, len(numbers)),
    )
    holding = np.bincount(matrix.indices, minlength=len(numbers))
    kept = np.flatnonzero(holding <= max_df * rows)
    names = list(numbers)
    matrix = matrix[:, kept]
    matrix.data = 1.0 + np.log(matrix.data)
    idf = np.log((1 + rows) / (1 + holding[kept])) + 1
    matrix.data *= idf[matrix.indices]
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    lengths[lengths == 0] = 1.0
    matrix.data /= np.repeat(lengths, np.diff(matrix.indptr))
    return matrix.tocsr(), [names[column] for column in kept]


def rarity(matrix: Any) -> Any:
    """The idf of each column of a matrix that :func:`tfidf` made."""
    holding = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return np.log((1 + matrix.shape[0]) / (1 + holding)) + 1


def weighted(texts: Iterable[str], known: Sequence[str], idf: Any) -> Any:
    """Other texts in the columns of a pool; terms that the pool has not are passed over."""
    from scipy.sparse import csr_matrix

    numbers = {term: column for column, term in enumerate(known)}
    columns: list[int] = []
    values: list[float] = []
    starts = [0]
    for text in texts:
        counts = {
            numbers[term]: count for term, count in Counter(terms(text)).items() if term in numbers
        }
        line = np.array([(1 + np.log(count)) * idf[at] for at, count in counts.items()])
        columns += counts
        values += (line / max(float(np.sqrt((line**2).sum())), 1e-12)).tolist()
        starts.append(len(columns))
    return csr_matrix((values, columns, starts), shape=(len(starts) - 1, len(numbers)))
