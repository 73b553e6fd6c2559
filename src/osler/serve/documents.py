"""Documents: one whole, with its mentions, related papers and the facts that it speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from osler.errors import InputError, NeedsError, OslerError
from osler.kinds import Document, Hit, Mention
from osler.serve.models import DEEP, DocumentPage, Fact, LinkedMention, Listed, WholeDocument
from osler.serve.reader import Reader
from osler.verbs import cursor as cursors
from osler.verbs.graph import concept

RELATED = 6
TOLD = 1_500
"""Characters of a paper that stand for it when papers like it are looked for."""


def listed(document: Document) -> Listed:
    return Listed(
        id=document.id,
        title=document.title,
        journal=document.journal,
        published=document.published,
        retracted=document.retracted,
    )


def page(reader: Reader, *, offset: int, limit: int, cursor: str = "") -> DocumentPage:
    """Documents in the order of their ids; ``cursor`` goes on where a page ended."""
    begun = cursors.read(cursor) if cursor else cursors.Cursor(at=offset)
    with reader.truth.snapshot():
        total = len(reader)
        behind = 0 if cursor else offset
        ids = reader.page(offset=behind, limit=limit, after=begun.after)
        documents = [listed(reader.document(id)) for id in ids]
    following = begun.at + limit
    more = following < total and len(ids) == limit
    return DocumentPage(
        documents=documents,
        total=total,
        offset=begun.at,
        limit=limit,
        next=following if more and following <= DEEP else None,
        cursor=cursors.written(cursors.Cursor(at=following, after=ids[-1])) if more else None,
    )


def whole(reader: Reader, id: str, wanted: Sequence[str] = ()) -> WholeDocument:
    """A document, and of ``mentions``, ``related`` and ``facts`` what is wanted."""
    document = reader.document(id)
    whole_document = WholeDocument(document=document)
    notes: list[str] = []
    if "mentions" in wanted:
        try:
            whole_document.mentions = linked(reader, reader.linker.link(document.text))
        except NeedsError as error:
            notes.append(str(error))
    if "related" in wanted:
        whole_document.related = related(reader, document)
    if "facts" in wanted:
        try:
            whole_document.facts = facts(reader, document.id)
        except OslerError as error:
            notes.append(str(error))
    whole_document.notes = notes
    return whole_document


def linked(reader: Reader, mentions: Sequence[Mention]) -> list[LinkedMention]:
    graph = reader.graph
    return [
        LinkedMention(
            mention=mention, name=graph.name(mention.entity), type=graph.type(mention.entity)
        )
        for mention in mentions
        if mention.entity in graph
    ]


def related(reader: Reader, document: Document) -> list[Hit]:
    """Papers like this one: by its title and the beginning of its abstract."""
    text = document.text[:TOLD].strip()
    if not text:
        return []
    try:
        ranking = reader.search(text, k=RELATED + 1, evidence=False, plain=True)
    except InputError:
        return []  # nothing but stop words
    return [hit for hit in ranking.hits if hit.id != document.id][:RELATED]


def facts(reader: Reader, id: str) -> list[Fact]:
    """The facts of the graph that the paper speaks of, with their grades."""
    graph = reader.graph
    return [
        Fact(
            head=concept(graph, fact.triple.head),
            relation=fact.triple.relation,
            tail=concept(graph, fact.triple.tail),
            grade=fact.grade,
            confidence=float(fact.confidence),
            calibrated=fact.calibrated,
        )
        for fact in reader.facts(id)
    ]
