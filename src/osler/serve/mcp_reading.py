"""Tools with which an assistant reads what it cites: documents, entities, paths, saved searches,
projects. Every piece of text that is handed out is a quote: the document's id, the section or page,
and where in it the characters stand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from pydantic import Field

from osler.errors import InputError, UnknownId
from osler.kinds import Document
from osler.kinds.document import ABSTRACT, page_of, section_names
from osler.serve.reader import Reader
from osler.verbs.graph import EntityRequest, PathsRequest, entity, paths

Tool = Callable[[Callable[..., Awaitable[dict[str, Any]]]], Any]
Run = Callable[..., Awaitable[Any]]

LONGEST = 8_000
"""Characters of a text that one call hands out."""
MOST = 50

Offset = Annotated[int, Field(ge=0, description="Characters to leave out: a later part.")]


def quote(document: Document, text: str, start: int, end: int, where: str) -> dict[str, Any]:
    """A piece of a text as it may be cited; ``where`` is ``abstract`` (title, a newline and the
    abstract are one text then) or the label of a section of the full text."""
    return {
        "id": document.id,
        "text": text[start:end],
        "start": start,
        "end": end,
        "section": where,
        "page": page_of(where),
    }


def sections_of(document: Document) -> dict[str, str]:
    """The texts of a document by the name that a tool asks for them by."""
    names = section_names(document.full_text)
    parts = zip(names, document.full_text, strict=True)
    return {ABSTRACT: document.text} | {name: section.text for name, section in parts}


def part_of(document: Document, section: str, page: int | None, start: int) -> dict[str, Any]:
    """A part of a document, and which parts there are."""
    texts = sections_of(document)
    if page is not None:
        named = [name for name in texts if page_of(name) == page]
        if not named:
            raise UnknownId(f"{document.id} has no page {page}", cure=_choices(texts))
        section = named[0]
    name = section or ABSTRACT
    if name not in texts:
        raise UnknownId(f"{document.id} has no section {section!r}", cure=_choices(texts))
    text = texts[name]
    if start > len(text):
        raise InputError(f"{name} has {len(text)} characters", cure="begin earlier")
    end = min(len(text), start + LONGEST)
    return {
        "id": document.id,
        "title": document.title,
        "journal": document.journal,
        "published": document.published,
        "ids": document.ids,
        "retracted": document.retracted,
        "sections": [
            {"name": each, "page": page_of(each), "characters": len(texts[each])} for each in texts
        ],
        "quote": quote(document, text, start, end, name),
        "next": end if end < len(text) else None,
    }


def _choices(texts: dict[str, str]) -> str:
    return f"choose of: {', '.join(list(texts)[:MOST])}"


def add_tools(tool: Tool, run: Run) -> None:
    """The reading tools of a server."""

    @tool
    async def read_document(
        id: Annotated[str, Field(description="The id of a paper: its own, a PMID or a DOI.")],
        section: Annotated[str, Field(description="A section's name; empty: the abstract.")] = "",
        page: Annotated[int | None, Field(description="A page, where the paper has them.")] = None,
        start: Offset = 0,
    ) -> dict[str, Any]:
        """A paper to check what is cited: a section or a page as a quote with id and offsets, and
        the names of all sections. ``next`` is where the rest begins."""

        def work(reader: Reader) -> dict[str, Any]:
            return part_of(reader.document(id), section, page, start)

        return dict(await run(work))

    @tool
    async def read_entity(
        name: Annotated[str, Field(description="An entity's id or name.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 20,
    ) -> dict[str, Any]:
        """An entity of the graph: names, parents, children and neighbours."""

        def work(reader: Reader) -> dict[str, Any]:
            plain: dict[str, Any] = msgspec.to_builtins(
                entity(reader, EntityRequest(entity=name, k=limit))
            )
            return plain

        return dict(await run(work))

    @tool
    async def find_paths(
        source: Annotated[str, Field(description="An entity's id or name.")],
        target: Annotated[str, Field(description="Another one's.")],
        length: Annotated[int, Field(ge=2, le=5)] = 3,
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
    ) -> dict[str, Any]:
        """How two entities are joined in the graph: paths, shortest first."""

        def work(reader: Reader) -> dict[str, Any]:
            request = PathsRequest(source=source, target=target, length=length, k=limit)
            plain: dict[str, Any] = msgspec.to_builtins(paths(reader, request))
            return plain

        return dict(await run(work))
