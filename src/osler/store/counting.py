"""What a search spreads over, and orders other than by relevance: the values of index entries.

``facets`` counts all documents that match, not the best of them; ``ordered`` sorts all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from osler.kinds import Document
from osler.kinds.query import Filter, Node
from osler.store.derived import Scored

ORDERS = {"date": "day", "journal": "named", "citations": "cited"}
"""Orders by the field of the index that each looks at; dates and counts fall, names rise."""
RISING = frozenset({"journal"})
LAST_NAME = "\U0010ffff"
"""Stands for the name of a journal that nobody gives: it comes last."""
UNKNOWN = -1
"""Stands for a number of citations that nobody gives."""
CITATIONS = ("citations", "times_cited", "Times Cited", "Cited by", "cited_by")
"""What exports call it."""
_TOGETHER = 500


def day(published: str) -> int:
    """A date as a number that rises with it: 2021-03 is 20210300; 0 without one."""
    parts = published.split("-")
    if not parts[0].isdigit():
        return 0
    numbers = [int(part) if part.isdigit() else 0 for part in (*parts, "0", "0")[:3]]
    return numbers[0] * 10_000 + numbers[1] * 100 + numbers[2]


def citations(document: Document) -> int:
    """How often a paper was cited, where its record says so."""
    for name in CITATIONS:
        held = str(document.metadata.get(name, "")).strip()
        if held.isascii() and held.isdigit() and len(held) < 9:
            return int(held)
    return UNKNOWN


def ranks(keys: Iterable[tuple[Any, int, int]]) -> list[Scored]:
    """Rows in the order of their keys, those with equal keys equal: scores 0, -1, -2 ..."""
    listed: list[Scored] = []
    last: Any = None
    place = 0
    for number, (key, row, seq) in enumerate(keys):
        if number and key != last:
            place -= 1
        last = key
        listed.append(Scored(row, seq, float(place)))
    return listed


class _Fetching(Protocol):
    def search_words(
        self, node: Node, k: int, filter: Filter | None = None
    ) -> Sequence[Scored]: ...

    def size(self) -> int: ...

    def fetch(self, rows: Sequence[int]) -> dict[int, tuple[int, Document]]: ...


class CountedByDocument:
    """``facets`` and ``ordered`` for an engine that has no columns of values: every document that
    matches is looked at."""

    def _entries(self: _Fetching, node: Node, filter: Filter | None) -> Iterator[Mapping[str, Any]]:
        from osler.store.words import entry

        rows = [scored.row for scored in self.search_words(node, max(1, self.size()), filter)]
        for start in range(0, len(rows), _TOGETHER):
            for row, (seq, document) in self.fetch(rows[start : start + _TOGETHER]).items():
                yield entry(row, seq, document)

    def facets(
        self, node: Node, fields: Sequence[str], most: int, filter: Filter | None = None
    ) -> dict[str, list[tuple[str, int]]]:
        counts: dict[str, Counter[str]] = {field: Counter() for field in fields}
        for fields_of_one in self._entries(node, filter):  # type: ignore[misc]
            for field, counter in counts.items():
                value = fields_of_one.get(field, ())
                values = value if isinstance(value, list) else [value] if value != () else []
                counter.update(map(str, values))
        return {field: counter.most_common(most) for field, counter in counts.items()}

    def ordered(self, node: Node, by: str, k: int, filter: Filter | None = None) -> list[Scored]:
        keys = [
            (entry[ORDERS[by]], entry["row"], entry["seq"])
            for entry in self._entries(node, filter)  # type: ignore[misc]
        ]
        keys.sort(key=lambda each: each[0], reverse=by not in RISING)
        return ranks(keys)
