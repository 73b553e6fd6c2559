"""``projects.next``: which paper a reviewer of a project should read next, and how far that is.

The order is learned by the desk's screener (:mod:`osler.rank.desk.screener`) over the papers of
this project, from this reviewer's own decisions alone: neither another project nor another
reviewer moves it, so that reviewers stay blind to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from osler.kinds import Document
from osler.rank.desk.recall import found_so_far
from osler.rank.desk.screener import Screener
from osler.rank.desk.step import RISK, TARGET
from osler.rank.desk.stopping import stop_allowed
from osler.rank.screening import stopping_p
from osler.review.entries import FINAL, Stage
from osler.review.project import Project
from osler.verbs.limits import Count, Name, Text, VerbRequest
from osler.verbs.rank import Progress

if TYPE_CHECKING:
    from osler.library import Library

BY_MARKS = "learned from this reviewer's decisions"
BY_FINDING = "in the order of finding, until one paper is included and one excluded"
POINTS = 60
"""Moments at which the estimate over time is told."""


class ScreenRequest(VerbRequest, frozen=True, kw_only=True):
    """Who reads which stage of which project, how many papers are wanted, and which ``words`` they
    must hold."""

    project: Name
    reviewer: Name
    stage: Stage = "abstract"
    k: Count = 20
    words: Text = ""


class NextPaper(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A paper to read, with the words that speak for it where the order is learned."""

    id: str
    title: str
    abstract: str = ""
    authors: str = ""
    journal: str = ""
    published: str = ""
    retracted: bool = False
    carried: list[str] = []


class Screening(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a reviewer should read next. ``order`` says by what, ``estimate`` how much was found;
    it is null before papers were decided on both ways."""

    project: str
    reviewer: str
    stage: Stage
    order: str
    read: int
    left: int
    papers: list[NextPaper]
    estimate: Progress | None = None


class ScreeningMoment(msgspec.Struct, frozen=True, kw_only=True):
    """What could be said after so many papers."""

    read: int
    found: int
    low: float
    estimate: float
    high: float


def screening(library: Library, request: ScreenRequest) -> Screening:
    """The next papers of a reviewer."""
    project = library.projects.get(request.project)
    ids, order, screener = _order(library, project, request.reviewer, request.stage)
    if wanted := request.words.casefold().split():
        ids = _holding(library, ids, wanted)
    shown = ids[: request.k]
    held = {document.id: document for document in library.documents(shown)}
    places = {id: row for row, id in enumerate(project.at_stage(request.stage))}
    papers = []
    for id in shown:
        if id in held:
            terms = screener.carried(places[id], most=6) if screener else []
            papers.append(_paper(held[id], [term for term, _ in terms]))
    return Screening(
        project=project.name,
        reviewer=request.reviewer,
        stage=request.stage,
        order=order,
        read=len(project.read_by(request.reviewer, request.stage)),
        left=len(ids),
        papers=papers,
        estimate=estimate_of(project, request.reviewer, request.stage),
    )


def _holding(library: Library, ids: Sequence[str], words: Sequence[str]) -> list[str]:
    """Papers whose title or abstract holds all words, however they go on."""
    texts = {document.id: document.text.casefold() for document in library.documents(list(ids))}
    return [id for id in ids if all(word in texts.get(id, "") for word in words)]


def _paper(document: Document, carried: list[str]) -> NextPaper:
    names = [author.family for author in document.authors[:3] if author.family]
    return NextPaper(
        id=document.id,
        title=document.title,
        abstract=document.abstract,
        authors=", ".join(names) + (" et al." if len(document.authors) > 3 else ""),
        journal=document.journal,
        published=document.published,
        retracted=document.retracted,
        carried=carried,
    )


def _order(
    library: Library, project: Project, reviewer: str, stage: Stage
) -> tuple[list[str], str, Screener | None]:
    """Papers that the reviewer has no word on, best first; by what; and what has learned."""
    left = project.to_screen(reviewer, stage)
    marks = marks_of(project, reviewer, stage)
    if len(set(marks.values())) < 2 or not left:
        return left, BY_FINDING, None
    ids = project.at_stage(stage)

    def read() -> Screener:
        texts = {one.id: f"{one.title} {one.abstract}" for one in library.documents(ids)}
        return Screener([texts.get(id, "") for id in ids])

    stamp = (library.stamp("documents"), tuple(ids))
    screener = library.keep(f"screening {project.name}/{stage}/{reviewer}", stamp, read)
    places = {id: row for row, id in enumerate(ids)}
    teach(screener, {places[id]: relevant for id, relevant in marks.items() if id in places})
    if not screener.learns:
        return left, BY_FINDING, None
    wanted = set(left)
    ordered = [ids[int(row)] for row in screener.order()]
    return [id for id in ordered if id in wanted], BY_MARKS, screener


def teach(screener: Screener, marks: dict[int, bool]) -> None:
    """Bring a screener's marks to these: new ones, changed ones, ones that were taken back."""
    known = dict(zip(screener.rows, screener.relevant, strict=True))
    gone = [row for row in known if row not in marks]
    if gone:
        screener.unmark(gone)
    fresh = {row: relevant for row, relevant in marks.items() if known.get(row) is not relevant}
    if fresh:
        screener.mark(fresh)


def marks_of(project: Project, reviewer: str, stage: Stage) -> dict[str, bool]:
    """Papers that a reviewer included or excluded, in the order of reading."""
    return {
        id: word.verdict == "include"
        for id, word in project.read_by(reviewer, stage).items()
        if word.verdict in FINAL
    }


def estimate_of(project: Project, reviewer: str, stage: Stage) -> Progress | None:
    """How much a reviewer has found. Papers that were put off (maybe, skip) count neither as read
    nor as unread."""
    marks = list(marks_of(project, reviewer, stage).values())
    if not any(marks) or all(marks):
        return None
    total = _total(project, reviewer, stage)
    so_far = found_so_far(marks, total)
    p = stopping_p(marks, total, target=TARGET)
    stop = stop_allowed(so_far.found, p, unread=total - len(marks), risk=RISK)
    return Progress.of(so_far, p=p, stop=stop)


def _total(project: Project, reviewer: str, stage: Stage) -> int:
    """Papers that the estimate is about: those decided on, and those without a word."""
    marked = len(marks_of(project, reviewer, stage))
    return marked + len(project.to_screen(reviewer, stage))


def over_time(project: Project, reviewer: str, stage: Stage = "abstract") -> list[ScreeningMoment]:
    """What would have been said of recall while the reviewer was reading, at some sixty moments."""
    marks = list(marks_of(project, reviewer, stage).values())
    if not any(marks) or all(marks):
        return []
    total = _total(project, reviewer, stage)
    return [_moment(marks[:read], total) for read in _moments(len(marks))]


def _moments(last: int) -> Sequence[int]:
    step = max(1, last // POINTS)
    return [*range(step, last, step), last]


def _moment(marks: Sequence[bool], total: int) -> ScreeningMoment:
    now = found_so_far(marks, total)
    return ScreeningMoment(
        read=now.read, found=now.found, low=now.low, estimate=now.estimate, high=now.high
    )
