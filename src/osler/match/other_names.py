"""What things of medicine are called by people and by books: a small terminology of our own.

A library that holds a terminology (MeSH, HPO) knows that a heart attack is a myocardial infarction.
One that holds question-answer pairs alone does not, and neither did `match` there. The table
(``other_names.tsv``, English and Chinese) has a line for each of some hundred common things: the
names that mean it, the most usual first, and what it is a kind of.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from osler.kinds import Entity
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.known import Known

FILE = "other_names.tsv"
KIND = "Thing"


@cache
def everyday_names() -> Known:
    """The table as a graph with its linker."""
    lines = files("osler.match").joinpath(FILE).read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    entities = []
    for listed, above in rows:
        first, *others = listed.split("|")
        parents = (_id(above),) if above else ()
        entities.append(
            Entity(id=_id(first), name=first, type=KIND, synonyms=tuple(others), parents=parents)
        )
    graph = Graph.build(entities)
    return Known(graph, Linker.build(graph))


def _id(name: str) -> str:
    return f"everyday:{name}"
