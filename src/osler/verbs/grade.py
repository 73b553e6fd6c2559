"""``grade``: papers for a fact, graded by how far they are about it; facts for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from osler.errors import InputError, QueryError
from osler.grade.grader import Grader, graders
from osler.grade.job import GradedFact, fact_of_hit, grade_papers
from osler.grade.pair import Pair
from osler.kinds import Ranking, Triple
from osler.settings import MAX_HITS
from osler.store.models import name_for
from osler.text.scripts import CJK_CHARACTER
from osler.verbs.fact_ends import one_entity, resolved
from osler.verbs.grade_candidates import candidates
from osler.verbs.limits import Count, Text, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library

MODEL = "grade"
"""Where a library keeps the grader that was trained on it: LIB/models/grade."""
UNTRAINED = "rule"
"""The method that needs no training and no language."""
SHIPPED = "about"
"""The method whose weights ship: English."""
TRAINED = "trained"
"""A name for whatever was trained: an error where nothing was."""


class GradeRequest(VerbRequest, frozen=True, kw_only=True):
    """A fact. In two stages: ``candidates`` papers that name both entities (then those that name
    one, then those that share words), of which the best ``k`` are shown."""

    head: Text
    relation: Text
    tail: Text
    k: Count = 50
    candidates: Annotated[int, Meta(ge=1, le=MAX_HITS.get())] = 1_000
    method: str | Grader | None = None
    explain: bool = True
    without_model: bool = False


class FactsRequest(VerbRequest, frozen=True, kw_only=True):
    """A paper, whose facts are graded."""

    paper: Text
    k: Count = 20
    method: str | Grader | None = None
    without_model: bool = False


def grade(library: Library, request: GradeRequest) -> Ranking:
    """Papers for a fact, graded H, F, M, I, best first; an end that names different things is asked
    back. The last ranking is kept: an export, or a look back, need not grade a thousand papers
    again."""
    for what in ("head", "relation", "tail"):
        text = getattr(request, what)
        if not any(character.isalnum() for character in text):
            raise QueryError(
                f"the {what} is empty", query=text, place=0, cure="a fact is HEAD RELATION TAIL"
            )
    grader, model = grader_of(
        library,
        request.method,
        without_model=request.without_model,
        words=f"{request.head} {request.relation} {request.tail}",
    )
    stamp = (request, grader, library.stamp("documents"), library.knowledge_stamp())
    kept = library.keep("graded", stamp, lambda: _graded(library, request, grader, model))
    return msgspec.structs.replace(kept, hits=list(kept.hits), notes=list(kept.notes))


def _graded(library: Library, request: GradeRequest, grader: Grader, model: str) -> Ranking:
    notes: list[str] = []
    fact = resolved(library, request.head, request.relation, request.tail, notes)
    pool = candidates(library, fact, request.candidates, notes)
    pairs = [pair for _, pair in pool]
    hits = grade_papers(
        grader, pairs, [paper for paper, _ in pool], k=request.k, explain=request.explain
    )
    if not hits:
        notes.append("no paper of the library names these entities")
    elif not any(_names_both(pair) for pair in pairs):
        notes.append("no paper of the library names both entities")
    return Ranking(
        query=fact.text,
        hits=hits,
        method=grader.name,
        model=model,
        total=len(pool),
        notes=notes,
    )


def _names_both(pair: Pair) -> bool:
    places = pair.places
    head = places.heads or places.head_keywords
    return bool(head and (places.tails or places.tail_keywords))


def as_facts(library: Library, request: GradeRequest, ranking: Ranking) -> list[GradedFact]:
    """A ranking as graded facts, one a paper, for export with their sentences. An id leaves with
    them: an end with several that nothing maps on each other is asked back."""
    for part in ("head", "tail"):
        one_entity(library, getattr(request, part), part=part)
    fact = resolved(library, request.head, request.relation, request.tail, [])
    triple = Triple(
        fact.head_ids[0] if fact.head_ids else fact.head,
        request.relation,
        fact.tail_ids[0] if fact.tail_ids else fact.tail,
    )
    graded = [fact_of_hit(hit, fact, triple) for hit in ranking.hits]
    return sided(library, graded)


def sided(library: Library, graded: Sequence[GradedFact]) -> list[GradedFact]:
    """Graded facts with the side that each paper takes to the fact, read as a claim, and with what
    a curator said."""
    from osler.claims.paper import paper_stance
    from osler.verbs.curate import with_decisions

    papers = {one.id: one for one in library.documents([fact.paper for fact in graded])}
    decided = []
    for fact in graded:
        if fact.paper in papers:
            claim = f"{fact.head} {fact.triple.relation} {fact.tail}"
            side = paper_stance(claim, papers[fact.paper])
            fact = msgspec.structs.replace(
                fact, stance=side.stance, supports=side.supports, refutes=side.refutes
            )
        decided.append(fact)
    return with_decisions(library, decided)


def facts(library: Library, request: FactsRequest) -> list[GradedFact]:
    """The facts of the library's graph that a paper speaks of, graded, best first."""
    from osler.grade.job import grade_facts
    from osler.verbs.paper_facts import paper_pairs

    document = library.document(request.paper)
    grader, _ = grader_of(library, request.method, without_model=request.without_model)
    pairs, triples = paper_pairs(library, document)
    return grade_facts(grader, pairs, triples, k=request.k)


def grader_of(
    library: Library,
    method: str | Grader | None = None,
    *,
    without_model: bool = False,
    words: str = "",
) -> tuple[Grader, str]:
    """A method by its name (trained in this library where it must be), the library's own grader,
    or, without one, what ships: ``about`` for a fact in English ``words``, the rules for one in
    Chinese, which it was not taught; and the name of the model at work."""
    if isinstance(method, Grader):
        return method, ""
    names = [MODEL]
    if method not in (None, TRAINED):
        kind = graders.get(str(method))
        if method in (UNTRAINED, SHIPPED):
            return _untrained(library, str(method)), ""
        names = [name_for(MODEL, kind.name, ""), MODEL]
    for name in names:
        if model := library.models.choose(name, without=without_model):
            grader = _loaded(library, model)
            if method in (None, TRAINED, grader.name):
                return grader, model
    if method is None:
        chinese = CJK_CHARACTER.search(words) is not None
        return _untrained(library, UNTRAINED if chinese or not words else SHIPPED), ""
    what = "grader" if method == TRAINED else repr(method)
    option = "" if method == TRAINED else f" --method {method}"
    raise InputError(
        f"the library has no trained {what}", cure=f"osler train grade {library.path}{option}"
    )


def _untrained(library: Library, name: str) -> Grader:
    return library.keep(f"grader {name}", name, lambda: graders.resolve(name))


def _loaded(library: Library, name: str) -> Grader:
    from osler.grade.models import load_grader

    place = library.models.place(name)
    return library.keep(f"grader {name}", library.models.stamp(name), lambda: load_grader(place))
