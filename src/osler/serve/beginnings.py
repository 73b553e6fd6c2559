"""What a view offers before anybody has asked: a few facts, a few questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from osler.serve.reader import Reader
from osler.text.scripts import CJK_CHARACTER
from osler.verbs.graph import Concept, concept

T = TypeVar("T")

QUESTIONS = 6


def triples_of(reader: Reader, limit: int) -> list[tuple[Concept, str, Concept]]:
    """A few facts of the graph, to begin with: one a relation, then more."""
    stamp = (*reader.stamp("knowledge"), limit)
    return reader.keep("facts to begin with", stamp, lambda: _triples(reader, limit))


def _triples(reader: Reader, limit: int) -> list[tuple[Concept, str, Concept]]:
    graph = reader.graph
    chosen: dict[tuple[str, int], tuple[str, str, str]] = {}
    seen: dict[str, int] = {}
    for triple in islice(reader.triples(), 2_000):
        if triple.head not in graph or triple.tail not in graph:
            continue
        number = seen.get(triple.relation, 0)
        if number < limit:
            seen[triple.relation] = number + 1
            chosen[triple.relation, number] = (triple.head, triple.relation, triple.tail)
    ordered = [chosen[key] for key in sorted(chosen, key=lambda k: (k[1], k[0]))]
    few = mixed(ordered, lambda fact: fact[1], limit)
    return [(concept(graph, head), relation, concept(graph, tail)) for head, relation, tail in few]


def questions_of(reader: Reader) -> tuple[list[str], int]:
    """A few questions of the library's pairs, and how many pairs there are."""

    def some() -> list[str]:
        return mixed([pair.question for pair in islice(reader.pairs(), 200)], str, QUESTIONS)

    questions = reader.keep("questions to begin with", reader.stamp("pairs"), some)
    return questions, reader.counts().get("pairs", 0)


def mixed(given: Sequence[T], text: Callable[[T], str], limit: int) -> list[T]:
    """The first few, with two in Chinese among them where there are any."""
    chinese = [one for one in given if CJK_CHARACTER.search(text(one))]
    others = [one for one in given if not CJK_CHARACTER.search(text(one))]
    kept = others[: max(limit - 2, limit - len(chinese))]
    return kept + chinese[: limit - len(kept)]
