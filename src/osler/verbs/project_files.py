"""Projects in and out of files: references with decisions, of other programs and of our own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from osler.errors import ChoiceError, FormatError, InputError, UnknownId
from osler.files.source import Source
from osler.kinds import Document, Reject
from osler.review.entries import (
    Began,
    Decided,
    Entry,
    NotRetrieved,
    Searched,
    Stage,
    TakenBack,
    Verdict,
)
from osler.review.formats import log as whole_log
from osler.review.formats import reading
from osler.review.formats.seal import carried
from osler.review.project import Project
from osler.store.identity import apart, differ

if TYPE_CHECKING:
    from osler.library import Library
    from osler.verbs.projects import Projects

LOG = "log"


class Imported(msgspec.Struct, kw_only=True):
    """What came of a file: records = rejected + counted + returned. ``counted`` ones were
    identified by it, ``returned`` ones had come out of this project and were in it already.
    ``papers`` are new to the project, ``added`` new to the library."""

    records: int
    rejected: int
    counted: int
    returned: int
    papers: int
    added: int
    decisions: int
    damaged: int
    rejects: list[Reject]


def nothing_imported(reject: Reject) -> Imported:
    """What comes of a text that holds no reference at all."""
    return Imported(
        records=1,
        rejected=1,
        counted=0,
        returned=0,
        papers=0,
        added=0,
        decisions=0,
        damaged=0,
        rejects=[reject],
    )


def formats() -> dict[str, str]:
    """The formats that a project can be exported in, with what each is."""
    return {LOG: "the whole log, as JSON lines"} | {
        name: help for name, (_, help, _) in reading.WRITERS.items()
    }


def suffix_of(format: str) -> str:
    """How the name of a file in a format ends."""
    if format not in formats():
        raise ChoiceError("format", format, formats())
    return "jsonl" if format == LOG else reading.WRITERS[format][0]


def export(projects: Projects, name: str, format: str) -> bytes:
    """A project in a format, with every decision, reason, note and tag by reviewer."""
    suffix_of(format)
    project = projects.get(name)
    wanted = list(project.papers)
    if format == LOG:
        wanted = list(dict.fromkeys(id for one in project.searches for id in one.documents))
    held = {one.id: one for one in projects.library.documents(wanted)}
    # A paper that was removed from the library since still has its decisions.
    documents = [held.get(id) or Document(id=id) for id in wanted]
    if format == LOG:
        return whole_log.write(project, documents)
    return reading.written(format, carried(project, documents))


def import_file(
    projects: Projects,
    name: str,
    path: str | Path,
    *,
    source: str = "",
    query: str = "",
    decided: Verdict | None = None,
    reviewer: str = "",
    stage: Stage = "abstract",
    named: str = "",
) -> Imported:
    """Read a file into a project: RIS, CSV (ASReview's, Rayyan's, Covidence's, our own),
    EPPI-Reviewer's JSON, or a project's log. ``source`` names where its records were found, and
    ``query`` with which search; ``decided`` is the word (of ``reviewer``, at ``stage``) on records
    that carry none, for programs that part their exports by decision. ``named`` is what the file
    is called where it has another name on disk."""
    file = Source(path, name=named or None)
    if decided is not None and not reviewer.strip():
        raise InputError("a decision needs the name of who made it", cure="--by NAME")
    if whole_log.is_log(file):
        return _replay(projects, name, file)
    project = projects.get(name)
    papers, rejects = [], []
    for item in reading.read(file):
        if isinstance(item, Reject):
            rejects.append(item)
        else:
            papers.append(item)
    if not papers and not rejects:
        raise FormatError(
            f"{file.name} holds no reference", cure="RIS, CSV with a header, EPPI-Reviewer's JSON"
        )
    ids, added = _settled(projects.library, [paper.document for paper in papers])
    counted, words, missing, damaged = [], [], [], 0
    for paper, id in zip(papers, ids, strict=True):
        damaged += paper.damaged
        if not (id in project.papers and paper.sealed):
            counted.append(id)
        fresh = [msgspec.structs.replace(word, document=id) for word in paper.words]
        if not fresh and decided is not None:
            fresh = [Decided(document=id, verdict=decided, reviewer=reviewer, stage=stage)]
        words += _reached(project, fresh)
        if paper.missing is not None and id not in project.missing:
            missing.append(msgspec.structs.replace(paper.missing, document=id))
    words = [word for word in words if not _known(project, word)]
    entries: list[Entry] = []
    if counted or rejects:
        entries.append(_searched(file.name, source, query, counted, len(rejects)))
    entries += _wider(project, words)
    entries += sorted([*words, *missing], key=lambda one: one.at)
    if entries:
        projects._add(name, lambda _: _stamped(entries))
    return Imported(
        records=len(papers) + len(rejects),
        rejected=len(rejects),
        counted=len(counted),
        returned=len(papers) - len(counted),
        papers=len(projects.get(name).papers) - len(project.papers),
        added=added,
        decisions=len(words),
        damaged=damaged,
        rejects=rejects,
    )


def _searched(file: str, source: str, query: str, ids: Sequence[str], rejected: int) -> Searched:
    return Searched(
        query=query,
        source=source or file,
        file=file,
        identified=len(ids) + rejected,
        documents=tuple(ids),
    )


def _stamped(entries: Iterable[Entry]) -> list[Entry]:
    """Entries that have no time of their own get this one."""
    from osler.verbs.projects import now

    moment = now()
    return [one if one.at else msgspec.structs.replace(one, at=moment) for one in entries]


def _reached(project: Project, words: Sequence[Decided]) -> list[Decided]:
    """Words on a full text, with the inclusion that led to it where nobody has told that."""
    early = any(word.stage == "abstract" for word in words)
    late = [word for word in words if word.stage == "full text"]
    if early or not late or project.words_on("abstract", late[0].document):
        return list(words)
    implied = [
        Decided(document=word.document, verdict="include", reviewer=word.reviewer, at=word.at)
        for word in late
    ]
    return [*implied, *words]


def _known(project: Project, word: Decided) -> bool:
    """Whether a project holds that word already."""
    if word.resolves:
        held = project.resolved.get(word.stage, {}).get(word.document)
    else:
        held = project.words_on(word.stage, word.document).get(word.reviewer)
    return held is not None and (
        held == word or (not word.at and msgspec.structs.replace(held, at="") == word)
    )


def _wider(project: Project, words: Sequence[Decided]) -> list[Entry]:
    """The card with the reasons that a file brings, where the project has a list of its own."""
    listed = project.card.reasons
    more = dict.fromkeys(word.reason for word in words if word.reason not in ("", *listed))
    if not listed or not more:
        return []
    return [msgspec.structs.replace(project.card, reasons=(*listed, *more), at="")]


def _settled(library: Library, documents: Sequence[Document]) -> tuple[list[str], int]:
    """The ids under which papers stand in the library; those that it lacks are added. Of a paper
    that it has, its own record stays."""
    ids: list[str] = []
    fresh: dict[str, Document] = {}
    names: dict[tuple[str, str], str] = {}
    for document in documents:
        held = _held(library, document)
        for key in document.ids.items():
            held = held or names.get(key, "")
        if not held:
            document = _own_id(library, document, fresh)
            held = document.id
            fresh.setdefault(held, document)
            names |= dict.fromkeys(document.ids.items(), held)
        ids.append(held)
    if fresh:
        library.add_documents(fresh.values())
    return [library.document(id).id for id in ids], len(fresh)


def _held(library: Library, document: Document) -> str:
    """The id of the library's record of a paper; empty where it has none."""
    for name in (document.id, *document.ids.values()):
        try:
            known = library.document(name)
        except UnknownId:
            continue
        if not differ(known, document):
            return known.id
    return ""


def _own_id(library: Library, document: Document, fresh: dict[str, Document]) -> Document:
    """The document under an id that no other paper has: a number of another program's is no
    PMID."""
    taken = fresh.get(document.id)
    if taken is None:
        try:
            taken = library.document(document.id)
        except UnknownId:
            return document
    elif not differ(taken, document):
        return document
    return msgspec.structs.replace(document, id=apart(document))


def _replay(projects: Projects, name: str, file: Source) -> Imported:
    """Begin a project anew from a log; the numbers of its entries are other ones here."""
    if name in projects.names():
        raise InputError(
            "a log is read into a project of its own", cure="name one that does not exist yet"
        )
    lines = list(whole_log.read(file))
    documents = [line.document for line in lines if line.document is not None]
    ids, added = _settled(projects.library, documents)
    renamed = {document.id: id for document, id in zip(documents, ids, strict=True)}
    logged = [(line.seq, line.entry) for line in lines if line.entry is not None]
    if not logged or not isinstance(logged[0][1], Began):
        raise InputError(f"{file.name} does not begin with a project")
    with projects.library._writing():
        first = projects.library.truth.seq() + 1
        numbers = {seq: first + place for place, (seq, _) in enumerate(logged)}
        projects._append(name, [_renamed(entry, renamed, numbers) for _, entry in logged])
    project = projects.get(name)
    records = sum(max(one.identified, len(one.documents)) for one in project.searches)
    return Imported(
        records=records,
        rejected=0,
        counted=records,
        returned=0,
        papers=len(project.papers),
        added=added,
        decisions=sum(isinstance(entry, Decided) for _, entry in logged),
        damaged=0,
        rejects=[],
    )


def _renamed(entry: Entry, ids: dict[str, str], numbers: dict[int, int]) -> Entry:
    match entry:
        case Decided() | NotRetrieved():
            return msgspec.structs.replace(entry, document=ids.get(entry.document, entry.document))
        case TakenBack():
            return msgspec.structs.replace(entry, seq=numbers.get(entry.seq, 0))
        case Began():
            return entry
    return msgspec.structs.replace(
        entry, documents=tuple(ids.get(id, id) for id in entry.documents)
    )
