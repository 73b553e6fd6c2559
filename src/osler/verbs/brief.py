"""``brief``: what the library says of a question, on one page of quotes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from osler.brief import Brief, Quote, Searched
from osler.brief.brief import ANSWERED, NEAR, NOTHING
from osler.claims.conclusion import is_aim
from osler.claims.judge import CLEAR_RULE, MAX_CLAIM, MAX_TEXT
from osler.claims.judge import stance as judge
from osler.claims.reading import read
from osler.claims.rules import parts, ruled
from osler.claims.verdict import (
    NO_EFFECT,
    REFUTES,
    SUPPORTS,
    sideless_in_words,
    sides_in_words,
)
from osler.kinds import Document, EvidenceSentence, Hit, Ranking, StanceReason, Verdict
from osler.kinds.query import Filter
from osler.settings import MAX_PAGE
from osler.text.counted import counted
from osler.text.design.judge import design_of
from osler.text.design.names import DESIGNS
from osler.text.design.sample_size import sample_size
from osler.verbs.limits import VerbRequest
from osler.verbs.quoted import speaks_to
from osler.verbs.search import SearchRequest, search
from osler.verbs.stance import ClaimRequest, stance, stance_of

if TYPE_CHECKING:
    from osler.library import Library

SIDES = (SUPPORTS, REFUTES, NO_EFFECT)
SHOWN = 10
"""Papers on the page."""
A_SIDE = 5
"""Of those at most, of one side, where the other side has papers too."""
NEAREST = 3
"""Papers shown where nothing answers."""
SURE = 0.7
"""A side that is less probable than this is not shown as one."""
OPPOSED = 0.25
"""The share of a sentence's words of direction that may point the other way."""
UNNAMED = "does not name"
"""In the reasons of a paper that lacks an end of the claim."""
LIMITS = (
    "Titles and abstracts were read, not full texts.",
    "A side is a program's reading of one sentence, with its probability: read the paper.",
    "Papers count alike, whatever their size; a count of papers is not an answer.",
    "Retracted papers are left out.",
    "Nothing outside this library was looked at.",
)


class BriefRequest(VerbRequest, frozen=True, kw_only=True):
    """A question or a claim; ``k`` papers are weighed. ``today`` is the date on the page."""

    question: Annotated[str, Meta(min_length=1, max_length=MAX_CLAIM)]
    k: Annotated[int, Meta(ge=1, le=MAX_PAGE.get())] = 50
    without_model: bool = False
    today: str = ""


def brief(library: Library, request: BriefRequest) -> Brief:
    """The page. Every statement on it is a quote of a paper, but for counts."""
    claim = ClaimRequest(claim=request.question, k=request.k, without_model=request.without_model)
    weighed = stance(library, claim)
    listed = search(
        library,
        SearchRequest(
            text=request.question,
            k=min(SHOWN, request.k),
            plain=True,
            without_model=request.without_model,
        ),
    )
    whole = [hit for hit in weighed.hits if not hit.retracted]
    documents = {
        one.id: one
        for one in library.documents([hit.id for hit in (*whole, *listed.hits)])
        if not one.retracted
    }
    claimed = whole if states(request.question) else []
    sided = {
        SUPPORTS: _sided(request.question, claimed, documents, (SUPPORTS,)),
        REFUTES: _sided(request.question, claimed, documents, (REFUTES, NO_EFFECT)),
    }
    verdict = _verdict(listed, bool(sided[SUPPORTS] or sided[REFUTES]))
    supporting, against = _shared(sided[SUPPORTS], sided[REFUTES])
    shown = {quote.paper for quote in (*supporting, *against)}
    room = SHOWN - len(shown) if verdict == NEAR else NEAREST
    # Only a paper that names what is asked about is on the subject, however near its words are.
    naming = {hit.id for hit in claimed if _names_all(hit)}
    if verdict == NOTHING or not claimed:
        subject: Sequence[Hit] = listed.hits
    else:
        subject = _found_among(library, request, naming - shown, room)
    beside = _evidences(subject, documents, shown)[:room]
    shown |= {quote.paper for quote in beside}
    others = [hit for hit in listed.hits if hit.id not in naming]
    left = min(NEAREST, SHOWN - len(shown)) if claimed and verdict == NEAR else 0
    lacking = _evidences(others, documents, shown)[:left]
    sides, designs = _counted((*sided[SUPPORTS], *sided[REFUTES]))
    return Brief(
        question=request.question,
        date=request.today or date.today().isoformat(),
        library=library.layout.name,
        verdict=verdict,
        words=_words(verdict, sides, len(whole), listed.verdict, bool(naming or not claimed)),
        sides=sides,
        designs=designs,
        supporting=tuple(supporting),
        against=tuple(against),
        beside=tuple(beside),
        lacking=tuple(lacking),
        searched=Searched(
            query=request.question,
            method=listed.method,
            papers=len(library),
            total=listed.total,
            read=len(weighed.hits),
            retracted=len(weighed.hits) - len(whole),
            command=f"osler brief {shlex.quote(library.path.name)} {shlex.quote(request.question)}",
        ),
        limits=LIMITS,
        notes=tuple(dict.fromkeys((*listed.notes, *_own_notes(weighed)))),
    )


