"""Reading sources into the truth: batches, the ledger, rejects, resuming after a kill."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from osler.errors import InputError, OslerError
from osler.files.reader import Item, Reader, recognise
from osler.files.source import Source
from osler.kinds import Deletion, Document, Entity, Pair, Reject, Triple
from osler.settings import BATCH
from osler.store.documents import Change, Documents
from osler.store.graph_rows import KNOWLEDGE, RECORDS, GraphRows
from osler.store.ledger import DONE, FAILED, READING, Entry, Ledger
from osler.store.truth import Truth

log = logging.getLogger(__name__)

Progress = Callable[[str, int], None]
"""Told the source's name and how many items of it are committed."""


@dataclass
class Summary:
    """What came of an ``add``: counts by outcome, rejects, files that were known or failed."""

    counts: Counter[str] = field(default_factory=Counter)
    rejects: list[Reject] = field(default_factory=list)
    """Records that could not be read, and ids that stood in a file twice."""
    already: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    terminology: bool = False
    notes: list[str] = field(default_factory=list)
    """What is left to do, for a person to know."""

    @property
    def clean(self) -> bool:
        return not self.counts["rejected"] and not self.failed


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
        self.ledger = ledger
        self.on_changes = on_changes
        self.progress = progress or (lambda name, count: None)
        self.revive = revive

    def read(
        self,
        source: Source,
        *,
        format: str | None,
        again: bool,
        summary: Summary,
        **options: Any,
    ) -> None:
        """One source. A file that was read whole before is not read again unless asked."""
        reader = recognise(source, format=format, **options)
        fingerprint = source.fingerprint()
        entry = self.ledger.find(fingerprint)
        if entry is not None and entry.state == DONE and not again:
            summary.already.append(source.name)
            return
        if entry is None or entry.state != READING or again or entry.format != reader.name:
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
        summary.terminology |= bool(entry.counts["entities"] or entry.counts["triples"])
        summary.counts.update(entry.counts)
        summary.rejects.extend(self.ledger.rejects(entry.number))

    def _finish(self, entry: Entry, state: str, error: str) -> None:
        entry.state, entry.error = state, error
        with self.truth.transaction() as connection:
            self.ledger.save(connection, entry)

    def _stream(self, reader: Reader, source: Source, entry: Entry) -> None:
        items = self.items(reader, source)
        seen: set[str] = set()
        skipped = 0
        for item in islice(items, entry.position):
            skipped += 1
            if isinstance(item, Document):
                seen.add(item.id)
        if skipped:
            log.info("%s: going on after %d items that are in already", source.name, skipped)
        graph = RECORDS if reader.gives == "records" else KNOWLEDGE
        size = BATCH.get()
        failure: OslerError | None = None
        while True:
            batch: list[Item] = []
            try:
                for item in islice(items, size):
                    batch.append(item)
            except OslerError as error:
                # What was whole before the break is kept; the break is reported after it.
                failure = error
            if batch:
                self._commit(batch, entry, graph, seen)
                self.progress(source.name, entry.position)
            if failure is not None:
                raise failure
            if len(batch) < size:
                break
        if entry.position == 0:
            raise InputError(f"{source.name} holds no record")

    def _commit(self, batch: list[Item], entry: Entry, graph: str, seen: set[str]) -> None:
        """A batch and the ledger's note of it, in one transaction."""
        changes: list[Change] = []
        counts: Counter[str] = Counter()
        rejects = [item for item in batch if isinstance(item, Reject)]
        documents: list[Document | Deletion] = [
            item for item in batch if isinstance(item, Document | Deletion)
        ]
        entities = [item for item in batch if isinstance(item, Entity)]
        triples = [item for item in batch if isinstance(item, Triple)]
        pairs = [item for item in batch if isinstance(item, Pair)]
        with self.truth.transaction() as connection:
            if documents:
                changes, outcomes = self.documents.write(connection, documents, revive=self.revive)
                for outcome, item in zip(outcomes, documents, strict=True):
                    counts[outcome.what] += 1
                    if isinstance(item, Document):
                        if item.id in seen:
                            counts["duplicates"] += 1
                            rejects.append(
                                Reject(
                                    entry.name,
                                    f"id {item.id}",
                                    f"the id stands in the file more than once: {outcome.what}",
                                    item.id,
                                )
                            )
                        seen.add(item.id)
            if entities:
                counts["entities"] += self.graphs.write_entities(
                    connection, graph, entities, entry.number
                )
            if triples:
                counts["triples"] += self.graphs.write_triples(
                    connection, graph, triples, entry.number
                )
            if pairs:
                counts["pairs"] += self.graphs.write_pairs(connection, pairs, entry.number)
            counts["rejected"] += sum(isinstance(item, Reject) for item in batch)
            self.ledger.reject(connection, entry, rejects)
            entry.counts.update({key: value for key, value in counts.items() if value})
            entry.position += len(batch)
            self.ledger.save(connection, entry)
        if changes:
            self.on_changes(changes)


def sources(paths: list[Any]) -> Iterator[Source]:
    for path in paths:
        yield path if isinstance(path, Source) else Source(path)
