"""The ask view: a question about patients, answers with their source lines, what decided."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.ask.answer import Answer
from osler.ask.form.form import form_from
from osler.ask.form.form import form_of as read_form
from osler.ask.shown import answer_timeline, patients_csv, window
from osler.errors import OslerError
from osler.explain.bars_svg import bars
from osler.explain.marks_html import heat, kind_of
from osler.explain.tree_svg import Branch, Leaf, few, tree
from osler.kinds import AspectWeights, Heat, PathReason
from osler.serve.desk import Desk
from osler.serve.drawn import draw_reasons
from osler.serve.export import file_answer, json_file, table
from osler.serve.form_fields import changed, fields_of
from osler.serve.page import form_of, ready, shown_slowly
from osler.serve.patients import PatientShown, answered, examples, patient_of, type_in_records
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.verbs.ask import AskRequest

router = APIRouter()

ROWS = 100
"""Patients of a cohort on one page."""
SHOWN = 10
"""Ends of one relation that are drawn around a patient."""


def picture(patient: PatientShown) -> str:
    """What the records say of the patient."""
    branches: dict[str, list[Leaf]] = {}
    for edge in patient.around:
        branches.setdefault(edge.relation, []).append(
            Leaf(edge.name, kind_of(edge.type), state=edge.state)
        )
    return tree(
        Leaf(patient.name, "people"),
        [Branch(relation, few(leaves, SHOWN)) for relation, leaves in branches.items()],
        about=f"What the records say of {patient.name}",
    )


def explained(answer: Answer) -> dict[str, Any]:
    """The reasons of an answer, drawn."""
    drawn: dict[str, Any] = {"aspects": "", "attention": "", "paths": []}
    for reason in answer.reasons:
        if isinstance(reason, AspectWeights):
            drawn["aspects"] = ready(
                bars(list(reason.weights.items()), about="how much each aspect decided")
            )
        elif isinstance(reason, Heat):
            drawn["attention"] = ready(heat(reason.words))
        elif isinstance(reason, PathReason):
            drawn["paths"].append(reason)
    return drawn


@router.get("/patients")
async def view(request: Request) -> Response:
    return await _view(request, dict(request.query_params))


@router.post("/patients")
async def asked(request: Request) -> Response:
    """The page's own way: a question names patients, and addresses end up in logs."""
    return await _view(request, await form_of(request))


async def _view(request: Request, fields: dict[str, str]) -> Response:
    desk: Desk = request.app.state.desk
    question = fields.get("q", "")
    context: dict[str, Any] = {"q": question, "answer": None, "problem": None, "examples": []}
    context.update(patient=None, picture="", walked="", aspects="", attention="")
    context.update(fields=[], by_hand="form" in fields)
    context.update(timeline="", before="", quoted=[], page=_page(fields.get("page", "")), rows=ROWS)

    def work(reader: Reader) -> None:
        if not question.strip():
            context["examples"] = examples(reader)
            return
        answer = answered(reader, _request(fields))
        told = explained(answer)
        context["timeline"] = ready(answer_timeline(answer))
        context["quoted"] = [(*window(q), f"{q.file} {q.place}".strip()) for q in answer.quoted]
        if answer.form:
            context["before"] = msgspec.json.encode(answer.form).decode()
            context["fields"] = fields_of(form_from(answer.form))
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
        "patients.html",
        "patients_results.html",
        look(),
        view="patients",
        title="Patients",
        context=context,
        # That there are no records is told, but a view without a question is no failure.
        told=bool(question.strip()),
    )


def _request(fields: dict[str, str]) -> AskRequest:
    """The question of a form, with the form that it leans on where one was shown before."""
    before, form = fields.get("before", ""), fields.get("form", "")
    return AskRequest(
        question="" if form else fields.get("q", ""),
        explain=True,
        form=changed(read_form(form), fields) if form else None,
        before=read_form(before) if before and not form else None,
    )


def _page(number: str) -> int:
    return max(1, int(number)) if number.isdigit() and len(number) < 7 else 1


@router.get("/patients.{format}")
async def export(request: Request, format: str) -> Response:
    return await _export(request, format, dict(request.query_params))


@router.post("/patients.{format}")
async def export_asked(request: Request, format: str) -> Response:
    return await _export(request, format, await form_of(request))


async def _export(request: Request, format: str, fields: dict[str, str]) -> Response:
    """The answer as JSON; its patients, or its entities, as CSV: all rows."""
    desk: Desk = request.app.state.desk
    asked = _request(fields)
    answer = await desk.run(lambda reader: answered(reader, asked), lane="think")
    if format == "csv" and answer.patients:
        return file_answer("answer", "csv", patients_csv(answer))
    if format == "csv":
        rows = list(zip(answer.entities, answer.answers, strict=False))
        return file_answer("answer", "csv", table(["entity", "answer"], rows))
    return file_answer("answer", format, json_file(answer))
