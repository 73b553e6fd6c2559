"""The five verbs as tools for assistants, over the Model Context Protocol.

Every answer is structured, so that an assistant can cite: ids, sentences with their places, paths,
grades. An error tells its code and what to do, as everywhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from osler.errors import MissingExtra, OslerError
from osler.kinds import (
    EvidenceSentence,
    GradeReason,
    Heat,
    Hit,
    PathReason,
    SharedConcept,
)
from osler.serve.desk import Desk
from osler.serve.reader import Reader

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from osler.text.encoder import Encoder

NOTICE = "Osler supports reading and gives no medical advice. Cite the ids of what you use."
MOST = 50


def told(hit: Hit) -> dict[str, Any]:
    """A hit as an assistant cites it."""
    found: dict[str, Any] = {"id": hit.id, "title": hit.title, "score": round(hit.score, 4)}
    for name in ("journal", "published"):
        if getattr(hit, name):
            found[name] = getattr(hit, name)
    if hit.retracted:
        found["retracted"] = True
    concepts, paths, words = [], [], {}
    for reason in hit.reasons:
        match reason:
            case EvidenceSentence():
                found["evidence"] = {
                    "sentence": reason.text,
                    "start": reason.start,
                    "end": reason.end,
                    "section": reason.section,
                }
            case SharedConcept():
                concepts.append(
                    {
                        "concept": reason.name,
                        "id": reason.entity,
                        "in_document": reason.in_document_name or reason.name,
                        "through": reason.via_name,
                    }
                )
            case PathReason():
                paths.append({"path": path_text(reason), "weight": round(reason.weight, 4)})
            case GradeReason():
                found["grade"] = reason.grade
                found["confidence"] = round(reason.confidence, 4)
            case Heat():
                warm = sorted(reason.words, key=lambda pair: (-pair[1], pair[0]))[:10]
                words[reason.view] = [word for word, value in warm if value > 0]
    for name, value in (("concepts", concepts), ("paths", paths), ("words", words)):
        if value:
            found[name] = value
    return found


def path_text(reason: PathReason) -> str:
    names = reason.names
    parts = [names.get(reason.path.start, reason.path.start)]
    for step in reason.path.steps:
        arrow = f"<-{step.relation}-" if step.inverse else f"-{step.relation}->"
        parts.append(f"{arrow} {names.get(step.entity, step.entity)}")
    return " ".join(parts)


def _bounded(limit: int) -> int:
    return max(1, min(limit, MOST))


def create_server(library: str | Path, *, encoder: str | Encoder = "minilm") -> MCPServer[Any]:
    """An MCP server with the tools search, rank, grade, match and ask over one library."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError:
        raise MissingExtra("tools for assistants", "mcp") from None

    from osler import __version__
    from osler.serve.verbs import asking, facts, ranking
    from osler.serve.verbs import search as searching

    desk = Desk(library, encoder=encoder)

    @contextlib.asynccontextmanager
    async def lifespan(server: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            desk.close()

    server: MCPServer[Any] = MCPServer(
        "osler",
        instructions=f"Medical literature, records and knowledge of one library. {NOTICE}",
        version=__version__,
        log_level="WARNING",
        lifespan=lifespan,
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    async def run(work: Callable[[Reader], Any], lane: Any = "look") -> Any:
        try:
            return await desk.run(work, lane=lane)
        except OslerError as error:
            raise ToolError(str(error)) from None

    def tool(
        function: Callable[..., Awaitable[dict[str, Any]]],
    ) -> Callable[..., Awaitable[dict[str, Any]]]:
        return server.tool(annotations=reads, structured_output=True)(function)

    @tool
    async def search(
        question: Annotated[str, Field(description="A question, words, or the query language.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
        years: Annotated[str, Field(description="2019, 2019:2021 or empty.")] = "",
    ) -> dict[str, Any]:
        """Papers for a question, each with the sentence that answers and the shared concepts."""

        def work(reader: Reader) -> dict[str, Any]:
            from osler.kinds import Filter

            asked = searching.Asked(
                text=question,
                limit=_bounded(limit),
                filter=Filter(years=searching.years_of(years)),
            )
            found = searching.search(reader, asked)
            return _ranking(found.hits, found.notes, question=question, method=found.method)

        return dict(await run(work))

    @tool
    async def rank(
        topic: Annotated[str, Field(description="A topic in a few words.")],
        relevant: Annotated[list[str], Field(description="Ids of papers that fit.")] = [],  # noqa: B006
        not_relevant: Annotated[list[str], Field(description="Ids that do not.")] = [],  # noqa: B006
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
    ) -> dict[str, Any]:
        """Papers by relevance to a topic, learned from a few marked ones, with their best
        sentence. Without ids it learns from the marks that the library keeps for the topic."""

        def work(reader: Reader) -> dict[str, Any]:
            from osler.rank.labels import Label

            labels = [Label(id, True) for id in relevant]
            labels += [Label(id, False) for id in not_relevant]
            found = ranking.rank(reader, topic, k=_bounded(limit), labels=labels or None)
            return _ranking(found.hits, found.notes, topic=topic, method=found.method)

        return dict(await run(work, "learn"))

    @tool
    async def grade(
        head: Annotated[str, Field(description="What the fact is about: a name or an id.")],
        relation: Annotated[str, Field(description="The relation, such as 'treated by'.")],
        tail: Annotated[str, Field(description="What it is related to: a name or an id.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
    ) -> dict[str, Any]:
        """Papers graded by how far they support a fact: H highly, F fairly, M marginally, I not."""

        def work(reader: Reader) -> dict[str, Any]:
            found = facts.grade(reader, head, relation, tail, limit=_bounded(limit))
            return _ranking(found.hits, found.notes, fact=[head, relation, tail])

        return dict(await run(work, "think"))

    @tool
    async def match(
        question: Annotated[str, Field(description="A consumer's health question.")],
        answers: Annotated[
            list[str] | None, Field(description="Candidates; none takes the library's own.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
    ) -> dict[str, Any]:
        """Answers to a health question in order, each explained by weighted paths in the graph."""

        def work(reader: Reader) -> dict[str, Any]:
            found = facts.match(reader, question, answers, limit=_bounded(limit))
            return _ranking(found.hits, found.notes, question=question)

        return dict(await run(work, "think"))

    @tool
    async def ask(
        question: Annotated[str, Field(description="A question about patients.")],
    ) -> dict[str, Any]:
        """Answers from patient records, with path and source lines; no answers is a refusal."""

        def work(reader: Reader) -> dict[str, Any]:
            found = asking.ask(reader, question)
            return {
                "question": question,
                "answers": found.answers[:MOST],
                "entities": found.entities[:MOST],
                "count": len(found.answers),
                "confidence": round(found.confidence, 4),
                "path": found.path,
                "sources": found.sources,
                "note": found.note,
                "notice": NOTICE,
            }

        return dict(await run(work, "think"))

    return server


def _ranking(hits: list[Hit], notes: list[str], **more: Any) -> dict[str, Any]:
    return {**more, "hits": [told(hit) for hit in hits], "notes": notes, "notice": NOTICE}
