"""Reading sources into the truth: batches, the ledger, rejects, resuming after a kill."""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from osler.errors import FormatError, InputError, OslerError
from osler.files.reader import Item, Reader, recognise
from osler.files.source import Source
from osler.kinds import Deletion, Document, Entity, Fact, Note, Pair, Reject, Triple
from osler.records.naming import default_name
from osler.settings import BATCH
from osler.store import joins
from osler.store.account import gap, told
from osler.store.documents import Change, Documents
from osler.store.facts import FactRows
from osler.store.graph_rows import KNOWLEDGE, RECORDS, GraphRows
from osler.store.ledger import DONE, FAILED, READING, Entry, Ledger
from osler.store.rehearsal import Rehearsal
from osler.store.sources import Sources
from osler.store.truth import Truth

log = logging.getLogger(__name__)

Progress = Callable[[str, int], None]
"""Told the source's name and how many items of it are committed."""


@dataclass
class Summary:
    """What came of an ``add``: counts by fate, rejects, notes, files that were known or failed."""

    counts: Counter[str] = field(default_factory=Counter)
    """``read`` and the words of ``account.FATES``, which make a sum; and rows that changed, by
    kind: ``entities``, ``triples``, ``pairs``."""
    rejects: list[Reject] = field(default_factory=list)
    """Records that could not be read."""
    remarks: list[Note] = field(default_factory=list)
    """Records that were merged, replaced or passed over, each with what was done to it."""
    already: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    terminology: bool = False
    notes: list[str] = field(default_factory=list)
    """What is left to do, for a person to know."""

    @property
    def clean(self) -> bool:
        return not self.counts["rejected"] and not self.failed

    @property
    def sum(self) -> str:
        """The sum in one line; "" where nothing was read."""
        return told(self.counts) if self.counts["read"] else ""


