"""BM25, written once (Robertson and Zaragoza 2009, as Lucene and tantivy write it).

    score(d) = sum over terms t of  idf(t) * saturated(tf)
    idf(t) = log(1 + (N - n + 0.5) / (n + 0.5))
    saturated(tf) = tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / average |d|))

Who scores what (fields of an index, answers, sentences, concepts of a paper) brings its own
counts and lengths; numbers and arrays both work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

K1, B = 1.2, 0.75


def idf(frequency: Any, total: Any) -> Any:
    """How rare a term is that ``frequency`` of ``total`` texts hold."""
    return np.log1p((total - frequency + 0.5) / (frequency + 0.5))


def room(length: Any, average: Any, *, k1: float = K1, b: float = B) -> Any:
    """What a count stands against: the larger, the longer the text is among its like."""
    return k1 * (1 - b + b * length / average)


def saturated(count: Any, length: Any, average: Any, *, k1: float = K1, b: float = B) -> Any:
    """A term's count in a text, growing ever more slowly, up to k1 + 1."""
    return count * (k1 + 1) / (count + room(length, average, k1=k1, b=b))
