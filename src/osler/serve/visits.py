"""What a visitor has done: queries with their counts (``#1 AND #2``), papers put aside.

It is held in memory, by a cookie that says nothing, and never written down: what somebody looked
for is theirs. A search worth keeping is saved under a name, papers worth keeping go to a review.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from osler.errors import LimitError, OslerError, QueryError
from osler.retrieve.languages import translate
from osler.retrieve.parse import is_structured
from osler.store.decisions import SavedSearch

COOKIE = "osler-visit"
MOST = 500
"""Visitors that are remembered; the one who was away longest is forgotten first."""
SEARCHES = 200
PAPERS = 5_000
REMOVED = 20
"""Saved searches that can be brought back."""
_NUMBERED = re.compile(r"#(\d{1,4})\b")
_WORD = re.compile(r"[^\W_]+")


class QueryRun(msgspec.Struct, frozen=True, kw_only=True):
    """A query that was run: as typed, as one expression of our language, where it stands, and how
    many papers it found."""

    number: int
    text: str
    whole: str
    href: str
    total: int | None


class Visit(msgspec.Struct, kw_only=True):
    """What one visitor has done."""

    searches: list[QueryRun] = []
    papers: dict[str, None] = {}
    """The basket, in the order in which papers were put there."""
    dropped: dict[str, None] = {}
    """What was in the basket before it was emptied."""
    removed: dict[str, SavedSearch] = {}
    """Saved searches that were removed, by name: each can be brought back."""
    last: int = 0

    def expanded(self, text: str) -> str:
        """A query whose ``#1`` stand for the queries of before."""
        if not _NUMBERED.search(text):
            return text

        def whole(match: re.Match[str]) -> str:
            number = int(match.group(1))
            held = next((one for one in self.searches if one.number == number), None)
            if held is None:
                raise QueryError(
                    f"there is no query #{number} in the history",
                    query=text,
                    place=match.start(),
                    cure="the history lists those that can be named",
                )
            return f"({held.whole})"

        return _NUMBERED.sub(whole, text)

    def looked(self, text: str, whole: str, href: str, total: int | None) -> None:
        """Remember a query; the same one again only renews its count."""
        for at, one in enumerate(self.searches):
            if one.href == href:
                self.searches[at] = msgspec.structs.replace(one, total=total)
                return
        self.last += 1
        self.searches.append(
            QueryRun(number=self.last, text=text, whole=whole, href=href, total=total)
        )
        del self.searches[:-SEARCHES]

    def keep(self, ids: list[str]) -> None:
        if len(self.papers) + len(ids) > PAPERS:
            raise LimitError(f"the basket holds {PAPERS:,} papers at most")
        self.papers.update(dict.fromkeys(ids))

    def drop(self, ids: list[str]) -> None:
        for id in ids:
            self.papers.pop(id, None)

    def empty(self) -> None:
        if self.papers:
            self.dropped, self.papers = self.papers, {}

    def forget(self, search: SavedSearch) -> None:
        """Remember a saved search that was removed; the oldest make room."""
        self.removed[search.name] = search
        while len(self.removed) > REMOVED:
            del self.removed[next(iter(self.removed))]

    def refill(self) -> None:
        self.papers, self.dropped = {**self.dropped, **self.papers}, {}


class Visits:
    """All visitors of a server."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, Visit] = OrderedDict()

    def of(self, request: Request) -> tuple[str, Visit]:
        """The visitor who asks; a new one has a new name, which the answer hands over."""
        name = request.cookies.get(COOKIE, "")
        visit = self._all.get(name)
        if visit is None:
            name, visit = secrets.token_urlsafe(18), Visit()
            return name, visit
        self._all.move_to_end(name)
        return name, visit

    def hold(self, response: Response, name: str, visit: Visit) -> None:
        """Remember a visitor who did something, and tell the browser the name."""
        if name not in self._all:
            self._all[name] = visit
            response.set_cookie(COOKIE, name, httponly=True, samesite="strict")
            while len(self._all) > MOST:
                self._all.popitem(last=False)


def expression(text: str, syntax: str, kept: dict[str, list[str]]) -> str:
    """A query with its filters as one expression of our language, to be named by its number."""
    whole = text
    if syntax or is_structured(text):
        try:
            whole = translate(text, "osler", syntax).text
        except OslerError:
            whole = text
    else:
        # Words without operators find papers that hold any of them.
        whole = " OR ".join(_WORD.findall(text)) or text
    parts = [
        " OR ".join(f'{name}:"{value}"' if name != "year" else f"year:{value}" for value in values)
        for name, values in kept.items()
        if values
    ]
    if not parts:
        return whole
    return " AND ".join(f"({part})" for part in (whole, *parts))
