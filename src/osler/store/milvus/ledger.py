"""What a library's collections hold, noted beside them: how far they follow the truth, how long
fields are, and in how many documents each term stands.

Counts of terms change with every commit, and a commit may be cut off in the middle. So a count
keeps what it was before the commit that last touched it, and from which state that commit
started: done again from the same state it starts from the old count, done the first time from the
new one. The note of the new state comes last.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from osler.errors import RefusedError
from osler.store.milvus.connection import Connection
from osler.store.milvus.schema import FORMAT, Names
from osler.store.milvus.tokens import field_of

_NONE = [0.0, 0.0]
_REMEMBERED = 500_000
_PAIRS = 1_500
"""Pairs of numbers that a note has room for."""
FRESH = 1.0
"""Seconds for which a reader takes the state as it last saw it."""
WIDEST = 5_000
"""Terms that a truncated word may stand for."""


class State(msgspec.Struct, frozen=True):
    """How far words and passages have got, and their totals."""

    applied: int = 0
    documents: int = 0
    passages: int = 0
    lengths: dict[str, int] = {}
    """Tokens of each field, over all documents."""
    writing: bool = False
    """Versions newer than ``applied`` may be there: searches leave them out."""
    made: str = ""
    """A mark of these collections: when they are made anew, keys mean something else."""
    old: int = 0
    """So many notes name versions that this state replaced and that may still be there."""
    mark: str = ""
    """The truth's mark at ``applied`` (see ``osler.store.marks``)."""

    def average(self, field: str) -> float:
        count = self.passages if field == "text" else self.documents
        return self.lengths.get(field, 0) / count if count else 0.0

    def total(self, field: str) -> int:
        return self.passages if field == "text" else self.documents


class VectorState(msgspec.Struct, frozen=True):
    """How far the vectors under one encoder have got."""

    encoder: str
    dimension: int
    applied: int = 0
    mark: str = ""


class Force(msgspec.Struct, frozen=True):
    """Which generation of a library's collections is in force."""

    generation: int = 0


class Card(msgspec.Struct, frozen=True):
    """Whose collections these are."""

    format: int
    library: str


