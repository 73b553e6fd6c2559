"""The screening view: the next papers of a reviewer, decided by key, by click or by form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import InputError, NeedsError, OslerError
from osler.explain.marks_html import Span, kind_of, marked
from osler.kinds import Document
from osler.review.entries import VERDICTS, Decided, Stage, Verdict
from osler.review.project import Project
from osler.serve.answers import Json
from osler.serve.desk import Desk
from osler.serve.page import form_of, framed, ready, shown, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.views.review import NAMES, person_of, place_of, stage_of
from osler.verbs.screening import NextPaper, estimate_of

router = APIRouter()

SHOWN = 10


class DecisionKept(msgspec.Struct, kw_only=True):
    """What a decision is answered with: where the reviewer stands."""

    document: str
    verdict: str
    read: int
    left: int
    words: str


def highlighted(text: str, words: Sequence[str], concepts: Sequence[Span] = ()) -> str:
    """A text as HTML with the project's own words marked, and the terminology's beside them. A star
    stands for any ending."""
    spans = [
        Span(match.start(), match.end())
        for word in words
        for match in _pattern(word).finditer(text)
        if match.end() > match.start()
    ]
    taken = [(span.start, span.end) for span in spans]
    free = [
        span
        for span in concepts
        if not any(span.start < end and start < span.end for start, end in taken)
    ]
    return marked(text, [*spans, *free])


def _pattern(word: str) -> re.Pattern[str]:
    stem = word.strip().rstrip("*")
    ending = r"\w*" if word.strip().endswith("*") else ""
    # Chinese has no blanks between words: there a word is found anywhere.
    edge = r"\b" if stem[:1].isascii() else ""
    close = r"\b" if stem[-1:].isascii() and not ending else ""
    return re.compile(f"{edge}{re.escape(stem)}{ending}{close}" if stem else "(?!)", re.IGNORECASE)


def _concepts(reader: Reader, text: str) -> list[Span]:
    """Where the terminology's concepts stand; none in a library without one."""
    try:
        graph = reader.graph
        return [
            Span(one.start, one.end, kind_of(graph.type(one.entity)), graph.name(one.entity))
            for one in reader.linker.link(text)
            if one.entity in graph
        ]
    except NeedsError:
        return []


def _shown(reader: Reader, paper: NextPaper, words: Sequence[str]) -> dict[str, Any]:
    return {
        "paper": paper,
        "title": ready(highlighted(paper.title, words)),
        "abstract": ready(highlighted(paper.abstract, words, _concepts(reader, paper.abstract))),
    }


@router.get("/review/{name}/screen")
async def screen(request: Request, name: str) -> Response:
    desk: Desk = request.app.state.desk
    by, stage = person_of(request), stage_of(request.query_params.get("stage"))
    words = " ".join(request.query_params.get("q", "").split())[:200]
    context: dict[str, Any] = {"problem": None, "by": by, "stage": stage, "q": words, "papers": []}
    context["name"] = name
    context |= {"now": None, "names": NAMES, "place_of": place_of, "verdicts": VERDICTS}

    def card(reader: Reader) -> None:
        project = reader.projects.get(name)
        context["card"] = project.card
        context["people"] = project.reviewers()

    def look(reader: Reader) -> None:
        now = reader.projects.next(name, reviewer=by, stage=stage, k=SHOWN, words=words)
        context["now"] = now
        context["papers"] = [
            _shown(reader, paper, context["card"].highlights) for paper in now.papers
        ]

    async def work() -> None:
        try:
            if by:
                await desk.run(look, lane="learn")
        except OslerError as error:
            context["problem"] = problem_of(error)

    title = f"Screening {name[:60]}"

    async def answer() -> Response:
        return await shown_slowly(
            request,
            "review_screen.html",
            "review_screen_papers.html",
            work(),
            view="review",
            title=title,
            context=context,
        )

    return await framed(request, desk.run(card), answer, view="review", title=title)


def kept(
    project: Project, reviewer: str, stage: Stage, document: str, verdict: str
) -> DecisionKept:
    """Where a reviewer stands after a word; nothing is learned for it."""
    estimate = estimate_of(project, reviewer, stage)
    return DecisionKept(
        document=document,
        verdict=verdict,
        read=len(project.read_by(reviewer, stage)),
        left=len(project.to_screen(reviewer, stage)),
        words=estimate.words if estimate else "",
    )


