"""``curate``: what people say of a fact in a paper: accept, reject, unsure; with name and date.

Decisions are kept in the library's truth as queries of their own kind, so that they are checked,
numbered and copied like all that people decided.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from osler.errors import ChoiceError, InputError
from osler.grade.job import ACCEPTED, REJECTED, UNSURE, GradedFact
from osler.verbs.fact_ends import END, one_entity
from osler.verbs.limits import Name, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library

SAYINGS = (ACCEPTED, REJECTED, UNSURE)
KIND = "curated"
_APART = "\x1f"


class CurateRequest(VerbRequest, frozen=True, kw_only=True):
    """A decision on a fact in a paper."""

    head: Name
    relation: Name
    tail: Name
    paper: Name
    said: str
    by: Annotated[str, Meta(min_length=1, max_length=100)]
    on: str = ""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody said, and when."""

    head: str
    relation: str
    tail: str
    paper: str
    said: str
    by: str
    on: str


def curate(library: Library, request: CurateRequest) -> Decision:
    """Keeps a decision; the last word counts."""
    if request.said not in SAYINGS:
        raise ChoiceError("decision", request.said, SAYINGS)
    parts = (request.head, request.relation, request.tail, request.paper)
    if any(_APART in part for part in parts):
        raise InputError("a name holds a control character")
    on = request.on or dt.datetime.now(dt.UTC).date().isoformat()
    try:
        dt.date.fromisoformat(on)
    except ValueError:
        raise InputError(f"{on!r} is no date", cure="write it as 2021-03-15") from None
    paper = library.document(request.paper).id
    ends = [end_id(library, request.head, "head"), end_id(library, request.tail, "tail")]
    key = _APART.join((KIND, ends[0], request.relation, ends[1], paper))
    text = json.dumps({"said": request.said, "by": request.by, "on": on}, ensure_ascii=False)
    library.judge({}, {key: text})
    return Decision(
        head=ends[0],
        relation=request.relation,
        tail=ends[1],
        paper=paper,
        said=request.said,
        by=request.by,
        on=on,
    )


def take_back(library: Library, head: str, relation: str, tail: str, paper: str) -> bool:
    """A decision is no more; whether there was one."""
    ends = [end_id(library, head, "head"), end_id(library, tail, "tail")]
    held = library.document(paper).id
    key = _APART.join((KIND, ends[0], relation, ends[1], held))
    if key not in library.decisions.queries():
        return False
    library.judge({key: {held: None}})
    return True


def end_id(library: Library, end: str, part: str = END) -> str:
    """The graph's id of an end; what was typed where the graph has none. A name of several things
    is asked back."""
    return one_entity(library, end, part=part) or end


def decisions(library: Library) -> list[Decision]:
    """All that was decided, in the order of facts and papers."""
    kept = []
    for key, text in library.decisions.queries().items():
        parts = key.split(_APART)
        if parts[0] == KIND and len(parts) == 5:
            said = json.loads(text)
            head, relation, tail, paper = parts[1:]
            kept.append(Decision(head=head, relation=relation, tail=tail, paper=paper, **said))
    return sorted(kept, key=lambda one: (one.head, one.relation, one.tail, one.paper))


def with_decisions(library: Library, facts: Iterable[GradedFact]) -> list[GradedFact]:
    """Graded facts with what a curator said of them."""
    said = {(one.head, one.relation, one.tail, one.paper): one for one in decisions(library)}
    decided = []
    for fact in facts:
        triple = fact.triple
        one = said.get((triple.head, triple.relation, triple.tail, fact.paper))
        if one is not None:
            fact = msgspec.structs.replace(
                fact, decided=one.said, decided_by=one.by, decided_on=one.on
            )
        decided.append(fact)
    return decided
