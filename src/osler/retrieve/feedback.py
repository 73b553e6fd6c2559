"""Feedback from the first results: what the best documents share is asked for as well.

Words: RM3 (Abdul-Jaleel et al., TREC 2004; Lavrenko and Croft, SIGIR 2001). Terms of the best
documents, weighted by p(t|d) p(d|q) and idf, are mixed with the question's own.
Vectors: Rocchio (1971), the question's vector moved towards the mean of the best documents'.
Concepts: ``ConceptIndex.feedback``. All are seeded by the fused ranking, not by one channel.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.kinds import Document
from osler.kinds.query import Node, Term, Weighted
from osler.retrieve.expansion import term_of
from osler.stopping import check_stopped
from osler.store.analyser import plain_words
from osler.text.kept import Kept
from osler.text.stopwords import STOPWORDS

DOCUMENTS = 10
"""Documents that words and concepts are taken from."""
NEAREST = 3
"""Documents that the vector is moved towards."""
WORDS = 40
OWN = 0.35
"""The question's share in the new query; the rest is the documents'."""
TOWARDS = 0.5
HEADING_WEIGHT = 2.0

Floats = npt.NDArray[Any]
_COUNTED: Kept[dict[str, float]] = Kept(2_000)
"""Papers whose words are kept, some 15 kB each."""


def shares(scores: Floats) -> Floats:
    """p(d|q) of the best documents out of their fused scores."""
    if not len(scores):
        return np.zeros(0)
    raised = np.exp(np.asarray(scores, np.float64) - float(np.max(scores)))
    result: Floats = raised / raised.sum()
    return result


def document_words(document: Document, *, headings: bool = True) -> Mapping[str, float]:
    """How often each word stands in title and abstract; headings count double."""
    given = " ".join(heading.name for heading in document.headings) if headings else ""
    texts = (document.text, given)
    return _COUNTED.of(texts, lambda: _counted(*texts))


def _counted(text: str, headings: str) -> dict[str, float]:
    counts: dict[str, float] = {}
    for read, weight in ((text, 1.0), (headings, HEADING_WEIGHT)):
        for word, times in Counter(plain_words(read)).items():
            if word not in STOPWORDS:
                counts[word] = counts.get(word, 0.0) + weight * times
    return counts


def relevance_model(
    documents: Iterable[tuple[Mapping[str, float], float]],
    frequencies: Callable[[list[str]], Mapping[str, int]],
    total: int,
    *,
    most: int = WORDS,
) -> list[tuple[str, float]]:
    """The words of RM1 with their weights, which sum to 1: best first, ties by term.

    ``documents`` gives each document's words with their counts, and its share p(d|q);
    ``frequencies`` says in how many documents of the collection each of some terms stands.
    """
    model: dict[str, float] = {}
    surface: dict[str, str] = {}
    for words, share in documents:
        check_stopped()
        length = sum(words.values())
        for word, count in words.items():
            term = term_of(word)
            if term in model:
                model[term] += share * count / length
            elif term:
                model[term] = share * count / length
                surface[term] = word
    weighted = {}
    # Terms that are rare in the best documents cannot win by their idf: the index is not asked.
    likely = sorted(model.items(), key=lambda item: (-item[1], item[0]))[: 4 * most]
    known = frequencies([term for term, _ in likely])
    for term, weight in likely:
        frequent = known[term]
        weighted[term] = weight * math.log(1 + (total - frequent + 0.5) / (frequent + 0.5))
    best = sorted(weighted.items(), key=lambda item: (-item[1], item[0]))[:most]
    mass = sum(weight for _, weight in best)
    return [(surface[term], weight / mass) for term, weight in best] if mass > 0 else []


def rm3(
    question: Sequence[tuple[str, float]], model: Sequence[tuple[str, float]], *, own: float = OWN
) -> Node | None:
    """The question's words and the model's as one weighted query; None where both are empty."""
    mass = sum(weight for _, weight in question)
    parts: dict[str, tuple[float, str]] = {}
    sides = [([(w, x / mass) for w, x in question] if mass > 0 else [], own), (model, 1.0 - own)]
    for words, side in sides:
        for word, weight in words:
            term = term_of(word) or word
            before, first = parts.get(term, (0.0, word))
            parts[term] = (before + side * weight, first)
    if not parts:
        return None
    return Weighted(tuple((Term(word), weight) for weight, word in parts.values()))


def rocchio(
    vector: Floats, near: Floats, weights: Floats, *, towards: float = TOWARDS
) -> npt.NDArray[np.float32]:
    """The question's vector, moved towards the weighted mean of some documents' vectors."""
    if not len(near):
        return np.asarray(vector, np.float32)
    centre = (np.asarray(weights)[:, None] * near).sum(axis=0)
    size = float(np.linalg.norm(centre))
    if size == 0:
        return np.asarray(vector, np.float32)
    moved = (1.0 - towards) * vector + towards * centre / size
    return np.asarray(moved / max(float(np.linalg.norm(moved)), 1e-12), np.float32)
