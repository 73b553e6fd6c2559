"""Matching and grading: what the graph and the trained models say of answers and of facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from osler.kinds import Ranking
from osler.serve.models import Concept, Hits
from osler.serve.reader import Reader
from osler.settings import MAX_PAGE
from osler.text.scripts import CJK_CHARACTER

T = TypeVar("T")

QUESTIONS = 6


def page_of(found: Ranking, limit: int) -> Hits:
    return Hits(
        query=found.query,
        method=found.method,
        hits=found.hits[:limit],
        offset=0,
        limit=limit,
        next=None,
        notes=list(found.notes),
    )


def grade(reader: Reader, head: str, relation: str, tail: str, *, limit: int) -> Hits:
    """Papers graded for a fact. The last ranking is kept: an export, or a look back, need not
    grade a thousand papers again."""
    stamp = (reader.truth.seq(), reader.models_stamp("grade"), head, relation, tail)
    found = reader.shared.keep(
        "graded", stamp, lambda: reader.grade(head, relation, tail, k=MAX_PAGE.get())
    )
    return page_of(found, limit)


def match(reader: Reader, question: str, answers: Sequence[str] | None, *, limit: int) -> Hits:
    """Answers in order: the candidates given, or the library's own."""
    from osler.match.matcher import Candidate

    given = None
    if answers is not None:
        given = [Candidate(f"answer {n}", text) for n, text in enumerate(answers, 1)]
    return page_of(reader.match(question, given, k=limit), limit)


def triples_of(reader: Reader, limit: int) -> list[tuple[Concept, str, Concept]]:
    """A few facts of the graph, to begin with: one a relation, then more."""
    graph = reader.graph

    def concept(id: str) -> Concept:
        return Concept(id=id, name=graph.name(id), type=graph.type(id))

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
    return [(concept(head), relation, concept(tail)) for head, relation, tail in few]


def questions_of(reader: Reader) -> tuple[list[str], int]:
    """A few questions of the library's pairs, and how many pairs there are."""
    some = [pair.question for pair in islice(reader.pairs(), 200)]
    return mixed(some, str, QUESTIONS), reader.counts().get("pairs", 0)


def mixed(given: Sequence[T], text: Callable[[T], str], limit: int) -> list[T]:
    """The first few, with two in Chinese among them where there are any."""
    chinese = [one for one in given if CJK_CHARACTER.search(text(one))]
    others = [one for one in given if not CJK_CHARACTER.search(text(one))]
    kept = others[: max(limit - 2, limit - len(chinese))]
    return kept + chinese[: limit - len(kept)]
