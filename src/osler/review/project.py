"""A project's state, folded from its log: who decided what, and where reviewers differ."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import msgspec

from osler.measures.agreement import cohen_kappa
from osler.review.entries import (
    FINAL,
    Began,
    Decided,
    Entry,
    Grouped,
    NotRetrieved,
    Searched,
    Stage,
    TakenBack,
)
from osler.store.forgetting import is_removed

Words = dict[str, dict[str, Decided]]
"""Decisions by paper and reviewer."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two reviewers at one stage: papers that both included or excluded, on how many they agree,
    and Cohen's kappa, null where it cannot be told."""

    first: str
    second: str
    stage: Stage
    papers: int
    agreed: int
    kappa: float | None


class Project(msgspec.Struct, kw_only=True):
    """One review. ``papers`` are those to be screened, each once, in the order of finding;
    ``same_as`` names, for a record that was set aside as a duplicate, the one that stands for it.
    ``decisions`` holds, by stage, paper and reviewer, the last word that counts; ``resolved`` the
    word of a third."""

    name: str
    card: Began = Began()
    searches: list[Searched] = []
    papers: dict[str, None] = {}
    groups: dict[int, Grouped] = {}
    same_as: dict[str, str] = {}
    apart: set[frozenset[str]] = set()
    decisions: dict[Stage, Words] = {}
    resolved: dict[Stage, dict[str, Decided]] = {}
    missing: dict[str, NotRetrieved] = {}
    history: list[tuple[int, Entry]] = []

    def card_changes(self) -> list[int]:
        """Numbers of the changes of the card that count, the one that began it left out."""
        gone = {entry.seq for _, entry in self.history if isinstance(entry, TakenBack)}
        cards = [seq for seq, entry in self.history if isinstance(entry, Began)]
        return [seq for seq in cards[1:] if seq not in gone]

    def words_on(self, stage: Stage, document: str) -> dict[str, Decided]:
        """What each reviewer said of a paper."""
        return self.decisions.get(stage, {}).get(document, {})

    def verdict(self, stage: Stage, document: str) -> Decided | None:
        """What holds of a paper: the third's word, or the reviewers' when as many as the project
        asks for agree on including or excluding it, and nobody differs. Of their reasons the one
        that stands first in the project's list is told."""
        if document in self.resolved.get(stage, {}):
            return self.resolved[stage][document]
        final = [one for one in self.words_on(stage, document).values() if one.verdict in FINAL]
        if len(final) < self.card.reviewers or self._disputed(stage, document):
            return None
        return min(final, key=self._place_of_reason)

    def _place_of_reason(self, word: Decided) -> int:
        if not word.reason:
            return len(self.card.reasons) + 1
        listed = self.card.reasons
        return listed.index(word.reason) if word.reason in listed else len(listed)

    def _disputed(self, stage: Stage, document: str) -> bool:
        said = [one.verdict for one in self.words_on(stage, document).values()]
        views = [verdict for verdict in said if verdict != "skip"]
        return len(views) > 1 and (len(set(views)) > 1 or "maybe" in views)

    def conflicts(self, stage: Stage = "abstract") -> list[str]:
        """Papers on which reviewers differ, or are both unsure, and which nobody has resolved."""
        settled = self.resolved.get(stage, {})
        return [
            id for id in self.at_stage(stage) if id not in settled and self._disputed(stage, id)
        ]

    def to_screen(self, reviewer: str, stage: Stage = "abstract") -> list[str]:
        """Papers that a reviewer has no word on yet; of others' words nothing is told."""
        settled = self.resolved.get(stage, {})
        return [
            id
            for id in self.at_stage(stage)
            if reviewer not in self.words_on(stage, id) and id not in settled and not is_removed(id)
        ]

    def at_stage(self, stage: Stage) -> list[str]:
        """Papers that a stage is about: all that are to be screened; then the included ones whose
        full text could be had. One that was removed from the library counts where somebody had
        decided on it."""
        if stage == "abstract":
            decided = self.decisions.get(stage, {})
            return [id for id in self.papers if not is_removed(id) or id in decided]
        return [id for id in self.sought() if id not in self.missing]

    def sought(self) -> list[str]:
        """Papers whose full text is wanted."""
        return [id for id in self.papers if includes(self.verdict("abstract", id))]

    def included(self) -> list[str]:
        """Papers that the review is made of."""
        return [id for id in self.at_stage("full text") if includes(self.verdict("full text", id))]

    def reviewers(self) -> list[str]:
        """Who has decided anything, in the order of their first word."""
        names: dict[str, None] = {}
        for _, entry in self.history:
            if isinstance(entry, Decided | NotRetrieved):
                names[entry.reviewer] = None
        return list(names)

    def read_by(self, reviewer: str, stage: Stage = "abstract") -> dict[str, Decided]:
        """A reviewer's own words by paper, in the order in which they were said."""
        own = {
            id: words[reviewer]
            for id, words in self.decisions.get(stage, {}).items()
            if reviewer in words and id in self.papers
        }
        places = {id(entry): seq for seq, entry in self.history if isinstance(entry, Decided)}
        return dict(sorted(own.items(), key=lambda item: places[id(item[1])]))

    # -- agreement -------------------------------------------------------------------------------

    def agreement(self, first: str, second: str, stage: Stage = "abstract") -> Agreement:
        """How far two reviewers agree over what both included or excluded. Kappa is null where
        they share nothing, or where both used one and the same verdict throughout."""
        pairs = [
            (words[first].verdict, words[second].verdict)
            for id, words in self.decisions.get(stage, {}).items()
            if id in self.papers
            and {first, second} <= words.keys()
            and {words[first].verdict, words[second].verdict} <= set(FINAL)
        ]
        ones, twos = [a for a, _ in pairs], [b for _, b in pairs]
        comparable = bool(pairs) and len({*ones, *twos}) > 1
        return Agreement(
            first=first,
            second=second,
            stage=stage,
            papers=len(pairs),
            agreed=sum(a == b for a, b in pairs),
            kappa=cohen_kappa(ones, twos) if comparable else None,
        )

    def kappa(self, first: str, second: str, stage: Stage = "abstract") -> float | None:
        """Cohen's kappa of two reviewers: (po - pe) / (1 - pe)."""
        return self.agreement(first, second, stage).kappa

    def agreements(self) -> list[Agreement]:
        """Every two reviewers at every stage at which both decided on a paper."""
        pairs = [
            self.agreement(first, second, stage)
            for stage in self.decisions
            for first, second in combinations(self.reviewers(), 2)
        ]
        return [pair for pair in pairs if pair.papers]


