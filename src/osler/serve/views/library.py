"""The status view: what is in the library, models with their cards, rejects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import ChoiceError, InputError, OslerError
from osler.serve.desk import Desk
from osler.serve.export import file_answer, json_file, table
from osler.serve.jobs import Jobs
from osler.serve.page import form_of, shown_slowly
from osler.serve.problems import Problem, problem_of
from osler.serve.reader import Reader
from osler.serve.views.work import adding_form
from osler.settings import shown_settings
from osler.store.lock import is_held
from osler.verbs.patients import JoinRequest, Kind, RemoveRequest, at_stake, join, remove_records
from osler.verbs.status import rejects, status

router = APIRouter()

SHOWN = 50


class Removing(NamedTuple):
    """What somebody wants to take out, and what goes with it."""

    kind: str
    name: str
    patients: int
    facts: int


@router.get("/library")
async def view(request: Request) -> Response:
    return await _shown(request)


async def _shown(
    request: Request,
    *,
    said: Sequence[str] = (),
    problem: Problem | None = None,
    removing: Removing | None = None,
) -> Response:
    """The view; after a form was sent with what came of it, or what was wrong with it."""
    desk: Desk = request.app.state.desk

    def work(reader: Reader) -> dict[str, Any]:
        from osler.learn.card import versions

        found = status(reader)
        return {
            "held": found,
            "rejected": rejects(reader, SHOWN),
            "versions": versions((*PACKAGES,)),
            "settings": shown_settings(),
            "path": str(reader.path),
            "people": list(found.patients.joined.items())[:SHOWN],
            "elsewhere": is_held(reader.layout.embed_lock),
        }

    jobs: Jobs = request.app.state.jobs
    context: dict[str, Any] = {"said": list(said), "problem": problem, "held": None}
    context["removing"] = removing
    context |= {"jobs": jobs.all(), "making": jobs.running("embed"), **adding_form(request)}

    async def look() -> None:
        try:
            context.update(await desk.run(work))
        except OslerError as error:
            context["problem"] = problem_of(error)

    return await shown_slowly(
        request,
        "library.html",
        "library_held.html",
        look(),
        view="library",
        title="Library",
        context=context,
    )


@router.post("/library/name")
async def rename(request: Request) -> Response:
    """Give the library a name."""
    name = " ".join((await form_of(request)).get("name", "").split())
    if not 1 <= len(name) <= 80 or not name.isprintable():
        problem = problem_of(InputError("a library's name has 1 to 80 characters"))
        return await _shown(request, problem=problem)
    desk: Desk = request.app.state.desk
    await desk.run(lambda reader: reader.layout.rename(name), lane="write")
    return RedirectResponse("/library", status_code=303)


@router.post("/library/join")
async def join_sources(request: Request) -> Response:
    """Join patients across sources, or take a rule back. Nobody's id is in the address."""
    form = await form_of(request)
    desk: Desk = request.app.state.desk
    undo = form.get("undo") == "1"
    system = form.get("system", "").strip()
    try:
        asked = JoinRequest(system=system, undo=undo)
        held = await desk.run(lambda reader: join(reader, asked), lane="write")
    except OslerError as error:
        return await _shown(request, problem=problem_of(error))
    done = f"{system} joins nobody any more" if undo else f"patients are joined by {system}"
    nobody = [] if undo or held.joined else ["no two sources carry the same identifier in it yet"]
    return await _shown(request, said=[done, *nobody])


@router.post("/library/remove")
async def remove_for_good(request: Request) -> Response:
    """Take records of a patient or of a source out for good; asked without a second name, say what
    would go: what is erased cannot be brought back."""
    form = await form_of(request)
    desk: Desk = request.app.state.desk
    kind, name = form.get("kind", ""), form.get("name", "").strip()
    try:
        if kind not in get_args(Kind):
            raise ChoiceError("kind of removal", kind, get_args(Kind))
        confirm = form.get("confirm", "").strip()
        if not confirm:
            sure = await desk.run(lambda reader: at_stake(reader, cast("Kind", kind), name))
            return await _shown(request, removing=Removing(kind, name, sure.patients, sure.facts))
        asked = RemoveRequest(kind=cast("Kind", kind), name=name, confirm=confirm)
        done = await desk.run(lambda reader: remove_records(reader, asked), lane="write")
    except OslerError as error:
        return await _shown(request, problem=problem_of(error))
    return await _shown(request, said=[str(done), *done.notes])


PACKAGES = (
    "osler",
    "tantivy",
    "usearch",
    "onnxruntime",
    "numpy",
    "scipy",
    "fastapi",
    "torch",
    "transformers",
)


@router.get("/library/status.{format}")
async def export(request: Request, format: str) -> Response:
    """The status as JSON; the rejects as CSV."""
    desk: Desk = request.app.state.desk
    if format == "csv":
        rows = await desk.run(lambda reader: rejects(reader, 1_000_000))
        columns = ["file", "place", "reason", "id"]
        listed = [[row.get(name, "") for name in columns] for row in rows]
        return file_answer("rejects", "csv", table(columns, listed))
    return file_answer("status", format, json_file(await desk.run(status)))
