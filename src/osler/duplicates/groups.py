"""Groups of records that are probably the same paper.

Only records that share a block are compared: the same DOI, the same beginning of the title's
rarest-first words, or the same author, year and page. A block that is too large says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import msgspec

from osler.duplicates.compare import Record, probability
from osler.stopping import check_stopped

SURE = 0.9
"""Pairs below this are not listed."""
UNLIKE = 0.5
"""Two records that are less probably one paper never stand in one group."""
_BLOCK = 60
"""Records of a block: more of them share a key that says nothing ("editorial")."""


class Duplicate(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a group: how probable it is that another record of it is the same paper."""

    group: int
    id: str
    probability: float
    title: str = ""


def _keys(record: Record) -> Iterator[tuple[str, ...]]:
    if record.doi:
        yield "doi", record.doi
    words = record.title.split()
    if words:
        yield "start", "".join(words)[:24]
        yield "end", "".join(words)[-24:]
        long = sorted(set(words), key=lambda word: (-len(word), word))[:3]
        yield "words", *long
    if record.page and record.year is not None:
        yield "place", str(record.year), record.page, record.volume.split(" ")[0]


def pairs(
    records: Iterable[Record], apart: Collection[frozenset[str]] = ()
) -> Iterator[tuple[str, str, float]]:
    """Pairs that are probably one paper; ``apart`` are pairs of which somebody said they are
    not."""
    listed = list(records)
    blocks: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, record in enumerate(listed):
        for key in _keys(record):
            blocks[key].append(at)
    seen: set[tuple[int, int]] = set()
    for block in blocks.values():
        if not 1 < len(block) <= _BLOCK:
            continue
        check_stopped()
        for place, one in enumerate(block):
            for other in block[place + 1 :]:
                if (one, other) in seen:
                    continue
                seen.add((one, other))
                a, b = listed[one], listed[other]
                if frozenset((a.id, b.id)) in apart:
                    continue
                sure = probability(a, b)
                if sure >= SURE:
                    yield a.id, b.id, sure


def groups(records: Iterable[Record], apart: Collection[frozenset[str]] = ()) -> list[Duplicate]:
    """Groups of records, each with its best probability, in the order of their first record. A pair
    that was set apart never meets in a group, whoever stands between them."""
    listed = list(records)
    at = {record.id: place for place, record in enumerate(listed)}
    group_of: dict[str, set[str]] = {}
    best: dict[str, float] = {}

    def contradict(one: set[str], other: set[str]) -> bool:
        """Whether a record of one group is clearly another paper than one of the other: what
        stands between them must not join them."""
        return any(
            frozenset((x, y)) in apart or probability(listed[at[x]], listed[at[y]]) < UNLIKE
            for x in one
            for y in other
        )

    for a, b, sure in sorted(pairs(listed, apart), key=lambda pair: (-pair[2], pair[:2])):
        one, other = group_of.get(a, {a}), group_of.get(b, {b})
        if one is not other:
            if contradict(one, other):
                continue
            one = one | other
            for name in one:
                group_of[name] = one
        best[a], best[b] = max(sure, best.get(a, 0.0)), max(sure, best.get(b, 0.0))
    whole = {id(members): members for members in group_of.values()}
    ordered = sorted(
        (sorted(members, key=at.__getitem__) for members in whole.values()),
        key=lambda members: at[members[0]],
    )
    return [
        Duplicate(
            group=number, id=name, probability=round(best[name], 4), title=listed[at[name]].title
        )
        for number, members in enumerate(ordered, 1)
        for name in members
    ]
