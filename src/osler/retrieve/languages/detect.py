"""Which language a query is written in, by marks that only one of them has."""

from __future__ import annotations

import re

from osler.retrieve.languages import ovid
from osler.retrieve.languages.pubmed import NOT_HERE, TAGS

_CODES = "|".join(code for code in ovid.FIELDS if len(code) == 2)
_OVID = re.compile(
    rf"""
    (?:^|[\s(])exp\s+\*?["\w][^/\[\]]*/        # exp Asthma/
  | \.(?:{_CODES})(?:\s*,\s*[a-z]{{2}})*\.(?=[\s)]|$)   # .ti,ab.
  | \.\(sa_year\)\.
  | [a-z]{{3}}["*$]?\)?\.[a-z]{{2}}(?:\s*,\s*[a-z]{{2}})*\.(?=[\s)]|$)  # .zz.
  | [\w)"*$]\s+adj\d{{0,2}}\s+["\w(*]           # adj3
  | (?:^|[\s(])(?:or|and)/\d                   # or/1-3
  | (?:^|[(]|\b(?:and|or|not)\s)\s*(?:\d{{1,3}}\.\s*)?\*?[A-Z"][^()\[\]/\n]*
    (?:/|/[a-z]{{2}}(?:\s*,\s*[a-z]{{2}})*)(?:\s+\[|\s*$|\)|\s+(?:and|or|not)\s)   # Asthma/dt
  | \w\$\d?(?=[\s).]|$)                         # asthma$
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_EMBASE = re.compile(
    r"""
    ['"\w]/(?:exp|de|mj)\b
  | (?:^|[\s(])'[^'\n]+'/[a-z]{2}             # 'asthma'/foo, which may be misspelled
  | [\w'")*?$]:(?:ti|ab|kw|de|au|jt|ta|ff|la|it|py|do|lnk|all)(?:\s*,\s*[a-z]{2,3})*(?=[\s)]|$)
  | \b(?:NEAR|NEXT)/\d
  | \b(?-i:NEAR|NEXT)/\w
  | \]/(?:lim|py)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TAG = re.compile(r"\[(?P<name>[^\[\]]{1,40})\]")
_OPEN_TAG = re.compile(r"\[(?P<name>[^\[\]]+)(?=\[|$)")
"""A bracket that nobody closes."""
_LINES = re.compile(
    r"\#\d{1,3}\s+(?:AND|OR|NOT)\s|\s(?:AND|OR|NOT)\s+\#\d{1,3}(?=[\s)]|$)", re.VERBOSE
)
"""Lines of a history, which are not words: #1 AND #2."""
_LINES_OVID = re.compile(r"\s*\d{1,3}(?:\s+(?:and|or|not)\s+\d{1,3})+\s*", re.IGNORECASE)


def language_of(query: str) -> str:
    """``embase``, ``ovid``, ``pubmed``, or nothing where no mark tells."""
    if _EMBASE.search(query):
        return "embase"
    if _OVID.search(query) or _LINES_OVID.fullmatch(query):
        return "ovid"
    return "pubmed" if is_pubmed(query) else ""


def is_pubmed(query: str) -> bool:
    """Whether a query has tags as PubMed's have them: one that is known, or one that stands at a
    word, a quote or a bracket and may be misspelled. [Brackets] of a title are none."""
    for match in _TAG.finditer(query):
        name = re.sub(r":.*", "", match["name"]).strip().lower()
        before = query[match.start() - 1] if match.start() else " "
        if name in TAGS or name in NOT_HERE - {"book", "filter"}:
            return True
        if not before.isspace() and match["name"][:1].isalpha():
            return True
    return bool(_LINES.search(query)) or any(map(_left_open, _OPEN_TAG.finditer(query)))


def _left_open(match: re.Match[str]) -> bool:
    """Whether a bracket that nobody closes begins a tag: ``asthma[ti AND child``."""
    words = match["name"].lower().split()
    return any(" ".join(words[:count]) in TAGS for count in range(1, len(words) + 1))
