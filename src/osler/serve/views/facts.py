"""The facts view: a fact of three parts, or a claim in words; papers in three columns by the side
that they take; a decision on each; what was accepted, as files."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from osler.claims.judge import MAX_CLAIM
from osler.claims.verdict import NO_EFFECT, REFUTES, SUPPORTS
from osler.errors import InputError, LimitError, Namesake, NeedsError, OslerError
from osler.kinds import StanceReason
from osler.knowledge.graph import IS_A
from osler.serve.beginnings import triples_of
from osler.serve.brought import fact_of
from osler.serve.desk import Desk
from osler.serve.export import hits_file
from osler.serve.models import ClaimHits
from osler.serve.page import form_of, framed, link, shown, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import HitView, hit_views, no_types
from osler.settings import MAX_NAME, MAX_PAGE
from osler.verbs.accepted import FORMATS, accepted_file, decided_facts
from osler.verbs.brief import UNNAMED
from osler.verbs.curate import SAYINGS, CurateRequest, curate, decisions, end_id, take_back
from osler.verbs.fact_ends import one_thing, shown_name, unmapped
from osler.verbs.stance import ClaimRequest, stance, stance_of

router = APIRouter()

SHOWN = min(50, MAX_PAGE.get())
COOKIE = "osler-by"
"""Remembers who decides, so that nobody types it twice."""


class AskedFact(NamedTuple):
    """What is looked at: three parts where they are known, and the sentence that they make;
    ``typed`` says that the parts were given, not read out of a sentence."""

    head: str
    relation: str
    tail: str
    claim: str
    typed: bool = False

    @property
    def whole(self) -> bool:
        return bool(self.head and self.relation and self.tail)

    @property
    def address(self) -> dict[str, str]:
        parts = {"head": self.head, "relation": self.relation, "tail": self.tail}
        return parts if self.whole else {"claim": self.claim}


def fact_in(given: Any) -> AskedFact:
    """The fact of an address or of a form."""
    parts = [" ".join(given.get(name, "").split()) for name in ("head", "relation", "tail")]
    claim = " ".join(given.get("claim", "").split())
    if len(claim) > MAX_CLAIM:
        raise LimitError(f"the claim has {len(claim):,} characters, {MAX_CLAIM:,} at most")
    if max(map(len, parts)) > MAX_NAME.get():
        raise LimitError("a name of the fact is too long")
    if any(parts):
        head, relation, tail = parts
        return AskedFact(head, relation, tail, " ".join(parts) if all(parts) else "", typed=True)
    head, relation, tail = (fact_of(claim) if claim else None) or ("", "", "")
    return AskedFact(head, relation, tail, claim)


def _judged(reader: Reader, claim: str) -> ClaimHits:
    request = ClaimRequest(claim=claim, k=SHOWN)
    return ClaimHits.of_claim(stance(reader, request), limit=SHOWN)


class FactPaper(NamedTuple):
    """A paper in a column: how it is shown, its side, and what was decided."""

    hit: HitView
    side: StanceReason
    said: str
    by: str


def columns(
    found: ClaimHits, said: dict[str, tuple[str, str]]
) -> tuple[list[tuple[str, str, list[FactPaper]]], list[FactPaper]]:
    """Supports, against, names it only; and apart the papers that lack one end of the fact."""
    views = hit_views(found.hits, type_of=no_types)
    told = [
        FactPaper(view, side, *said.get(hit.id, ("", "")))
        for view, hit in zip(views, found.hits, strict=True)
        if (side := stance_of(hit)) is not None
    ]
    sided = {SUPPORTS: "for", REFUTES: "against", NO_EFFECT: "against"}
    labels = {"for": "Supports it", "against": "Contradicts it", "": "Only mentions it"}
    beside = [one for one in told if _lacks(one.side) and one.side.stance not in sided]
    listed = [
        (key, label, [o for o in told if sided.get(o.side.stance, "") == key and o not in beside])
        for key, label in labels.items()
    ]
    return listed, beside


def _lacks(side: StanceReason) -> bool:
    return any(UNNAMED in why for why in side.why)


def _said(reader: Reader, fact: AskedFact) -> dict[str, tuple[str, str]]:
    if not fact.whole:
        return {}
    ends = end_id(reader, fact.head), fact.relation, end_id(reader, fact.tail)
    return {
        one.paper: (one.said, one.by)
        for one in decisions(reader)
        if (one.head, one.relation, one.tail) == ends
    }


def _open_ends(reader: Reader, fact: AskedFact) -> list[tuple[str, list[Namesake]]]:
    """The ends whose id is still to be chosen: a decision is kept by ids."""
    ends = (("head", fact.head), ("tail", fact.tail)) if fact.whole else ()
    return [(part, several) for part, end in ends if (several := unmapped(reader, end))]


def _claim(reader: Reader, fact: AskedFact) -> str:
    """What the papers are asked: the three parts by their names, where the ends are known. An end
    that names different things is asked back."""
    if not fact.typed:
        return fact.claim
    for part, end in (("head", fact.head), ("tail", fact.tail)):
        one_thing(reader, end, part=part)
    return " ".join((shown_name(reader, fact.head), fact.relation, shown_name(reader, fact.tail)))


@router.get("/facts")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    context: dict[str, Any] = {"found": None, "columns": [], "beside": [], "problem": None}
    context["open_ends"] = []
    context.update(
        relations=[], facts=[], decided=0, by=unquote(request.cookies.get(COOKIE, ""))[:100]
    )
    fact = context["fact"] = fact_in(request.query_params)

    def begin(reader: Reader) -> None:
        context["decided"] = len(decisions(reader))
        try:
            context["relations"] = [r for r in reader.graph.relations if r != IS_A][:200]
            if not fact.claim:
                context["facts"] = triples_of(reader, 6)
        except NeedsError:
            return

    def look(reader: Reader) -> None:
        context["claim"] = _claim(reader, fact)
        found = _judged(reader, context["claim"])
        context["found"] = found
        context["open_ends"] = _open_ends(reader, fact)
        said = {} if context["open_ends"] else _said(reader, fact)
        context["columns"], context["beside"] = columns(found, said)
        context["head_name"], context["tail_name"] = (
            shown_name(reader, end) for end in (fact.head, fact.tail)
        )

    async def work() -> None:
        try:
            if fact.claim:
                await desk.run(look, lane="think")
            elif any(fact):
                raise InputError("a fact has a head, a relation and a tail", cure="name all three")
        except OslerError as error:
            context["problem"] = problem_of(error)

    async def answer() -> Response:
        return await shown_slowly(
            request,
            "facts.html",
            "facts_results.html",
            work(),
            view="facts",
            title="Facts",
            context=context,
        )

    return await framed(request, desk.run(begin), answer, view="facts", title="Facts")


@router.post("/facts/decide")
async def decide(request: Request) -> Response:
    """Accept, reject or leave open a fact in a paper; an empty word takes a decision back."""
    form = await form_of(request)
    desk: Desk = request.app.state.desk
    fact = fact_in(form)
    paper, said = form.get("paper", ""), form.get("said", "")
    by = " ".join(form.get("by", "").split())[:100]
    if not fact.whole or not paper:
        raise InputError("a decision names a head, a relation, a tail and a paper")
    if said and not by:
        raise InputError("a decision names who made it", cure="fill in who decides")

    def work(reader: Reader) -> None:
        parts = {"head": fact.head, "relation": fact.relation, "tail": fact.tail, "paper": paper}
        if said:
            curate(reader, CurateRequest(said=said, by=by, **parts))
        else:
            take_back(reader, **parts)

    await desk.run(work, lane="write")
    answer: Response
    if request.headers.get("x-part") == "mark":
        answer = JSONResponse({"said": said, "by": by})
    else:
        back = form.get("back") == "decided"
        answer = RedirectResponse(
            "/facts/decided" if back else link("/facts", **fact.address), status_code=303
        )
    if by:
        answer.set_cookie(COOKIE, quote(by), httponly=True, samesite="strict")
    return answer


@router.get("/facts/decided")
async def decided(request: Request) -> Response:
    """All decisions, each to be taken back, and the accepted ones as files."""
    desk: Desk = request.app.state.desk
    facts = asyncio.ensure_future(desk.run(lambda reader: decided_facts(reader), lane="think"))
    title = "Facts that were decided on"

    async def answer() -> Response:
        return shown(
            request,
            "facts_decided.html",
            view="facts",
            title=title,
            facts=facts.result(),
            sayings=SAYINGS,
        )

    return await framed(request, facts, answer, view="facts", title=title)


@router.get("/facts/accepted.{format}")
async def accepted(request: Request, format: str) -> Response:
    """Accepted facts with their provenance: TSV, KGX, RDF, nanopublications."""
    desk: Desk = request.app.state.desk
    body = await desk.run(lambda reader: accepted_file(reader, format), lane="think")
    ending = "zip" if format == "kgx" else format
    return Response(
        body,
        media_type=FORMATS[format],
        headers={"Content-Disposition": f'attachment; filename="osler-facts.{ending}"'},
    )


@router.get("/facts.{format}")
async def export(request: Request, format: str) -> Response:
    desk: Desk = request.app.state.desk
    fact = fact_in(request.query_params)

    def work(reader: Reader) -> Response:
        found = _judged(reader, _claim(reader, fact))
        return hits_file(
            "facts",
            format,
            found,
            found.hits,
            tag="stance",
            documents=lambda: list(reader.documents([hit.id for hit in found.hits])),
        )

    return await desk.run(work, lane="think")