class Ingest:
    """Feeds sources to the truth, and the changes of documents to ``on_changes``."""

    def __init__(
        self,
        truth: Truth,
        documents: Documents,
        graphs: GraphRows,
        ledger: Ledger,
        *,
        on_changes: Callable[[list[Change]], None],
        progress: Progress | None = None,
        revive: bool = False,
        items: Callable[[Reader, Source], Iterator[Item]] | None = None,
    ) -> None:
        self.items = items or (lambda reader, source: reader.read(source))
        self.truth = truth
        self.documents = documents
        self.graphs = graphs
        self.facts = FactRows(truth)
        self.sources = Sources(truth)
        self.ledger = ledger
        self.on_changes = on_changes
        self.progress = progress or (lambda name, count: None)
        self.revive = revive

    def read_all(
        self,
        sources: Sequence[Source],
        *,
        format: str | None,
        again: bool,
        summary: Summary,
        **options: Any,
    ) -> None:
        """Each source. One of no known format is named as failed, and the others are read; alone,
        it is an error. A folder of no known shape is read file by file."""
        for source in sources:
            try:
                reader = recognise(source, format=format, **options)
            except InputError as error:
                inside = _files(source, summary) if source.is_folder and format is None else []
                if inside:
                    self.read_all(inside, format=None, again=again, summary=summary, **options)
                elif len(sources) == 1:
                    raise
                else:
                    summary.failed[source.name] = str(error)
                continue
            self.read(source, reader, again=again, summary=summary, options=options)

    def read(
        self,
        source: Source,
        reader: Reader,
        *,
        again: bool,
        summary: Summary,
        options: Mapping[str, Any],
    ) -> None:
        """One source. A file that was read whole before, with the same options, is not read again
        unless asked."""
        fingerprint = source.fingerprint() + _marked(options)
        entry = self.ledger.find(fingerprint)
        if entry is not None and entry.state == DONE and not again:
            summary.already.append(source.name)
            return
        if reader.gives == "records":
            self._name_source(reader, source)
        if (
            entry is None
            or entry.state != READING
            or again
            or entry.format != reader.name
            or (entry.position and not entry.counts["read"])
        ):
            with self.truth.transaction() as connection:
                entry = self.ledger.start(
                    connection, fingerprint=fingerprint, name=source.name, format=reader.name
                )
        try:
            self._stream(reader, source, entry)
        except OslerError as error:
            self._finish(entry, FAILED, f"{error.code} {error.message}")
            summary.failed[source.name] = str(error)
            log.warning("%s was not read to its end: %s", source.name, error)
        else:
            self._finish(entry, DONE, "")
        if entry.counts["facts"]:
            with self.truth.transaction() as connection:
                joins.apply(connection)
        summary.terminology |= bool(entry.counts["entities"] or entry.counts["triples"])
        summary.counts.update(entry.counts)
        summary.rejects.extend(self.ledger.rejects(entry.number))
        summary.remarks.extend(self.ledger.notes(entry.number))

    def _name_source(self, reader: Reader, source: Source) -> None:
        """Whose patients these are: nobody of one source is taken for somebody of another."""
        given = str(reader.options.get("source") or reader.options.get("dataset") or "")
        with self.truth.transaction() as connection:
            reader.options["source"] = self.sources.name(
                connection,
                str(source.path.resolve()),
                default=default_name(source),
                given=given,
            )

    def _finish(self, entry: Entry, state: str, error: str) -> None:
        entry.state, entry.error = state, error
        with self.truth.transaction() as connection:
            self.ledger.save(connection, entry)

    def _stream(self, reader: Reader, source: Source, entry: Entry) -> None:
        # Workers do not know the names of sources: records are read here.
        given = reader.read(source) if reader.gives == "records" else self.items(reader, source)
        items = _guarded(given, reader, source)
        seen: set[str] = set()
        skipped = 0
        for item in islice(items, entry.position):
            skipped += 1
            if isinstance(item, Document):
                seen.add(item.id)
        if skipped:
            log.info("%s: going on after %d items that are in already", source.name, skipped)
        size = BATCH.get()
        failure: OslerError | None = None
        while True:
            batch: list[Item] = []
            read = 0
            try:
                for item in islice(items, size):
                    batch.append(item)
                    read += item.count if isinstance(item, Note) else 1
            except OslerError as error:
                # What was whole before the break is kept; the break is reported after it.
                failure = error
            if batch:
                entry.counts["read"] += read
                self._commit(batch, entry, reader, seen)
                self.progress(source.name, entry.position)
            if failure is not None:
                raise failure
            if len(batch) < size:
                break
        if entry.position == 0:
            raise InputError(f"{source.name} holds no record")
        if gap(entry.counts):
            raise InputError(
                f"{source.name}: the sum does not hold, {told(entry.counts)}",
                cure="this is a fault of Osler's: records of this file may be missing",
            )

    def _commit(self, batch: list[Item], entry: Entry, reader: Reader, seen: set[str]) -> None:
        """A batch and the ledger's word on it, in one transaction."""
        graph = RECORDS if reader.gives == "records" else KNOWLEDGE
        changes: list[Change] = []
        counts: Counter[str] = Counter()
        rejects = [item for item in batch if isinstance(item, Reject)]
        notes = [item for item in batch if isinstance(item, Note)]
        documents: list[Document | Deletion] = [
            item for item in batch if isinstance(item, Document | Deletion)
        ]
        entities = [item for item in batch if isinstance(item, Entity)]
        triples = [item for item in batch if isinstance(item, Triple)]
        pairs = [item for item in batch if isinstance(item, Pair)]
        facts = [item for item in batch if isinstance(item, Fact)]
        counts["rejected"] = len(rejects)
        for note in notes:
            counts[note.what] += note.count
        with self.truth.transaction() as connection:
            if documents:
                changes, outcomes = self.documents.write(
                    connection, documents, revive=self.revive, keep=True, own_ids=reader.own_ids
                )
                for outcome, item in zip(outcomes, documents, strict=True):
                    what, reason = outcome.what, outcome.note
                    if isinstance(item, Document) and outcome.id in seen:
                        what = "merged" if what == "unchanged" else what
                        reason = "; ".join(filter(None, (_TWICE, reason)))
                    seen.add(outcome.id)
                    counts[what] += 1
                    if reason and what not in ("unchanged", "withdrawn"):
                        # The words are those of the notes' kind.
                        place = f"id {item.id}"
                        notes.append(Note(entry.name, place, what, reason, outcome.id))  # type: ignore[arg-type]
            # Before the graph: a record that is replaced takes its old nodes with it.
            fates = self.facts.write(connection, facts, entry.number)
            counts.update(fates)
            counts["facts"] += len(facts)
            notes.extend(_changed(entry, "facts", fates))
            for kind, fates in (
                ("entities", self.graphs.write_entities(connection, graph, entities, entry.number)),
                ("triples", self.graphs.write_triples(connection, graph, triples, entry.number)),
                ("pairs", self.graphs.write_pairs(connection, pairs, entry.number)),
            ):
                counts.update(fates)
                counts[kind] += fates.total() - fates["unchanged"]
                notes.extend(_changed(entry, kind, fates))
            self.ledger.reject(connection, entry, rejects)
            self.ledger.note(connection, entry, notes)
            entry.counts.update({key: value for key, value in counts.items() if value})
            entry.position += len(batch)
            self.ledger.save(connection, entry)
        if changes:
            self.on_changes(changes)


