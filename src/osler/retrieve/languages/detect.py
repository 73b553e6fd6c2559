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
  | [\w)"*$]\s+adj\d{{1,2}}\s+["\w(*]           # adj3
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
  | [\w'")*?$]:(?:ti|ab|kw|de|au|jt|ta|ff|la|it|py|do|lnk|all)(?:\s*,\s*[a-z]{2,3})*(?=[\s)]|$)
  | \b(?:NEAR|NEXT)/\d
  | \]/(?:lim|py)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TAG = re.compile(r"\[(?P<name>[^\[\]]{1,40})\]")


def language_of(query: str) -> str:
    """``embase``, ``ovid``, ``pubmed``, or nothing where no mark tells."""
    if _EMBASE.search(query):
        return "embase"
    if _OVID.search(query):
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
    return False
