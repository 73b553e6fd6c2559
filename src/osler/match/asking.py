"""What a health question asks for: a treatment, a cause, a test; English and Chinese.

A table of cues (``asked_cues.tsv``) is read from its top: the narrower kinds stand first, so that
"which medicine prevents attacks" asks how to prevent, though it names medicine. A cue's words match
words that begin with them; a word with a stop after it is meant whole; ``*`` skips some words.
What is left of a question without cues and idle words is its focus: whom or what it is about.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from osler.text.scripts import CJK_CHARACTER, listed
from osler.text.sentences import sentences

KINDS = (
    "dose",
    "safety",
    "inherit",
    "spread",
    "prevent",
    "frequency",
    "complication",
    "outlook",
    "risk",
    "test",
    "diet",
    "symptom",
    "cause",
    "treat",
    "about",
)
"""What a question may ask for, the narrower first."""
GAP = r"([^.?!。？！]{0,60}?)"
"""What ``*`` skips; what stands there stays in the focus."""
SHORT = 2
"""Sentences of a question that is read as a whole."""
IDLE = listed(
    "someone somebody people person patient doctor doctors usually often really always best good",
    "better need want get got getting go going come coming know tell help make take use way thing",
    "kind much many long first early day week year old new my me i you your we our he she his her",
    "child children adult baby please hello thank feel problem possible available done do does did",
    "can could should would will may might what which who whom whose when where why how there any",
    "some other else also too still again completely fully exactly is are am be been a an the of",
    "for in on at to from with and or about against start starts begin begins have has had was",
    "were told given needed whether it that this these so not one son daughter brother sister",
    "mother father wife husband",
)
"""Words that say nothing of what a question is about."""


@cache
def _cues() -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = files("osler.match").joinpath("asked_cues.tsv").read_text("utf-8").splitlines()
    cues = []
    for line in lines[1:]:
        kind, language, cue = line.split("\t")
        cues.append((kind, _pattern(cue, chinese=language == "zh")))
    return tuple(sorted(cues, key=lambda one: KINDS.index(one[0])))


def _pattern(cue: str, *, chinese: bool) -> re.Pattern[str]:
    if chinese:
        return re.compile(GAP.join(map(re.escape, cue.split("*"))))
    words = []
    for word in cue.split():
        if word == "*":
            words.append(GAP)
        else:
            whole = re.escape(word.rstrip("."))
            words.append(rf"\b{whole}\b" if word.endswith(".") else rf"\b{whole}\w*")
    return re.compile(r"\s*".join(words), re.IGNORECASE)


def asked_kind(question: str) -> str:
    """The narrowest kind that a cue of the question names; empty where none does."""
    for kind, pattern in _cues():
        if pattern.search(question):
            return kind
    return ""


def has_cue(kind: str, text: str) -> bool:
    """Whether a text has a cue of a kind."""
    return any(pattern.search(text) for own, pattern in _cues() if own == kind)


def focus(question: str) -> str:
    """The question without cues and idle words: what it is about, as words behind one another."""
    left = question
    for _, pattern in _cues():
        left = pattern.sub(lambda met: f" {' '.join(met.groups())} ", left)
    if CJK_CHARACTER.search(left):
        return " ".join(_IDLE_ZH.sub(" ", left).split())
    words = re.findall(r"[\w'-]+", left)
    return " ".join(word for word in words if word.lower() not in IDLE)


def asked_part(text: str) -> str:
    """Of a letter what it is about and what it asks: its first sentence, and those that end in a
    question mark; of a short text, or one without a question, all of it."""
    spans = [text[start:end] for start, end in sentences(text)]
    asking = [one for one in spans if one.rstrip().endswith(("?", "？"))]
    if len(spans) <= SHORT or not asking:
        return text
    return " ".join(dict.fromkeys([spans[0].strip(), *(one.strip() for one in asking)]))


_IDLE_ZH = re.compile(
    "应该|怎么|什么|哪些|哪个|可以|能够|需要|请问|医生|你好|总是|晚上|比较|如何|的|了|吗|呢|吧|会|要|好|时|是|有|做|得"
)
