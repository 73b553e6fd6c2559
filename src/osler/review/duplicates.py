"""The same paper twice: how alike two records are, and groups of those that are probably one paper,
shown and never merged.

A pair's probability follows Fellegi and Sunter (1969): each field that agrees or disagrees adds its
log odds, p = 1 / (1 + exp(-sum)). Fields that either record lacks add nothing. The odds are rounded
by hand from what such fields are worth, not fitted to a labelled set.

Only records that share a block are compared: the same DOI, the same beginning of the title's
rarest-first words, or the same author, year and page. A block that is too large says nothing.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import msgspec

from osler.kinds import Document
from osler.stopping import check_stopped

_NOT_LETTERS = re.compile(r"[^\w]+")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
SAME_NAME = 0.75
"""How alike two spellings of a first author's name are at least."""
_PAGE = re.compile(r"[a-z]*\d+", re.IGNORECASE)
SURE = 0.9
"""Pairs below this are not listed."""
UNLIKE = 0.5
"""Two records that are less probably one paper never stand in one group."""
_BLOCK = 60
"""Records of a block: more of them share a key that says nothing ("editorial")."""


class FoldedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a paper, folded."""

    id: str
    title: str = ""
    authors: str = ""
    year: int | None = None
    journal: str = ""
    page: str = ""
    volume: str = ""
    doi: str = ""
    abstract: str = ""


def folded(text: str) -> str:
    """Lower case, without accents and marks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(_NOT_LETTERS.sub(" ", plain).split())


def first_page(pages: str) -> str:
    match = _PAGE.search(pages)
    return match.group().casefold().lstrip("0") if match else ""


def plain_doi(doi: str) -> str:
    match = _DOI.search(doi)
    return match.group().casefold().rstrip(".") if match else ""


def record_of(document: Document) -> FoldedRecord:
    pages = str(document.metadata.get("pages") or "")
    return FoldedRecord(
        id=document.id,
        title=folded(document.title),
        authors=folded(" ".join(author.family for author in document.authors[:6])),
        year=document.year,
        journal=folded(document.journal),
        page=first_page(pages),
        volume=folded(str(document.metadata.get("volume") or "")),
        doi=plain_doi(document.ids.get("doi", "")),
        abstract=folded(document.abstract[:400]),
    )


def _steps(value: float, steps: tuple[tuple[float, float], ...], otherwise: float) -> float:
    return next((odds for least, odds in steps if value >= least), otherwise)


def probability(a: FoldedRecord, b: FoldedRecord) -> float:
    """How probable it is that two records are one paper."""
    from rapidfuzz import fuzz

    odds = -3.0
    title = fuzz.ratio(a.title, b.title) / 100
    if a.title and b.title:
        odds += _steps(title, ((0.98, 5.0), (0.93, 3.5), (0.85, 1.0), (0.75, -2.0)), -8.0)
        if len(a.title) < 25 or len(b.title) < 25:
            odds -= 2.5  # "Editorial", "Reply": short titles are shared
        if _numbers(a.title) != _numbers(b.title):
            odds -= 6.5  # part 1 is not part 2
    if a.authors and b.authors:
        alike = (
            max(fuzz.token_set_ratio(a.authors, b.authors), fuzz.ratio(a.authors, b.authors)) / 100
        )
        odds += _steps(alike, ((0.9, 2.5), (0.7, 1.0), (0.5, -1.0)), -3.5)
        if fuzz.ratio(a.authors.split()[0], b.authors.split()[0]) < 100 * SAME_NAME:
            odds -= 2.5  # a congress prints what one group tells twice, by two speakers
    if a.year is not None and b.year is not None:
        apart = abs(a.year - b.year)
        odds += 1.0 if apart == 0 else -0.5 if apart == 1 else -3.0
    pages = _agree(a.page, b.page)
    volumes = _agree(a.volume.partition(" ")[0], b.volume.partition(" ")[0])
    if a.doi and b.doi:
        # All abstracts of a supplement may have its DOI.
        same = 1.5 if pages is False else 6.0
        odds += same if a.doi == b.doi else -3.0
    if pages is not None:
        odds += 2.5 if pages else -3.0
    if volumes is not None:
        odds += 1.0 if volumes else -1.5
        if not volumes and a.year is not None and b.year is not None and a.year != b.year:
            odds -= 2.5  # a talk, and the article a year later
    if a.journal and b.journal:
        alike = fuzz.token_set_ratio(a.journal, b.journal) / 100
        initials = _initials(a.journal) == _initials(b.journal)
        if alike >= 0.85 or initials:
            odds += 1.0
        elif pages is False or volumes is False:
            odds -= 4.0  # a conference's abstract that was printed twice is two publications
        else:
            odds -= 0.7  # a preprint and its article
    if a.abstract and b.abstract and min(len(a.abstract), len(b.abstract)) >= 100:
        alike = fuzz.ratio(a.abstract, b.abstract) / 100
        odds += _steps(alike, ((0.9, 3.0), (0.7, 1.0), (0.5, -0.5)), -2.5)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _agree(one: str, other: str) -> bool | None:
    """Whether two values are the same; None where either is missing."""
    return one == other if one and other else None


def _numbers(title: str) -> list[str]:
    words = title.split()
    return [word for word in words if word.isdigit() or word in ("i", "ii", "iii", "iv")]


def _initials(journal: str) -> str:
    small = {"of", "the", "and", "in", "for", "et", "de"}
    return "".join(word[0] for word in journal.split() if word not in small)


class Duplicate(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a group: how probable it is that another record of it is the same paper."""

    group: int
    id: str
    probability: float
    title: str = ""


def _keys(record: FoldedRecord) -> Iterator[tuple[str, ...]]:
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
    records: Iterable[FoldedRecord], apart: Collection[frozenset[str]] = ()
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


def groups(
    records: Iterable[FoldedRecord], apart: Collection[frozenset[str]] = ()
) -> list[Duplicate]:
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
