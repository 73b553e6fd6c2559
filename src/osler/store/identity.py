"""When two documents are the same paper, and what one document is made of both."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from osler.kinds import Document

SCHEMES = ("pmid", "doi", "pmcid")
"""Names that belong to one paper; a DOI may be shared by the abstracts of a conference."""
EARLIER = "id"
"""The scheme of an id that a paper had before it was joined to another."""
SAME_TITLE = 0.5
"""Share of words that two titles of one paper have in common at least, of the shorter one's."""
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def identity_names(document: Document) -> list[tuple[str, str]]:
    ids = document.ids
    return [(scheme, ids[scheme]) for scheme in SCHEMES if ids.get(scheme)]


def canonical(current: str, document: Document) -> str:
    """A paper with a PMID goes by it: that is what judgements and colleagues name it by."""
    return document.ids.get("pmid") or current


def apart(document: Document) -> str:
    """The id of a paper whose own is another paper's: with a digest of its title, so that the same
    file read again gives the same id."""
    return f"{document.id}#{_mark(document.title)}"


@lru_cache(maxsize=16_384)
def _mark(title: str) -> str:
    words = " ".join(sorted(_words(title)))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def differ(held: Document, coming: Document) -> str:
    """Why two documents with a name in common are two papers; "" where they are one.

    A shared PMID or PMCID decides. Else another PMID does, and else the titles: a DOI is shared by
    the abstracts of a conference, and a number in a column by every export that counts its rows.
    A newer revision may carry any title.
    """
    for scheme in ("pmid", "pmcid"):
        one, other = held.ids.get(scheme), coming.ids.get(scheme)
        if one and other:
            return "" if one == other else f"another {scheme.upper()}"
    if held.revised and coming.revised and held.id == coming.id:
        return ""
    return "" if _alike(held.title, coming.title) else "another title"


def _words(title: str) -> set[str]:
    folded = title.casefold()
    # Chinese, Japanese and Korean have no blanks between words: their characters stand for them.
    return set(_WIDE.findall(folded)) | set(_WORD.findall(_WIDE.sub(" ", folded)))


def _alike(one: str, other: str) -> bool:
    first, second = _words(one), _words(other)
    if not first or not second:
        return True
    return len(first & second) >= SAME_TITLE * min(len(first), len(second))


_FIELDS = tuple(
    name for name in Document.__struct_fields__ if name not in ("id", "ids", "metadata", "revised")
)


class Joined(NamedTuple):
    """One document made of two, and what that did to the one that was there."""

    document: Document
    filled: tuple[str, ...]
    """Fields that were empty and have a value now."""
    changed: tuple[str, ...]
    """Fields that had a value and have another."""
    kept: tuple[str, ...]
    """Fields that the coming one would have emptied or cut short."""

    @property
    def said(self) -> str:
        """What happened, in field names."""
        parts = (("changed", self.changed), ("filled", self.filled), ("kept", self.kept))
        return "; ".join(f"{word} {', '.join(names)}" for word, names in parts if names)


def join(held: Document, coming: Document) -> Joined:
    """The newer of two descriptions of one paper, in which no field is poorer than it was.

    "Newer" goes by the revision date; the coming one wins a tie. A field that the newer one lacks,
    or holds a part of, stays as it was. A retraction is never lost.
    """
    backward = held.revised > coming.revised
    first, second = (held, coming) if backward else (coming, held)
    filled, changed, kept = [], [], []
    values: dict[str, Any] = {}
    for name in _FIELDS:
        before, new = getattr(held, name), getattr(coming, name)
        if before == new:
            continue
        if name == "retracted":
            value = True
        elif _poorer(getattr(first, name), getattr(second, name)):
            value = getattr(second, name)
        else:
            value = getattr(first, name)
        if value == before:
            kept.append(name)
        elif before:
            changed.append(name)
        else:
            filled.append(name)
        values[name] = value
    for name in ("ids", "metadata"):
        there: dict[str, Any] = getattr(held, name)
        both = {**getattr(second, name), **{k: v for k, v in getattr(first, name).items() if v}}
        if both != there:
            gained = all(both.get(key) == value for key, value in there.items())
            (filled if gained else changed).append(name)
        values[name] = both
    document = msgspec.structs.replace(first, revised=max(held.revised, coming.revised), **values)
    return Joined(document, tuple(filled), tuple(changed), tuple(kept))


def _poorer(value: Any, other: Any) -> bool:
    """Whether a field's value says nothing that the other does not say, and less than it."""
    if not value:
        return bool(other)
    if isinstance(value, bool) or not other:
        return False
    if isinstance(value, str):
        return _part(value, other)
    if len(value) < len(other) and all(isinstance(item, str) for item in value):
        return set(value) < set(other)
    texts, others = _texts(value), _texts(other)
    return _part(texts, others)


def _texts(items: Any) -> str:
    texts = []
    for item in items:
        if isinstance(item, str):
            texts.append(item)
        else:
            # What names the part: an author's family name, a section's text, a heading's name.
            texts.append(str(getattr(item, item.__struct_fields__[0])))
    return " ".join(texts)


def _part(text: str, whole: str) -> bool:
    """Cut short, with or without dots at the end."""
    bare = text.rstrip(" .…")
    return len(bare) < len(whole.rstrip(" .…")) and whole.startswith(bare)
