"""When two documents are the same paper, and what one document is made of both."""

from __future__ import annotations

import msgspec

from osler.kinds import Document

SCHEMES = ("pmid", "doi", "pmcid")
"""Names that belong to one paper alone; others (a publisher's item id) may be shared."""


def identity_names(document: Document) -> list[tuple[str, str]]:
    ids = document.ids
    return [(scheme, ids[scheme]) for scheme in SCHEMES if ids.get(scheme)]


def canonical(current: str, document: Document) -> str:
    """A paper with a PMID goes by it: that is what judgements and colleagues name it by."""
    return document.ids.get("pmid") or current


_JOINED = tuple(
    name
    for name in Document.__struct_fields__
    if name not in ("id", "ids", "metadata", "retracted")
)


def join(held: Document, coming: Document) -> Document:
    """The newer of two descriptions of one paper, its gaps filled from the other.

    "Newer" goes by the revision date; the coming one wins a tie. A retraction is never lost.
    """
    first, second = (held, coming) if held.revised > coming.revised else (coming, held)
    filled = {
        name: getattr(second, name)
        for name in _JOINED
        if not getattr(first, name) and getattr(second, name)
    }
    return msgspec.structs.replace(
        first,
        ids={**second.ids, **first.ids},
        metadata={**second.metadata, **first.metadata},
        retracted=held.retracted or coming.retracted,
        **filled,
    )
