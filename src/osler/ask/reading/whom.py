"""Whom a question is about: numbers that are patients', and patients that are in no record."""

from __future__ import annotations

import re

from osler.ask.reading.names import Names, Word
from osler.ask.reading.words import PATIENT_WORDS, SOFT, STOP, fields

_CALLED = frozenset(
    ["patient", "subject", "pt", "mrn", "case", "person", "individual", "病人", "患者", "人", "者"]
)
BETWEEN = frozenset(
    [
        "is",
        "of",
        "as",
        "with",
        "the",
        "was",
        "to",
        "no",
        "number",
        "id",
        "ids",
        "named",
        "called",
        "equal",
    ]
)
COMPARING = frozenset(
    [
        "above",
        "over",
        "than",
        "least",
        "most",
        "below",
        "under",
        "exceeding",
        "between",
        "in",
        "since",
        "before",
        "after",
        "during",
        "until",
        "till",
        "by",
    ]
)


def called(texts: list[str], first: int) -> bool:
    """Whether the words before say that a number is a patient's: "patient", "subject id"."""
    said_id = False
    for at in range(first - 1, max(-1, first - 6), -1):
        word = texts[at]
        if word in _CALLED or (said_id and word in PATIENT_WORDS):
            return True
        said_id |= word in ("id", "ids")
        if word not in BETWEEN:
            return said_id and word in STOP
    return said_id


def bare_patient(texts: list[str], first: int) -> bool:
    """A long number that is no year and stands in no comparison: it can only be somebody's."""
    text = texts[first]
    if len(text) < 4 or (len(text) == 4 and "1800" <= text <= "2299"):
        return False
    return first == 0 or texts[first - 1] not in COMPARING | {"code", "id", "item", "number"}


_NUMBERED = re.compile(r"[A-Za-z]{1,4}[-_]?\d{3,}")


def unknown_patient(names: Names, words: list[Word], text: str, covered: set[int]) -> str:
    """Something that is called a patient but is none of these records'; empty if there is none.

    In doubt it is one: to answer about somebody else would be worse than to ask again.
    """
    joint = _joint_patient(names, words, text, covered)
    if joint:
        return joint
    for at, word in enumerate(words):
        if at in covered:
            continue
        raw = text[word.start : word.end]
        before = [w.text for w in words[max(0, at - 3) : at]]
        said = called([w.text for w in words], at)
        digits = any(c.isdigit() for c in raw)
        known = word.text in names.kb.vocabulary
        if known and not said:
            continue
        if digits and names.looks_like_patient(raw) and (said or not raw.isdigit()):
            return raw
        if _NUMBERED.fullmatch(raw) and not known:
            return raw
        near = bool(before) and before[-1] in _CALLED
        if near and digits and re.fullmatch(r"[A-Za-z]{0,4}[-_]?\d{2,}", raw):
            return raw
        if near and _capital(raw) and not fields(raw.lower()):
            following = text[word.end :].strip()[:1]
            if following.isupper() or not following.isalpha():
                return raw
        # Two capitalised words that name nothing here: a person.
        if at and at + 1 < len(words) and at + 1 not in covered:
            second = text[words[at + 1].start : words[at + 1].end]
            joined = text[word.end : words[at + 1].start] == " "
            pair = (raw, second)
            if joined and all(
                _capital(p) and not fields(p.lower()) and p.lower() not in names.things
                for p in pair
            ):
                return f"{raw} {second}"
    return ""


_JOINT = re.compile(r"[A-Za-z0-9]+(?:[-_/.:#][A-Za-z0-9]+)+")


def _joint_patient(names: Names, words: list[Word], text: str, covered: set[int]) -> str:
    """A patient's number in several parts ("NF-0999") that is written as this house writes them."""
    for match in _JOINT.finditer(text):
        inside = [i for i, w in enumerate(words) if match.start() <= w.start < match.end()]
        if not names.looks_like_patient(match.group()) or covered.issuperset(inside):
            continue
        if " ".join(words[i].text for i in inside) not in names.kb.by_name:
            return match.group()
    return ""


def _capital(word: str) -> bool:
    return (
        word[:1].isupper()
        and word[1:].islower()
        and word.lower() not in STOP
        and word.lower() not in SOFT
    )
