"""What the interface answers with, beside the kinds of the library itself."""

from __future__ import annotations

from typing import Any

import msgspec

from osler.kinds import Document, Entity, Hit, Mention, Path


class Hits(msgspec.Struct, kw_only=True):
    """A page of a ranking. ``next`` is the offset of the next page (which may be empty), null after
    a page that is not full."""

    query: str
    method: str
    hits: list[Hit]
    offset: int
    limit: int
    next: int | None
    notes: list[str]


class Listed(msgspec.Struct, kw_only=True):
    """A document in a list."""

    id: str
    title: str
    journal: str
    published: str
    retracted: bool


class DocumentPage(msgspec.Struct, kw_only=True):
    documents: list[Listed]
    total: int
    offset: int
    limit: int
    next: int | None


class Concept(msgspec.Struct, kw_only=True):
    """An entity in short."""

    id: str
    name: str
    type: str


class LinkedMention(msgspec.Struct, kw_only=True):
    """A mention with what its best entity is called."""

    mention: Mention
    name: str
    type: str


class LinkedMentions(msgspec.Struct, kw_only=True):
    mentions: list[LinkedMention]


class Fact(msgspec.Struct, kw_only=True):
    """A fact of the graph with the grade that a paper has for it."""

    head: Concept
    relation: str
    tail: Concept
    grade: str
    confidence: float


class WholeDocument(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A document, and what was asked for beside it."""

    document: Document
    mentions: list[LinkedMention] | None = None
    related: list[Hit] | None = None
    facts: list[Fact] | None = None
    notes: list[str] = []


class Edge(msgspec.Struct, kw_only=True):
    """An edge as it is walked; ``inverse`` when against its direction."""

    relation: str
    inverse: bool
    entity: Concept


class WholeEntity(msgspec.Struct, kw_only=True):
    """An entity and what stands around it; ``namesakes`` are others that bear its name."""

    entity: Entity
    namesakes: list[Concept]
    parents: list[Concept]
    children: list[Concept]
    neighbours: list[Edge]
    degree: int


class Entities(msgspec.Struct, kw_only=True):
    entities: list[Concept]


class Paths(msgspec.Struct, kw_only=True):
    """Paths, shortest first; ``names`` of all entities on them, ``cut`` says what was left out."""

    paths: list[Path]
    names: dict[str, str]
    cut: list[str]


class TopicSentence(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The sentence of a paper that is most relevant to a topic; null where none is."""

    id: str
    title: str
    sentence: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None


class TopicSentences(msgspec.Struct, kw_only=True):
    topic: str
    sentences: list[TopicSentence]


class Progress(msgspec.Struct, kw_only=True):
    """How far a reviewer has come."""

    read: int
    total: int
    found: int
    recall: float
    low: float
    high: float
    stop: bool


class Ranked(msgspec.Struct, kw_only=True):
    """Papers for a topic, learned from the marks."""

    topic: str
    method: str
    hits: list[Hit]
    marks: dict[str, int]
    progress: Progress | None
    notes: list[str]


class Judged(msgspec.Struct, kw_only=True):
    """What people judged for a query: grades by document, 0 for not relevant."""

    query: str
    judgements: dict[str, int]


class Status(msgspec.Struct, kw_only=True):
    """What is in the library."""

    version: str
    counts: dict[str, int]
    coverage: float | None
    method: str
    notes: list[str]
    files: list[dict[str, Any]]
    models: list[dict[str, Any]]
    rejects: int
