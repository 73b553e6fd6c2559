"""``review``: searches that are kept, and the numbers of a PRISMA flow diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from osler.settings import MAX_HITS
from osler.store.decisions import Decisions, SavedSearch

if TYPE_CHECKING:
    from osler.kinds import Filter
    from osler.library import Library


def run_search(library: Library, name: str, text: str, *, filter: Filter | None) -> SavedSearch:
    """What a query finds now, with how much of it earlier searches had found."""
    ranking = library.search(text, k=MAX_HITS.get(), method="words", filter=filter, evidence=False)
    ids = [hit.id for hit in ranking.hits]
    earlier = {id for s in library.decisions.saved() if s.name != name for id in s.ids}
    return SavedSearch(
        name=name,
        query=text,
        filter=msgspec.to_builtins(filter) if filter else {},
        identified=library.count(text, filter=filter),
        duplicates=len(earlier.intersection(ids)),
        ids=ids,
    )


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
