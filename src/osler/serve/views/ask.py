"""The ask view: a question about patients, answers with their source lines, what decided."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.ask.answer import Answer
from osler.errors import OslerError
from osler.explain.bars_svg import bars
from osler.explain.marks_html import heat, kind_of
from osler.explain.tree_svg import Branch, Leaf, few, tree
from osler.kinds import AspectWeights, Heat, PathReason
from osler.serve.desk import Desk
from osler.serve.drawn import draw_reasons
from osler.serve.export import file_answer, json_file, table
from osler.serve.page import ready, shown_slowly
from osler.serve.patients import Patient, answered, examples, patient_of, type_in_records
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.verbs.ask import AskRequest

router = APIRouter()

SHOWN = 10
"""Ends of one relation that are drawn around a patient."""


def picture(patient: Patient) -> str:
    """What the records say of the patient."""
    branches: dict[str, list[Leaf]] = {}
    for edge in patient.around:
        branches.setdefault(edge.relation, []).append(Leaf(edge.name, kind_of(edge.type)))
    return tree(
        Leaf(patient.name, "people"),
        [Branch(relation, few(leaves, SHOWN)) for relation, leaves in branches.items()],
        about=f"What the records say of {patient.name}",
    )


def explained(answer: Answer) -> dict[str, Any]:
    """The reasons of an answer, drawn."""
    found: dict[str, Any] = {"aspects": "", "attention": "", "paths": []}
    for reason in answer.reasons:
        if isinstance(reason, AspectWeights):
            found["aspects"] = ready(
                bars(list(reason.weights.items()), about="how much each aspect decided")
            )
        elif isinstance(reason, Heat):
            found["attention"] = ready(heat(reason.words))
        elif isinstance(reason, PathReason):
            found["paths"].append(reason)
    return found


@router.get("/ask")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    question = request.query_params.get("q", "")
    context: dict[str, Any] = {"q": question, "answer": None, "problem": None, "examples": []}
    context.update(patient=None, picture="", walked="", aspects="", attention="")

    def work(reader: Reader) -> None:
        if not question.strip():
            context["examples"] = examples(reader)
            return
        answer = answered(reader, AskRequest(question=question, explain=True))
        told = explained(answer)
        context.update(answer=answer, aspects=told["aspects"], attention=told["attention"])
        types = type_in_records(reader)
        context["walked"] = ready(draw_reasons(told["paths"], types, linked=False))
        patient = patient_of(reader, answer)
        if patient is not None:
            context.update(patient=patient, picture=ready(picture(patient)))

    async def look() -> None:
        try:
            await desk.run(work, lane="think")
        except OslerError as error:
            context["problem"] = problem_of(error)

    return await shown_slowly(
        request,
        "ask.html",
        "ask_results.html",
        look(),
        view="ask",
        title="Ask",
        context=context,
        # That there are no records is told, but a view without a question is no failure.
        told=bool(question.strip()),
    )


@router.get("/ask.{format}")
async def export(request: Request, format: str) -> Response:
    """The answer as JSON, or its entities as CSV."""
    desk: Desk = request.app.state.desk
    question = request.query_params.get("q", "")
    asked = AskRequest(question=question, explain=True)
    answer = await desk.run(lambda reader: answered(reader, asked), lane="think")
    if format == "csv":
        rows = list(zip(answer.entities, answer.answers, strict=False))
        return file_answer("answer", "csv", table(["entity", "answer"], rows))
    return file_answer("answer", format, json_file(answer))
