"""``stance``: what the library's papers say to a claim in words, and how they are divided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from osler.claims.design import DESIGNS, design_of
from osler.claims.judge import MAX_CLAIM
from osler.claims.paper import paper_stance
from osler.claims.verdict import (
    NO_EFFECT,
    REFUTES,
    STANCES,
    SUPPORTS,
    Stance,
    sideless_in_words,
    sides_in_words,
)
from osler.errors import QueryError
from osler.kinds import Document, EvidenceSentence, Hit, Ranking, StanceReason
from osler.settings import MAX_PAGE
from osler.verbs.limits import VerbRequest

if TYPE_CHECKING:
    from osler.library import Library

METHOD = "stance"


class ClaimRequest(VerbRequest, frozen=True, kw_only=True):
    """A claim in words. Search brings ``k`` papers; each is asked on which side it stands."""

    claim: Annotated[str, Meta(min_length=1, max_length=MAX_CLAIM)]
    k: Annotated[int, Meta(ge=1, le=MAX_PAGE.get())] = 50
    without_model: bool = False


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """How many papers take which side, in all and by the design of their study. A count of papers,
    never an answer."""

    stances: dict[str, int]
    designs: dict[str, dict[str, int]]
    words: str


class ClaimRanking(Ranking, kw_only=True, omit_defaults=True):
    """Papers that take a side before those that take none, the surest first; ``balance`` counts."""

    balance: Balance | None = None


def stance(library: Library, request: ClaimRequest) -> ClaimRanking:
    """The papers of a library on a claim. The last ranking is kept for an export or a look back."""
    if not any(character.isalnum() for character in request.claim):
        raise QueryError(
            "the claim is empty", query=request.claim, place=0, cure="a claim is a sentence"
        )
    stamp = (request, library.stamp("documents"), library.vector_stamp())
    kept = library.keep("claimed", stamp, lambda: _stance(library, request))
    return msgspec.structs.replace(kept, hits=list(kept.hits), notes=list(kept.notes))


def _stance(library: Library, request: ClaimRequest) -> ClaimRanking:
    ranking = library.search(
        request.claim,
        k=request.k,
        evidence=False,
        plain=True,
        without_model=request.without_model,
    )
    documents = {one.id: one for one in library.documents([hit.id for hit in ranking.hits])}
    judged = [
        (hit, documents[hit.id], paper_stance(request.claim, documents[hit.id]))
        for hit in ranking.hits
        if hit.id in documents
    ]
    order = sorted(range(len(judged)), key=lambda at: _place(judged[at][2], at))
    hits = [_hit(*judged[at]) for at in order]
    notes = list(ranking.notes)
    if not hits:
        notes.append("no paper of the library shares words with the claim")
    retracted = sum(hit.retracted for hit in hits)
    if retracted:
        told = "is retracted: it does" if retracted == 1 else "are retracted: they do"
        notes.append(f"{retracted} of these papers {told} not count")
    return ClaimRanking(
        query=request.claim,
        hits=hits,
        method=METHOD,
        model=ranking.model,
        total=ranking.total,
        notes=notes,
        balance=balance_of(hits),
    )


def _place(stance: Stance, at: int) -> tuple[bool, float, int]:
    sided = stance.stance in (SUPPORTS, REFUTES, NO_EFFECT)
    return not sided, -round(stance.probability, 3) if sided else 0.0, at


def _hit(hit: Hit, document: Document, stance: Stance) -> Hit:
    reasons: tuple[EvidenceSentence | StanceReason, ...] = (
        StanceReason(
            stance.stance,
            stance.supports,
            stance.refutes,
            stance.neutral,
            stance.no_effect,
            stance.why,
            design_of(document),
        ),
    )
    if stance.sentence:
        probability = round(stance.probability, 6)
        reasons += (EvidenceSentence(stance.sentence, stance.start, stance.end, probability),)
    return Hit(
        id=hit.id,
        score=round(stance.supports - stance.refutes, 6),
        title=document.title,
        highlights=hit.highlights,
        retracted=document.retracted,
        published=document.published,
        journal=document.journal,
        reasons=reasons,
    )


def balance_of(hits: list[Hit]) -> Balance:
    """Counts over papers that are not retracted."""
    stances = dict.fromkeys(STANCES, 0)
    designs: dict[str, dict[str, int]] = {}
    for hit in hits:
        reason = stance_of(hit)
        if reason is None or hit.retracted:
            continue
        stances[reason.stance] += 1
        by_stance = designs.setdefault(reason.design, {})
        by_stance[reason.stance] = by_stance.get(reason.stance, 0) + 1
    ordered = {name: designs[name] for name in DESIGNS if name in designs}
    sided = stances[SUPPORTS] + stances[REFUTES] + stances[NO_EFFECT]
    if sided:
        words = f"{sides_in_words(stances)}; {sideless_in_words(sum(stances.values()) - sided)}"
    else:
        words = "no paper here takes a side"
    return Balance(stances=stances, designs=ordered, words=words)


def stance_of(hit: Hit) -> StanceReason | None:
    """The side of one hit."""
    return next((one for one in hit.reasons if isinstance(one, StanceReason)), None)
