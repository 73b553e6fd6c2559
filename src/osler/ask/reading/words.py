"""The reader's own knowledge of words: what people call the things that records hold.

Semantic fields gather words that ask for the same kind of thing, whatever a hospital calls its
relations and types: "dose", "how much" and a relation ``has dosage`` meet in one field. The lists
are general clinical English (and some Chinese); they know nothing of any question template.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


def _read() -> dict[str, list[str]]:
    """The lexicon's lists by name."""
    lists: dict[str, list[str]] = {}
    name = ""
    text = (files(__package__) / "lexicon.txt").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            name = line.rstrip(":")
        else:
            lists.setdefault(name, []).extend(line.split())
    return lists


_LISTS = _read()
STOP = frozenset(_LISTS["stop"])
SOFT = frozenset(_LISTS["soft"])
PATIENT_WORDS = frozenset(_LISTS["patients"])
NEGATIONS = frozenset(_LISTS["negations"])
ASKING = frozenset(_LISTS["asking"])
HEADS = frozenset(_LISTS["heads"])
POLAR = frozenset(_LISTS["polar"])
OPENING = frozenset(_LISTS["opening"])
CLOSING = frozenset(_LISTS["closing"])
EMPTY = frozenset(_LISTS["empty"])
QUALIFYING = frozenset(_LISTS["qualifying"])
CERTAIN = frozenset(_LISTS["certain"])
# An abbreviation to what it stands for, written out in one or several ways (parted by "/").
ABBREVIATIONS = {
    name.removeprefix("short "): tuple(p.strip() for p in " ".join(words).split("/"))
    for name, words in _LISTS.items()
    if name.startswith("short ")
}
# What the parts of a relation's name are short for: DX, FAM_HX, RX.
CUT = {
    name.removeprefix("cut "): tuple(words)
    for name, words in _LISTS.items()
    if name.startswith("cut ")
}
# A word to all words that say the same value, itself included.
ALIKE = {
    word: tuple(group)
    for name, group in _LISTS.items()
    if name.startswith("alike ")
    for word in group
}
GENDERS = frozenset(w for name in ("alike female", "alike male") for w in _LISTS[name])
_FIELDS = {
    name.removeprefix("field "): words
    for name, words in _LISTS.items()
    if name.startswith("field ")
}

# Questions that ask in two words what a noun says in one.
PHRASES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("how", "much"), "howmuch"),
    (("how", "often"), "howoften"),
    (("how", "frequently"), "howoften"),
    (("how", "many", "times", "a", "day"), "timesaday"),
    (("how", "many", "times", "per", "day"), "timesaday"),
    (("how", "many", "times", "daily"), "timesaday"),
    (("how", "many", "times", "each", "day"), "timesaday"),
    (("how", "long"), "howlong"),
    (("how", "old"), "born"),
    (tuple("什么时候"), "whenasked"),
    (tuple("何时"), "whenasked"),
    (tuple("什么时间"), "whenasked"),
    (tuple("为什么"), "why"),
    (tuple("为何"), "why"),
    (tuple("多久"), "howlong"),
    (tuple("哪里"), "whereasked"),
)
WH = {
    "when": "whenasked",
    "where": "whereasked",
    "why": "why",
    "who": "whoasked",
    "whom": "whoasked",
    "何时": "whenasked",
}

# Pairs whose inverse says the other: "what came after X" walks ``before`` from X.
OPPOSITES = {"after": "before", "before": "after"}


@lru_cache(maxsize=1)
def _stemmer() -> object:
    import Stemmer

    return Stemmer.Stemmer("english")


_GREEK = ("alyses", "rognoses", "tastases", "crises", "prostheses", "stenoses")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    if word.startswith("diagnos"):
        # To diagnose, diagnosed, a diagnosis, diagnoses: one word in every question.
        return "diagnos"
    if word.endswith(_GREEK):
        # The plural of analysis, which the stemmer does not know.
        word = f"{word[:-2]}is"
    return str(_stemmer().stemWord(word)) if word.isascii() else word  # type: ignore[attr-defined]


@lru_cache(maxsize=1)
def fields_by_stem() -> dict[str, frozenset[str]]:
    by_stem: dict[str, set[str]] = {}
    for field, text in _FIELDS.items():
        for word in text:
            by_stem.setdefault(stem(word), set()).add(field)
        by_stem.setdefault(stem(field), set()).add(field)
    return {word: frozenset(names) for word, names in by_stem.items()}


def fields(word: str) -> frozenset[str]:
    """The semantic fields of a word; empty for a word that the lexicon does not know."""
    return fields_by_stem().get(stem(word), frozenset())


@lru_cache(maxsize=1)
def spellings() -> frozenset[str]:
    """Every word of the lexicon that is long enough to be told by its letters."""
    return frozenset(
        word
        for name, group in _LISTS.items()
        if not name.startswith("short ")
        for word in group
        if len(word) >= 4 and word.isascii() and word.isalpha()
    )
