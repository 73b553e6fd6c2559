"""Which sentences of an abstract conclude: the last ones, those that say so.

A sentence is scored by its place from the end and its words; the run of sentences at the end that
score above a half is the conclusion. Aims ask, results count, conclusions answer.
"""

from __future__ import annotations

import re

from osler.claims.heads import LinearHead
from osler.claims.numbers import figures
from osler.claims.trial import Features
from osler.claims.words import words
from osler.text.sentences import sentences

_CONCLUDES = re.compile(
    r"\b(?:conclu\w+|in summary|taken together|these (?:results|findings|data)|our (?:results|"
    r"findings|data|study)|this study (?:shows?|suggests?|demonstrates?)|the present (?:study|"
    r"data)|interpretation|implications?)\b|结论|综上|提示",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W{0,2}(?:conclusions?|interpretation)\s*[:：]|^\W{0,2}结论", re.IGNORECASE)
_AIM = re.compile(
    r"^\W{0,2}(?:objectives?|aims?|purpose|background|introduction|目的|背景)\b"
    r"|\bhypothesi[sz]e[ds]?\b|假设"
    r"|\b(?:we|th(?:is|e|e present) (?:study|paper|work|article|review)|study was|purpose|aim|"
    r"objective)\b.{0,60}\b(?:aim\w*|investigat\w+|"
    r"to (?:determine|assess|evaluate|examine|compare|investigate|test|study|describe))\b"
    # "the first meta-analysis to assess": what it is, not what it found.
    r"|\b(?:first|stud(?:y|ies)|trials?|reviews?|analys[ei]s)\b.{0,30}"
    r"\bto (?:assess|evaluate|investigate|examine|explore|determine|test|compare)\b"
    r"|\bwhether\b|^(?:to|the (?:aim|purpose|objective))\b",
    re.IGNORECASE,
)


_OPEN = re.compile(
    r"\b(?:no|not|lacks?|without|little|few) (?:yet )?(?:any )?"
    r"(?:definitive|definite|conclusive|clear|sufficient|robust|reliable|solid|convincing|firm|"
    r"consistent|high-quality) (?:data|evidence|proof|answer|conclusions?|consensus)\b",
    re.IGNORECASE,
)


def states_nothing(sentence: str) -> str:
    """Why a sentence cannot carry a side: it asks, or it says that nobody knows. Empty where it
    can."""
    if sentence.rstrip(" \"')]").endswith(("?", "？")):
        return "the sentence asks, and states nothing"
    if _OPEN.search(sentence) is not None:
        return "the text says that the evidence is open"
    return ""


def is_aim(sentence: str) -> bool:
    """Whether a sentence says what was asked, not what was found."""
    return _AIM.search(sentence) is not None and _CONCLUDES.search(sentence) is None


def place_features(sentence: str, from_end: int, total: int) -> Features:
    """What tells a conclusion: place, words, figures."""
    said = figures(sentence)
    features: Features = {
        "bias": 1.0,
        f"from end {min(from_end, 6)}": 1.0,
        "share from end": from_end / max(1, total),
        "concludes": float(_CONCLUDES.search(sentence) is not None),
        "labelled": float(_LABEL.search(sentence) is not None),
        "aim": float(is_aim(sentence)),
        "figures": float(min(3, said.significant + said.not_significant)),
        "digits": min(10, sum(c.isdigit() for c in sentence)) / 10,
    }
    for word in words(sentence):
        if not word.mark and word.text[0].isalpha() and not word.content:
            features["w:" + word.stem] = 1.0
    return features


def conclusion(text: str, head: LinearHead | None) -> tuple[int, list[tuple[int, int]]]:
    """Where the conclusion begins among a text's sentences, and their places. A text of three
    sentences or fewer is all conclusion."""
    places = sentences(text)
    if len(places) <= 3:
        return 0, places
    for number, (start, end) in enumerate(places):
        if number and _LABEL.search(text[start:end]):
            return number, places
    begin = len(places) - 1
    if head is None:
        return begin, places
    at = head.classes.index("conclusion")
    while begin > 0:
        start, end = places[begin - 1]
        features = place_features(text[start:end], len(places) - begin, len(places))
        if head.probabilities(features)[at] < 0.5:
            break
        begin -= 1
    return begin, places
