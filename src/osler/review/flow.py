"""The PRISMA 2020 flow of a project: every record is in one place at each step."""

from __future__ import annotations

from collections import Counter

import msgspec

from osler.review.entries import Decided, Stage
from osler.review.project import Project, includes

NO_REASON = "no reason given"
NO_SOURCE = "source not named"


class Flow(msgspec.Struct, kw_only=True):
    """Counts of the flow (Page and others 2021). ``sources`` add up to ``identified``, and

    identified = duplicates + other + screened;
    screened = screened_excluded + screened_undecided + sought;
    sought = not_retrieved + assessed;
    assessed = assessed_excluded + assessed_undecided + included.

    ``other`` are records that could not be read, that a source counted and did not hand out, or
    that were removed from the library before anybody had decided on them.
    ``undecided`` ones are still to be decided on: 0 at the end of a review.
    """

    sources: dict[str, int]
    identified: int
    duplicates: int
    other: int
    screened: int
    screened_excluded: int
    screened_undecided: int
    screened_reasons: dict[str, int]
    sought: int
    not_retrieved: int
    assessed: int
    assessed_excluded: int
    assessed_undecided: int
    assessed_reasons: dict[str, int]
    included: int


def flow_of(project: Project) -> Flow:
    """The flow as it stands now, counted from the project's log alone."""
    sources: Counter[str] = Counter()
    for search in project.searches:
        counted = max(search.identified, len(search.documents))
        sources[search.source or search.file or NO_SOURCE] += counted
    records = sum(len(search.documents) for search in project.searches)
    identified = sum(sources.values())
    duplicates = records - len(project.papers)
    screened, screened_out, screened_in = _stage(project, "abstract")
    assessed, assessed_out, assessed_in = _stage(project, "full text")
    return Flow(
        sources=dict(sources),
        identified=identified,
        duplicates=duplicates,
        other=identified - duplicates - len(screened),
        screened=len(screened),
        screened_excluded=len(screened_out),
        screened_undecided=len(screened) - len(screened_out) - screened_in,
        screened_reasons=_reasons(screened_out),
        sought=screened_in,
        not_retrieved=screened_in - len(assessed),
        assessed=len(assessed),
        assessed_excluded=len(assessed_out),
        assessed_undecided=len(assessed) - len(assessed_out) - assessed_in,
        assessed_reasons=_reasons(assessed_out),
        included=assessed_in,
    )


def _stage(project: Project, stage: Stage) -> tuple[list[str], list[Decided], int]:
    """The papers of a stage, the words that exclude some, and how many are included."""
    papers = project.at_stage(stage)
    words = [project.verdict(stage, id) for id in papers]
    out = [word for word in words if word is not None and word.verdict == "exclude"]
    return papers, out, sum(map(includes, words))


def _reasons(words: list[Decided]) -> dict[str, int]:
    """How often each reason was given, the commonest first."""
    return dict(Counter(word.reason or NO_REASON for word in words).most_common())


def flow_lines(flow: Flow) -> list[tuple[str, int]]:
    """The flow in words, a line a box; what is part of a box is indented."""
    lines = [(f"  from {name}", count) for name, count in flow.sources.items()]
    return [
        ("Records identified", flow.identified),
        *lines,
        ("Duplicates removed before screening", flow.duplicates),
        ("Removed before screening for other reasons", flow.other),
        ("Records screened", flow.screened),
        ("Records excluded", flow.screened_excluded),
        *((f"  {reason}", count) for reason, count in flow.screened_reasons.items()),
        ("Records not yet decided on", flow.screened_undecided),
        ("Reports sought for retrieval", flow.sought),
        ("Reports not retrieved", flow.not_retrieved),
        ("Reports assessed for eligibility", flow.assessed),
        ("Reports excluded", flow.assessed_excluded),
        *((f"  {reason}", count) for reason, count in flow.assessed_reasons.items()),
        ("Reports not yet decided on", flow.assessed_undecided),
        ("Studies included in review", flow.included),
    ]
