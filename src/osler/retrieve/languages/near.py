"""Words near each other: what ``adj3`` and ``NEAR/3`` make of the sides that they stand between.

A side may be a word, a phrase, or several of either: ``(asthma or wheez*) adj3 (child or infant)``
is every pair. A phrase on a side must stand as it is somewhere in the field, and its words near
those of the other side.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from osler.kinds.query import And, Node, Or, Phrase, Term

MOST_PAIRS = 256
HEADLESS = "no word can be cut off at its beginning"
WRITE_OUT = "write the words out, joined by OR"
"""Stems are indexed: what has lost its beginning and its ending could be any word."""


class Apart(Exception):
    """What stands on a side cannot be near anything: the message says why."""


def near(left: Node, right: Node, slop: int, *, free: bool) -> Node:
    """What must hold where two sides stand at most ``slop`` words from each other."""
    firsts, seconds = list(_choices(left)), list(_choices(right))
    if len(firsts) * len(seconds) > MOST_PAIRS:
        raise Apart(f"this makes more than {MOST_PAIRS} pairs of words")
    pairs = [_pair(one, other, slop, free) for one in firsts for other in seconds]
    return pairs[0] if len(pairs) == 1 else Or(tuple(pairs))


def _choices(node: Node) -> Iterator[Term | Phrase]:
    match node:
        case Term() | Phrase():
            yield node
        case Or():
            for part in node.parts:
                yield from _choices(part)
        case _:
            raise Apart("only words and phrases, joined by OR, can be near each other")


def _pair(one: Term | Phrase, other: Term | Phrase, slop: int, free: bool) -> Node:
    # A field after the last word is meant for all that are near it.
    field = one.field or other.field
    one, other = replace(one, field=field), replace(other, field=other.field or field)
    if one.field != other.field:
        raise Apart("both sides must be looked for in the same field")
    chained = isinstance(one, Phrase) and one.slop == slop and one.free == free
    for side in (one, other):
        if isinstance(side, Phrase) and (side.slop or side.free) and not (chained and side is one):
            raise Apart("words that are near each other already cannot be near a third so")
    both = joined([marked(one), marked(other)], one.field, slop=slop, free=free)
    whole = [side for side in (one, other) if isinstance(side, Phrase) and not side.free]
    # Words that follow each other by one distance throughout are one phrase.
    if not whole or (chained and not free):
        return both
    return And((*whole, both))


def marked(node: Term | Phrase) -> str:
    """The words of a leaf with the marks of what is cut off."""
    return node.text + "*" * node.prefix


def joined(texts: list[str], field: str, *, slop: int = 0, free: bool = False) -> Phrase:
    """Words, some of them with wildcards, as a phrase."""
    text = " ".join(texts)
    stem = text[:-1] if text.endswith("*") else text
    if any(mark in stem for mark in "*?#"):
        return Phrase(text, field, slop=slop, free=free, wild=True)
    return Phrase(stem, field, slop=slop, free=free, prefix=stem != text)


def word(text: str, field: str, *, wild: bool = True) -> Term:
    """A word, with what is cut off and its wildcards told."""
    stem = text[:-1] if text.endswith("*") else text
    if wild and any(mark in stem for mark in "*?#"):
        return Term(text, field, wild=True)
    return Term(stem, field, prefix=stem != text)
