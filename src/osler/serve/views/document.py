"""The document view: abstract with mentions, the most relevant sentence, related papers, facts."""

from __future__ import annotations

import contextlib
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from osler.corpus.writing import ris
from osler.errors import InputError, NeedsError, OslerError
from osler.explain.marks_html import Span, kind_of, marked, with_sentence
from osler.kinds import Document, Filter
from osler.retrieve.summaries.summarise import summarise
from osler.serve import documents
from osler.serve.desk import Desk
from osler.serve.export import file_answer, json_file
from osler.serve.models import LinkedMention
from osler.serve.page import entity_link, ready, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader

router = APIRouter()


def spans_of(mentions: list[LinkedMention]) -> list[Span]:
    return [
        Span(
            one.mention.start,
            one.mention.end,
            kind_of(one.type) + (" denied" if one.mention.negated else ""),
            f"{one.name}"
            + (f" ({one.type.lower()})" if one.type else "")
            + (", denied here" if one.mention.negated else ""),
            entity_link(one.mention.entity),
        )
        for one in mentions
    ]


def sections_of(
    document: Document, spans: list[Span], sentence: tuple[int, int] | None
) -> list[tuple[str, Markup]]:
    """The abstract's parts with their marks. Sections are joined by a blank in
    ``Document.text``, which is what offsets count in; empty ones are left out of it."""
    shift = len(document.title) + 1
    alone = len(document.sections) == 1
    shown = []
    for section in document.sections:
        if not section.text and not alone:
            continue
        html = with_sentence(section.text, spans, sentence, shift=shift)
        shown.append((section.label, ready(html)))
        shift += len(section.text) + 1
    return shown


def sentence_of(reader: Reader, document: Document, question: str) -> tuple[int, int] | None:
    """The sentence that answers the question, or else the one that says most of the paper."""
    if question.strip():
        try:
            only = Filter(ids=(document.id,))
            hits = reader.search(question, k=1, method="words", filter=only, plain=True).hits
        except InputError:
            hits = []
        evidence = hits[0].evidence if hits else None
        if evidence is not None and not evidence.section:
            return evidence.start, evidence.end
    summary = summarise(document, sentences=1, method="lexrank")
    best = [s for s in summary.sentences if s.section < 0]
    return (best[0].start, best[0].end) if best else None


@router.get("/document/{id:path}")
async def view(request: Request, id: str) -> Response:
    desk: Desk = request.app.state.desk
    question = request.query_params.get("q", "")

    context: dict[str, Any] = {"problem": None, "q": question, "document": None, "related": []}
    context.update(facts=None, facts_note="")

    def read(reader: Reader) -> None:
        # The paper first: its title is the page's as soon as it is known.
        context["document"] = document = reader.document(id)
        whole = documents.whole(reader, id, ("mentions",))
        mentions = whole.mentions or []
        spans = spans_of(mentions)
        sentence = sentence_of(reader, document, question)
        inside = [Span(s.start, s.end, s.kind, s.title) for s in spans]
        kinds: dict[str, str] = {}
        for one in mentions:
            kinds.setdefault(kind_of(one.type), one.type or "other")
        context.update(
            heading=ready(marked(document.title or "(no title)", inside)),
            sections=sections_of(document, spans, sentence),
            sentence=document.text[slice(*sentence)] if sentence else "",
            kinds=sorted(kinds.items()),
            denied=any(one.mention.negated for one in mentions),
            notices=whole.notes,
        )

    def grade(reader: Reader) -> None:
        try:
            context["facts"] = documents.facts(reader, context["document"].id)
        except NeedsError as error:
            context["facts_note"] = str(error)
        except OslerError as error:
            context["facts_note"] = error.message

    async def work() -> None:
        try:
            await desk.run(read)
            if request.query_params.get("facts") == "1":
                await desk.run(grade, lane="think")
        except OslerError as error:
            context["problem"] = problem_of(error)

    async def look() -> None:
        with contextlib.suppress(OslerError):
            context["related"] = await desk.run(
                lambda reader: documents.related(reader, context["document"])
            )

    def title() -> str:
        paper: Document | None = context["document"]
        return f"{(paper.title if paper else id)[:80]} - Document"

    return await shown_slowly(
        request,
        "document.html",
        "document_paper.html",
        work(),
        view="papers",
        title=title,
        context=context,
        then=("document_related.html", look),
    )


@router.get("/document.{format}")
async def export(request: Request, format: str) -> Response:
    """One document as JSON or RIS; its id is a parameter, since ids may hold anything."""
    desk: Desk = request.app.state.desk
    document = await desk.run(lambda r: r.document(request.query_params.get("id", "")))
    body: bytes | str = ris(document) if format == "ris" else json_file(document)
    return file_answer("document", format if format == "ris" else "json", body)
