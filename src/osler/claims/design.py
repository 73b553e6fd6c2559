"""The design of a study, by what PubMed calls it and, without that, by its own words."""

from __future__ import annotations

import re

from osler.kinds import Document

DESIGNS = (
    "systematic review",
    "randomised trial",
    "trial",
    "cohort",
    "case-control",
    "cross-sectional",
    "case report",
    "animal or laboratory",
    "review",
    "not told",
)
"""From the strongest on, as far as one can say so without reading."""

_TYPES = {
    "meta-analysis": "systematic review",
    "systematic review": "systematic review",
    "randomized controlled trial": "randomised trial",
    "clinical trial": "trial",
    "controlled clinical trial": "trial",
    "observational study": "cohort",
    "case reports": "case report",
    "review": "review",
}
_WORDS = (
    ("systematic review", r"meta-?analys[ie]s|systematic(?:ally)? review|荟萃分析|系统评价"),
    ("randomised trial", r"randomi[sz]ed|randomly (?:assigned|allocated)|随机"),
    ("case-control", r"case[- ]control|病例对照"),
    ("cohort", r"cohort|prospective(?:ly)?|retrospective(?:ly)?|follow(?:ed)?[- ]up|队列|回顾性"),
    ("cross-sectional", r"cross[- ]sectional|survey|questionnaire|横断面"),
    ("case report", r"case report|we report (?:a|the) case|病例报告"),
    ("animal or laboratory", r"\b(?:mice|rats?|murine|in vitro|cell lines?|zebrafish)\b|小鼠|大鼠"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _WORDS)


def design_of(document: Document) -> str:
    """One of ``DESIGNS``."""
    named = {_TYPES[kind.lower()] for kind in document.types if kind.lower() in _TYPES}
    for design in DESIGNS:
        if design in named and design != "review":
            return design
    for text in (document.title, document.abstract):
        for design, pattern in _PATTERNS:
            if pattern.search(text):
                return design
    return "review" if "review" in named else "not told"
