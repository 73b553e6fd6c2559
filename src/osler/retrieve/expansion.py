"""Synonyms as query expansion: words of the other names of the concepts that a question holds.

A word that stands in most names of a concept ("neoplasm" for "breast cancer") says more than one
that stands in a single rare name: its weight is the share of names that hold it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence

from osler.kinds.query import Node, Term, Weighted
from osler.knowledge.graph import Graph
from osler.store.analyser import analyse, plain_words
from osler.text.stopwords import STOPWORDS

SYNONYMS = 1.0
"""What a word of all names of a sure concept weighs beside a word of the question."""
MOST_WORDS = 12
_CACHED = 200_000


@functools.lru_cache(_CACHED)
def term_of(word: str) -> str:
    """The index term of one word; empty where it has none."""
    terms = analyse(word)
    return terms[0] if len(terms) == 1 else ""


def index_terms(text: str) -> dict[str, str]:
    """A text's index terms, stop words left out, each with a word that stands for it: the word
    index stems what it is asked for, and the stem of a stem may be another."""
    by_term: dict[str, str] = {}
    for word in plain_words(text):
        if word not in STOPWORDS:
            term = term_of(word)
            if term:
                by_term.setdefault(term, word)
    return by_term


def synonym_words(
    names: Iterable[tuple[Sequence[str], float]], taken: Iterable[str], *, most: int = MOST_WORDS
) -> list[tuple[str, float]]:
    """Words to add with their weights, best first, ties by word.

    ``names`` holds each concept's names with how sure it is; ``taken`` are the question's terms.
    """
    known = set(taken)
    weights: dict[str, tuple[float, str]] = {}
    for listed, sure in names:
        counts: dict[str, tuple[int, str]] = {}
        for name in listed:
            for term, word in index_terms(name).items():
                seen, first = counts.get(term, (0, word))
                counts[term] = (seen + 1, first)
        for term, (seen, word) in counts.items():
            weight = min(sure, 1.0) * seen / len(listed)
            if term not in known and weight > weights.get(term, (0.0, ""))[0]:
                weights[term] = (weight, word)
    ordered = sorted(weights.items(), key=lambda item: (-item[1][0], item[0]))
    return [(word, weight) for _, (weight, word) in ordered[:most]]


def expanded(
    node: Node, text: str, concepts: Mapping[int, float], graph: Graph, *, weight: float = SYNONYMS
) -> Node:
    """The question's tree with the words of its concepts' names added."""
    names = [(graph.names(graph.id(number)), sure) for number, sure in concepts.items()]
    words = synonym_words(names, index_terms(text))
    if not words:
        return node
    return Weighted(((node, 1.0), *((Term(word), weight * share) for word, share in words)))
