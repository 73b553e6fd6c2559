"""The graph view: an entity with what stands around it, and paths between two entities."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.errors import LimitError, NeedsError, OslerError
from osler.serve.around import Around, drawn_of
from osler.serve.desk import Desk
from osler.serve.drawn import draw_paths
from osler.serve.export import file_answer, json_file, table
from osler.serve.images import image_links
from osler.serve.page import entity_link, ready, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.settings import MAX_NAME
from osler.verbs.graph import (
    Concept,
    EntityRequest,
    Paths,
    PathsRequest,
    complete,
    concept,
    entity,
    paths,
)

router = APIRouter()

PATHS = 24
LENGTHS = ("2", "3", "4", "5")
"""Entities that a path may have."""
EXAMPLES = ("Asthma", "Seizures", "Diabetes Mellitus, Type 2", "Vitamin D")


@router.get("/graph")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    given = request.query_params
    name, target = given.get("entity", "").strip(), given.get("to", "").strip()
    if max(len(name), len(target)) > MAX_NAME.get():
        raise LimitError(f"a name has at most {MAX_NAME.get():,} characters")
    asked = given.get("length", "")
    length = int(asked) if asked in LENGTHS else 3
    context: dict[str, Any] = {
        "name": name,
        "target": target,
        "length": length,
        "entity": None,
        "picture": "",
        "images": [],
        "others": [],
        "paths": None,
        "paths_picture": "",
        "lines": [],
        "problem": None,
        "suggested": [],
        "examples": [],
        "counts": None,
        "origins": [],
        "pinned": [],
        "hidden": [],
    }
    drawn = drawn_of(name, given.getlist("open"), given.getlist("hide"), given.getlist("pin"))

    def work(reader: Reader) -> None:
        graph = reader.graph
        if not name:
            context["counts"] = (len(graph), graph.edges, len(graph.relations))
            context["examples"] = [one for one in EXAMPLES if graph.lookup(one)]
            return
        whole = entity(reader, EntityRequest(entity=name, k=500))
        context["entity"] = whole
        context["others"] = [
            (id, graph.name(id), graph.type(id)) for id in graph.same(whole.entity.id)
        ]
        context["images"] = image_links(reader, whole.entity)
        if target:
            asked = PathsRequest(source=name, target=target, length=length, k=PATHS)
            joined = paths(reader, asked)
            context["paths"] = joined
            context["lines"] = _lines(joined)
            context["paths_picture"] = ready(
                draw_paths(joined.paths, joined.names, lambda id: graph.type(id))
            )
        else:
            around = Around(reader, drawn)
            context["picture"] = ready(around.picture(whole))
            context["origins"] = around.origins
            context["pinned"] = [(one, concept(graph, one).name) for one in drawn.pinned]
            context["hidden"] = [
                (concept(graph, one).name, drawn.without("hidden", one).href)
                for one in drawn.hidden
            ]

    async def look() -> None:
        try:
            await desk.run(work)
        except OslerError as error:
            context["problem"] = problem_of(error)
            if not isinstance(error, NeedsError):
                wanted = target if context["entity"] is not None else name
                context["suggested"] = await desk.run(lambda r: _near(r, wanted))

    # A step in the picture asks for the picture alone.
    step = request.headers.get("x-part") == "results"
    return await shown_slowly(
        request,
        "graph.html",
        "graph_around.html" if step else "graph_results.html",
        look(),
        view="graph",
        title=lambda: context["entity"].entity.name if context["entity"] else name or "Graph",
        context=context,
    )


def _near(reader: Reader, text: str) -> list[Concept]:
    """Entities that somebody may have meant: names that begin alike."""
    for length in range(min(len(text), 40), 2, -1):
        names = complete(reader, text[:length], 6)
        if names:
            return names
    return []


def _lines(paths: Paths) -> list[list[tuple[str, str, str]]]:
    """Paths as text: (arrow, name, address) for each entity."""
    lines = []
    for path in paths.paths:
        line = [("", paths.names[path.start], entity_link(path.start))]
        for step in path.steps:
            arrow = f"← {step.relation}" if step.inverse else f"{step.relation} →"
            line.append((arrow, paths.names[step.entity], entity_link(step.entity)))
        lines.append(line)
    return lines


@router.get("/graph.{format}")
async def export(request: Request, format: str) -> Response:
    """The entity, or the paths to another one, as JSON or CSV."""
    desk: Desk = request.app.state.desk
    given = request.query_params
    name, target = given.get("entity", ""), given.get("to", "")
    length = int(given["length"]) if given.get("length") in LENGTHS else 3
    if target:
        asked = PathsRequest(source=name, target=target, length=length, k=PATHS)
        joined = await desk.run(lambda r: paths(r, asked))
        if format == "csv":
            rows = [[" ".join(f"{a} {n}".strip() for a, n, _ in line)] for line in _lines(joined)]
            return file_answer("paths", "csv", table(["path"], rows))
        return file_answer("paths", format, json_file(joined))
    wanted = EntityRequest(entity=name, k=500)
    whole = await desk.run(lambda r: entity(r, wanted))
    if format == "csv":
        around = [("is a", "", one) for one in whole.parents]
        around += [("below", "", one) for one in whole.children]
        around += [(e.relation, "inverse" if e.inverse else "", e.entity) for e in whole.neighbours]
        columns = ["relation", "direction", "id", "name", "type"]
        listed = [(relation, way, one.id, one.name, one.type) for relation, way, one in around]
        return file_answer("entity", "csv", table(columns, listed))
    return file_answer("entity", format, json_file(whole))
