"""The search view: one box, filters with counts, hits that say why."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import NeedsError, OslerError, QueryError
from osler.retrieve.languages import LANGUAGES, translate
from osler.retrieve.parse import is_structured
from osler.search import rankers
from osler.search.ordering import SORTS
from osler.serve.desk import Desk
from osler.serve.facets import search_and_count
from osler.serve.models import Hits
from osler.serve.page import framed, link, shown, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import TypeOf, hit_views, no_types
from osler.serve.streaming import streamed
from osler.serve.visits import Visits, expression
from osler.settings import MAX_HITS, MAX_PAGE
from osler.verbs.export import checked
from osler.verbs.facets import Facet
from osler.verbs.filters import filter_of
from osler.verbs.formats import FORMATS
from osler.verbs.search import SearchRequest
from osler.verbs.status import coverage

router = APIRouter()

PAGE = 10
REPEATED = ("type", "design", "journal", "mesh", "language", "keyword")
EXAMPLES = (
    "does vitamin D protect against COVID-19",
    "machine learning to predict sepsis in intensive care",
    "title:(telemedicine OR telehealth) AND year:2021",
)
LABELS = {
    "year": "year",
    "type": "kind",
    "design": "design",
    "journal": "journal",
    "mesh": "heading",
    "language": "language",
    "keyword": "keyword",
}


NAMES = {"bib": "BibTeX", "jsonl": "JSON lines"}


def types_of(reader: Reader) -> TypeOf:
    """The type of an entity; empty in a library without a graph."""
    try:
        graph = reader.graph
    except NeedsError:
        return no_types
    return lambda id: graph.type(id) if id in graph else ""


def _number(value: str | None, default: int, most: int) -> int:
    """A number of the address; nonsense is the default, so that no link can break the page."""
    if not value or not value.isascii() or not value.isdigit():
        return default
    # Nobody needs twenty digits, and Python does not read five thousand.
    return min(int(value), most) if len(value) < 20 else most


def asked_of(request: Request, *, limit: int = PAGE) -> SearchRequest:
    """What the address asks for; ``#1`` in it is the visitor's first query."""
    given = request.query_params
    visits: Visits = request.app.state.visits
    _, visit = visits.of(request)
    lists = {name: tuple(v for v in given.getlist(name) if v) for name in REPEATED}
    method = given.get("method") or None
    if method is not None:
        rankers.get(method)  # a name that is none of the choices is told
    return SearchRequest(
        text=visit.expanded(given.get("q", "")),
        k=limit,
        skip=_number(given.get("offset"), 0, MAX_HITS.get() - MAX_PAGE.get()),
        method=method,
        plain=given.get("plain") == "1",
        sort=given.get("sort") or "relevance",
        syntax=given.get("syntax", ""),
        abstract=True,
        without_model=given.get("model") == "0",
        project=given.get("project", "")[:200],
        without_marks=given.get("marks") == "0",
        filter=filter_of(
            year=given.get("year"),
            language=lists["language"],
            journal=lists["journal"],
            type=lists["type"],
            design=lists["design"],
            mesh=lists["mesh"],
            keyword=lists["keyword"],
            has_abstract=given.get("abstract") == "1",
            without_retracted=given.get("retracted") == "0",
        ),
    )


def _parameters(request: Request) -> dict[str, Any]:
    given = request.query_params
    single = (
        "q", "method", "year", "abstract", "retracted", "plain", "model", "sort", "syntax",
        "project", "marks",
    )  # fmt: skip
    kept: dict[str, Any] = {name: given[name] for name in single if given.get(name)}
    kept.update({name: given.getlist(name) for name in REPEATED if given.getlist(name)})
    return kept


def _chips(kept: dict[str, Any]) -> list[tuple[str, str]]:
    """Filters in force: what each says, and the address without it."""
    found = []
    for name, label in LABELS.items():
        values = kept.get(name, [])
        for value in [values] if isinstance(values, str) else values:
            rest = dict(kept)
            if isinstance(values, str):
                del rest[name]
            else:
                rest[name] = [other for other in values if other != value]
            found.append((f"{label}: {value}", link("/papers", **rest)))
    if kept.get("retracted"):
        found.append(("without retracted", link("/papers", **{**kept, "retracted": ""})))
    if kept.get("abstract"):
        found.append(("with abstract", link("/papers", **{**kept, "abstract": ""})))
    if kept.get("project"):
        found.append((f"project: {kept['project']}", link("/papers", **{**kept, "project": ""})))
    if kept.get("marks"):
        found.append(("without marks", link("/papers", **{**kept, "marks": ""})))
    return found


