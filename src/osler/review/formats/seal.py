"""A paper with what was decided on it, and the seal that carries it through any format.

No other program's format holds who decided what, when, at which stage and why. So every record
that is written has, in a field that programs leave alone (a note, a column of its own), one word
``OSLER-REVIEW:...`` with all of it. What the format can show itself is written beside it; what of
that has changed when the file comes back was decided in the other program, and is taken in too.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable

import msgspec

from osler.kinds import Document
from osler.review.entries import Decided, NotRetrieved, Stage
from osler.review.project import Project

_SEAL = re.compile(r"OSLER-REVIEW:([0-9a-f]{8})\.([A-Za-z0-9_-]*)")


class Carried(msgspec.Struct, kw_only=True):
    """A paper with every word on it; ``final`` is what holds of it by stage. ``sealed`` tells that
    it came out of a project of ours, ``damaged`` that its seal could not be read."""

    document: Document
    words: tuple[Decided, ...] = ()
    missing: NotRetrieved | None = None
    final: dict[Stage, Decided] = {}
    sealed: bool = False
    damaged: bool = False


class Sealed(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a seal holds. ``shown`` are the words that the format showed beside it."""

    id: str
    ids: dict[str, str] = {}
    words: tuple[Decided, ...] = ()
    missing: NotRetrieved | None = None
    shown: tuple[tuple[str, str], ...] = ()


def carried(project: Project, documents: Iterable[Document]) -> list[Carried]:
    """The papers of a project, each with its words."""
    listed = []
    for document in documents:
        id = document.id
        words = [one for words in project.decisions.values() for one in words.get(id, {}).values()]
        words += [words[id] for words in project.resolved.values() if id in words]
        final: dict[Stage, Decided] = {}
        stages: tuple[Stage, ...] = ("abstract", "full text")
        for stage in stages:
            if (word := project.verdict(stage, id)) is not None:
                final[stage] = word
        listed.append(
            Carried(
                document=document, words=tuple(words), missing=project.missing.get(id), final=final
            )
        )
    return listed


def last_word(paper: Carried) -> Decided | None:
    """What holds of a paper in the end."""
    return paper.final.get("full text") or paper.final.get("abstract")


def seal(paper: Carried, shown: Iterable[Decided] = ()) -> str:
    """One word without blanks that holds all that was decided on a paper."""
    whole = Sealed(
        id=paper.document.id,
        ids=paper.document.ids,
        words=paper.words,
        missing=paper.missing,
        shown=tuple((word.reviewer, word.verdict) for word in shown),
    )
    body = msgspec.json.encode(whole)
    text = base64.urlsafe_b64encode(body).decode().rstrip("=")
    return f"OSLER-REVIEW:{zlib.crc32(body):08x}.{text}"


def unseal(text: str) -> tuple[str, Sealed | None, bool]:
    """A text without its seal, what the seal holds, and whether it is damaged."""
    match = _SEAL.search(text)
    if match is None:
        return text, None, False
    before = text[: match.start()].rstrip().removesuffix("|").rstrip()
    rest = (before + text[match.end() :]).strip()
    try:
        body = base64.urlsafe_b64decode(match[2] + "=" * (-len(match[2]) % 4))
        if f"{zlib.crc32(body):08x}" != match[1]:
            return rest, None, True
        return rest, msgspec.json.decode(body, type=Sealed), False
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        return rest, None, True


def opened(
    document: Document, sealed: Sealed | None, shown: Iterable[Decided], *, damaged: bool = False
) -> Carried:
    """A paper with the words of its seal, and those that another program has changed since."""
    if sealed is None:
        return Carried(document=document, words=tuple(shown), damaged=damaged)
    known = set(sealed.shown)
    fresh = [word for word in shown if (word.reviewer, word.verdict) not in known]
    own = msgspec.structs.replace(
        document, id=sealed.id or document.id, ids={**document.ids, **sealed.ids}
    )
    return Carried(document=own, words=(*sealed.words, *fresh), missing=sealed.missing, sealed=True)