def includes(word: Decided | None) -> bool:
    """Whether a verdict holds, and includes the paper."""
    return word is not None and word.verdict == "include"


def folded(name: str, log: Iterable[tuple[int, Entry]]) -> Project:
    """The state after a log of numbered entries; what was taken back does not count."""
    history = list(log)
    gone = {entry.seq for _, entry in history if isinstance(entry, TakenBack)}
    project = Project(name=name, history=history)
    for seq, entry in history:
        if seq in gone:
            if isinstance(entry, Grouped):
                project.apart |= _pairs(entry)
            continue
        match entry:
            case Began():
                project.card = entry
            case Searched():
                project.searches.append(entry)
            case Grouped():
                project.groups[seq] = entry
                project.apart -= _pairs(entry)
            case NotRetrieved():
                project.missing[entry.document] = entry
            case Decided(resolves=True):
                project.resolved.setdefault(entry.stage, {})[entry.document] = entry
            case Decided():
                papers = project.decisions.setdefault(entry.stage, {})
                papers.setdefault(entry.document, {})[entry.reviewer] = entry
    for group in project.groups.values():
        for other in group.documents[1:]:
            project.same_as[other] = group.documents[0]
    for search in project.searches:
        for id in search.documents:
            project.papers[stands_for(project.same_as, id)] = None
    return project


def stands_for(same_as: dict[str, str], id: str) -> str:
    """The record that stands for another, through groups of groups."""
    seen = set()
    while id in same_as and id not in seen:
        seen.add(id)
        id = same_as[id]
    return id


def _pairs(group: Grouped) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations(group.documents, 2)}


def last_of(project: Project, reviewer: str) -> int | None:
    """The number of a reviewer's last decision that still counts."""
    gone = {entry.seq for _, entry in project.history if isinstance(entry, TakenBack)}
    own = (
        seq
        for seq, entry in project.history
        if isinstance(entry, Decided | NotRetrieved)
        and entry.reviewer == reviewer
        and seq not in gone
    )
    return max(own, default=None)
