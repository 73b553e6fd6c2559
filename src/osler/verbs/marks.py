"""Marks: what people judged for a topic or a query, kept as qrels under its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from osler.errors import UnknownId
from osler.rank.labels import Label
from osler.rank.topic import Topic

if TYPE_CHECKING:
    from osler.library import Library


class Judged(msgspec.Struct, kw_only=True):
    """What people judged for a query: grades by document, 0 for not relevant."""

    query: str
    judgements: dict[str, int]


class Marks(msgspec.Struct, frozen=True):
    """Grades by document, in the order in which they were given."""

    grades: dict[str, int]

    @property
    def labels(self) -> list[Label]:
        return [Label(document, grade > 0) for document, grade in self.grades.items()]


def key_of(topic: str) -> str:
    """The id under which a topic's marks are kept: its words, however they are spelled."""
    return Topic(" ".join(topic.split())).key


def marks_of(library: Library, topic: str) -> Marks:
    """The marks that the library keeps for a topic."""
    return Marks(library.decisions.marks(key_of(topic)))


def mark(library: Library, topic: str, grades: Mapping[str, int | None]) -> Judged:
    """Keep marks of papers that the library holds, under the topic's name; None takes a mark
    back."""
    known: dict[str, int | None] = {}
    for id, grade in grades.items():
        try:
            known[library.document(id).id] = grade
        except UnknownId:
            if grade is not None:
                raise
            known[id] = None  # the mark may have outlived the paper
    key = key_of(topic)
    library.judge({key: known}, {key: " ".join(topic.split())})
    return Judged(query=key, judgements=marks_of(library, topic).grades)


def judged(library: Library, query: str) -> Judged:
    """What was judged for a query, by its id or its words."""
    for key in (query, key_of(query)):
        grades = library.decisions.judgements([key])
        if grades:
            return Judged(query=key, judgements=grades[key])
    raise UnknownId("nothing was judged for this query", cure="judge some hits first")


def topics(library: Library, limit: int = 12) -> list[tuple[str, int]]:
    """Topics that have marks, those marked last first, with how many."""
    return library.decisions.judged_last(limit)
