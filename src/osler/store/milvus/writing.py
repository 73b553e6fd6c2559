"""Changes of documents on their way into Milvus, so that a cut at any moment does no harm.

1. The ledger notes that somebody writes: searches leave out versions newer than its state.
2. New versions go in under keys of their own. Done again, they replace themselves.
3. Counts of terms follow (see ``ledger``), then the note of the new state: from here on it counts.
4. Versions that were replaced or deleted go, and the ledger notes that too.

Whoever finds the note of step 1 first takes out what is newer than the state, and starts from it.
"""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from osler.errors import LimitError
from osler.store.documents import Change
from osler.store.milvus.connection import Connection
from osler.store.milvus.ledger import Ledger, State, lengths
from osler.store.milvus.rows import document_row, passage_rows
from osler.store.milvus.schema import Names

log = logging.getLogger(__name__)

BATCH = 1_000
"""Documents that are sent together."""
BETWEEN = 20_000
"""Documents after which a state is noted by itself: the counts of a whole library would fill the
memory."""
FLUSH = 500
"""Documents after which Milvus is asked to close its growing segments: they are searched slowly."""
_LISTED = 1_000


class Writer:
    """Takes changes in. One at a time writes: the caller holds the library's lock."""

    def __init__(
        self,
        connection: Connection,
        names: Names,
        ledger: Ledger,
        mark_of: Callable[[int], str | None] = lambda seq: "",
    ) -> None:
        self.connection = connection
        self.names = names
        self.ledger = ledger
        self.mark_of = mark_of
        self._forget()

    def _forget(self) -> None:
        self._base: State | None = None
        self._waiting: list[Change] = []
        self._counts: Counter[str] = Counter()
        self._lengths: Counter[str] = Counter()
        self._documents = 0
        self._passages = 0
        self._touched: dict[int, int] = {}
        self._taken = 0
        self._last = 0

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._taken)

    def apply(self, changes: Iterable[Change]) -> None:
        try:
            for change in changes:
                if change.seq <= self._start().applied:
                    continue
                self._waiting.append(change)
                self._last = change.seq
                if len(self._waiting) >= BATCH:
                    self._send()
            if self._taken >= BETWEEN:
                self.commit(self._last)
        except BaseException:
            self.abandon()
            raise

    def _start(self) -> State:
        """The state that this writing starts from."""
        if self._base is None:
            self._base = self.clean()
        return self._base

    def clean(self) -> State:
        """Take out what a writing that was cut off has left."""
        state = self.ledger.read()
        if state.writing:
            for name in (self.names.docs, self.names.passages):
                self.connection.delete(name, f"seq > {state.applied}")
        if state.old:
            self._remove_old(self.ledger.replaced(state.old))
        if state.writing or state.old:
            state = msgspec.structs.replace(state, writing=False, old=0)
            self.ledger.write(state)
        return state

    # -- taking in -----------------------------------------------------------------------------

    def _send(self) -> None:
        base = self._start()
        if not self._taken and not base.writing:
            self._base = base = msgspec.structs.replace(base, writing=True)
            self.ledger.write(base)
        documents: list[dict[str, Any]] = []
        parts: list[dict[str, Any]] = []
        for change in self._waiting:
            if not change.fresh:
                self._touched[change.row] = change.seq
            document = change.document
            if document is None:
                continue
            try:
                documents.append(document_row(change, document))
            except LimitError as error:
                log.warning("%s: it is not found by search", error)
                continue
            parts.extend(passage_rows(change, document))
        for row in documents:
            self._weigh(row["words"], 1)
        for row in parts:
            self._weigh(row["words"], 1)
        self._documents += len(documents)
        self._passages += len(parts)
        if documents:
            self.connection.insert(self.names.docs, documents)
        if parts:
            self.connection.insert(self.names.passages, parts)
        self._taken += len(self._waiting)
        self._waiting = []

    def _weigh(self, words: str, sign: int) -> None:
        times = Counter(words.split())
        for token, count in times.items():
            self._counts[token] += sign
            self._lengths[token[0]] += sign * count

    def _subtract_old(self, base: State) -> None:
        """What the touched rows were at the state that this started from no longer counts."""
        if not self._touched:
            return
        for name in (self.names.docs, self.names.passages):
            if name == self.names.passages and not base.passages:
                continue
            gone = 0
            for rows in _chunks(list(self._touched)):
                expression = f"row in [{_listed(rows)}] and seq <= {base.applied}"
                for page in self.connection.pages(name, expression, ["words"]):
                    for row in page:
                        self._weigh(row["words"], -1)
                    gone += len(page)
            if name == self.names.docs:
                self._documents -= gone
            else:
                self._passages -= gone

    # -- noting --------------------------------------------------------------------------------

    def commit(self, applied: int) -> None:
        """All that was applied becomes the state."""
        try:
            base = self._start()
            if self._waiting:
                self._send()
                base = self._start()
            if not self._taken:
                if applied > base.applied:
                    mark = self.mark_of(applied) or ""
                    self.ledger.write(msgspec.structs.replace(base, applied=applied, mark=mark))
                self._forget()
                return
            self._subtract_old(base)
            self.ledger.add_counts(self._counts, base.applied)
            if self._taken >= FLUSH:
                for name in (self.names.docs, self.names.passages, self.names.ledger):
                    self.connection.call("flush", name)
            touched = self._touched
            noted = self.ledger.write_replaced(touched)
            last = max(applied, self._last)
            state = State(
                applied=last,
                mark=self.mark_of(last) or "",
                documents=base.documents + self._documents,
                passages=base.passages + self._passages,
                lengths=lengths(base, self._lengths),
                made=base.made or uuid.uuid4().hex,
                old=noted,
            )
            self.ledger.write(state)
            if touched:
                self._remove_old(touched)
                self.ledger.write(msgspec.structs.replace(state, old=0))
            self._forget()
        except BaseException:
            self.abandon()
            raise

    def _remove_old(self, newest: dict[int, int]) -> None:
        """Versions of rows that have a newer one, or are deleted."""
        for name in (self.names.docs, self.names.passages):
            for rows in _chunks(list(newest)):
                stale: list[int] = []
                keys = "seq" if name == self.names.docs else "key"
                for page in self.connection.pages(
                    name, f"row in [{_listed(rows)}]", ["row", "seq"]
                ):
                    stale += [
                        int(row[keys]) for row in page if int(row["seq"]) < newest[int(row["row"])]
                    ]
                for part in _chunks(stale):
                    self.connection.delete(name, f"{keys} in [{_listed(part)}]")

    def abandon(self) -> None:
        """Forget what was applied since the last state; the next writing takes it out."""
        self._forget()


def _chunks(values: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(values), _LISTED):
        yield values[start : start + _LISTED]


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
