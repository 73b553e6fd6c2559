"""Negated mentions: "no evidence of metastasis", "未见转移".

After NegEx (Chapman et al., "A simple algorithm for identifying negated findings and diseases in
discharge summaries", J Biomed Inform 2001): triggers before a mention, triggers after it, phrases
that only look like negations, and words that end a scope. The lists are our own, for English and
Chinese (``negation.tsv``). A scope reaches ``WINDOW`` words, or characters in Chinese, and runs on
through a list ("no fever, cough or chest pain").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib import resources

WINDOW = 5
ITEM = 5
"""Words that one item of a denied list has at most."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|do|noted|showed|shows|revealed|presented|developed|"
    r"complain\w*|reports?|reported|he|she|they|there)\b",
    re.IGNORECASE,
)
WINDOW_ZH = 8
# A text without full stops must not become one sentence: its cost grows with the square.
LONGEST = 1_000


def _phrases(language: str, kind: str) -> list[str]:
    """The phrases of one kind, out of the table beside this file."""
    return [phrase for spoken, which, phrase in _table() if (spoken, which) == (language, kind)]


@cache
def _table() -> list[list[str]]:
    text = resources.files("osler.knowledge").joinpath("negation.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def _words(phrases: Sequence[str]) -> str:
    """One pattern for many phrases, longest first, grouped by their first letter: the engine then
    passes over most words after one look."""
    groups: dict[str, list[str]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        tail = re.escape(phrase[1:]).replace(r"\ ", r"[\s\-]+")
        groups.setdefault(re.escape(phrase[0]), []).append(tail)
    return "|".join(f"{first}(?:{'|'.join(tails)})" for first, tails in groups.items())


# Compiled when a text first asks for it: it takes longer than to link a short text does.
@cache
def _cues(language: str) -> re.Pattern[str]:
    begin, end = (r"\b(?=[a-z])", r"\b") if language == "en" else ("", "")
    kinds = ("pseudo", "after", "before", "end")
    # "was negative" looks back, but "was negative for" looks ahead.
    barred = {"after": r"(?!\s+(?:for|of)\b)"}
    groups = "|".join(
        f"(?P<{kind}>{_words(_phrases(language, kind))}){end}{barred.get(kind, '')}"
        for kind in kinds
    )
    return re.compile(f"{begin}(?:{groups})")


# One look for a trigger saves the scan of most sentences.
_SEED = re.compile(
    r"\b(?:no|not|nor|never|neither|without|absen[ct]|lack|free|negative|den(?:y|ie)|rul(?:e|ing)"
    r"|exclu|cannot|unlikely|fail|rather|instead)"
)
_SEED_ZH = re.compile(r"[无未没否不排除非缺阴]|[(（]-[)）]")
# A set of marks comes first: the engine runs to the next of them without trying each place.
_STOP = re.compile(r"[.;:!?\n。；：！？](?:(?<=[\n。；：！？])|(?=\s|$))")
Suspect = tuple[int, int, int]
"""A piece of a text that may deny: where it begins and ends, and ``suspected`` of it."""
SEED, SEED_ZH, TRIGGER = 1, 2, 4


def _telling(phrase: str) -> str:
    """The word of a trigger that fewest other texts hold: the one that a seed opens, else the
    longest."""
    words = phrase.split()
    return next((word for word in words if _SEED.match(word)), max(words, key=len))


# "Novel" and "notable" begin like a trigger; a trigger holds one of these words whole.
_TRIGGER = re.compile(
    "|".join(
        rf"\b{re.escape(word)}\b"
        for word in sorted(
            {_telling(one) for kind in ("before", "after") for one in _phrases("en", kind)}
        )
    )
)


def suspected(piece: str) -> int:
    """What a text without blanks, or a piece of one between two blanks, may hold: ``SEED`` or
    ``SEED_ZH`` where a sentence with it is worth a look, ``TRIGGER`` where a trigger can stand.
    0 for most."""
    low = piece.lower()
    seed, seed_zh = _SEED.search(low) is not None, _SEED_ZH.search(low) is not None
    trigger = seed_zh or _TRIGGER.search(low) is not None
    return SEED * seed | SEED_ZH * seed_zh | TRIGGER * trigger


_WORD = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]")
# Possessive: blanks are given back to nobody, or a thousand of them would take seconds.
_LIST = re.compile(
    r"[\s,、/]*+(?:\b(?:and/or|or|and|nor)\b|[及和或与])?[\s,、]*+(?:\b(?:any|a|an|the)\b\s*+)?$"
)


def negated(
    text: str,
    spans: Sequence[tuple[int, int]],
    suspects: Sequence[Suspect] | None = None,
) -> list[bool]:
    """For each span (in the order of their starts), whether the text denies it. ``suspects`` are
    the pieces of the text that may deny, where somebody has looked for them already."""
    marks = [False] * len(spans)
    if not spans:
        return marks
    if suspects is None:
        suspects = [(0, len(text), suspected(text))]
    triggers = [place for place in suspects if place[2] & TRIGGER]
    if not triggers:
        return marks
    low = text.lower()
    if len(low) != len(text):
        low = text  # a letter whose small form is longer would shift every place
    begins = [start for start, _ in spans]
    for kind, seed, language in ((SEED, _SEED, "en"), (SEED_ZH, _SEED_ZH, "zh")):
        done = 0
        for start, stop, suspect in suspects:
            if not suspect & kind or stop <= done:
                continue
            for match in seed.finditer(low, start, stop):
                if match.start() < done:
                    continue
                begin, end = _sentence(low, match.start(), done)
                done = end
                first, last = bisect_left(begins, begin), bisect_left(begins, end)
                if first < last and any(a < end and begin < b for a, b, _ in triggers):
                    _scopes(low, begin, end, spans[first:last], marks, first, language)
    return marks


def _sentence(text: str, place: int, begin: int) -> tuple[int, int]:
    """The sentence around a place, not before ``begin``."""
    begin = max(begin, place - LONGEST)
    for stop in _STOP.finditer(text, begin, place):
        begin = stop.end()
    after = _STOP.search(text, place, place + LONGEST)
    return begin, after.start() if after else min(len(text), place + LONGEST)


def _scopes(
    text: str,
    begin: int,
    end: int,
    spans: Sequence[tuple[int, int]],
    marks: list[bool],
    first: int,
    language: str,
) -> None:
    """Mark what the triggers of one sentence deny."""
    cue, chinese = _cues(language), language == "zh"
    cues = [(m.start(), m.end(), str(m.lastgroup)) for m in cue.finditer(text, begin, end)]
    own = [False] * len(spans)
    for at, (start, stop, kind) in enumerate(cues):
        if kind == "before":
            limit = _limit(cues, at, end, spans)
            _forward(text, spans, own, stop, limit, window=WINDOW_ZH if chinese else WINDOW)
        elif kind == "after":
            _backward(text, spans, own, start, window=2 if chinese else 3)
    for number, denied in enumerate(own):
        if denied:
            marks[first + number] = True


def _limit(
    cues: Sequence[tuple[int, int, str]], at: int, length: int, spans: Sequence[tuple[int, int]]
) -> int:
    """Where the scope of a trigger ends: at the next word that closes it, or the sentence's end."""
    for start, end, kind in cues[at + 1 :]:
        if kind == "end":
            # A word that is part of a mention closes nothing ("fever due to ...").
            if any(s <= start and end <= e for s, e in spans):
                continue
            return start
    return length


def _forward(
    text: str,
    spans: Sequence[tuple[int, int]],
    marks: list[bool],
    begin: int,
    limit: int,
    *,
    window: int,
) -> None:
    anchor = begin
    first = True
    for number, (start, end) in enumerate(spans):
        if start < begin:
            continue
        if start >= limit:
            break
        between = text[anchor:start]
        near = len(_WORD.findall(between)) < window if first else _LIST.match(between) is not None
        if start < anchor:
            near = True  # another reading of the same place
        near = near or _enumerates(between)
        if not near:
            break
        marks[number] = True
        anchor = max(anchor, end)
        first = False


def _enumerates(between: str) -> bool:
    """Whether a place stands further on in a list that a trigger opened: short items with commas,
    and no verb that begins a new statement."""
    items = between.split(",")
    return (
        len(items) > 1
        and all(len(_WORD.findall(item)) <= ITEM for item in items)
        and _VERB.search(between) is None
    )


def _backward(
    text: str, spans: Sequence[tuple[int, int]], marks: list[bool], begin: int, *, window: int
) -> None:
    anchor = begin
    first = True
    for number in range(len(spans) - 1, -1, -1):
        start, end = spans[number]
        if end > begin:
            continue
        between = text[end:anchor]
        near = len(_WORD.findall(between)) < window if first else _LIST.match(between) is not None
        if not near and end <= anchor:
            break
        marks[number] = True
        anchor = min(anchor, start)
        first = False
