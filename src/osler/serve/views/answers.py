"""The match view: a question, answers in order, the graph of weighted paths between them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from osler.errors import ChoiceError, InputError, LimitError, OslerError
from osler.explain.flat import hit_columns, hit_row
from osler.explain.marks_html import Span, kind_of, marked
from osler.kinds import EntityPair, GradeReason, Hit, Mentions, PathReason
from osler.match.answering import ANSWERS
from osler.serve.beginnings import questions_of
from osler.serve.desk import Desk
from osler.serve.drawn import draw_reasons
from osler.serve.export import file_answer, json_file, run, table
from osler.serve.models import Hits
from osler.serve.page import ready, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import TypeOf
from osler.serve.views.papers import types_of
from osler.settings import MAX_ANSWERS, MAX_PAGE, MAX_QUERY
from osler.verbs.match import MatchRequest, candidates_of, match

router = APIRouter()

SHOWN = 10


def _asked(request: Request) -> tuple[str, list[str] | None]:
    """The question, and the candidate answers: one a line, none for the library's own."""
    question = request.query_params.get("q", "").strip()
    if len(question) > MAX_QUERY.get():
        raise LimitError(f"a question has at most {MAX_QUERY.get():,} characters")
    lines = request.query_params.get("answers", "").splitlines()
    answers = [line.strip()[: MAX_QUERY.get()] for line in lines if line.strip()]
    if len(answers) > MAX_ANSWERS.get():
        raise LimitError(f"a question is matched with at most {MAX_ANSWERS.get()} answers")
    return question, answers or None


def _match(reader: Reader, question: str, answers: list[str] | None, limit: int) -> Hits:
    request = MatchRequest(question=question, answers=candidates_of(answers), k=limit)
    return Hits.of(match(reader, request), limit=limit)


def _text(text: str, hit: Hit, where: str) -> Markup:
    """A text with the entities that the match saw in it."""
    spans = [
        Span(start, end, kind_of(type), id)
        for reason in hit.reasons
        if isinstance(reason, Mentions) and reason.where == where
        for start, end, id, type in reason.spans
    ]
    return ready(marked(text, spans))


def _view(question: str, hit: Hit, rank: int, type_of: TypeOf) -> dict[str, Any]:
    paths = [reason for reason in hit.reasons if isinstance(reason, PathReason)]
    chances = [r.probabilities[ANSWERS] for r in hit.reasons if isinstance(r, GradeReason)]
    sentence = hit.evidence
    return {
        "rank": rank,
        "id": hit.id,
        "score": hit.score,
        "chance": chances[0] if chances else None,
        "sentence": sentence.text if sentence is not None else "",
        "question": _text(question, hit, "question"),
        "answer": _text(hit.title, hit, "answer"),
        "plain": hit.title,
        "picture": ready(draw_reasons(paths, type_of)),
        "paths": len(paths),
        "pairs": [reason for reason in hit.reasons if isinstance(reason, EntityPair)][:6],
    }


@router.get("/answers")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    question, answers = _asked(request)
    context: dict[str, Any] = {"q": question, "problem": None, "found": None, "hits": []}
    context.update(answers="\n".join(answers or []), examples=[], pairs=0)

    def look(reader: Reader) -> None:
        found = _match(reader, question, answers, SHOWN)
        context["found"] = found
        types = types_of(reader)
        context["hits"] = [
            _view(question, hit, rank, types) for rank, hit in enumerate(found.hits, 1)
        ]

    async def work() -> None:
        try:
            if question:
                await desk.run(look, lane="think")
            else:
                context["examples"], context["pairs"] = await desk.run(questions_of)
        except OslerError as error:
            context["problem"] = problem_of(error)

    return await shown_slowly(
        request,
        "answers.html",
        "answers_results.html",
        work(),
        view="answers",
        title="Answers",
        context=context,
    )


@router.get("/answers.{format}")
async def export(request: Request, format: str) -> Response:
    """Answers as JSON, CSV or a TREC run; they are no papers, so there is no RIS."""
    desk: Desk = request.app.state.desk
    question, answers = _asked(request)
    if not question:
        raise InputError("there is no question")
    found = await desk.run(
        lambda reader: _match(reader, question, answers, MAX_PAGE.get()), lane="think"
    )
    if format == "json":
        return file_answer("match", format, json_file(found))
    if format == "csv":
        rows = [hit_row(number, hit) for number, hit in enumerate(found.hits, 1)]
        return file_answer("match", format, table(hit_columns(), rows))
    if format == "trec":
        return file_answer("match", format, run(found.hits, found.method or "match"))
    raise ChoiceError("format", format, ("json", "csv", "trec"))
