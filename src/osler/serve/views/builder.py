"""The query builder: lines of field and words, headings out of the tree, the query that they make,
how many papers it finds, and how it reads in other languages."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.errors import LimitError, NeedsError, OslerError
from osler.retrieve.parse import is_structured
from osler.serve.desk import Desk
from osler.serve.page import framed, link, shown
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.views.papers import in_languages
from osler.settings import MAX_QUERY
from osler.verbs.graph import Concept, concept, meant
from osler.verbs.search import SearchRequest

router = APIRouter()

FIELDS = {
    "": "anywhere",
    "title": "title",
    "tiab": "title or abstract",
    "mesh": "heading, with those below it",
    "major": "main topic",
    "keyword": "keyword",
    "author": "author",
    "journal": "journal",
    "type": "kind of paper",
    "design": "study design",
    "year": "year, or 2019:2021",
}
JOINED = ("AND", "OR", "NOT")
LINES = 30
BELOW = 60
"""Headings that are listed below one."""


class FormLine(NamedTuple):
    """One line of the form."""

    join: str
    field: str
    words: str

    @property
    def written(self) -> str:
        """The line in the query language."""
        words = self.words.strip()
        if not self.field:
            return f"({words})" if is_structured(words) else words
        if self.field == "year":
            return f"year:{words}"
        plain = words.replace('"', "")
        quoted = f'"{plain}"' if " " in plain or not plain.isalnum() else plain
        return f"{self.field}:{quoted}"


def lines_of(request: Request) -> list[FormLine]:
    """The lines of an address; those without words are left out, a heading that was chosen in the
    tree is one more."""
    given = request.query_params
    joins, fields, words = (given.getlist(name)[:LINES] for name in ("o", "f", "t"))
    lines = [
        FormLine(join if join in JOINED else "AND", field if field in FIELDS else "", text[:1000])
        for join, field, text in zip(joins, fields, words, strict=False)
        if text.strip()
    ]
    if given.get("add", "").strip():
        lines.append(FormLine("AND", "mesh", given["add"][:1000]))
    return lines


def composed(first: str, lines: list[FormLine]) -> str:
    """The query that the lines make, read from the top: each joins what stands above it."""
    query = first.strip()
    for line in lines:
        if not query:
            query = line.written if line.join != "NOT" else f"NOT {line.written}"
        else:
            above = f"({query})" if " " in query else query
            query = f"{above} {line.join} {line.written}"
    return query


@router.get("/papers/builder")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    given = request.query_params
    lines = lines_of(request)
    query = composed(given.get("q", ""), lines)
    if len(query) > MAX_QUERY.get():
        raise LimitError(f"the query has more than {MAX_QUERY.get():,} characters")
    kept = {"q": given.get("q", ""), **_listed(lines)}
    context: dict[str, Any] = {"lines": lines, "query": query, "q": given.get("q", "")}
    context.update(fields=FIELDS, joined=JOINED, problem=None, total=None, languages=[])
    context.update(tree=None, wanted=given.get("tree", "").strip())

    def work(reader: Reader) -> None:
        try:
            if context["wanted"]:
                context["tree"] = _tree(reader, context["wanted"], kept)
            if query:
                context["total"] = reader.count(query)
                context["languages"] = in_languages(SearchRequest(text=query))
        except OslerError as error:
            context["problem"] = problem_of(error)

    async def answer() -> Response:
        return shown(request, "builder.html", view="papers", title="Query builder", **context)

    return await framed(request, desk.run(work), answer, view="papers", title="Query builder")


def _listed(lines: list[FormLine]) -> dict[str, list[str]]:
    names = {"o": "join", "f": "field", "t": "words"}
    return {name: [getattr(line, part) for line in lines] for name, part in names.items()}


def _address(kept: dict[str, Any], **more: str) -> str:
    """An address of the builder. An empty field is one too, so that lines stay whole."""
    from urllib.parse import urlencode

    pairs = [(name, value) for name in ("o", "f", "t") for value in kept[name]]
    pairs += [(name, value) for name, value in (("q", kept["q"]), *more.items()) if value]
    return f"/papers/builder?{urlencode(pairs)}"


def _tree(reader: Reader, wanted: str, kept: dict[str, Any]) -> dict[str, Any]:
    """A heading with those above and below it; each can be gone to, or taken into the query."""
    try:
        graph = reader.graph
    except NeedsError:
        raise NeedsError(
            "the library has no terminology, so there is no tree of headings",
            cure="add one: MeSH, or a table of your own",
        ) from None
    ids = meant(graph, wanted)
    # Headings of papers are MeSH's: of two terminologies that know the name, that one.
    id = next((one for one in ids if one.startswith("MESH:")), ids[0])

    def row(one: Concept) -> tuple[str, str, str]:
        return one.name, _address(kept, tree=one.id), _address(kept, tree=id, add=one.name)

    below = graph.children(id)
    return {
        "here": row(concept(graph, id)),
        "above": [row(concept(graph, one)) for one in graph.parents(id)],
        "below": [row(concept(graph, one)) for one in below[:BELOW]],
        "more": max(0, len(below) - BELOW),
        "search": link("/papers", q=f'mesh:"{graph.name(id)}"'),
    }
