"""``projects``: reviews that a library keeps; each has its own searches and decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from osler.errors import InputError, LimitError, UnknownId
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
    Verdict,
)
from osler.review.flow import Flow, flow_of
from osler.review.project import Project, folded, last_of
from osler.settings import MAX_HITS, MAX_NAME
from osler.store.projects import ReviewLog

if TYPE_CHECKING:
    from osler.library import Library
    from osler.verbs.overview import Overview
    from osler.verbs.project_files import Imported
    from osler.verbs.screening import Screening

LONGEST = 100
"""Characters of a project's or a reviewer's name."""
History = list[tuple[int, Entry]]
_decode = msgspec.json.Decoder(Entry).decode


class Projects:
    """The projects of a library. Every call that changes one is a transaction of its own: when it
    has come back, the decision is on disk."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.log = ReviewLog(library.truth)

    def names(self) -> list[str]:
        """The projects, the oldest first."""
        return self.log.names()

    def get(self, name: str) -> Project:
        """A project as it stands now; only to be read. What is known of its log is kept, so that a
        decision costs no more in a long review than in a short one."""
        last = self.log.last(name)
        if not last:
            raise UnknownId(f"the library has no project {name!r}", cure="osler project list LIB")
        empty: dict[str, tuple[int, History]] = {}
        # Papers that are taken out for good leave the log too, in rows that keep their numbers.
        taken_out = self.library.decisions.last_taken_back()
        logs = self.library.keep("project logs", taken_out, lambda: empty)

        def make() -> Project:
            seen, history = logs.get(name, (0, []))
            if seen > last:
                seen, history = 0, []
            fresh = self.log.entries(name, after=seen)
            history = history + [(seq, _decode(body)) for seq, _, body in fresh]
            logs[name] = (history[-1][0], history)
            return folded(name, history)

        return self.library.keep(f"project {name}", (last, taken_out), make)

    def overview(self, name: str) -> Overview:
        """Card, searches, reviewers, agreement and flow of a project in one."""
        from osler.verbs.overview import overview

        return overview(self.get(name))

    def prisma(self, name: str) -> Flow:
        """The counts of a project's PRISMA 2020 flow."""
        return flow_of(self.get(name))

    # -- the project itself ----------------------------------------------------------------------

    def new(self, name: str, **card: Any) -> Project:
        """Begin a project. The card: ``question``, ``population``, ``intervention``,
        ``comparison``, ``outcome``, ``criteria``, ``sources``, ``reasons`` (for which a paper may
        be excluded), ``highlights`` (words to mark in texts), ``reviewers`` (how many must
        agree)."""
        name = _name(name, "a project")
        if "/" in name or not name.strip("."):
            raise InputError(
                "a project's name has no slash in it, and more than dots",
                cure="choose another name",
            )
        with self.library._writing():
            if name in self.names():
                raise InputError(f"there is a project {name!r} already", cure="choose another name")
            self._append(name, [_card(Began(), card)])
        return self.get(name)

    def edit(self, name: str, **card: Any) -> Project:
        """Change parts of a project's card; the log keeps what it was."""
        return self._add(name, lambda project: [_card(project.card, card)])

    # -- what is to be screened ------------------------------------------------------------------

    def search(self, name: str, query: str, *, source: str = "") -> Project:
        """Run a query over this library, and put what it finds into the project."""
        from osler.retrieve.parse import is_structured

        self.get(name)
        ranking = self.library.search(query, k=MAX_HITS.get(), method="words", evidence=False)
        ran = query
        if is_structured(query):
            ran = self.library.translate(query, "osler").text
        entry = Searched(
            query=query,
            ran=ran,
            source=source or "this library",
            identified=max(self.library.count(query), len(ranking.hits)),
            documents=tuple(hit.id for hit in ranking.hits),
            at=now(),
        )
        return self._add(name, lambda _: [entry])

    def import_file(self, name: str, path: str | Path, **options: Any) -> Imported:
        """Read references, and the decisions that stand in them, into a project: see
        :func:`osler.verbs.project_files.import_file`."""
        from osler.verbs.project_files import import_file

        return import_file(self, name, path, **options)

    def export(self, name: str, format: str) -> bytes:
        """A project in another program's format, or its whole log (``log``)."""
        from osler.verbs.project_files import export

        return export(self, name, format)

    def group(self, name: str, *, reviewer: str = "") -> list[Grouped]:
        """Group records of the project that are probably one paper; the groups that are new. The
        first record that somebody decided on stands for its group; where several were decided on,
        they stay apart. Every group can be taken back."""
        from osler.review.duplicates import groups, record_of

        project = self.get(name)
        records = map(record_of, self.library.documents(list(project.papers)))
        order = {id: place for place, id in enumerate(project.papers)}
        together: dict[int, list[str]] = {}
        for duplicate in groups(sorted(records, key=lambda r: order[r.id]), project.apart):
            together.setdefault(duplicate.group, []).append(duplicate.id)
        decided = {id for words in project.decisions.values() for id in words} | set(
            project.missing
        )
        fresh = []
        for ids in together.values():
            ahead = [id for id in ids if id in decided]
            rest = [id for id in ids if id not in decided]
            members = (*ahead[:1], *rest)
            if len(members) > 1:
                fresh.append(Grouped(documents=members, reviewer=reviewer, at=now()))
        if fresh:
            self._add(name, lambda _: fresh)
        return fresh

    def ungroup(self, name: str, document: str, *, reviewer: str = "") -> Project:
        """Take the group of a record back: its records are two papers in this project."""

        def entries(project: Project) -> list[Entry]:
            numbers = [seq for seq, group in project.groups.items() if document in group.documents]
            if not numbers:
                raise UnknownId(f"{document!r} is in no group of this project")
            return [TakenBack(seq=seq, reviewer=reviewer, at=now()) for seq in numbers]

        return self._add(name, entries)

    # -- decisions -------------------------------------------------------------------------------

    def next(
        self,
        name: str,
        *,
        reviewer: str,
        stage: Stage = "abstract",
        k: int = 20,
        words: str = "",
    ) -> Screening:
        """The papers that a reviewer should read next, in the order that the reviewer's own
        decisions teach, with how much has been found. ``words`` leaves only papers that hold all
        of them."""
        from osler.verbs.screening import ScreenRequest, screening

        request = ScreenRequest(project=name, reviewer=reviewer, stage=stage, k=k, words=words)
        return screening(self.library, request)

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
        tags: Iterable[str] = (),
        resolves: bool = False,
    ) -> Project:
        """Keep one reviewer's word on a paper of the project."""
        entry = Decided(
            document=document,
            verdict=verdict,
            reviewer=_name(reviewer, "who decides"),
            stage=stage,
            reason=reason.strip(),
            note=note.strip(),
            tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
            resolves=resolves,
            at=now(),
        )

        def entries(project: Project) -> list[Entry]:
            _check(project, entry)
            return [entry]

        return self._add(name, entries)

    def not_retrieved(self, name: str, document: str, *, reviewer: str, note: str = "") -> Project:
        """Say that the full text of an included paper could not be had."""
        entry = NotRetrieved(
            document=document, reviewer=_name(reviewer, "who decides"), note=note.strip(), at=now()
        )

        def entries(project: Project) -> list[Entry]:
            if document not in project.at_stage("full text"):
                raise UnknownId(f"no full text of {document!r} is sought in this project")
            if project.words_on("full text", document):
                raise InputError("its full text was decided on already", cure="undo that first")
            return [entry]

        return self._add(name, entries)

    def undo(self, name: str, *, reviewer: str) -> Project:
        """Take back a reviewer's last decision; the log keeps both."""

        def entries(project: Project) -> list[Entry]:
            seq = last_of(project, reviewer)
            if seq is None:
                raise UnknownId("there is no decision of this reviewer to take back")
            return [TakenBack(seq=seq, reviewer=reviewer, at=now())]

        return self._add(name, entries)

    def undo_card(self, name: str) -> Project:
        """Take back the last change of a project's card; the log keeps both."""

        def entries(project: Project) -> list[Entry]:
            changes = project.card_changes()
            if not changes:
                raise UnknownId("the card was not changed since the project began")
            return [TakenBack(seq=changes[-1], reviewer="", at=now())]

        return self._add(name, entries)

    # -- the log ---------------------------------------------------------------------------------

    def _add(self, name: str, entries: Callable[[Project], Sequence[Entry]]) -> Project:
        """Append what ``entries`` makes of the project as it stands; nobody writes between."""
        self.get(name)
        with self.library._writing():
            self._append(name, entries(self.get(name)))
        return self.get(name)

    def _append(self, name: str, entries: Sequence[Entry]) -> None:
        self.log.append(
            name, [(type(entry).__name__, msgspec.json.encode(entry)) for entry in entries]
        )


