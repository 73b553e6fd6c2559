"""A project at a glance: what every door shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from osler.review.entries import STAGES, Began, Stage
from osler.review.flow import Flow, flow_of
from osler.review.project import Agreement, Project

if TYPE_CHECKING:
    from osler.library import Library

MOST_TOLD = 200
"""Included papers that an assistant is told one by one."""


class SearchLine(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A search or an import: the query as typed and as run, what the source counted, how many
    records came in, and how many of these no earlier one had brought."""

    source: str
    identified: int
    taken: int
    new: int
    query: str = ""
    ran: str = ""
    file: str = ""
    at: str = ""


class ReviewerLine(msgspec.Struct, kw_only=True):
    """How far a reviewer has come at a stage."""

    reviewer: str
    stage: Stage
    read: int
    included: int
    excluded: int
    maybe: int
    left: int


class GroupLine(msgspec.Struct, kw_only=True):
    """Records that are taken as one paper; the first stands for them."""

    documents: list[str]


class Overview(msgspec.Struct, kw_only=True):
    """A project: its card, what came in, who has decided how much, where they differ, the flow."""

    name: str
    card: Began
    papers: int
    searches: list[SearchLine]
    groups: list[GroupLine]
    reviewers: list[ReviewerLine]
    agreements: list[Agreement]
    conflicts: dict[Stage, int]
    flow: Flow


class ProjectLine(msgspec.Struct, kw_only=True):
    """A project in a list."""

    name: str
    question: str
    papers: int
    undecided: int
    included: int
    put_away: bool = False


class ProjectList(msgspec.Struct, kw_only=True):
    """The projects of a library, the oldest first."""

    projects: list[ProjectLine]


def overview(project: Project) -> Overview:
    """All that can be told of a project without showing one reviewer another's words."""
    return Overview(
        name=project.name,
        card=project.card,
        papers=len(project.papers),
        searches=_searches(project),
        groups=[GroupLine(documents=list(group.documents)) for group in project.groups.values()],
        reviewers=[
            line
            for stage in STAGES
            for reviewer in project.reviewers()
            if (line := _reviewer(project, reviewer, stage)).read
        ],
        agreements=project.agreements(),
        conflicts={stage: len(project.conflicts(stage)) for stage in STAGES},
        flow=flow_of(project),
    )


def line_of(project: Project) -> ProjectLine:
    """A project in one line."""
    flow = flow_of(project)
    return ProjectLine(
        name=project.name,
        question=project.card.question,
        papers=flow.screened,
        undecided=flow.screened_undecided,
        included=flow.included,
        put_away=project.card.put_away,
    )


def _searches(project: Project) -> list[SearchLine]:
    seen: set[str] = set()
    lines = []
    for search in project.searches:
        fresh = set(search.documents) - seen
        seen |= fresh
        lines.append(
            SearchLine(
                source=search.source,
                identified=max(search.identified, len(search.documents)),
                taken=len(search.documents),
                new=len(fresh),
                query=search.query,
                ran=search.ran,
                file=search.file,
                at=search.at,
            )
        )
    return lines


def _reviewer(project: Project, reviewer: str, stage: Stage) -> ReviewerLine:
    said = [word.verdict for word in project.read_by(reviewer, stage).values()]
    return ReviewerLine(
        reviewer=reviewer,
        stage=stage,
        read=len(said),
        included=said.count("include"),
        excluded=said.count("exclude"),
        maybe=said.count("maybe"),
        left=len(project.to_screen(reviewer, stage)),
    )


def told_project(library: Library, name: str) -> dict[str, Any]:
    """A project for an assistant: its overview and the included papers, each with id and title so
    that it can be cited. Without a name, the projects there are."""
    projects = library.projects
    if not name:
        lines = [line_of(projects.get(one)) for one in projects.names()]
        return {"projects": msgspec.to_builtins(lines)}
    project = projects.get(name)
    included = project.included()
    titles = {one.id: one.title for one in library.documents(included[:MOST_TOLD])}
    return {
        **msgspec.to_builtins(overview(project)),
        "included": [{"id": id, "title": titles.get(id, "")} for id in included[:MOST_TOLD]],
        "included_count": len(included),
    }