class Ledger:
    """Reads and writes the ledger's collection."""

    def __init__(self, connection: Connection, names: Names) -> None:
        self.connection = connection
        self.name = names.ledger
        self._state = State()
        self._read_at = -1e9
        self._counts: dict[str, int] = {}
        self._guard = threading.Lock()

    # -- notes ---------------------------------------------------------------------------------

    def _note(self, key: str) -> str | None:
        rows = self.connection.query(self.name, f'key == "#{key}"', ["note"], limit=1)
        return str(rows[0]["note"]) if rows else None

    def _write_note(self, key: str, value: msgspec.Struct) -> None:
        row = _row(f"#{key}", note=msgspec.json.encode(value).decode())
        self.connection.insert(self.name, [row])

    def card(self) -> Card | None:
        note = self._note("card")
        if note is None:
            return None
        try:
            card = msgspec.json.decode(note, type=Card)
        except msgspec.DecodeError:
            card = None
        if card is None or card.format > FORMAT:
            raise RefusedError(
                f"{self.name} was written by a newer osler", cure="install a newer osler"
            )
        return card

    def write_card(self, library: str) -> None:
        self._write_note("card", Card(FORMAT, library))

    def force(self) -> int:
        """The generation in force."""
        note = self._note("force")
        return msgspec.json.decode(note, type=Force).generation if note else 0

    def put_in_force(self, generation: int) -> None:
        self._write_note("force", Force(generation))

    def forget_words(self) -> None:
        """Drop the counts of terms and the state; whose collections these are stays."""
        self.connection.delete(self.name, 'key >= "$" or key < "#"')
        self.connection.delete(self.name, 'key == "#state" or key like "#replaced:%"')
        self._keep(State())

    def forget_gone(self) -> None:
        """Drop the counts of terms that stand in no document any more: they are words, too."""
        self.connection.delete(self.name, 'documents <= 0 and (key >= "$" or key < "#")')
        with self._guard:
            self._counts.clear()

    def vector_state(self, encoder: str) -> VectorState | None:
        return next((s for s in self.vector_states() if s.encoder == encoder), None)

    def vector_states(self) -> list[VectorState]:
        rows = self.connection.query(self.name, 'key like "#vectors:%"', ["note"], limit=1_000)
        return [msgspec.json.decode(row["note"], type=VectorState) for row in rows]

    def write_vector_state(self, state: VectorState) -> None:
        self._write_note(f"vectors:{state.encoder}"[:200], state)

    def forget_vectors(self, encoder: str) -> None:
        """There are no vectors of an encoder any more."""
        self.connection.delete(self.name, f'key == "{_quoted(f"#vectors:{encoder}"[:201])}"')

    def write_replaced(self, newest: Mapping[int, int]) -> int:
        """Note rows and the change that each is new at; in how many notes."""
        pairs = sorted(newest.items())
        starts = range(0, len(pairs), _PAIRS)
        for number, start in enumerate(starts):
            note = msgspec.json.encode(pairs[start : start + _PAIRS]).decode()
            self.connection.insert(self.name, [_row(f"#replaced:{number}", note=note)])
        return len(starts)

    def replaced(self, notes: int) -> dict[int, int]:
        by_row: dict[int, int] = {}
        for number in range(notes):
            note = self._note(f"replaced:{number}")
            by_row.update(msgspec.json.decode(note, type=list[tuple[int, int]]) if note else ())
        return by_row

    # -- the state -----------------------------------------------------------------------------

    def state(self) -> State:
        """The state, not older than a moment."""
        if time.monotonic() - self._read_at > FRESH:
            self.read()
        return self._state

    def read(self) -> State:
        """The state as it is now."""
        note = self._note("state")
        state = msgspec.json.decode(note, type=State) if note else State()
        self._keep(state)
        return state

    def write(self, state: State) -> None:
        self._write_note("state", state)
        self._keep(state)

    def _keep(self, state: State) -> None:
        with self._guard:
            if state.applied != self._state.applied or state.documents != self._state.documents:
                self._counts.clear()
            self._state = state
            self._read_at = time.monotonic()

    # -- terms ---------------------------------------------------------------------------------

    def frequencies(self, tokens: Iterable[str]) -> dict[str, int]:
        """In how many documents (or passages) each token stands."""
        wanted = set(tokens)
        self.state()
        known = {token: self._counts[token] for token in wanted if token in self._counts}
        missing = sorted(wanted - known.keys())
        if missing:
            frequencies = dict.fromkeys(missing, 0)
            rows = self.connection.get(self.name, missing, ["documents"])
            frequencies.update((row["key"], int(row["documents"])) for row in rows)
            with self._guard:
                if len(self._counts) > _REMEMBERED:
                    self._counts.clear()
                self._counts.update(frequencies)
            known.update(frequencies)
        return known

    def starting_with(self, prefix: str) -> list[str]:
        """The tokens that begin so and stand somewhere; at most one more than ``WIDEST``."""
        rows = self.connection.query(
            self.name, f'key like "{prefix}%" and documents > 0', ["documents"], limit=WIDEST + 1
        )
        return sorted(str(row["key"]) for row in rows)

    def add_counts(self, changes: Mapping[str, int], since: int) -> None:
        """Add to the counts of tokens, as part of a commit that starts from state ``since``."""
        tokens = sorted(token for token, change in changes.items() if change)
        for start in range(0, len(tokens), 10_000):
            part = tokens[start : start + 10_000]
            fields = ["documents", "before", "since"]
            held = {row["key"]: row for row in self.connection.get(self.name, part, fields)}
            rows = []
            for token in part:
                row = held.get(token)
                base = 0
                if row is not None:
                    base = int(row["before"] if row["since"] == since else row["documents"])
                rows.append(_row(token, documents=base + changes[token], before=base, since=since))
            self.connection.insert(self.name, rows)


def lengths(state: State, tokens: Mapping[str, int]) -> dict[str, int]:
    """The state's lengths of fields, changed by how often tokens came and went."""
    by_field = dict(state.lengths)
    for token, times in tokens.items():
        field = field_of(token)
        by_field[field] = by_field.get(field, 0) + times
    return by_field


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _row(
    key: str, *, documents: int = 0, before: int = 0, since: int = -1, note: str = ""
) -> dict[str, Any]:
    return {
        "key": key,
        "documents": documents,
        "before": before,
        "since": since,
        "note": note,
        "none": _NONE,
    }
