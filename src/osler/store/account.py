"""The sum that every import must make: each record that came in has one fate, and all are told.

    read = stored + merged + replaced + unchanged + withdrawn + skipped + rejected

``read`` is counted where items leave the reader, the other side where the store says what it did
with each. They are two counts by two hands: where they differ, a record was lost.
"""

from __future__ import annotations

from collections.abc import Mapping

FATES = {
    "stored": "is new in the library",
    "merged": "became a part of a record that is there; a note says of which",
    "replaced": "took the place of an earlier description; a note names the fields",
    "unchanged": "is there already, word for word",
    "withdrawn": "is a withdrawal, and took a document out or keeps it out",
    "skipped": "was passed over by a rule; a note names the rule",
    "rejected": "cannot be read; a reject gives the reason",
}
"""What can become of a record, in the order in which they are shown."""


def gap(counts: Mapping[str, int]) -> int:
    """Records that were read and have no fate; 0 when the sum is right."""
    return counts.get("read", 0) - sum(counts.get(fate, 0) for fate in FATES)


def told(counts: Mapping[str, int]) -> str:
    """``1,000 read = 980 stored + 20 rejected``: the sum in one line."""
    parts = [f"{counts[fate]:,} {fate}" for fate in FATES if counts.get(fate)]
    sign = "=" if not gap(counts) else "≠"
    return f"{counts.get('read', 0):,} read {sign} {' + '.join(parts) or '0'}"
