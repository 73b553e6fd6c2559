"""The five verbs as tools for assistants, over the Model Context Protocol.

Every answer is structured, so that an assistant can cite: ids, sentences with their places, paths,
grades. An error tells its code and what to do, as everywhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from pydantic import Field

from osler.errors import ChoiceError, MissingExtra, OslerError, QueryError
from osler.kinds import (
    EvidenceSentence,
    GradeReason,
    Heat,
    Hit,
    PathReason,
    SharedConcept,
    StanceReason,
)
from osler.kinds.document import page_of
from osler.serve.desk import Desk
from osler.serve.mcp_kept import register
from osler.serve.mcp_reading import add_tools
from osler.serve.models import ClaimHits, Hits, Ranked
from osler.serve.reader import Reader
from osler.settings import DEFAULT_ENCODER
from osler.verbs.filters import YEARS_HELP, filter_of

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from osler.text.encoder import Encoder

NOTICE = "Osler supports reading and gives no medical advice. Cite the ids of what you use."
MOST = 50
TOLD = 60
"""Characters of a wrong name that are told."""

Method = Annotated[str | None, Field(description="A method by its name; the default is best.")]
WithoutModel = Annotated[bool, Field(description="Set a model aside that was trained here.")]


def told(hit: Hit) -> dict[str, Any]:
    """A hit with all that REST says of it, and in short what an assistant cites: the sentence, the
    concepts, the paths, the words."""
    fields: dict[str, Any] = msgspec.to_builtins(hit)
    concepts, paths, words = [], [], {}
    for reason in hit.reasons:
        match reason:
            case EvidenceSentence():
                fields["evidence"] = {
                    "id": hit.id,
                    "sentence": reason.text,
                    "start": reason.start,
                    "end": reason.end,
                    "section": reason.section,
                    "page": page_of(reason.section),
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
                paths.append({"path": reason.line, "weight": round(reason.weight, 4)})
            case GradeReason():
                fields["grade"] = reason.grade
                if reason.calibrated:
                    fields["confidence"] = round(reason.confidence, 4)
            case StanceReason():
                fields["stance"] = reason.stance
                fields["supports"] = reason.supports
                fields["refutes"] = reason.refutes
            case Heat():
                warm = sorted(reason.words, key=lambda pair: (-pair[1], pair[0]))[:10]
                words[reason.view] = [word for word, value in warm if value > 0]
    for name, value in (("concepts", concepts), ("paths", paths), ("words", words)):
        if value:
            fields[name] = value
    return fields


def _bounded(limit: int) -> int:
    return max(1, min(limit, MOST))


def _refusing(server: type[MCPServer[Any]], refusal: type[Exception]) -> type[MCPServer[Any]]:
    """A server that refuses arguments which a tool does not have: a filter whose name is misspelt
    would leave nothing out, and the assistant would cite what it did not ask for."""

    class Refusing(server):  # type: ignore[misc, valid-type]
        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            for tool in await self.list_tools():
                known = tool.input_schema.get("properties", {})
                unknown = sorted(set(arguments) - set(known))
                if tool.name == name and unknown:
                    raise refusal(str(ChoiceError("argument", unknown[0][:TOLD], known)))
            return await super().call_tool(name, arguments, context)

    return Refusing


def create_server(
    library: str | Path, *, encoder: str | Encoder = DEFAULT_ENCODER
) -> MCPServer[Any]:
    """An MCP server over one library: the tools search, rank, project, grade, stance, suggest,
    brief, match and ask, and those that read what they cite (``mcp_reading``)."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError:
        raise MissingExtra("tools for assistants", "mcp") from None

    from osler import __version__
    from osler.ask.form.form import form_from
    from osler.rank.labels import Label
    from osler.serve.patients import answered
    from osler.verbs import brief as briefing
    from osler.verbs import grade as grading
    from osler.verbs import match as matching
    from osler.verbs import rank as ranking
    from osler.verbs import search as searching
    from osler.verbs import stance as claiming
    from osler.verbs import suggest as suggesting
    from osler.verbs.ask import AskRequest

    desk = Desk(library, encoder=encoder)

    @contextlib.asynccontextmanager
    async def lifespan(server: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            desk.close()

    server = _refusing(MCPServer, ToolError)(
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
        except QueryError as error:
            raise ToolError(f"{error.marked}\n{error}") from None
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
        years: Annotated[str, Field(description=f"{YEARS_HELP} Empty for all.")] = "",
        design: Annotated[str, Field(description="A study design, such as cohort.")] = "",
        method: Method = None,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """Papers for a question, each with the sentence that answers and the shared concepts."""

        def work(reader: Reader) -> dict[str, Any]:
            request = searching.SearchRequest(
                text=question,
                k=_bounded(limit),
                filter=filter_of(year=years, design=[design] if design else None),
                method=method,
                without_model=without_model,
            )
            page = Hits.of(searching.search(reader, request), limit=request.k, more=True)
            return _answer(page, question=question)

        return dict(await run(work))

    @tool
    async def rank(
        topic: Annotated[str, Field(description="A topic in a few words.")],
        relevant: Annotated[list[str], Field(description="Ids of papers that fit.")] = [],  # noqa: B006
        not_relevant: Annotated[list[str], Field(description="Ids that do not.")] = [],  # noqa: B006
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
        method: Method = None,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """Papers by relevance to a topic, learned from a few marked ones, with their best
        sentence. Without ids it learns from the marks that the library keeps for the topic."""

        def work(reader: Reader) -> dict[str, Any]:
            labels = [Label(id, True) for id in relevant]
            labels += [Label(id, False) for id in not_relevant]
            request = ranking.RankRequest(
                topic=topic,
                examples=tuple(labels) or None,
                k=_bounded(limit),
                method=method,
                without_model=without_model,
            )
            return _answer(Ranked.of(ranking.rank(reader, request)))

        return dict(await run(work, "learn"))

    @tool
    async def project(
        name: Annotated[str, Field(description="A review's name; empty lists them.")] = "",
    ) -> dict[str, Any]:
        """A systematic review that the library keeps: question, criteria, searches with date and
        counts, reviewers with their agreement, the PRISMA flow, and the included papers. Without a
        name, the reviews there are."""
        from osler.verbs.overview import told_project

        return dict(await run(lambda reader: {**told_project(reader, name), "notice": NOTICE}))

    @tool
    async def grade(
        head: Annotated[str, Field(description="What the fact is about: a name or an id.")],
        relation: Annotated[str, Field(description="The relation, such as 'treated by'.")],
        tail: Annotated[str, Field(description="What it is related to: a name or an id.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
        method: Method = None,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """Papers by how far they are about a fact: H highly, F fairly, M marginally, I not."""

        def work(reader: Reader) -> dict[str, Any]:
            request = grading.GradeRequest(
                head=head,
                relation=relation,
                tail=tail,
                k=_bounded(limit),
                method=method,
                without_model=without_model,
            )
            page = Hits.of(grading.grade(reader, request), limit=request.k)
            return _answer(page, fact=[head, relation, tail])

        return dict(await run(work, "think"))

    @tool
    async def stance(
        claim: Annotated[str, Field(description="A claim in words.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 20,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """Papers on a claim with the side that each takes, its probability and its sentence, and
        how they are divided. Never give the count as a bare yes or no."""

        def work(reader: Reader) -> dict[str, Any]:
            request = claiming.ClaimRequest(
                claim=claim, k=_bounded(limit), without_model=without_model
            )
            page = ClaimHits.of_claim(claiming.stance(reader, request), limit=request.k)
            return _answer(page, claim=claim)

        return dict(await run(work, "think"))

    @tool
    async def suggest(
        head: Annotated[str, Field(description="An entity: a name or id.")],
        relation: Annotated[str, Field(description="A relation of the graph.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
    ) -> dict[str, Any]:
        """Facts that the graph does not hold and that look like those it holds, with reasons. A
        suggestion is no fact: never tell it as one."""

        def work(reader: Reader) -> dict[str, Any]:
            request = suggesting.SuggestRequest(
                head=head, relation=relation, k=min(100, _bounded(limit))
            )
            return dict(msgspec.to_builtins(suggesting.suggest(reader, request)))

        return dict(await run(work, "think"))

    @tool
    async def brief(
        question: Annotated[str, Field(description="A question or a claim.")],
        limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """One page of evidence: the verdict (answered, near, nothing), papers by side and design,
        and sentences word for word, each with its paper and its place there. Quote these and
        nothing else; where the verdict is nothing, say so."""

        def work(reader: Reader) -> dict[str, Any]:
            request = briefing.BriefRequest(
                question=question, k=_bounded(limit), without_model=without_model
            )
            return dict(msgspec.to_builtins(briefing.brief(reader, request)))

        return dict(await run(work, "think"))

    @tool
    async def match(
        question: Annotated[str, Field(description="A consumer's health question.")],
        answers: Annotated[
            list[str] | None, Field(description="Candidates; none takes the library's own.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=MOST)] = 10,
        method: Method = None,
        without_model: WithoutModel = False,
    ) -> dict[str, Any]:
        """Answers to a health question in order, each explained by weighted paths in the graph."""

        def work(reader: Reader) -> dict[str, Any]:
            request = matching.MatchRequest(
                question=question,
                answers=matching.candidates_of(answers),
                k=_bounded(limit),
                method=method,
                without_model=without_model,
            )
            page = Hits.of(matching.match(reader, request), limit=request.k)
            return _answer(page, question=question)

        return dict(await run(work, "think"))

    @tool
    async def ask(
        question: Annotated[str, Field(description="A question about patients.")],
        method: Method = None,
        without_model: WithoutModel = False,
        before: Annotated[
            dict[str, Any] | None,
            Field(description="The form of the answer that this question leans on."),
        ] = None,
    ) -> dict[str, Any]:
        """Answers from patient records, with the form that was asked, sources as text, what was
        left out and why; no answers is a refusal, candidates are namesakes to choose from."""

        def work(reader: Reader) -> dict[str, Any]:
            request = AskRequest(
                question=question,
                explain=True,
                method=method,
                without_model=without_model,
                before=form_from(before) if before is not None else None,
            )
            answer = answered(reader, request)
            return {
                "path": "",
                "note": "",
                "sources": [],
                **msgspec.to_builtins(answer),
                # A ward of patients is no answer to read: how many there are is told.
                "answers": answer.answers[:MOST],
                "entities": answer.entities[:MOST],
                "patients": msgspec.to_builtins(answer.patients[:MOST]),
                "count": len(answer.answers),
                "confidence": answer.confidence,
                "notice": NOTICE,
            }

        return dict(await run(work, "think"))

    register(tool, run, NOTICE)
    add_tools(tool, run)
    return server


def _answer(page: Hits | Ranked, **more: Any) -> dict[str, Any]:
    """What REST answers with, its hits told for citing."""
    plain: dict[str, Any] = msgspec.to_builtins(page)
    return {**plain, **more, "hits": [told(hit) for hit in page.hits], "notice": NOTICE}