def _offers(kept: dict[str, Any], counted: Sequence[Facet]) -> list[dict[str, Any]]:
    """Filters that can be set: each value with its count and the address with it."""
    offers = []
    for facet in counted:
        now = kept.get(facet.name, [])
        held = {now} if isinstance(now, str) else set(now)
        values = []
        for value, number in facet.values:
            if value in held:
                continue
            new: Any = value if facet.name == "year" else [*now, value]
            values.append((value, number, link("/papers", **{**kept, facet.name: new})))
        if values:
            offers.append({"label": facet.label, "values": values})
    return offers


@router.get("/papers")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    text = request.query_params.get("q", "")
    context: dict[str, Any] = {"q": text, "methods": rankers.names(), "found": None}
    context.update(examples=EXAMPLES, kept={}, chips=[], offers=[], problem=None, hits=[])
    context.update(older="", newer="", share=None, counts={}, plain="", languages=[], counted=0)
    context.update(sorts=SORTS, all_formats=_all_formats, respelled="", visit=None, strict="")
    if not text.strip():
        counts = asyncio.ensure_future(desk.run(_counts))

        async def empty() -> Response:
            context["counts"] = counts.result()
            return shown(request, "papers.html", view="papers", title="Papers", **context)

        return await framed(request, counts, empty, view="papers", title="Papers")
    kept = _parameters(request)
    visits: Visits = request.app.state.visits
    name, visit = visits.of(request)
    with contextlib.suppress(QueryError):
        # Written out, a link to it means the same to everybody.
        if (whole := visit.expanded(text)) != text:
            return RedirectResponse(link("/papers", **{**kept, "q": whole}), status_code=303)
    context.update(kept=kept, chips=_chips(kept), visit=visit)

    async def look() -> None:
        try:
            await find()
        except OslerError as error:
            context["problem"] = problem_of(error)
            if isinstance(error, QueryError):
                context["plain"] = link("/papers", **{**kept, "plain": "1"})

    async def find() -> None:
        asked = asked_of(request)

        def work(reader: Reader) -> None:
            ranking, counted = search_and_count(reader, asked)
            found = Hits.of(ranking, limit=asked.k, offset=asked.skip, more=True)
            context["found"] = found
            context["hits"] = hit_views(found.hits, start=asked.skip, type_of=types_of(reader))
            context.update(offers=_offers(kept, counted.facets), counted=counted.total)
            context["languages"] = in_languages(asked)
            context["strict"] = _with_all(asked, kept)
            given = request.query_params
            narrowed = {name: [v for v in given.getlist(name) if v] for name in LABELS}
            whole = expression(asked.text, asked.syntax, narrowed)
            visit.looked(text, whole, link("/papers", **kept), counted.total)
            context["respelled"] = link("/papers", **{**kept, "q": found.suggestion})
            if found.method != "words":
                context["share"] = coverage(reader)
                # The bar says it already.
                found.notes = [note for note in found.notes if "vectors cover" not in note]
            if found.next is not None:
                context["older"] = link("/papers", **{**kept, "offset": found.next})
            if asked.skip:
                context["newer"] = link(
                    "/", **{**kept, "offset": max(0, asked.skip - asked.k) or ""}
                )

        await desk.run(work)

    answer = await shown_slowly(
        request,
        "papers.html",
        "papers_results.html",
        look(),
        view="papers",
        title=f"{text[:60]} - Papers",
        context=context,
    )
    visits.hold(answer, name, visit)
    return answer


def _with_all(asked: SearchRequest, kept: dict[str, Any]) -> str:
    """The same words as a query that wants all of them; empty where it is one already."""
    words = asked.text.split()
    if asked.syntax or is_structured(asked.text) or not 1 < len(words) <= 8:
        return ""
    if not all(word.isalnum() for word in words):
        return ""
    return link("/papers", **{**kept, "q": " AND ".join(words)})


def _counts(reader: Reader) -> dict[str, int]:
    return {"documents": len(reader), **reader.counts()}


def _all_formats(kept: dict[str, Any]) -> list[tuple[str, str]]:
    """A file of all hits in each format: what it is called, and where it is."""
    return [(NAMES.get(name, name.upper()), link(f"/papers.{name}", **kept)) for name in FORMATS]


def in_languages(asked: SearchRequest) -> list[tuple[str, str]]:
    """A query of a query language as it reads in each of them, or why it does not."""
    if asked.plain or not (asked.syntax or is_structured(asked.text)):
        return []
    told = []
    for name in LANGUAGES:
        try:
            written = translate(asked.text, name, asked.syntax)
        except OslerError as error:
            told.append((name, error.message))
        else:
            told.append((name, " ".join((written.text, *(f"({note})" for note in written.notes)))))
    return told


@router.get("/papers.{format}")
async def export(request: Request, format: str) -> Response:
    """All hits in a file, sent as it is written."""
    checked(format)
    return await streamed(request.app.state.desk, asked_of(request), format)
