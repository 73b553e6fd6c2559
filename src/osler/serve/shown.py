"""Hits as the page shows them: marked title, evidence, why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from osler.explain.bars_svg import bars
from osler.explain.marks_html import Span, heat, kind_of, marked
from osler.kinds import (
    EvidenceSentence,
    GradeReason,
    Heat,
    Hit,
    KnownItem,
    ScoreParts,
    SharedConcept,
)
from osler.retrieve.estimate import ESTIMATED
from osler.serve.page import document_link, entity_link, ready

TypeOf = Callable[[str], str]


@dataclass(frozen=True)
class ShownMeeting:
    """A concept of the question, one of the document, and the parent through which they met."""

    asked: str
    asked_href: str
    held: str
    held_href: str
    via: str
    via_href: str
    kind: str


@dataclass(frozen=True)
class HitView:
    """One hit, ready for a template."""

    id: str
    rank: int
    href: str
    title: Markup
    plain_title: str
    source: str
    retracted: bool
    score: float
    evidence: Markup | None
    section: str
    meetings: list[ShownMeeting]
    parts: Markup
    grade: str = ""
    sure: float | None = None
    heats: list[tuple[str, Markup]] = field(default_factory=list)
    plain_evidence: str = ""
    estimated: bool = False
    known: str = ""
    design: str = ""
    design_probability: float | None = None
    sample_size: int | None = None
    authors: str = ""
    doi: str = ""
    abstract: str = ""
    arms: tuple[tuple[str, int], ...] = ()
    denied: bool = False
    no_finding: bool = False


def hit_views(hits: Sequence[Hit], *, start: int = 0, type_of: TypeOf) -> list[HitView]:
    return [_view(hit, start + n, type_of) for n, hit in enumerate(hits, 1)]


def no_types(_: str) -> str:
    """For libraries without a graph."""
    return ""


def _view(hit: Hit, rank: int, type_of: TypeOf) -> HitView:
    concepts = [reason for reason in hit.reasons if isinstance(reason, SharedConcept)]
    spans = [
        Span(
            start,
            end,
            kind_of(type_of(c.in_document or c.entity))
            + (" denied" if (start, end) in c.denied else ""),
            (c.in_document_name or c.name) + (", denied here" if (start, end) in c.denied else ""),
            entity_link(c.in_document or c.entity),
        )
        for c in concepts
        for start, end in c.spans
    ]
    words = [Span(start, end) for start, end in hit.highlights]
    # A link cannot stand in a link: the title's concepts are coloured, not linked.
    plain = [Span(s.start, s.end, s.kind, s.title) for s in spans]
    evidence, section, sentence = None, "", ""
    if hit.evidence is not None:
        quoted: EvidenceSentence = hit.evidence
        section, sentence = quoted.section, quoted.text
        inside = [] if quoted.section else spans
        evidence = ready(marked(quoted.text, inside, shift=quoted.start))
    parts = next((r for r in hit.reasons if isinstance(r, ScoreParts)), None)
    drawn = ""
    if parts is not None:
        added = [(name, value) for name, value in parts.contributed.items() if value]
        rows = sorted(added, key=lambda item: -abs(item[1]))
        drawn = bars(rows, about="what each part adds to the score")
    grade = next((r for r in hit.reasons if isinstance(r, GradeReason)), None)
    named = ", ".join(part for part in (hit.journal, hit.published[:4]) if part)
    return HitView(
        id=hit.id,
        rank=rank,
        href=document_link(hit.id),
        title=ready(marked(hit.title or "(no title)", [*plain, *_free(words, plain)])),
        plain_title=hit.title,
        source=named,
        known=next((r.by for r in hit.reasons if isinstance(r, KnownItem)), ""),
        retracted=hit.retracted,
        score=hit.score,
        evidence=evidence,
        section=section,
        meetings=_meetings(concepts, type_of),
        parts=ready(drawn),
        grade=grade.grade if grade else "",
        sure=grade.confidence if grade and grade.calibrated else None,
        heats=[
            (reason.view, ready(heat(reason.words)))
            for reason in hit.reasons
            if isinstance(reason, Heat)
        ],
        plain_evidence=sentence,
        design=hit.design,
        design_probability=hit.design_probability,
        no_finding=hit.no_finding,
        sample_size=hit.sample_size,
        authors=", ".join(hit.authors[:3]) + (", et al." if len(hit.authors) > 3 else ""),
        doi=hit.doi,
        abstract=hit.abstract,
        arms=hit.arms,
        denied=any(concept.denied for concept in concepts),
        estimated=parts is not None and ESTIMATED in parts.contributed,
    )


def _free(words: Sequence[Span], taken: Sequence[Span]) -> list[Span]:
    """Words of the question that no concept covers already."""
    return [
        word
        for word in words
        if not any(word.start < other.end and other.start < word.end for other in taken)
    ]


def _meetings(concepts: Sequence[SharedConcept], type_of: TypeOf) -> list[ShownMeeting]:
    by_names: dict[tuple[str, str, str], ShownMeeting] = {}
    for concept in concepts:
        held = concept.in_document or concept.entity
        meeting = ShownMeeting(
            asked=concept.name,
            asked_href=entity_link(concept.entity),
            held=concept.in_document_name or concept.name,
            held_href=entity_link(held),
            via=concept.via_name,
            via_href=entity_link(concept.via) if concept.via else "",
            kind=kind_of(type_of(held)),
        )
        key = (meeting.asked.lower(), meeting.held.lower(), meeting.via.lower())
        by_names.setdefault(key, meeting)
    return list(by_names.values())
