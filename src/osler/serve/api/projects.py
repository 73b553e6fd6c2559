"""``/projects``: reviews that the library keeps, from their searches to their flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query
from fastapi import Path as PathParameter
from pydantic import Field, StringConstraints
from starlette.responses import Response

from osler.errors import FormatError
from osler.kinds import Reject
from osler.review.entries import Decided, Stage, Verdict
from osler.review.flow import Flow
from osler.serve.answers import Json, problem_answer, told
from osler.serve.api.params import WHOLE, At, Body, Limit, LongText, Named
from osler.serve.desk import Desk
from osler.serve.problems import plain_problem
from osler.serve.reader import Reader
from osler.serve.sent_file import sent_file
from osler.settings import MAX_QUERY
from osler.verbs.overview import Overview, ProjectList, line_of
from osler.verbs.project_files import Imported, nothing_imported, suffix_of
from osler.verbs.projects import plain_name
from osler.verbs.screening import Screening

router = APIRouter(tags=["projects"])

ProjectName = Annotated[
    str, PathParameter(min_length=1, max_length=200, description="A project's name.")
]
Who = Annotated[
    str, Query(min_length=1, max_length=200, pattern=r"\S", description="A reviewer's name.")
]
Person = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"\w")]
Some = Annotated[str, StringConstraints(max_length=MAX_QUERY.get())]
Texts = Annotated[list[Named], Field(max_length=200)]
AtStage = Annotated[Stage, Query(description="Title and abstract, or full text.")]


ExportFormat = Literal[
    "log", "ris", "csv", "asreview", "asreview-project", "rayyan", "covidence", "eppi"
]


class ProjectCard(Body):
    """What a project is about; what is left out stays as it is."""

    question: Some | None = None
    population: Some | None = None
    intervention: Some | None = None
    comparison: Some | None = None
    outcome: Some | None = None
    criteria: Some | None = None
    sources: Texts | None = None
    reasons: Texts | None = None
    highlights: Texts | None = None
    reviewers: Annotated[int, Field(ge=1, le=100), WHOLE] | None = None
    put_away: bool | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True, exclude={"name"})


class NewProject(ProjectCard):
    name: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^/]*\w[^/]*$")]


class NewSearch(Body):
    """A query to run over the library; ``source`` is what the flow calls it."""

    query: LongText
    source: Some = ""


class ReviewDecision(Body):
    """One reviewer's word on a paper; ``resolves`` ends a conflict between two others."""

    document: Named
    verdict: Verdict
    reviewer: Person
    stage: Stage = "abstract"
    reason: Some = ""
    note: Some = ""
    tags: Texts = []
    resolves: bool = False


class Unavailable(Body):
    """An included paper whose full text could not be had."""

    document: Named
    reviewer: Person
    note: Some = ""


class Someone(Body):
    reviewer: Person


class GroupApart(Body):
    """A record whose group is taken back."""

    document: Named
    reviewer: Some = ""


class ReferenceText(Body):
    """A file's text, as ``osler project import`` reads it; a file that is no text (ASReview's
    project) as a data URL, ``data:;base64,...``."""

    text: Annotated[str, StringConstraints(min_length=1)]
    name: Annotated[str, StringConstraints(min_length=1, max_length=200)] = "file"
    source: Some = ""
    query: Some = ""


class Conflict(msgspec.Struct, kw_only=True):
    """A paper on which reviewers differ, with the words of each side."""

    document: str
    title: str
    words: list[Decided]


class Conflicts(msgspec.Struct, kw_only=True):
    stage: Stage
    conflicts: list[Conflict]


class ProjectLogLine(msgspec.Struct, kw_only=True):
    """A numbered entry of a project's log."""

    seq: int
    entry: dict[str, Any]


class ProjectLog(msgspec.Struct, kw_only=True):
    entries: list[ProjectLogLine]


async def _changed(at: Desk, name: str, work: Callable[[Reader], object]) -> Json:
    """Do something to a project; what it is then."""

    def run(reader: Reader) -> Overview:
        work(reader)
        return reader.projects.overview(name)

    return Json(await at.run(run, lane="write"))


CHANGES = told(Overview, 400, 404, 423)


@router.get("/projects", **told(ProjectList))
async def list_projects(at: At) -> Json:
    """The projects of the library, the oldest first."""

    def work(reader: Reader) -> ProjectList:
        projects = reader.projects
        return ProjectList(projects=[line_of(projects.get(name)) for name in projects.names()])

    return Json(await at.run(work))


@router.post("/projects", **told(Overview, 400, 409, 423))
async def new_project(at: At, body: NewProject) -> Response:
    """Begin a project; 409 where the name is taken."""
    name = plain_name(body.name)
    if name in await at.run(lambda reader: reader.projects.names()):
        taken = plain_problem(409, "E100", "there is a project of that name already")
        return problem_answer(taken)
    return await _changed(at, name, lambda reader: reader.projects.new(name, **body.given()))


@router.get("/projects/{name}", **told(Overview, 404))
async def get_project(at: At, name: ProjectName) -> Json:
    """ProjectCard, searches, reviewers, agreement, conflicts and flow of a project."""
    return Json(await at.run(lambda reader: reader.projects.overview(name)))


@router.post("/projects/{name}/card", **CHANGES)
async def edit_project(at: At, name: ProjectName, body: ProjectCard) -> Json:
    """Change parts of a project's card; the log keeps what it was."""
    return await _changed(at, name, lambda reader: reader.projects.edit(name, **body.given()))


