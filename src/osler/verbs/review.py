"""``review``: searches that are kept, and the numbers of a PRISMA flow diagram."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from osler.kinds import Filter
from osler.retrieve.known import author_of, identifier, identifiers
from osler.retrieve.languages import write
from osler.retrieve.parse import is_structured, parse
from osler.store.decisions import Decisions, SavedSearch
from osler.verbs.search import ranker_of

if TYPE_CHECKING:
    from osler.library import Library


def run_search(
    library: Library, name: str, text: str, *, filter: Filter | None, syntax: str = ""
) -> SavedSearch:
    """What a query finds now, all of it, with how much of it earlier searches had found."""
    searcher = library.searcher
    ranker, _ = ranker_of(library, "words")
    ids = [id for _, id, _ in searcher.everything(text, ranker, filter=filter, syntax=syntax)]
    author = None if syntax or is_structured(text) else author_of(text, searcher.view)
    earlier = {id for s in library.decisions.saved() for id in s.ids if s.name != name}
    return SavedSearch(
        name=name,
        query=text,
        run=as_run(text, syntax) if author is None else write(author, "osler"),
        syntax=syntax,
        date=datetime.now(UTC).date().isoformat(),
        filter=msgspec.to_builtins(filter) if filter else {},
        identified=len(ids),
        duplicates=len(earlier.intersection(ids)),
        ids=ids,
    )


def as_run(text: str, syntax: str = "") -> str:
    """A query as it is understood: in the library's own language, plain words joined by OR."""
    if not syntax and (identifier(text) is not None or identifiers(text)):
        return text
    return write(parse(text, syntax), "osler")


class Alert(msgspec.Struct, kw_only=True):
    """What a saved search finds now that it did not find on its ``date``: ids of the new papers,
    how many it found then and finds now. ``note`` says where that cannot be told."""

    name: str
    query: str
    date: str
    before: int
    now: int
    new: list[str]
    note: str = ""


def alerts(library: Library, name: str = "") -> list[Alert]:
    """Every saved search, or the one named, run again, with the papers that are new since."""
    if name:
        return [_alert(library, library.decisions.saved_search(name))]
    return [_alert(library, saved) for saved in library.decisions.saved()]


def _alert(library: Library, saved: SavedSearch) -> Alert:
    filter = msgspec.convert(saved.filter, Filter) if saved.filter else None
    again = run_search(library, saved.name, saved.query, filter=filter, syntax=saved.syntax)
    known = set(saved.ids)
    alert = Alert(
        name=saved.name,
        query=saved.query,
        date=saved.date,
        before=saved.identified,
        now=again.identified,
        new=[id for id in again.ids if id not in known],
    )
    if saved.identified > len(saved.ids):
        # Of a list that was cut, nobody knows whether a paper was in the rest.
        alert.new = []
        alert.note = (
            f"only {len(saved.ids):,} of {saved.identified:,} papers were kept: cannot tell"
        )
    return alert


def prisma(decisions: Decisions) -> dict[str, Any]:
    """The flow diagram's numbers over all saved searches and judgements."""
    searches = decisions.saved()
    ids = {id for search in searches for id in search.ids}
    grades: dict[str, int] = {}
    for judged in decisions.judgements().values():
        for id, grade in judged.items():
            grades[id] = max(grade, grades.get(id, 0))
    return {
        "searches": searches,
        "identified": sum(search.identified for search in searches),
        "duplicates": sum(len(search.ids) for search in searches) - len(ids),
        "screened": len(ids),
        "excluded": sum(1 for id in ids if grades.get(id) == 0),
        "included": sum(1 for id in ids if grades.get(id, 0) > 0),
    }
