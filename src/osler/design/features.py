"""What a title and an abstract say about the design of a study, as named features.

``t:`` and ``a:`` are the words and pairs of words of title and abstract, ``c:`` the cues: phrases
by which authors name a design, in English and Chinese, apart for title, beginning and rest.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

_WORD = re.compile(r"[a-z]{2,}|[0-9]+")
_BEGINNING = 400
"""Characters of an abstract in which authors say what they did."""

CUES: Mapping[str, str] = {
    "systematic review": r"(?:systematic(?:ally)?|scoping|umbrella) review|系统评价|系统综述",
    "databases searched": r"\b(?:pubmed|medline|embase|cochrane|web of science|scopus)\b|prisma",
    "meta-analysis": r"meta-?\s?analy[sz]|meta-?regression|pooled (?:odds|risk|effect|estimate)"
    r"|荟萃分析|meta分析",
    "randomised": r"randomi[sz](?:ed|ation)|randomly (?:assigned|allocated|divided)|随机",
    "controlled": r"placebo|double[- ]blind|control(?:led)? (?:trial|group|arm)|安慰剂|双盲",
    "trial": r"\btrials?\b|phase (?:i{1,3}|[1-3])\b|临床试验",
    "registered": r"\bnct\d{6,}|isrctn|chictr|trial registration|registered (?:at|in|with)",
    "protocol": r"\bprotocol\b|will be (?:recruited|randomi[sz]ed|conducted|assessed|included|"
    r"measured|performed|used)|this study will|we will|研究方案",
    "cohort": r"\bcohorts?\b|follow(?:ed)?[- ]up|longitudinal|队列|随访",
    "retrospective": r"retrospective|medical records|chart review|回顾性",
    "prospective": r"prospective(?:ly)?|前瞻性",
    "case-control": r"case[- ]control|matched controls|病例对照",
    "cross-sectional": r"cross[- ]sectional|survey|questionnaire|横断面|问卷",
    "case report": r"case (?:report|series)|we (?:report|describe|present) (?:a|an|the|two|three)"
    r"|year[- ]old (?:\w+ )?(?:man|woman|male|female|boy|girl|patient)|病例报告|一例",
    "review": r"\breview(?:s|ed)?\b|overview|state of the art|综述",
    "rodent": r"\b(?:mouse|mice|rats?|murine|rodents?)\b|c57bl|sprague[- ]dawley|wistar|小鼠|大鼠",
    "animal": r"\b(?:dogs?|rabbits?|pigs?|zebrafish|cattle|sheep|drosophila|monkeys?)\b|in vivo|兔",
    "laboratory": r"in vitro|cell lines?|\bcells\b|crystal|molecular dynamics|体外",
    "people": r"\b(?:patients?|participants?|subjects|volunteers|women|men|adults?|individuals|"
    r"respondents|people)\b|患者|病人",
    "child": r"\b(?:child(?:ren|hood)?|p(?:a)?ediatric|infants?|neonat\w+|adolescen\w+|newborns?|"
    r"toddlers?|school-?aged|youth)\b|儿童|新生儿|患儿",
    "editorial": r"\b(?:editorial|commentary|letter|erratum|correction|reply)\b|述评",
}
_PATTERNS = tuple((name, re.compile(pattern)) for name, pattern in CUES.items())


def cues(title: str, abstract: str) -> dict[str, float]:
    """Which cues stand in the title, at the beginning and in the rest of the abstract, and how
    often (up to three times)."""
    features: dict[str, float] = {"c:bias": 1.0}
    if not abstract:
        features["c:no abstract"] = 1.0
    title, abstract = title.lower(), abstract.lower()
    beginning, rest = abstract[:_BEGINNING], abstract[_BEGINNING:]
    for name, pattern in _PATTERNS:
        if pattern.search(title):
            features[f"c:title {name}"] = 1.0
        if beginning and pattern.search(beginning):
            features[f"c:early {name}"] = 1.0
        if rest:
            times = 0
            for times, _ in enumerate(pattern.finditer(rest), 1):
                if times == 3:
                    break
            if times:
                features[f"c:later {name}"] = times / 3
    return features


def words(title: str, abstract: str) -> dict[str, float]:
    """Words and pairs of words that stand in title and abstract."""
    features: dict[str, float] = {}
    for mark, text in (("t:", title), ("a:", abstract)):
        tokens = _WORD.findall(text.lower())
        tokens = ["#" if token[0].isdigit() else token for token in tokens]
        features.update((mark + token, 1.0) for token in tokens)
        features.update((f"{mark}{a} {b}", 1.0) for a, b in itertools.pairwise(tokens))
    return features


def features_of(title: str, abstract: str) -> dict[str, float]:
    return {**cues(title, abstract), **words(title, abstract)}
