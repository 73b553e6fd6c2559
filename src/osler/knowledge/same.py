"""Which entities are the same thing in different terminologies.

Two entities are the same when one xrefs the other, or when both xref the same concept of a
terminology that others are mapped to (a UMLS CUI, a SNOMED CT id), even one that the graph does
not hold. An xref that many entities share is too broad to join them.
"""

from __future__ import annotations

from collections.abc import Iterable

from osler.knowledge.ids import terminology

HUBS = frozenset({"UMLS", "SCTID", "MESH", "OMIM", "ORPHA"})
MOST = 6


def same(
    ids: dict[str, int], xrefs: Iterable[tuple[int, str]], *, shared: bool = True
) -> list[tuple[int, int]]:
    """Pairs of numbers (each both ways, in order) out of (number, xref) pairs."""
    pairs: set[tuple[int, int]] = set()
    through: dict[str, list[int]] = {}
    terms: dict[int, str] = {}
    names = {number: id for id, number in ids.items()} if shared else {}
    for number, xref in xrefs:
        other = ids.get(xref)
        if other is not None:
            if other != number:
                pairs.add((number, other))
                pairs.add((other, number))
        elif shared and terminology(xref) in HUBS:
            through.setdefault(xref, []).append(number)
            terms[number] = terminology(names[number])
    for numbers in through.values():
        if 2 <= len(numbers) <= MOST:
            for a in numbers:
                for b in numbers:
                    if terms[a] != terms[b]:
                        pairs.add((a, b))
    return sorted(pairs)
