"""WordNet's own files (Debian: wordnet-base) as senses, relations and inflected forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_BY_NUMBER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("s", ""), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")),
    "v": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ied", "y"), ("ing", "e"), ("ing", "")),
    ),
    "a": (),
    "r": (),
}
Sense = tuple[str, str]
"""Part of speech, and the offset in its file."""


class Synset(NamedTuple):
    file: int
    words: tuple[str, ...]
    relations: tuple[tuple[str, Sense], ...]


class Form(NamedTuple):
    """What an inflected word may be: of which word, of which part of speech, which form."""

    lemma: str
    part: str
    ending: str


class WordNet:
    def __init__(self, folder: Path) -> None:
        self.synsets: dict[Sense, Synset] = {}
        self.senses: dict[tuple[str, str], list[Sense]] = {}
        self.counts: dict[tuple[str, str, int], int] = {}
        self.irregular: dict[tuple[str, str], list[str]] = {}
        for name, part in PARTS.items():
            for line in _lines(folder / f"data.{name}"):
                self.synsets[part, line.split(maxsplit=1)[0]] = _synset(line)
            for line in _lines(folder / f"index.{name}"):
                cells = line.split()
                offsets = cells[-int(cells[2]) :]
                self.senses[cells[0], part] = [(part, offset) for offset in offsets]
            for line in _lines(folder / f"{name}.exc"):
                inflected, *lemmas = line.split()
                self.irregular.setdefault((inflected, part), []).extend(lemmas)
        for line in _lines(folder / "cntlist.rev"):
            key, number, count = line.split()
            lemma, rest = key.split("%")
            self.counts[lemma, _BY_NUMBER[rest[0]], int(number)] = int(count)

    def weighed(self, lemma: str, part: str) -> list[tuple[Sense, float]]:
        """The senses of a word with how often each was met; one that never was has a little."""
        senses = self.senses.get((lemma, part), [])
        return [
            (sense, self.counts.get((lemma, part, at), 0) + 0.5 / at)
            for at, sense in enumerate(senses, 1)
        ]

    def share(self, word: str, sense: Sense) -> float:
        """How often a word has a sense, or one of a verb that tells of it, of all the times that it
        was met."""
        near = {other for kind, other in self.synsets[sense].relations if kind == "+"} | {sense}
        senses = [pair for part in PARTS.values() for pair in self.weighed(word, part)]
        whole = sum(weight for _, weight in senses)
        return sum(weight for other, weight in senses if other in near) / whole if whole else 0.0

    def forms(self, word: str) -> list[Form]:
        found: list[Form] = []
        for part in PARTS.values():
            lemmas = [word, *self.irregular.get((word, part), ())]
            for ending, other in _ENDINGS[part]:
                if word.endswith(ending) and len(word) > len(ending) + 1:
                    bare = word[: -len(ending)]
                    lemmas.append(bare + other)
                    if not other and ending in ("ed", "ing") and bare[-1] == bare[-2:-1]:
                        lemmas.append(bare[:-1])
            for lemma in dict.fromkeys(lemmas):
                if (lemma, part) in self.senses:
                    found.append(Form(lemma, part, _ending(word, lemma, part)))
        return found

    def inflected(self, lemma: str, part: str) -> list[str]:
        """The forms of a word, the word first."""
        known = [w for (w, p), lemmas in self.irregular.items() if p == part and lemma in lemmas]
        if part == "n":
            return [lemma, *(known or [_with_s(lemma)])]
        if part != "v":
            return [lemma]
        past = [w for w in known if not w.endswith("ing")]
        silent = lemma[:-1] if lemma.endswith("e") and not lemma.endswith("ee") else lemma
        if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
            past = past or [lemma[:-1] + "ied"]
        past = past or [silent + "ed"]
        doubled = [w for w in known if w.endswith("ing")]
        return [lemma, _with_s(lemma), *past, *(doubled or [silent + "ing"])]

    def below(self, sense: Sense, roots: frozenset[Sense]) -> bool:
        """Whether a sense lies under one of some roots."""
        waiting, met = [sense], {sense}
        while waiting:
            here = waiting.pop()
            if here in roots:
                return True
            for kind, other in self.synsets[here].relations:
                if kind in ("@", "@i") and other not in met:
                    met.add(other)
                    waiting.append(other)
        return False


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def _synset(line: str) -> Synset:
    cells = line.split(" | ")[0].split()
    count = int(cells[3], 16)
    words = tuple(cells[4 + 2 * at].lower().split("(")[0] for at in range(count))
    start = 4 + 2 * count
    relations = []
    for at in range(int(cells[start])):
        kind, offset, part, _ = cells[start + 1 + 4 * at : start + 5 + 4 * at]
        relations.append((kind, ("a" if part == "s" else part, offset)))
    return Synset(int(cells[1]), words, tuple(relations))


def _ending(word: str, lemma: str, part: str) -> str:
    if word == lemma or part in "ar":
        return "base"
    if part == "n" or (word.endswith("s") and not lemma.endswith("s")):
        return "s"
    return "ing" if word.endswith("ing") else "past"


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
