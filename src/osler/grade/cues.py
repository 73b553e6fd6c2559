"""Words that tell a relation: what relations are called, and what sentences say that state them.

``cues.tsv`` is ours: a few groups of relations in Chinese and English. A relation that belongs to
none has its own words as cues.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from osler.text.scripts import CJK_CHARACTER
from osler.text.stopwords import STOPWORDS
from osler.text.tokens import terms

OTHER = "other"


@lru_cache(maxsize=1)
def groups() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """By group: beginnings of words that a relation's name may hold, and cue words."""
    text = (files("osler.grade") / "cues.tsv").read_text("utf-8")
    by_name = {}
    for line in text.splitlines()[1:]:
        name, called, cues = line.split("\t")
        by_name[name] = (tuple(called.split(",")), tuple(cues.split(",")))
    return by_name


@lru_cache(maxsize=2_000)
def group_of(relation: str) -> str:
    """The group of a relation by its name; ``other`` where none fits."""
    name = relation.casefold()
    words = _LATIN.findall(name)
    for group, (called, _) in groups().items():
        if any(_names(word.casefold(), name, words) for word in called):
            return group
    return OTHER


_LATIN = re.compile(r"[a-z]+")
WHOLE = 5
"""Beginnings shorter than this must be the whole word, its ending aside: "sign" is not "signal"."""


def _names(called: str, relation: str, words: list[str]) -> bool:
    """Whether a relation's name holds a word of a group: Chinese as written, phrases as words in a
    row, Latin by the beginning of a word, so that "contraindicated" is not "indicated"."""
    if CJK_CHARACTER.search(called):
        return called in relation
    if " " in called:
        return f" {called}" in f" {' '.join(words)}"
    if len(called) >= WHOLE:
        return any(word.startswith(called) for word in words)
    whole = terms(called)
    return any(terms(word) == whole for word in words)


@lru_cache(maxsize=2_000)
def cues_of(relation: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """What tells this relation: Chinese words as written, Latin ones as terms."""
    group = group_of(relation)
    cues = [*groups()[group][1]] if group != OTHER else []
    cues.append(relation)
    chinese = tuple(word for word in cues if CJK_CHARACTER.search(word))
    latin = frozenset(
        term
        for word in cues
        if not CJK_CHARACTER.search(word)
        for term in terms(word)
        if term not in STOPWORDS
    )
    return chinese, latin


def cue_count(relation: str, text: str) -> int:
    """How many different cues of a relation a text has."""
    chinese, latin = cues_of(relation)
    count = sum(word in text for word in chinese)
    if latin and text:
        count += len(latin.intersection(terms(text)))
    return count