@router.post("/projects/{name}/card/undo", **CHANGES)
async def undo_card(at: At, name: ProjectName) -> Json:
    """Take back the last change of a project's card; the log keeps both."""
    return await _changed(at, name, lambda reader: reader.projects.undo_card(name))


@router.post("/projects/{name}/searches", **CHANGES)
async def search_for_project(at: At, name: ProjectName, body: NewSearch) -> Json:
    """Run a query: what it finds is to be screened. It is logged as typed and as run."""
    return await _changed(
        at, name, lambda reader: reader.projects.search(name, body.query, source=body.source)
    )


@router.post("/projects/{name}/groups", **CHANGES)
async def group_duplicates(at: At, name: ProjectName, body: Someone) -> Json:
    """Group records that are probably one paper."""
    return await _changed(
        at, name, lambda reader: reader.projects.group(name, reviewer=body.reviewer)
    )


@router.post("/projects/{name}/groups/apart", **CHANGES)
async def take_group_apart(at: At, name: ProjectName, body: GroupApart) -> Json:
    """Take the group of a record back: they are two papers in this project."""
    return await _changed(
        at,
        name,
        lambda reader: reader.projects.ungroup(name, body.document, reviewer=body.reviewer),
    )


@router.get("/projects/{name}/next", **told(Screening, 400, 404))
async def next_papers(
    at: At, name: ProjectName, reviewer: Who, stage: AtStage = "abstract", limit: Limit = 20
) -> Json:
    """What a reviewer should read next, by the order that this reviewer's own decisions teach, and
    how much of what is relevant was found. Of other reviewers it tells nothing."""
    return Json(
        await at.run(
            lambda reader: reader.projects.next(name, reviewer=reviewer, stage=stage, k=limit),
            lane="learn",
        )
    )


@router.post("/projects/{name}/decisions", **CHANGES)
async def decide(at: At, name: ProjectName, body: ReviewDecision) -> Json:
    """Keep one reviewer's word on a paper. When this answers, it is on disk."""
    given = body.model_dump()
    document, verdict = given.pop("document"), given.pop("verdict")
    return await _changed(
        at, name, lambda reader: reader.projects.decide(name, document, verdict, **given)
    )


@router.post("/projects/{name}/not-retrieved", **CHANGES)
async def not_retrieved(at: At, name: ProjectName, body: Unavailable) -> Json:
    """Say that an included paper's full text could not be had."""
    return await _changed(
        at,
        name,
        lambda reader: reader.projects.not_retrieved(
            name, body.document, reviewer=body.reviewer, note=body.note
        ),
    )


@router.post("/projects/{name}/undo", **CHANGES)
async def undo(at: At, name: ProjectName, body: Someone) -> Json:
    """Take back a reviewer's last decision; the log keeps both."""
    return await _changed(
        at, name, lambda reader: reader.projects.undo(name, reviewer=body.reviewer)
    )


@router.get("/projects/{name}/conflicts", **told(Conflicts, 404))
async def conflicts(at: At, name: ProjectName, stage: AtStage = "abstract") -> Json:
    """Papers on which reviewers differ. A third ends them: a decision that ``resolves``."""

    def work(reader: Reader) -> Conflicts:
        project = reader.projects.get(name)
        ids = project.conflicts(stage)
        titles = {one.id: one.title for one in reader.documents(ids)}
        return Conflicts(
            stage=stage,
            conflicts=[
                Conflict(
                    document=id,
                    title=titles.get(id, ""),
                    words=list(project.words_on(stage, id).values()),
                )
                for id in ids
            ],
        )

    return Json(await at.run(work))


@router.get("/projects/{name}/prisma", **told(Flow, 404))
async def prisma(at: At, name: ProjectName) -> Json:
    """The counts of the PRISMA 2020 flow."""
    return Json(await at.run(lambda reader: reader.projects.prisma(name)))


@router.get("/projects/{name}/log", **told(ProjectLog, 404))
async def project_log(at: At, name: ProjectName) -> Json:
    """Who decided what and when."""

    def work(reader: Reader) -> ProjectLog:
        history = reader.projects.get(name).history
        return ProjectLog(
            entries=[
                ProjectLogLine(seq=seq, entry=msgspec.to_builtins(one)) for seq, one in history
            ]
        )

    return Json(await at.run(work))


MEDIA = {
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "asreview": "application/zip",
}


def _file() -> dict[str, Any]:
    """What the export says of its answers."""
    described = told(Flow, 400, 404)
    described["responses"][200] = {
        "description": "the file",
        "content": {kind.partition(";")[0]: {} for kind in MEDIA.values()},
    }
    return {**described, "response_class": Response}


@router.get("/projects/{name}/export", **_file())
async def export(
    at: At,
    name: ProjectName,
    format: ExportFormat,
) -> Response:
    """The project as a file with every decision, reason, note and tag by reviewer."""
    suffix = suffix_of(format)
    body = await at.run(lambda reader: reader.projects.export(name, format))
    return Response(
        body,
        media_type=MEDIA[suffix],
        headers={"Content-Disposition": f'attachment; filename="osler-project.{suffix}"'},
    )


@router.post("/projects/{name}/import", **told(Imported, 400, 404, 423))
async def import_references(at: At, name: ProjectName, body: ReferenceText) -> Json:
    """Read references, and what other programs decided on them, into a project."""

    def work(reader: Reader) -> Imported:
        try:
            with sent_file(body.text) as file:
                return reader.projects.import_file(
                    name, file, source=body.source, query=body.query, named=body.name
                )
        except FormatError as error:
            # Any text may be sent; one that holds no reference is told like a bad row.
            return nothing_imported(Reject(body.name, "the text", error.message))

    return Json(await at.run(work, lane="write"))
