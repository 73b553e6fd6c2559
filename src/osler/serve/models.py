"""What the interface answers with, beside the kinds of the library itself."""

from __future__ import annotations

import msgspec

from osler.kinds import Document, Hit, Mention, Ranking, Verdict
from osler.settings import MAX_HITS, MAX_PAGE
from osler.verbs.graph import Concept
from osler.verbs.rank import Progress, TopicRanking, TopicSentence
from osler.verbs.stance import Balance, ClaimRanking


class Hits(msgspec.Struct, kw_only=True):
    """A page of a ranking. ``next`` is the offset of the next page (which may be empty), null after
    a page that is not full and where offsets end; ``cursor`` goes on as far as the list does.
    ``verdict`` says whether the list answers the question, with its probability; ``suggestion`` is
    the question as it may have been meant. ``answered`` is false where none of the answers of a
    collection answers, null where that was not judged."""

    query: str
    method: str
    model: str
    hits: list[Hit]
    total: int | None
    offset: int
    limit: int
    next: int | None
    notes: list[str]
    cursor: str | None = None
    verdict: Verdict | None = None
    suggestion: str = ""
    answered: bool | None = None

    @classmethod
    def of(cls, ranking: Ranking, *, limit: int, offset: int = 0, more: bool = False) -> Hits:
        """A page of a ranking. ``more`` says that there are further pages while they are full: to
        explain one hit more than is shown would cost a tenth of a search."""
        full = len(ranking.hits) == limit
        return cls(
            query=ranking.query,
            method=ranking.method,
            model=ranking.model,
            hits=ranking.hits[:limit],
            total=ranking.total,
            offset=offset,
            limit=limit,
            next=offset + limit if more and full and offset + limit <= DEEP else None,
            notes=list(ranking.notes),
            verdict=ranking.verdict,
            suggestion=ranking.suggestion,
            answered=ranking.answered,
        )


class ClaimHits(Hits, kw_only=True):
    """Papers on a claim, and how they are divided."""

    balance: Balance | None = None

    @classmethod
    def of_claim(cls, ranking: ClaimRanking, *, limit: int) -> ClaimHits:
        page = Hits.of(ranking, limit=limit)
        named = {name: getattr(page, name) for name in Hits.__struct_fields__}
        return cls(**named, balance=ranking.balance)


DEEP = MAX_HITS.get() - MAX_PAGE.get()
"""The last offset that a page may have; a cursor goes further."""


class Listed(msgspec.Struct, kw_only=True):
    """A document in a list."""

    id: str
    title: str
    journal: str
    published: str
    retracted: bool


class DocumentPage(msgspec.Struct, kw_only=True):
    """Documents in the order of their ids. ``next`` is an offset, null where offsets end;
    ``cursor`` goes on to the last document."""

    documents: list[Listed]
    total: int
    offset: int
    limit: int
    next: int | None
    cursor: str | None = None


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
    calibrated: bool


class WholeDocument(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A document, and what was asked for beside it."""

    document: Document
    mentions: list[LinkedMention] | None = None
    related: list[Hit] | None = None
    facts: list[Fact] | None = None
    notes: list[str] = []


class Entities(msgspec.Struct, kw_only=True):
    entities: list[Concept]


class TopicSentences(msgspec.Struct, kw_only=True):
    topic: str
    sentences: list[TopicSentence]


class Ranked(msgspec.Struct, kw_only=True):
    """Papers for a topic, learned from the marks."""

    topic: str
    method: str
    model: str
    hits: list[Hit]
    total: int | None
    marks: dict[str, int]
    progress: Progress | None
    notes: list[str]

    @classmethod
    def of(cls, ranking: TopicRanking) -> Ranked:
        return cls(
            topic=ranking.query,
            method=ranking.method,
            model=ranking.model,
            hits=ranking.hits,
            total=ranking.total,
            marks=ranking.marks,
            progress=ranking.progress,
            notes=ranking.notes,
        )
