"""What a title and an abstract say about the design of a study, as named features.

``t:`` and ``a:`` are the words and pairs of words of title and abstract, ``c:`` the cues: phrases
by which authors name a design, in English and Chinese, apart for title, beginning and rest.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping

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
NEEDED: Mapping[str, tuple[str, ...]] = {
    "systematic review": ("review", "系统评价", "系统综述"),
    "databases searched": (
        *("pubmed", "medline", "embase", "cochrane", "web of science", "scopus", "prisma"),
    ),
    "meta-analysis": ("meta", "pooled", "荟萃分析"),
    "randomised": ("random", "随机"),
    "controlled": ("placebo", "blind", "control", "安慰剂", "双盲"),
    "trial": ("trial", "phase", "临床试验"),
    "registered": ("nct", "isrctn", "chictr", "registration", "registered"),
    "protocol": ("protocol", "will", "研究方案"),
    "cohort": ("cohort", "follow", "longitudinal", "队列", "随访"),
    "retrospective": ("retrospective", "medical records", "chart review", "回顾性"),
    "prospective": ("prospective", "前瞻性"),
    "case-control": ("control", "病例对照"),
    "cross-sectional": ("sectional", "survey", "questionnaire", "横断面", "问卷"),
    "case report": ("case", "we ", "year", "病例报告", "一例"),
    "review": ("review", "overview", "state of the art", "综述"),
    "rodent": (
        "mouse",
        "mice",
        "rat",
        "murine",
        "rodent",
        "c57bl",
        "sprague",
        "wistar",
        "小鼠",
        "大鼠",
    ),
    "animal": (
        *("dog", "rabbit", "pig", "zebrafish", "cattle", "sheep", "drosophila", "monkey"),
        *("in vivo", "兔"),
    ),
    "laboratory": ("in vitro", "cell", "crystal", "molecular dynamics", "体外"),
    "people": (
        *("patient", "participant", "subject", "volunteer", "men", "adult", "individuals"),
        *("respondents", "people", "患者", "病人"),
    ),
    "child": (
        *("child", "pediatric", "paediatric", "infant", "neonat", "adolescen", "newborn"),
        *("toddler", "school", "youth", "儿童", "新生儿", "患儿"),
    ),
    "editorial": ("editorial", "commentary", "letter", "erratum", "correction", "reply", "述评"),
}
"""Of these pieces one stands in whatever a cue matches. Most abstracts hold none of a cue's, and
looking for them takes a small part of the time that looking for the cue does."""
_PATTERNS = tuple((name, re.compile(pattern), NEEDED[name]) for name, pattern in CUES.items())
_LEAD = 20
"""More letters than a cue has before its piece ("systematically review")."""
_KEPT_WORDS = 1 << 16
_WHOLE: Mapping[str, frozenset[str]] = {
    "rat": frozenset({"rat", "rats"}),
    "men": frozenset({"men", "women"}),
}
"""Pieces that point to a cue in these words alone, of the many that hold them."""
_ENDING = ("we ", "year", "case")
"""Pieces that point to a cue where a word ends in them."""


def _points(piece: str) -> Callable[[str], bool]:
    """Whether a word may be of a piece: of several words the longest tells; numbers are all one."""
    if piece in _WHOLE:
        return _WHOLE[piece].__contains__
    key = max(filter(str.isalpha, _WORD.findall(piece)), key=len)
    return lambda word: word.endswith(key) if piece in _ENDING else key in word


class _Pointing(dict[str, int]):
    """Words with the cues (one bit each) that may stand where the word does: they come again and
    again, and most point to none."""

    def __init__(self) -> None:
        self._pieces = [
            (_points(piece), 1 << at)
            for at, (_, _, needed) in enumerate(_PATTERNS)
            for piece in needed
            if _WORD.search(piece)
        ]

    def __missing__(self, word: str) -> int:
        if len(self) >= _KEPT_WORDS:
            self.clear()
        pointed = 0
        for points, bit in self._pieces:
            if points(word):
                pointed |= bit
        self[word] = pointed
        return pointed


_pointing = _Pointing()
_OTHERS = [
    (piece, 1 << at)
    for at, (_, _, needed) in enumerate(_PATTERNS)
    for piece in needed
    if not _WORD.search(piece)
]
"""Pieces without Latin letters."""


def cues(title: str, abstract: str) -> dict[str, float]:
    """Which cues stand in the title, at the beginning and in the rest of the abstract, and how
    often (up to three times)."""
    title, abstract = title.lower(), abstract.lower()
    return _cues(title, abstract, {*_tokens(title), *_tokens(abstract)})


def _cues(title: str, abstract: str, words: set[str]) -> dict[str, float]:
    """The same of texts in small letters, with all their words."""
    features: dict[str, float] = {"c:bias": 1.0}
    if not abstract:
        features["c:no abstract"] = 1.0
    pointed = 0
    for bits in set(map(_pointing.__getitem__, words)):
        pointed |= bits
    for text in (title, abstract):
        if not text.isascii():
            for piece, bit in _OTHERS:
                if piece in text:
                    pointed |= bit
    beginning, rest = abstract[:_BEGINNING], abstract[_BEGINNING:]
    for at, (name, pattern, needed) in enumerate(_PATTERNS):
        if not pointed >> at & 1:
            continue
        if (start := _start(title, needed)) >= 0 and pattern.search(title, start):
            features[f"c:title {name}"] = 1.0
        if (start := _start(beginning, needed)) >= 0 and pattern.search(beginning, start):
            features[f"c:early {name}"] = 1.0
        if (start := _start(rest, needed)) >= 0:
            times = 0
            for times, _ in enumerate(pattern.finditer(rest, start), 1):
                if times == 3:
                    break
            if times:
                features[f"c:later {name}"] = times / 3
    return features


def _start(text: str, needed: Iterable[str]) -> int:
    """From where on a cue may stand in a text; -1 where none of its pieces does."""
    places = [place for piece in needed if (place := text.find(piece)) >= 0]
    return max(0, min(places) - _LEAD) if places else -1


def _tokens(text: str) -> list[str]:
    return [word if word[0] > "9" else "#" for word in _WORD.findall(text.lower())]


def words(title: str, abstract: str) -> dict[str, float]:
    """Words and pairs of words that stand in title and abstract."""
    features: dict[str, float] = {}
    for mark, text in (("t:", title), ("a:", abstract)):
        tokens = _tokens(text)
        features.update((mark + token, 1.0) for token in tokens)
        features.update((f"{mark}{a} {b}", 1.0) for a, b in itertools.pairwise(tokens))
    return features


def features_of(title: str, abstract: str) -> dict[str, float]:
    return {**cues(title, abstract), **words(title, abstract)}


class Weighed:
    """The words and pairs of words that some weights know, out of all that a text has: a text has
    hundreds, of which a few are known, and the others need not even be written out."""

    def __init__(self, names: Iterable[str]) -> None:
        self._words: dict[str, dict[str, str]] = {"t:": {}, "a:": {}}
        self._pairs: dict[str, dict[tuple[str, str], str]] = {"t:": {}, "a:": {}}
        for name in names:
            mark, rest = name[:2], name[2:]
            first, blank, second = rest.partition(" ")
            if mark in self._words and blank:
                self._pairs[mark][first, second] = name
            elif mark in self._words:
                self._words[mark][first] = name

    def features_of(self, title: str, abstract: str) -> dict[str, float]:
        """``features_of`` without the words and pairs that are not known, in the same order."""
        title, abstract = title.lower(), abstract.lower()
        tokens_of = (("t:", _tokens(title)), ("a:", _tokens(abstract)))
        features = _cues(title, abstract, set().union(*(tokens for _, tokens in tokens_of)))
        for mark, tokens in tokens_of:
            words, pairs = self._words[mark], self._pairs[mark]
            for token in filter(words.__contains__, tokens):
                features[words[token]] = 1.0
            for pair in filter(pairs.__contains__, itertools.pairwise(tokens)):
                features[pairs[pair]] = 1.0
        return features
