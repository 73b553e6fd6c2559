"""Words that tell a relation: what relations are called, and what sentences say that state them.

``cues.tsv`` is ours: a few groups of relations in Chinese and English. A relation that belongs to
none has its own words as cues.
"""

from __future__ import annotations

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
    found = {}
    for line in text.splitlines()[1:]:
        name, called, told = line.split("\t")
        found[name] = (tuple(called.split(",")), tuple(told.split(",")))
    return found


@lru_cache(maxsize=2_000)
def group_of(relation: str) -> str:
    """The group of a relation by its name; ``other`` where none fits."""
    name = relation.casefold()
    for group, (called, _) in groups().items():
        if any(word.casefold() in name for word in called):
            return group
    return OTHER


@lru_cache(maxsize=2_000)
def cues_of(relation: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """What tells this relation: Chinese words as written, Latin ones as terms."""
    group = group_of(relation)
    told = [*groups()[group][1]] if group != OTHER else []
    told.append(relation)
    chinese = tuple(word for word in told if CJK_CHARACTER.search(word))
    latin = frozenset(
        term
        for word in told
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
