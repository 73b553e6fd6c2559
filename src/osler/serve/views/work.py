"""Long work on the page: files to add, by drop or by path; vectors to make; how far each job is,
a stop, an undo."""

from __future__ import annotations

import re
import secrets
import shutil
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from osler.errors import InputError
from osler.serve.desk import Desk
from osler.serve.jobs import Job, Jobs, adding, embedding, undoing
from osler.serve.page import form_of, shown
from osler.settings import MAX_NAME, SERVE_BODY

router = APIRouter()

INCOMING = "incoming"
"""Below the library: files that a browser sends, until they are read."""
_HANDLE = re.compile(r"[0-9a-f]{16}")
MOST_PATHS = 100


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def by_path(request: Request) -> bool:
    """Whether files may be named by their path: where others can reach the server, nobody reads
    this machine's files through it."""
    return not request.app.state.token


def _incoming(request: Request) -> Path:
    desk: Desk = request.app.state.desk
    return desk.path / INCOMING


def _at(job: Job) -> str:
    return f"/library/jobs/{job.number}"


@router.post("/library/add")
async def add(request: Request) -> Response:
    """Read files of this machine, one path a line."""
    form = await form_of(request)
    if not by_path(request):
        raise InputError("a server that others can reach takes files by upload alone")
    lines = [line.strip() for line in form.get("paths", "").splitlines() if line.strip()]
    if not lines or len(lines) > MOST_PATHS:
        raise InputError(f"name one to {MOST_PATHS} files or folders, one a line")
    paths = [Path(line).expanduser() for line in lines]
    for path in paths:
        if not path.is_absolute():
            raise InputError(f"{path} is no whole path", cure="begin it with /")
        if not path.exists():
            raise InputError(f"there is nothing at {path}")
    job = _start_adding(request, paths, ", ".join(path.name for path in paths[:3]))
    job.paths = lines
    return RedirectResponse(_at(job), status_code=303)


def _start_adding(
    request: Request,
    paths: list[Path],
    title: str,
    *,
    again: bool = False,
    folder: Path | None = None,
) -> Job:
    jobs = _jobs(request)
    after = (lambda: shutil.rmtree(folder, ignore_errors=True)) if folder else None
    return jobs.start(jobs.new("add", f"Adding {title}"), adding(paths, again=again, after=after))


@router.post("/library/upload")
async def upload(request: Request) -> Response:
    """A piece of a file that a browser sends: ``name``, ``at`` (bytes before it), and the
    ``handle`` that the first piece was given; the ``last`` one begins the reading."""
    given = request.query_params
    name = Path(given.get("name", "")).name
    if not name or name.startswith(".") or len(name) > MAX_NAME.get():
        raise InputError("a file needs a name")
    at, handle = given.get("at", "0"), given.get("handle", "")
    if not at.isdigit() or len(at) > 15 or (handle and not _HANDLE.fullmatch(handle)):
        raise InputError("a piece of a file has a place and a handle")
    if not handle:
        handle = secrets.token_hex(8)
        (_incoming(request) / handle).mkdir(parents=True, mode=0o700)
    folder = _incoming(request) / handle
    if not folder.is_dir():
        raise InputError("this upload is over", cure="begin it again")
    body = await request.body()
    with (folder / name).open("ab") as file:
        if file.tell() != int(at):
            raise InputError("a piece of the file is missing", cure="begin the upload again")
        file.write(body)
    if given.get("last") != "1":
        return JSONResponse({"handle": handle})
    again = given.get("again") == "1"
    job = _start_adding(request, [folder / name], name, again=again, folder=folder)
    return JSONResponse({"handle": handle, "job": _at(job)})


@router.post("/library/embed")
async def embed(request: Request) -> Response:
    """Make the vectors that are missing."""
    jobs = _jobs(request)
    job = jobs.running("embed")
    if job is None:
        job = jobs.start(jobs.new("embed", "Making vectors", unit="papers"), embedding)
    return RedirectResponse(_at(job), status_code=303)


@router.get("/library/jobs/{number}")
async def view(request: Request, number: int) -> Response:
    """How far a job is; a browser without scripts asks again by itself."""
    job = _jobs(request).get(number)
    part = request.headers.get("x-part") == "results"
    context: dict[str, Any] = {"job": job, "by_path": by_path(request)}
    return shown(
        request,
        "job_state.html" if part else "job.html",
        view="library",
        title=job.title,
        headers=None if part or job.over else {"Refresh": "2"},
        **context,
    )


@router.post("/library/jobs/{number}/stop")
async def stop(request: Request, number: int) -> Response:
    return RedirectResponse(_at(_jobs(request).stop(number)), status_code=303)


@router.post("/library/jobs/{number}/undo")
async def undo(request: Request, number: int) -> Response:
    """Take the papers out that an addition brought."""
    jobs = _jobs(request)
    added = jobs.get(number)
    if added.kind != "add" or not added.over or added.undone:
        raise InputError("there is nothing here to take back")
    job = jobs.new("undo", f"Taking back: {added.title}", unit="papers")
    return RedirectResponse(_at(jobs.start(job, undoing(added))), status_code=303)


@router.post("/library/jobs/{number}/again")
async def again(request: Request, number: int) -> Response:
    """Read the files of a job once more, those that were read before too."""
    old = _jobs(request).get(number)
    if not old.paths or not by_path(request):
        raise InputError("the file is not here any more", cure="send it again")
    paths = [Path(line).expanduser() for line in old.paths]
    job = _start_adding(request, paths, ", ".join(path.name for path in paths[:3]), again=True)
    job.paths = old.paths
    return RedirectResponse(_at(job), status_code=303)


def adding_form(request: Request) -> dict[str, Any]:
    """What the form needs that takes files."""
    return {"by_path": by_path(request), "piece": max(1, SERVE_BODY.get() * 9 // 10)}