@router.post("/review/{name}/decide")
async def decide(request: Request, name: str) -> Response:
    """One word from a key, a button or a form: on disk before it is answered."""
    desk: Desk = request.app.state.desk
    fields = await form_of(request)
    document, by = fields.get("document", ""), " ".join(fields.get("by", "").split())
    stage = stage_of(fields.get("stage"))
    verdict = verdict_of(fields.get("verdict", ""))
    resolves = fields.get("resolves") == "1"

    def work(reader: Reader) -> DecisionKept:
        project = reader.projects.decide(
            name,
            document,
            verdict,
            reviewer=by,
            stage=stage,
            reason=fields.get("reason", "") if verdict == "exclude" else "",
            note=fields.get("note", ""),
            tags=fields.get("tags", "").split(","),
            resolves=resolves,
        )
        return kept(project, by, stage, document, verdict)

    answer = await desk.run(work, lane="write")
    if request.headers.get("x-part") == "mark":
        return Json(answer)
    rest = "/conflicts" if resolves else "/screen"
    shown_at = place_of(name, rest, by=by, stage=stage, q=fields.get("q", ""))
    return RedirectResponse(shown_at, status_code=303)


def verdict_of(text: str) -> Verdict:
    for verdict in VERDICTS:
        if text == verdict:
            return verdict
    raise InputError("a decision is include, exclude, maybe or skip")


@router.post("/review/{name}/undo")
async def undo(request: Request, name: str) -> Response:
    """Take back a reviewer's last decision."""
    desk: Desk = request.app.state.desk
    fields = await form_of(request)
    by, stage = " ".join(fields.get("by", "").split()), stage_of(fields.get("stage"))

    def work(reader: Reader) -> DecisionKept:
        before = list(reader.projects.get(name).read_by(by, stage))
        project = reader.projects.undo(name, reviewer=by)
        after = project.read_by(by, stage)
        gone = next((id for id in reversed(before) if id not in after), "")
        return kept(project, by, stage, gone, "")

    answer = await desk.run(work, lane="write")
    if request.headers.get("x-part") == "mark":
        return Json(answer)
    return RedirectResponse(place_of(name, "/screen", by=by, stage=stage), status_code=303)


@router.post("/review/{name}/missing")
async def missing(request: Request, name: str) -> Response:
    """A full text that could not be had."""
    desk: Desk = request.app.state.desk
    fields = await form_of(request)
    by, document = " ".join(fields.get("by", "").split()), fields.get("document", "")

    def work(reader: Reader) -> DecisionKept:
        project = reader.projects.not_retrieved(
            name, document, reviewer=by, note=fields.get("note", "")
        )
        return kept(project, by, "full text", document, "not retrieved")

    answer = await desk.run(work, lane="write")
    if request.headers.get("x-part") == "mark":
        return Json(answer)
    return RedirectResponse(place_of(name, "/screen", by=by, stage="full text"), status_code=303)


@router.get("/review/{name}/conflicts")
async def conflicts(request: Request, name: str) -> Response:
    """Papers on which reviewers differ. Who is a side of one is not shown the other's words."""
    desk: Desk = request.app.state.desk
    by, stage = person_of(request), stage_of(request.query_params.get("stage"))

    def work(reader: Reader) -> tuple[Project, list[tuple[Document, list[Decided], bool]]]:
        project = reader.projects.get(name)
        ids = project.conflicts(stage)
        papers = {one.id: one for one in reader.documents(ids)}
        return project, [
            (
                papers.get(id) or Document(id=id, title=id),
                list(project.words_on(stage, id).values()),
                by in project.words_on(stage, id),
            )
            for id in ids
        ]

    project, listed = await desk.run(work)
    words = project.card.highlights
    return shown(
        request,
        "review_conflicts.html",
        view="review",
        title=f"Conflicts of {name[:60]}",
        name=name,
        by=by,
        stage=stage,
        names=NAMES,
        card=project.card,
        place_of=place_of,
        conflicts=[
            {
                "id": paper.id,
                "title": ready(highlighted(paper.title, words)),
                "abstract": ready(highlighted(paper.abstract, words)),
                "words": said,
                "side": side,
            }
            for paper, said, side in listed
        ],
    )