def _own_notes(weighed: Ranking) -> list[str]:
    """Notes of the weighing, but for what the page says itself."""
    return [note for note in weighed.notes if "retracted" not in note]


def _verdict(listed: Ranking, sided: bool) -> str:
    """A side that a paper's own sentence takes is an answer, unless the list is judged to be about
    something else: then it is only near. Without a side nothing is answered."""
    kind = listed.verdict.kind if listed.verdict is not None else ""
    if sided:
        return NEAR if kind == NOTHING else ANSWERED
    return NOTHING if kind == NOTHING or not listed.hits else NEAR


def _words(
    verdict: str, sides: dict[str, int], read: int, judged: Verdict | None, named: bool
) -> str:
    if verdict == NOTHING:
        missing = f" {judged.text[0].upper()}{judged.text[1:]}." if judged and judged.text else ""
        return f"No paper in this library answers this.{missing}"
    counts = sides_in_words(sides)
    if not any(sides.values()) and not named:
        return f"Papers come near in words, but none of {read} weighed names all that is asked."
    if not any(sides.values()):
        return (
            f"Papers come near, but none of {read} weighed takes a side in a sentence of its own."
        )
    if verdict == NEAR:
        return f"Papers come near, but may not answer this: {counts}, of {read} weighed."
    rest = sideless_in_words(read - sum(sides.values()))
    return f"Of {counted(read, 'paper')} weighed {counts}; {rest}."


def states(question: str) -> bool:
    """Whether a question says something of something ("does it reduce ...?"). To a bare subject
    ("melatonin in shift workers") nobody can take a side."""
    return parts(read(question)).cue.family != "plain"


def says_so(question: str, document: Document, evidence: EvidenceSentence, side: str) -> bool:
    """Whether the sentence by itself takes the side that the paper is said to take: a quote that
    does not say it is no evidence for it, whatever the rest of the abstract says. Not where the
    sentence says what was asked, or where the rules, the second witness, see another side or
    both. How sure the side is, the paper's own judge tells."""
    whole = document.text[:MAX_TEXT]
    if is_aim(evidence.text) or speaks_to(
        question, evidence.text, title=evidence.end <= len(document.title)
    ):
        return False
    rules = ruled(question, evidence.text, whole)
    sign = 1.0 if side == SUPPORTS else -1.0
    if rules.score * sign < CLEAR_RULE or rules.opposed >= OPPOSED:
        return False
    alone = judge(question, evidence.text, context=whole, searched=True)
    return (alone.supports > alone.refutes) is (side == SUPPORTS)


