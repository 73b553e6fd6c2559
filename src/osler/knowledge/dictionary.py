"""The linker's dictionary: which entities each variant of a name may mean, and how surely.

Built from entities, saved as arrays. A candidate is an entity, a weight (see ``variants``), and,
where the name is an acronym that is also a word ("AIDS", "CAT", "ALL"), the spelling that the
text must show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Entity
from osler.knowledge import arrays
from osler.knowledge.ids import terminology
from osler.knowledge.index import MAX_TOKENS, Trie
from osler.knowledge.variants import INVERTED, Form, forms, in_singular_only, related, untagged

VERSION = "3"
Array = NDArray[Any]
PREFERRED, SYNONYM, JOINED, BORROWED, CLASS, RIVAL = 1.0, 0.95, 0.9, 0.6, 0.3, 0.4
LEAST = 0.5
"""The weight that a name must have to weigh more by being written out."""
SINGULAR = "#"
"""Instead of a spelling: the text must not show a plural."""
EXACT = 1.2
"""How much more a name weighs that stands in the text in its own number, where its terminology has
another that differs in number alone: "glutamate" is Glutamic Acid, "glutamates" are Glutamates."""
# The shorter an acronym, the more things it stands for: its weight by its length. One that the
# text defines is read as its long form and needs none of this.
ACRONYMS = {1: 0.1, 2: 0.3, 3: 0.6, 4: 0.7}
# Words for a whole class: true of every mention and telling nothing.
_CLASSES = (
    "disease",
    "disorder",
    "syndrome",
    "condition",
    "symptom",
    "sign",
    "finding",
    "infection",
)
CLASS_NAMES = frozenset(
    {*_CLASSES, *(f"{name}s" for name in _CLASSES), "illness", "illnesses", "death", "abnormality"}
)
_DISORDERS = frozenset({"disease", "phenotype", "disorder", "finding", "disease or syndrome"})


@cache
def common_words() -> frozenset[str]:
    """English words of two to five letters: an acronym that spells one counts in capitals only."""
    return _listed("common_words.txt")


@cache
def stop_names() -> frozenset[str]:
    """Names that say nothing on their own."""
    return _listed("stop_names.txt")


@cache
def unspecific() -> frozenset[tuple[str, str]]:
    """(normal form, entity) of names that texts use for other things than the entity: "lead",
    "association". Counted from indexers' headings by ``benchmarks/teach_unspecific.py``."""
    text = resources.files("osler.knowledge").joinpath("unspecific.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return frozenset((form, id) for form, id, *_ in rows)


def _listed(file: str) -> frozenset[str]:
    return frozenset(resources.files("osler.knowledge").joinpath(file).read_text("utf-8").split())


def squeezed(text: str) -> str:
    return "".join(text.split()).replace("-", "")


def is_acronym(name: str) -> bool:
    capitals = sum(map(str.isupper, name))
    short = squeezed(name)
    if not short.isascii():
        return False
    return len(short) <= 2 or (capitals >= 2 and len(short) <= 6 and " " not in name)


def initials(name: str) -> str:
    return "".join(word[0] for word in name.lower().replace("-", " ").split())


class Dictionary:
    """``ids`` by number; ``candidates`` of name ``n`` are rows ``offsets[n]`` to ``offsets[n + 1]``
    of ``entity``, ``weight`` and ``spelling`` (a number in ``spellings``, 0 for none)."""

    def __init__(
        self,
        trie: Trie,
        ids: Sequence[str],
        types: Sequence[str],
        places: Sequence[str],
        spellings: Sequence[str],
        columns: dict[str, Array],
        fingerprint: str,
    ) -> None:
        self.trie = trie
        self.ids = ids
        self.types = types
        self.places = places
        self.spellings = list(spellings)
        self.columns = columns
        self.fingerprint = fingerprint

    @classmethod
    def build(cls, entities: Iterable[Entity], *, join: bool = True) -> Dictionary:
        return _Builder(join).build(entities)

    def candidates(self, name: int) -> Iterator[tuple[int, float, str]]:
        """(entity's number, weight, spelling that the text must show or empty)."""
        start, end = self.columns["offsets"][name : name + 2].tolist()
        for row in range(start, end):
            yield (
                int(self.columns["entity"][row]),
                float(self.columns["weight"][row]),
                self.spellings[int(self.columns["spelling"][row])],
            )

    def save(self, folder: Path) -> None:
        arrays.save(
            folder,
            "linker",
            {**self.trie.arrays(), **self.columns},
            {
                "words": list(self.trie.words),
                "ids": self.ids,
                "types": self.types,
                "places": self.places,
                "spellings": self.spellings,
            },
            {"version": VERSION, "fingerprint": self.fingerprint},
        )

    @classmethod
    def load(cls, folder: Path) -> Dictionary:
        loaded = arrays.load(folder, "linker")
        columns = {
            name: loaded.arrays[name] for name in ("offsets", "entity", "weight", "spelling")
        }
        return cls(
            Trie.of(loaded.strings["words"], loaded.arrays),
            loaded.strings["ids"],
            loaded.strings["types"],
            loaded.strings["places"],
            list(loaded.strings["spellings"]),
            columns,
            str(loaded.notes["fingerprint"]),
        )


class _Builder:
    def __init__(self, join: bool) -> None:
        self.join = join
        self.trie = Trie()
        # (name, entity, spelling) -> weight, the best one.
        self.rows: dict[tuple[int, int, int], float] = {}
        self._singular = 1
        self.spellings: dict[str, int] = {"": 0, SINGULAR: self._singular}
        self.ids: list[str] = []
        # Names of one word as they are written, by their number and then by entity.
        self.written: dict[int, dict[int, set[str]]] = {}
        self.unspecific = unspecific()
        self.digest = hashlib.sha256(f"{VERSION} {join}".encode())

    def build(self, entities: Iterable[Entity]) -> Dictionary:
        listed = sorted(entities, key=lambda entity: entity.id)
        self.ids = [entity.id for entity in listed]
        numbers = {entity.id: number for number, entity in enumerate(listed)}
        for entity in listed:
            identity = (entity.id, entity.type, *entity.names, *entity.places, *entity.xrefs, "")
            self.digest.update("\x1f".join(identity).encode("utf-8", "surrogatepass"))
        same = _same(listed, numbers) if self.join else {}
        for number, entity in enumerate(listed):
            others = same.get(number, ())
            short = any(len(name) <= 6 and name.islower() for name in entity.names)
            letters = {initials(name) for name in entity.names} if short else set()
            for name in entity.names:
                weight = PREFERRED if name == entity.name else SYNONYM
                self._name(name, number, weight, others, letters)
        self._numbers()
        self._rivals(same, [_kind(entity.type) for entity in listed])
        ordered = sorted(self.rows.items())
        counts = np.zeros(len(self.trie.final) + 1, np.int64)
        np.add.at(counts, np.array([key[0] + 1 for key, _ in ordered], np.int64), 1)
        columns: dict[str, Array] = {
            "offsets": np.cumsum(counts),
            "entity": np.array([key[1] for key, _ in ordered], np.uint32),
            "spelling": np.array([key[2] for key, _ in ordered], np.uint32),
            "weight": np.array([weight for _, weight in ordered], np.float32),
        }
        return Dictionary(
            self.trie,
            self.ids,
            [entity.type for entity in listed],
            ["|".join(entity.places) for entity in listed],
            list(self.spellings),
            columns,
            self.digest.hexdigest()[:16],
        )

    def _name(
        self, name: str, entity: int, weight: float, others: Iterable[int], letters: set[str]
    ) -> None:
        plain = untagged(name)
        if plain != name:
            weight *= INVERTED
        spelling, joined = 0, JOINED
        if is_acronym(plain) or (plain.islower() and len(plain) <= 6 and plain in letters):
            # Some terminologies write acronyms in small letters: the initials tell.
            short = squeezed(plain).upper() if plain.islower() else squeezed(plain)
            strict = len(short) <= 2 or short.lower() in common_words()
            spelled = short if strict else f"~{short}"
            spelling = self.spellings.setdefault(spelled, len(self.spellings))
            weight *= ACRONYMS.get(len(short), 0.8)
            joined = BORROWED
        elif plain.lower() in stop_names() or plain.lower().startswith("other "):
            return
        elif plain.lower() in CLASS_NAMES or (len(plain) == 1 and not plain.isascii()):
            # A single Chinese character is more often a part of another word than a name.
            weight *= CLASS
        for place, (form, variant) in enumerate(forms(plain)):
            self._add(form, entity, weight * variant, spelling, others, joined)
            if not place and len(form) == 1 and not spelling:
                self._write(form, entity, plain.casefold())
            if not spelling:
                for near, far in related(form):
                    number = self._singular if in_singular_only(form, near) else 0
                    self._add(near, entity, weight * far, number, others, joined)
                    if len(near) == 1 < len(form):
                        # An acid by its anion: "glutamate", in the singular.
                        self._write(near, entity, near[0])

    def _write(self, form: Form, entity: int, written: str) -> None:
        number = self.trie.find([self.trie.token(form[0])])
        if number is not None:
            self.written.setdefault(number, {}).setdefault(entity, set()).add(written)

    def _numbers(self) -> None:
        """Where one terminology has two entities whose names differ in number alone, the one whose
        name is written out weighs more."""
        for name, by_entity in self.written.items():
            kinds: dict[str, list[int]] = {}
            for entity in by_entity:
                kinds.setdefault(terminology(self.ids[entity]), []).append(entity)
            for rivals in kinds.values():
                shared = set.intersection(*(by_entity[entity] for entity in rivals))
                for entity in rivals if len(rivals) > 1 else ():
                    held = self.rows.get((name, entity, 0), 0.0)
                    # A name that says nothing by itself does so in any number.
                    for written in sorted(by_entity[entity] - shared) if held >= LEAST else ():
                        spelling = self.spellings.setdefault(f"={written}", len(self.spellings))
                        self.rows[name, entity, spelling] = EXACT * max(SYNONYM, held)

    def _rivals(self, same: dict[int, tuple[int, ...]], kinds: Sequence[str]) -> None:
        """A name that an entity of one kind prefers is hardly that of another kind: "skin", which
        one terminology lists under tumours of the skin, is the skin."""
        owners: dict[int, set[int]] = {}
        for (name, entity, _), weight in self.rows.items():
            if weight >= PREFERRED:
                owners.setdefault(name, set()).add(entity)
        for key, weight in self.rows.items():
            name, entity, _ = key
            held = owners.get(name)
            if not held or entity in held or not held.isdisjoint(same.get(entity, ())):
                continue
            if kinds[entity] and all(kinds[owner] not in ("", kinds[entity]) for owner in held):
                self.rows[key] = weight * RIVAL

    def _add(
        self,
        form: Form,
        entity: int,
        weight: float,
        spelling: int,
        others: Iterable[int],
        joined: float,
    ) -> None:
        if not form or len(form) > MAX_TOKENS or form[0] == "," or not _speaks(form):
            return
        if (" ".join(form), self.ids[entity]) in self.unspecific:
            weight *= CLASS
        number = self.trie.add([self.trie.token(word) for word in form])
        for who, how in ((entity, weight), *((other, weight * joined) for other in others)):
            key = (number, who, spelling)
            if self.rows.get(key, 0.0) < how:
                self.rows[key] = how


def _kind(type: str) -> str:
    """Types that name the same kind of thing, whatever their terminology calls it."""
    return "disorder" if type.lower() in _DISORDERS else type


def _speaks(form: Form) -> bool:
    """Whether a form can stand for something: not a bare number, a Latin letter or a stop word."""
    if len(form) > 1:
        return any(word.isalpha() for word in form)
    word = form[0]
    return not word.isdigit() and (len(word) > 1 or not word.isascii())


def _same(entities: Sequence[Entity], numbers: dict[str, int]) -> dict[int, tuple[int, ...]]:
    """Entities that xref one another, by number, both ways."""
    pairs: dict[int, dict[int, None]] = {}
    for number, entity in enumerate(entities):
        for xref in entity.xrefs:
            other = numbers.get(xref)
            if other is not None and other != number:
                pairs.setdefault(number, {})[other] = None
                pairs.setdefault(other, {})[number] = None
    return {number: tuple(sorted(others)) for number, others in pairs.items()}
