"""The rank view: a topic, marks on the spot, the order that they teach."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import InputError, OslerError
from osler.kinds import Document
from osler.serve.desk import Desk
from osler.serve.export import file_answer, hits_file, table
from osler.serve.models import Ranked
from osler.serve.page import form_of, link, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import hit_views
from osler.serve.views.papers import types_of
from osler.settings import MAX_PAGE, MAX_QUERY
from osler.verbs.marks import key_of, mark, marks_of, topics
from osler.verbs.rank import RankRequest, rank

router = APIRouter()

SHOWN = 20
GRADES = {"1": 1, "0": 0, "none": None}
EXAMPLES = ("telehealth in primary care", "sleep and wakefulness", "vaccine hesitancy")


def _topic(request: Request) -> str:
    topic = " ".join(request.query_params.get("topic", "").split())
    if len(topic) > MAX_QUERY.get():
        raise InputError("the topic is too long", cure="name it in a few words")
    return topic


@router.get("/rank")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    context: dict[str, Any] = {"problem": None, "hits": [], "ranked": None}
    context.update(relevant=[], other=[], topics=[], examples=EXAMPLES)
    topic = context["topic"] = _topic(request)

    def look(reader: Reader) -> None:
        ranked = Ranked.of(rank(reader, RankRequest(topic=topic, k=SHOWN)))
        context["ranked"] = ranked
        context["hits"] = hit_views(ranked.hits, type_of=types_of(reader))
        held = _held(reader, list(ranked.marks))
        for id, grade in ranked.marks.items():
            if id in held:
                context["relevant" if grade > 0 else "other"].append(held[id])

    async def work() -> None:
        try:
            if topic:
                await desk.run(look, lane="learn")
            else:
                context["topics"] = await desk.run(topics)
        except OslerError as error:
            context["problem"] = problem_of(error)

    title = f"{topic[:60]} - Rank" if topic else "Rank"
    return await shown_slowly(
        request, "rank.html", "rank_results.html", work(), view="rank", title=title, context=context
    )


def _held(reader: Reader, ids: list[str]) -> dict[str, Document]:
    """Marked papers that are still there."""
    from osler.errors import UnknownId

    held = {}
    for id in ids:
        try:
            held[id] = reader.document(id)
        except UnknownId:
            continue
    return held


@router.post("/rank/mark")
async def give_mark(request: Request) -> Response:
    """One mark from a button, or one less; back to the list, which has learned from it."""
    desk: Desk = request.app.state.desk
    fields = await form_of(request)
    topic, id = fields.get("topic", ""), fields.get("document", "")
    if not key_of(topic) or not id or len(topic) > MAX_QUERY.get():
        raise InputError("a mark names a topic and a document")
    given = fields.get("grade", "")
    if given not in GRADES:
        raise InputError("a mark is 1 (relevant), 0 (not relevant) or none (taken back)")
    grade = GRADES[given]
    await desk.run(lambda reader: mark(reader, topic, {id: grade}), lane="write")
    if request.headers.get("x-part") == "mark":
        return Response(status_code=204)
    return RedirectResponse(link("/rank", topic=topic), status_code=303)


@router.get("/rank.{format}")
async def export(request: Request, format: str) -> Response:
    """The ranking; ``qrels`` gives the marks as a TREC file."""
    desk: Desk = request.app.state.desk
    topic = _topic(request)
    if format == "qrels":
        grades = (await desk.run(lambda reader: marks_of(reader, topic))).grades
        name = "_".join(key_of(topic).split())
        lines = "".join(f"{name} 0 {id} {grade}\n" for id, grade in grades.items())
        return file_answer("marks", "trec", lines)
    if format == "marks":
        grades = (await desk.run(lambda reader: marks_of(reader, topic))).grades
        rows = [(id, grade, topic) for id, grade in grades.items()]
        return file_answer("marks", "csv", table(["document", "label", "topic"], rows))

    def work(reader: Reader) -> Response:
        ranked = Ranked.of(rank(reader, RankRequest(topic=topic, k=MAX_PAGE.get())))
        return hits_file(
            "rank",
            format,
            ranked,
            ranked.hits,
            tag=ranked.method,
            documents=lambda: list(reader.documents([hit.id for hit in ranked.hits])),
        )

    return await desk.run(work, lane="learn")
