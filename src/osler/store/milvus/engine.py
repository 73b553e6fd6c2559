"""The engine on Milvus: derived from the truth like the embedded one, and caught up like it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from osler.errors import InputError, RefusedError
from osler.kinds import Document
from osler.kinds.query import Filter, Node
from osler.store.compile import DEFAULT_WEIGHTS, plain_text_only
from osler.store.counting import CountedByDocument
from osler.store.derived import Scored
from osler.store.documents import Change
from osler.store.engine import Floats, Purged
from osler.store.layout import Layout
from osler.store.milvus import schema
from osler.store.milvus.connection import Connection
from osler.store.milvus.filters import filter_expression
from osler.store.milvus.index import WordSearch
from osler.store.milvus.ledger import FRESH, Ledger
from osler.store.milvus.place import Place
from osler.store.milvus.rows import document_of
from osler.store.milvus.tokens import label, token
from osler.store.milvus.vectors import Vectors
from osler.store.milvus.writing import Writer
from osler.store.passages import Passage, ScoredPassage
from osler.store.vectors import Nearest

PASSAGE_FIELDS = ["key", "row", "seq", "words", "section", "start", "stop"]
_ROWS = 5_000
"""Rows that are asked for together."""
COMPACTS = (
    "Milvus has deleted it and keeps the bytes until it compacts and clears its old files; osler "
    "rebuild writes the collections again"
)
DOCUMENT_FIELDS = ["seq", "row", "words", "year", "labels"]


class MilvusEngine(CountedByDocument):
    """A library's words, passages and vectors in Milvus.

    ``library`` is the library's own mark: collections of another one are refused. Without it the
    engine only reads whatever library is there: a replica. Nothing is connected to before the
    first question, so that a library opens while its Milvus is away.
    """

    name = "milvus"

    def __init__(self, place: Place, *, library: str = "", layout: Layout | None = None) -> None:
        self.place = place
        self.library = library
        if layout is not None:
            self.layout = layout
        self.mark_of: Callable[[int], str | None] = lambda seq: ""
        self.connection = Connection(place)
        self.base = schema.Names(place.collection)
        self._card = Ledger(self.connection, self.base)
        self._vectors = Vectors(self.connection, self.base, self._card)
        self._looked: float | None = None
        self._building = False
        self._again: set[str] = set()
        self._open(0)

    def _open(self, generation: int) -> None:
        """Take a generation of the collections; vectors have none, they are replaced by row."""
        self.generation = generation
        self.names = self.base.of(generation)
        self.ledger = Ledger(self.connection, self.names) if generation else self._card
        self.words = WordSearch(
            self.connection, self.names.docs, self.ledger, key="seq", fields=DOCUMENT_FIELDS
        )
        self.passages = WordSearch(
            self.connection, self.names.passages, self.ledger, key="key", fields=PASSAGE_FIELDS
        )
        self._writer = Writer(
            self.connection, self.names, self.ledger, lambda seq: self.mark_of(seq)
        )

    @property
    def _ready(self) -> bool:
        """The collections are there and ours, which is looked at once; and these are the ones in
        force, which a rebuild elsewhere changes."""
        now = time.monotonic()
        if self._looked is None:
            self._look_first()
        elif self._building or now - self._looked < FRESH:
            return True
        self._looked = now
        generation = self._card.force()
        if generation != self.generation:
            self._open(generation)
        return True

    def _look_first(self) -> None:
        there = self.connection.call("has_collection", self.base.ledger)
        if not self.library and not there:
            raise RefusedError(
                f"there is no library {self.place.collection!r} in this Milvus",
                cure="osler new LIB --engine milvus makes one; --collection names another",
            )
        generation = 0
        if there:
            schema.create_ledger(self.connection, self.base)
            generation = self._card.force()
        schema.create(self.connection, self.base.of(generation))
        card = self._card.card()
        if not self.library:
            if card is None:
                raise RefusedError(f"{self.base.ledger} was made by something else")
        elif card is None:
            self._card.write_card(self.library)
        elif card.library != self.library:
            raise RefusedError(
                f"the collections {self.place.collection!r} belong to another library",
                cure="name others with --collection",
            )

    # -- the truth that this follows -------------------------------------------------------------

    mends = False
    """Collections that follow another truth may be another copy's of the library: they are not
    taken over unless somebody asks."""

    def astray(self) -> dict[str, int]:
        if self.read_only or not self._ready:
            return {}
        state = self.ledger.read()
        noted = {"the collections of Milvus": (state.applied, state.mark)}
        for vectors in self._card.vector_states():
            noted[f"the vectors of {vectors.encoder}"] = (vectors.applied, vectors.mark)
        return {
            what: applied
            for what, (applied, mark) in noted.items()
            if applied and self.mark_of(applied) != mark
        }

    def put_right(self, astray: Iterable[str]) -> None:
        for vectors in self._card.vector_states() if self._may_write() else ():
            if f"the vectors of {vectors.encoder}" in astray:
                self.connection.call("drop_collection", self.base.vectors(vectors.encoder))
                self._card.forget_vectors(vectors.encoder)
        self._vectors.forget()
        if "the collections of Milvus" in astray:
            self.begin_anew()

    def begin_anew(self) -> None:
        if not self._may_write() or self._building:
            return
        self._writer.abandon()
        newer = self.generation + 1
        _drop(self.connection, self.base.of(newer))
        self._building = True
        self._open(newer)
        schema.create(self.connection, self.names)

    def _end_anew(self) -> None:
        """Put the new generation in force. Readers look every second: the old one goes when they
        have had time to."""
        old = self.base.of(self.generation - 1)
        self._card.put_in_force(self.generation)
        self._building = False
        time.sleep(2 * FRESH)
        if self.generation == 1:
            for name in (old.docs, old.passages):
                self.connection.call("drop_collection", name)
            self._card.forget_words()
        else:
            _drop(self.connection, old)

    def begin_vectors(self, encoder: str, dimension: int) -> None:
        self._again.add(encoder)

    def end_vectors(self, encoder: str) -> bool:
        self._again.discard(encoder)
        return True

    # -- words and passages --------------------------------------------------------------------

    def applied(self) -> int:
        return self.ledger.read().applied if self._ready else 0

    @property
    def read_only(self) -> bool:
        return not self.library

    def settled(self) -> bool:
        if not self._ready:
            return False
        state = self.ledger.read()
        # What is unsettled is the library's to finish, not a replica's.
        return self.read_only or not (self._building or state.writing or state.old)

    def _may_write(self) -> bool:
        if self.read_only:
            raise InputError("a replica only reads", cure="write to the library that it is of")
        return self._ready

    def apply(self, changes: Iterable[Change]) -> None:
        if self._may_write():
            self._writer.apply(changes)

    def commit(self, applied: int) -> None:
        if self._may_write():
            self._writer.commit(applied)
            if self._building:
                self._end_anew()

    def abandon(self) -> None:
        self._again.clear()
        self._writer.abandon()
        if self._building:
            self._building = False
            self._open(self.generation - 1)

    def reload(self) -> None:
        if self._ready:
            self.ledger.read()
            self._vectors.forget()

    def search_words(
        self,
        node: Node,
        k: int,
        filter: Filter | None = None,
        *,
        weights: dict[str, float] | None = None,
    ) -> list[Scored]:
        if not self._ready:
            return []
        hits = self.words.search(
            node, k, weights=weights or DEFAULT_WEIGHTS, within=filter_expression(filter)
        )
        return [Scored(each.held.row, each.held.seq, each.score) for each in hits]

    def search_passages(self, node: Node, k: int) -> list[ScoredPassage]:
        if not self._ready or not self.ledger.state().passages or not plain_text_only(node):
            return []
        best: dict[int, ScoredPassage] = {}
        for held, score in self.passages.search(node, 3 * k, weights={"text": 1.0}):
            if held.row not in best:
                best[held.row] = ScoredPassage(held.row, held.seq, score, Passage(*held.place))
        return list(best.values())[:k]

    def count(self, node: Node, filter: Filter | None = None) -> int:
        if not self._ready:
            return 0
        return self.words.count(node, weights=DEFAULT_WEIGHTS, within=filter_expression(filter))

    def document_frequency(self, term: str, field: str | None = None) -> int:
        if not self._ready:
            return 0
        fields = (field,) if field else ("title", "abstract")
        return max(self.ledger.frequencies([token(name, term) for name in fields]).values())

    def terms(self, beginning: str, most: int, lengths: range | None = None) -> list[str]:
        # The server keeps tokens of no field's own dictionary: the terminology has to do.
        return []

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        if not self._ready:
            return dict.fromkeys(terms, 0)
        fields = ("title", "abstract")
        frequencies = self.ledger.frequencies([token(f, term) for term in terms for f in fields])
        return {term: max(frequencies[token(f, term)] for f in fields) for term in terms}

    def average_length(self, field: str) -> float:
        return self.ledger.state().average(field) if self._ready else 0.0

    # -- documents, for replicas -----------------------------------------------------------------

    def size(self) -> int:
        """How many documents there are."""
        return self.ledger.state().documents if self._ready else 0

    def fetch(self, rows: Sequence[int]) -> dict[int, tuple[int, Document]]:
        """Documents by row with the change that each is at; the newest where two are there."""
        listed = ", ".join(str(int(row)) for row in rows)
        return self._fetch(f"row in [{listed}]") if rows else {}

    def current(self, rows: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Ids by row, each with the change that it is at."""
        by_row: dict[int, tuple[str, int]] = {}
        for start in range(0, len(rows), _ROWS):
            listed = ", ".join(str(int(row)) for row in rows[start : start + _ROWS])
            for row in self._listed(f"row in [{listed}]", ["row", "seq", "id"]):
                number, seq = int(row["row"]), int(row["seq"])
                if seq > by_row.get(number, ("", 0))[1]:
                    by_row[number] = (row["id"], seq)
        return by_row

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """Rows by id."""
        wanted = set(ids)
        by_id: dict[str, int] = {}
        for start in range(0, len(ids), _ROWS):
            listed = ", ".join(str(label("id", id)) for id in ids[start : start + _ROWS])
            any_of = f"array_contains_any(labels, [{listed}])"
            for row in self._listed(any_of, ["row", "id", "seq"]):
                if row["id"] in wanted:
                    by_id[row["id"]] = int(row["row"])
        return by_id

    def changed_since(self, seq: int) -> int:
        """How many documents are newer than a change."""
        return self.connection.count(self.names.docs, f"seq > {seq}") if self._ready else 0

    def pages(self) -> Iterator[Document]:
        """Every document, in the order in which they came in."""
        if not self._ready:
            return
        applied = self.ledger.state().applied
        fields = ["row", "seq", "id", "body"]
        for page in self.connection.pages(self.names.docs, f"seq <= {applied}", fields):
            for row in page:
                yield document_of(row)

    def find(self, id: str) -> Document | None:
        """A document by its id, or by a PMID, DOI or PMCID."""
        for marks in ([label("id", id)], [label("name", id), label("name", id.lower())]):
            listed = ", ".join(map(str, marks))
            entities = self._fetch(f"array_contains_any(labels, [{listed}])")
            for _, document in entities.values():
                return document
        return None

    def _fetch(self, expression: str) -> dict[int, tuple[int, Document]]:
        by_row: dict[int, tuple[int, dict[str, Any]]] = {}
        for row in self._listed(expression, ["row", "seq", "id", "body"]):
            number, seq = int(row["row"]), int(row["seq"])
            if seq > by_row.get(number, (0, {}))[0]:
                by_row[number] = (seq, row)
        return {number: (seq, document_of(row)) for number, (seq, row) in by_row.items()}

    def _listed(self, expression: str, fields: list[str]) -> list[dict[str, Any]]:
        """Rows of documents that count at the ledger's state."""
        if not self._ready:
            return []
        applied = self.ledger.state().applied
        rows = self.connection.query(self.names.docs, expression, fields, limit=2 * _ROWS)
        return [row for row in rows if int(row["seq"]) <= applied]

    # -- vectors -------------------------------------------------------------------------------

    def vectors_applied(self, encoder: str, dimension: int) -> int:
        if not self._ready:
            return 0
        applied = self._vectors.applied(encoder, dimension)
        if encoder in self._again:
            self._again.discard(encoder)
            return 0
        return applied

    def add_vectors(
        self,
        encoder: str,
        rows: Sequence[int],
        seqs: Sequence[int],
        vectors: Floats,
        *,
        applied: int,
        documents: Sequence[Document | None] | None = None,
    ) -> None:
        if self._may_write():
            mark = self.mark_of(applied) or ""
            self._vectors.add(
                encoder, rows, seqs, vectors, applied=applied, documents=documents, mark=mark
            )

    def search_vectors(
        self, encoder: str, vector: Floats, k: int, filter: Filter | None = None
    ) -> Nearest:
        assert self._ready
        return self._vectors.search(encoder, vector, k, filter_expression(filter))

    def vectors_of(self, encoder: str, rows: Sequence[int]) -> tuple[list[int], Floats]:
        assert self._ready
        return self._vectors.vectors_of(encoder, rows)

    def vector_count(self, encoder: str) -> int:
        return self._vectors.count(encoder) if self._ready else 0

    def encoders(self) -> list[str]:
        """The encoders that vectors were made with."""
        return [state.encoder for state in self._card.vector_states()] if self._ready else []

    def purge(self, rows: Sequence[int], fetch: Callable[[list[int]], Iterable[Change]]) -> Purged:
        """Delete vectors of rows and counts of words that stand nowhere any more, and ask Milvus to
        compact: when it does, and when it lets go of old files, is its own affair."""
        if not self._may_write():
            return Purged(0, 0)
        gone = 0
        for state in self._card.vector_states() if rows else ():
            name = self.base.vectors(state.encoder)
            listed = f"row in [{', '.join(map(str, rows))}]"
            gone += self.connection.count(name, listed)
            self.connection.delete(name, listed)
        if self.settled():
            # A commit that was cut off still needs what the counts were before it.
            self.ledger.forget_gone()
        for name in (self.names.docs, self.names.passages, self.names.ledger):
            with contextlib.suppress(RefusedError):
                self.connection.call("compact", name)
        self._vectors.forget()
        return Purged(0, gone, (COMPACTS,))

    # -- care ----------------------------------------------------------------------------------

    def check(self) -> Iterator[str]:
        if not self._ready:
            return
        state = self.ledger.read()
        if state.writing or state.old:
            yield "Milvus: a writing was cut off; the next add finishes it"
            return
        for name, expected in (
            (self.names.docs, state.documents),
            (self.names.passages, state.passages),
        ):
            held = self.connection.count(name)
            if held != expected:
                yield f"Milvus: {name} holds {held} rows, its ledger says {expected}"
        for vectors in self._card.vector_states():
            if not self.connection.call("has_collection", self.base.vectors(vectors.encoder)):
                yield f"Milvus: the vectors of {vectors.encoder} are missing"

    def erase(self) -> None:
        self.abandon()
        if not self._may_write():
            return
        for state in self._card.vector_states():
            self.connection.call("drop_collection", self.base.vectors(state.encoder))
        _drop(self.connection, self.names)
        _drop(self.connection, self.base)
        self._looked = None
        self._card = Ledger(self.connection, self.base)
        self._vectors = Vectors(self.connection, self.base, self._card)
        self._open(0)
        assert self._ready

    def close(self) -> None:
        self.abandon()
        self.connection.close()


def _drop(connection: Connection, names: schema.Names) -> None:
    """Drop a generation of collections."""
    for name in (names.docs, names.passages, names.ledger):
        if connection.call("has_collection", name):
            connection.call("drop_collection", name)