_TWICE = "its id stands in the file more than once"


def _changed(entry: Entry, kind: str, fates: Counter[str]) -> Iterator[Note]:
    """One note a batch for rows of a graph: each is told by its id in the graph itself."""
    place = f"items {entry.position + 1:,} and on"
    if count := fates["merged"]:
        reason = f"{kind} that were known gained what is new in the file"
        yield Note(entry.name, place, "merged", reason, count=count)
    if count := fates["skipped"]:
        reason = f"{kind} that are older than those with the same id"
        yield Note(entry.name, place, "skipped", reason, count=count)
    if count := fates["replaced"]:
        reason = f"{kind} took the place of those with the same id"
        yield Note(entry.name, place, "replaced", reason, count=count)


def _guarded(items: Iterator[Item], reader: Reader, source: Source) -> Iterator[Item]:
    """A reader's own mistake is the end of its file, not of the batch. Its message is left out:
    it may quote the file."""
    try:
        yield from items
    except (OslerError, MemoryError, OSError):
        raise
    except Exception as error:
        raise FormatError(
            f"{source.name} could not be read to its end: the reader {reader.name} failed "
            f"({type(error).__name__})",
            cure="please report it, with the file if you may",
        ) from error


def _marked(options: Mapping[str, Any]) -> str:
    """What tells readings of one file apart: the options that are plain values."""
    plain = {
        key: value
        for key, value in options.items()
        if value and isinstance(value, str | int | float | list | tuple | dict)
    }
    if not plain:
        return ""
    text = json.dumps(plain, sort_keys=True, default=str)
    return f":{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _files(folder: Source, summary: Summary) -> list[Source]:
    """The files of a folder of no known shape, those that begin with a dot left out and told."""
    paths = sorted(path for path in folder.path.rglob("*") if path.is_file())
    names = {path: path.relative_to(folder.path) for path in paths}
    hidden = [p for p in paths if any(part.startswith(".") for part in names[p].parts)]
    if hidden:
        summary.notes.append(f"{folder.name}: {len(hidden)} hidden files were not read")
    return [
        Source(path, name=f"{folder.name}/{names[path].as_posix()}")
        for path in paths
        if path not in set(hidden)
    ]


def rehearse(
    truth: Truth,
    listed: Sequence[Source],
    summary: Summary,
    *,
    format: str | None,
    revive: bool,
    **options: Any,
) -> None:
    """What reading these would come to; the truth stays as it is. Known files are read as well:
    the question is what they would change."""
    tried = Rehearsal(truth)
    ingest = Ingest(
        tried,
        Documents(tried),
        GraphRows(tried),
        Ledger(tried),
        on_changes=lambda changes: None,
        revive=revive,
    )
    with tried.trying():
        ingest.read_all(listed, format=format, again=True, summary=summary, **options)


def sources(paths: list[Any]) -> Iterator[Source]:
    for path in paths:
        yield path if isinstance(path, Source) else Source(path)
