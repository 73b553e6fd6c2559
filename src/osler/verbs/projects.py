"""``projects``: reviews that a library keeps; each has its own searches and decisions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from osler.errors import InputError, UnknownId
from osler.review.entries import Began, Decided, Entry, Searched, Stage, TakenBack, Verdict
from osler.review.project import Project, folded, last_of
from osler.store.projects import ReviewLog

if TYPE_CHECKING:
    from osler.library import Library


class Projects:
    """The projects of a library. Every call that changes one is a transaction of its own: when it
    has come back, the decision is on disk."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.log = ReviewLog(library.truth)

    def names(self) -> list[str]:
        return self.log.names()

    def get(self, name: str) -> Project:
        """A project as it stands now."""
        rows = self.log.entries(name)
        if not rows:
            raise UnknownId(f"the library has no project {name!r}", cure="osler review list LIB")
        return folded(name, [(seq, msgspec.json.decode(body, type=Entry)) for seq, _, body in rows])

    def new(
        self,
        name: str,
        *,
        question: str = "",
        criteria: str = "",
        reasons: tuple[str, ...] = (),
        reviewers: int = 1,
    ) -> Project:
        """Begin a project; ``reasons`` are those for which a paper may be excluded."""
        if not name.strip() or reviewers < 1:
            raise InputError("a project needs a name and a reviewer")
        if name in self.names():
            raise InputError(f"there is a project {name!r} already", cure="choose another name")
        card = Began(
            question=question, criteria=criteria, reasons=reasons, reviewers=reviewers, at=_now()
        )
        return self._added(name, card)

    def search(self, name: str, query: str, *, source: str = "") -> Project:
        """Run a query, and put what it finds into the project."""
        from osler.verbs.review import run_search

        self.get(name)
        ran = run_search(self.library, name, query, filter=None)
        entry = Searched(
            query=query,
            source=source or "this library",
            identified=ran.identified,
            documents=tuple(ran.ids),
            at=_now(),
        )
        return self._added(name, entry)

    def decide(
        self,
        name: str,
        document: str,
        verdict: Verdict,
        *,
        reviewer: str,
        stage: Stage = "abstract",
        reason: str = "",
        note: str = "",
        resolves: bool = False,
    ) -> Project:
        """Keep one reviewer's word on a paper of the project."""
        project = self.get(name)
        if document not in project.at_stage(stage):
            raise UnknownId(f"{document!r} is not among the project's papers at this stage")
        if not reviewer.strip():
            raise InputError("a decision needs the name of who made it")
        if reason and project.card.reasons and reason not in project.card.reasons:
            raise InputError(
                "that is none of the project's reasons", cure=", ".join(project.card.reasons)
            )
        if resolves:
            words = project.decisions.get(stage, {}).get(document, {})
            if document not in project.conflicts(stage) or reviewer in words:
                raise InputError(
                    "only a conflict is resolved, and by somebody who is no side of it"
                )
        entry = Decided(
            document=document,
            verdict=verdict,
            reviewer=reviewer,
            stage=stage,
            reason=reason,
            note=note,
            resolves=resolves,
            at=_now(),
        )
        return self._added(name, entry)

    def undo(self, name: str, *, reviewer: str) -> Project:
        """Take back a reviewer's last decision; the log keeps both."""
        seq = last_of(self.get(name), reviewer)
        if seq is None:
            raise InputError("there is no decision of this reviewer to take back")
        return self._added(name, TakenBack(seq=seq, reviewer=reviewer, at=_now()))

    def _added(self, name: str, entry: Entry) -> Project:
        with self.library._writing():
            self.log.append(name, [(type(entry).__name__, msgspec.json.encode(entry))])
        return self.get(name)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