def _of_side(reason: StanceReason) -> float:
    return reason.supports if reason.stance == SUPPORTS else reason.refutes


def _sided(
    question: str, hits: list[Hit], documents: dict[str, Document], sides: tuple[str, ...]
) -> list[Quote]:
    """Quotes of papers that surely take one of these sides, and say so: strong designs first, then
    the surest."""
    quotes = []
    for hit in hits:
        reason, document = stance_of(hit), documents.get(hit.id)
        if reason is None or document is None or reason.stance not in sides or not hit.evidence:
            continue
        evidence = hit.evidence
        probability = _of_side(reason)
        if probability >= SURE and says_so(question, document, evidence, reason.stance):
            quotes.append(
                _quote(
                    document,
                    evidence.text,
                    evidence.start,
                    evidence.end,
                    side=reason.stance,
                    probability=round(probability, 3),
                )
            )
    order = {name: at for at, name in enumerate(DESIGNS)}
    return sorted(quotes, key=lambda q: (order.get(q.design, len(order)), -q.probability, q.paper))


def _shared(one: list[Quote], other: list[Quote]) -> tuple[list[Quote], list[Quote]]:
    """Room for both sides: what one does not need the other has."""
    first = min(len(one), max(A_SIDE, SHOWN - len(other)))
    return one[:first], other[: SHOWN - first]


def _found_among(
    library: Library, request: BriefRequest, papers: set[str], k: int
) -> Sequence[Hit]:
    """Some papers in the order of a search, with the sentences that it shows of them."""
    if not papers or k < 1:
        return ()
    asked = SearchRequest(
        text=request.question,
        k=k,
        plain=True,
        without_model=request.without_model,
        verdict=False,
        filter=Filter(ids=tuple(sorted(papers))),
    )
    return search(library, asked).hits


def _names_all(hit: Hit) -> bool:
    """Whether a paper names both ends of what is asked."""
    reason = stance_of(hit)
    return reason is not None and not any(UNNAMED in why for why in reason.why)


def _evidences(hits: Sequence[Hit], documents: dict[str, Document], shown: set[str]) -> list[Quote]:
    """The sentences of papers that are not on the page yet."""
    quotes = [_evidence(hit, documents.get(hit.id)) for hit in hits if hit.id not in shown]
    return [quote for quote in quotes if quote is not None]


def _evidence(hit: Hit, document: Document | None) -> Quote | None:
    """The sentence that search shows of a paper; None where it has none in title and abstract."""
    evidence = hit.evidence
    if document is None or evidence is None or evidence.section:
        return None
    return _quote(document, evidence.text, evidence.start, evidence.end)


def _quote(
    document: Document,
    text: str,
    start: int,
    end: int,
    *,
    side: str = "",
    probability: float = 0.0,
) -> Quote:
    design = design_of(document)
    return Quote(
        paper=document.id,
        title=document.title,
        text=text,
        start=start,
        end=end,
        side=side,
        probability=probability,
        authors=_authors(document),
        journal=document.journal,
        year=document.published[:4],
        pmid=document.ids.get("pmid", ""),
        doi=document.ids.get("doi", ""),
        design=design.name,
        design_probability=design.probability,
        sample_size=sample_size(document.abstract),
    )


def _authors(document: Document) -> str:
    names = [f"{who.family} {who.initials}".strip() for who in document.authors]
    if len(names) > 2:
        return f"{names[0]} et al."
    return ", ".join(names)


def _counted(quotes: Sequence[Quote]) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Papers by side, and by design and side."""
    sides = dict.fromkeys(SIDES, 0)
    designs: dict[str, dict[str, int]] = {}
    for quote in quotes:
        sides[quote.side] += 1
        counts = designs.setdefault(quote.design, {})
        counts[quote.side] = counts.get(quote.side, 0) + 1
    return sides, {name: designs[name] for name in (*DESIGNS, "") if name in designs}
