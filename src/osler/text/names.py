"""People's names as PubMed writes them (``Nogues X``), brought to one form for comparing."""

from __future__ import annotations

import functools
import re

import tantivy

from osler.text.scripts import CJK

WHOLE = "="
"""Before a name that must not go on: ``=smith j`` is no Smith JA."""
FIRST = "^"
"""Before the name of a paper's first author."""
_APOSTROPHE = re.compile("['\u2019\u02bc`]")
_NO_QUOTES = {ord(mark): None for mark in "'`"}
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WIDE_GAP = re.compile(f"(?<=[{CJK}])\\s+(?=[{CJK}])")


@functools.cache
def _folder() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    steps = (tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold())
    for step in steps:
        builder = builder.filter(step)
    return builder.build()


def folded(name: str) -> str:
    """A name without case, diacritics, hyphens and commas: ``Nogués, X.`` is ``nogues x``."""
    if name.isascii():
        # As the folder would: most names need none.
        return " ".join(_ASCII_WORD.findall(name.translate(_NO_QUOTES).lower()))
    words = " ".join(_folder().analyze(_APOSTROPHE.sub("", name)))
    return _WIDE_GAP.sub("", words)


def asked(name: str) -> str:
    """A name that somebody looks for, with the marks that it may begin with kept."""
    marks = re.match(r"[=^]*", name)
    return (marks.group() if marks else "") + folded(name)


def spellings(family: str, given: str, initials: str, *, first: bool = False) -> list[str]:
    """Everything that an author is looked for by: the family name alone, with one initial and
    more, with given names after it and before it; each with ``FIRST`` too for a first author, and
    the name with all its initials with ``WHOLE``."""
    last = folded(family)
    if not last:
        return []
    names = folded(given).split()
    letters = folded(initials).replace(" ", "") or "".join(word[0] for word in names)
    listed = [last, *(f"{last} {letters[:size]}" for size in range(1, len(letters) + 1))]
    listed += [f"{last} {' '.join(names[:size])}" for size in range(1, len(names) + 1)]
    listed += [f"{' '.join(names[:size])} {last}" for size in range(1, len(names) + 1)]
    listed = [name if name.isascii() else _WIDE_GAP.sub("", name) for name in listed]
    if first:
        listed += [FIRST + name for name in listed]
    listed.append(f"{WHOLE}{last} {letters}".strip())
    return list(dict.fromkeys(listed))