def _card(before: Began, given: dict[str, Any]) -> Began:
    for field in given:
        if field not in Began.__struct_fields__ or field == "at":
            known = ", ".join(f for f in Began.__struct_fields__ if f != "at")
            raise InputError(f"a project has no {field}", cure=known)
    lists: dict[str, Any] = {
        field: tuple(dict.fromkeys(one.strip() for one in given[field] if one.strip()))
        for field in ("sources", "reasons", "highlights")
        if field in given
    }
    changed: dict[str, Any] = {**given, **lists, "at": now()}
    card = msgspec.structs.replace(before, **changed)
    if card.reviewers < 1:
        raise InputError("a project needs at least one reviewer")
    return card


def _check(project: Project, word: Decided) -> None:
    """Whether a decision may be made."""
    if word.document not in project.at_stage(word.stage):
        raise UnknownId(f"{word.document!r} is not among the project's papers at this stage")
    listed = project.card.reasons
    if word.reason and listed and word.reason not in listed:
        raise InputError("that is none of the project's reasons", cure=", ".join(listed))
    if word.resolves:
        sides = project.words_on(word.stage, word.document)
        if word.document not in project.conflicts(word.stage) or word.reviewer in sides:
            raise InputError("only a conflict is resolved, and by somebody who is no side of it")
        if word.verdict not in FINAL:
            raise InputError("a conflict ends with include or exclude")


def _name(text: str, whose: str) -> str:
    """A name of a person or a project, without blanks around it and signs that nobody sees."""
    name = plain_name(text)
    if not name:
        raise InputError(f"{whose} needs a name")
    if len(name) > min(LONGEST, MAX_NAME.get()):
        raise LimitError(f"a name has at most {LONGEST} characters")
    return name


def plain_name(text: str) -> str:
    """A name as it is kept."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def now() -> str:
    """This moment, as the log holds it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
