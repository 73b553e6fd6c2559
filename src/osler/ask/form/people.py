"""Patients by name, id and birth: who is meant, and who else bears the name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from osler.ask.form.tokens import Token, fold, stem, tokens
from osler.records.ids import patient_name

_DIGITS = re.compile(r"(?<=[a-z])\d+$")
_PARTS = re.compile(r"[\s,]+")
_CALLED = frozenset(
    [
        "patient",
        "pt",
        "person",
        "subject",
        "id",
        "mrn",
        "number",
        "no",
        "case",
        "identifier",
        "患者",
        "病人",
        "病历号",
        "号",
        "者",
        "人",
    ]
)
_VERBS = frozenset(["do", "does", "did", "is", "was", "has", "had"])
_IDENTIFIERS = ("id", "identifier", "mrn", "medical record number")


@dataclass
class Patient:
    """What is known of one person, as far as a question can name it."""

    id: str
    names: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    """Of the ids those that a hospital gave; the others are of the file."""
    about: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.names[0] if self.names else (self.ids[0] if self.ids else self.id)

    @property
    def born(self) -> str:
        return self.about.get("birth date", "")

    @property
    def sex(self) -> str:
        return self.about.get("sex", "")

    def line(self) -> str:
        parts = [self.name]
        if self.born:
            parts.append(f"b. {self.born}")
        own = self.ids[0] if self.ids else self.id
        if own != self.name:
            parts.append(own)
        return ", ".join(parts)


@dataclass(frozen=True)
class Named:
    """A stretch of a question that names somebody: the bearers, and how well it fits."""

    start: int
    end: int
    patients: tuple[str, ...]
    how: str
    sure: float


class People:
    """All patients of a library, by every name and id."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self.all: dict[str, Patient] = {}
        for patient, what, value in rows:
            person = self.all.setdefault(patient, Patient(patient))
            what = what.casefold()
            if what == "name":
                if value and value not in person.names:
                    person.names.append(value)
            elif what in _IDENTIFIERS or "identifier" in what or "number" in what:
                if value and value not in person.ids:
                    person.ids.append(value)
                if value and what != "id" and value not in person.numbers:
                    person.numbers.append(value)
            elif value and what not in person.about:
                person.about[what] = value
        self.by_id: dict[str, set[str]] = {}
        self.by_squeezed: dict[str, set[str]] = {}
        self.by_part: dict[str, set[str]] = {}
        self.chinese: dict[str, set[str]] = {}
        for id, person in self.all.items():
            for own in (id, *person.ids):
                self.by_id.setdefault(own, set()).add(id)
                for key in _squeezed(own):
                    self.by_squeezed.setdefault(key, set()).add(id)
            for name in person.names:
                if _is_chinese(name):
                    self.chinese.setdefault(name.replace(" ", ""), set()).add(id)
                for part in parts_of(name):
                    self.by_part.setdefault(part, set()).add(id)
        self._by_shown_number()

    def _by_shown_number(self) -> None:
        """The graph shows a patient who is a bare number as "P164", and is asked by that, too;
        nobody's own id is taken away by it."""
        for number, bearers in list(self.by_id.items()):
            shown = patient_name(number)
            if shown == number or shown in self.by_id:
                continue
            self.by_id[shown] = bearers
            for key in _squeezed(shown):
                self.by_squeezed.setdefault(key, set()).update(bearers)

    @cached_property
    def cities(self) -> dict[tuple[str, ...], str]:
        """Where patients live, by the words of the place."""
        by_words: dict[tuple[str, ...], str] = {}
        for person in self.all.values():
            if city := person.about.get("city", ""):
                by_words[tuple(token.word for token in tokens(city))] = city
        return by_words

    def __len__(self) -> int:
        return len(self.all)

    def find(self, words: Sequence[Token]) -> list[Named]:
        """Every stretch that names somebody: ids byte for byte, whole names in any order."""
        named: list[Named] = []
        for at, token in enumerate(words):
            if token.text in self.by_id and (not token.text.isdigit() or _numbered(words, at)):
                named.append(Named(at, at + 1, tuple(sorted(self.by_id[token.text])), "id", 1.0))
            else:
                named.extend(self._loosely(words, at))
            if token.chinese:
                named.extend(self._chinese(words, at))
            elif not token.mark and not token.text.isdigit():
                named.extend(self._latin(words, at))
        return named

    def _loosely(self, words: Sequence[Token], at: int) -> Iterable[Named]:
        """An id that is written otherwise, "mrn 40022" for MRN-40022: the same letters and figures
        in the same case if one patient has them, else in any case. Of several, all are meant."""
        for end in range(at + 1, len(words) + 1):
            some = [t for t in words[at:end] if t.text not in ("#", ":", "-")]
            if words[at].mark or len(some) > 2:
                break
            if words[end - 1].mark:
                continue
            exact, loose = _keys("".join(t.text for t in some))
            bearers = self.by_squeezed.get(exact) or self.by_squeezed.get(loose)
            if bearers:
                yield Named(at, end, tuple(sorted(bearers)), "id", 1.0)

    def _chinese(self, words: Sequence[Token], at: int) -> Iterable[Named]:
        for length in (2, 3, 4):
            name = "".join(t.text for t in words[at : at + length] if t.chinese)
            if len(name) == length and name in self.chinese:
                yield Named(at, at + length, tuple(sorted(self.chinese[name])), "name", 1.0)

    def _latin(self, words: Sequence[Token], at: int) -> Iterable[Named]:
        bearers: set[str] | None = None
        parts: list[str] = []
        best: Named | None = None
        for end in range(at, min(at + 6, len(words))):
            token = words[end]
            if token.text == "," and parts:
                continue
            key = part_of(token.text)
            if token.text == "." and parts and len(parts[-1]) == 1:
                continue
            some = self.by_part.get(key, set()) if not token.mark else set()
            if not some and len(token.text) > (2 if parts else 3) and token.word.endswith("s"):
                # "Li Weis sodium": the mark of the owner was left out.
                some = self.by_part.get(key := part_of(token.text[:-1]), set())
            if not some and not parts and len(token.text) == 1 and token.capital:
                # "J. Wilson": whoever's name goes on from the letter.
                some = self._initialled(key, words, end)
            if not some and parts and _letter(words, end):
                # "Cohen D": the letter of another name behind the family name.
                some = bearers or set()
            some = some if bearers is None else some & bearers
            some = {id for id in some if self._one_name(id, [*parts, key])}
            if not some:
                break
            bearers, parts = some, [*parts, key]
            if len(parts) > 1:
                best = Named(at, end + 1, tuple(sorted(bearers)), "name", 1.0)
        if best is not None:
            yield best
        elif bearers is not None and (words[at].capital or len(words[at].text) > 3):
            yield Named(at, at + 1, tuple(sorted(self.by_part[parts[0]])), "part", 0.85)

    def _initialled(self, letter: str, words: Sequence[Token], at: int) -> set[str]:
        """Bearers of the name behind an initial, of whom another name begins with it."""
        family = next((t.text for t in words[at + 1 : at + 3] if not t.mark), "")
        return {
            id
            for id in self.by_part.get(part_of(family), ())
            if self._one_name(id, [letter, part_of(family)])
        }

    def _one_name(self, id: str, parts: Sequence[str]) -> bool:
        """Whether all parts stand in one name of the person, none used twice; a single letter
        stands for a part that begins with it."""
        for name in self.all[id].names:
            have = list(parts_of(name))
            try:
                for part in sorted(parts, key=len, reverse=True):
                    if len(part) == 1 and part not in have:
                        part = next((p for p in have if p.startswith(part)), part)
                    have.remove(part)
            except ValueError:
                continue
            return True
        return False

    def near(self, words: Sequence[Token]) -> tuple[str, ...]:
        """Bearers of a name that is one or two letters away, where another part fits. The end must
        agree: Roberta is not Robert misspelled."""
        from rapidfuzz.distance import OSA

        keys = [part_of(t.text) for t in words if not t.mark]
        if len(keys) != 2:
            return ()
        best: set[str] = set()
        for sure, doubtful in (keys, keys[::-1]):
            for id in self.by_part.get(sure, ()):
                for part in {p for name in self.all[id].names for p in parts_of(name)} - {sure}:
                    limit = 1 if len(part) < 7 else 2
                    same_end = part[-1:] == doubtful[-1:]
                    close = OSA.distance(part, doubtful, score_cutoff=limit) <= limit
                    if len(part) > 3 and same_end and close:
                        best.add(id)
        return tuple(sorted(best))


def _letter(words: Sequence[Token], at: int) -> bool:
    """Whether a single capital stands right behind a word with a capital, and not as "A"."""
    token = words[at]
    single = len(token.text) == 1 and token.capital and token.text.isalpha()
    return single and token.text not in "AI" and words[at - 1].capital


def _numbered(words: Sequence[Token], at: int) -> bool:
    """A bare number is somebody's id only after a word that says so; a long one also where it can
    be nothing else than who does or is something ("does 90114 take ...")."""
    before = [t.word for t in words[max(0, at - 3) : at] if t.text not in ("#", ":", ".")]
    callers = _CALLED | _VERBS if len(words[at].text) > 3 else _CALLED
    return bool(before) and before[-1] in callers


_MIXED = re.compile(r"(?=.*[^\W\d_])(?=.*\d)")
_APART = re.compile(r"[-_.:/# ]+")


def _keys(id: str) -> tuple[str, str]:
    """An id without the marks inside it: as its case is, and in any case."""
    bare = _APART.sub("", id)
    return f"={bare}", f"~{bare.casefold()}"


def _squeezed(id: str) -> tuple[str, ...]:
    """What an id may be looked up by; only letters and figures together make one."""
    bare = id.rsplit("/", 1)[-1]
    # "B12" is a vitamin before it is somebody.
    return _keys(bare) if _MIXED.match(bare) and len(_APART.sub("", bare)) > 3 else ()


def part_of(word: str) -> str:
    return stem(_DIGITS.sub("", fold(word).replace("'", "").strip(".")))


def parts_of(name: str) -> list[str]:
    """The parts of a name: split at blanks, hyphens too; synthetic numbers left out."""
    parts: list[str] = []
    for part in _PARTS.split(name):
        whole = part_of(part)
        if whole:
            parts.append(whole)
        if "-" in part:
            parts.extend(part_of(piece) for piece in part.split("-") if part_of(piece))
    return parts


def _is_chinese(name: str) -> bool:
    return all("\u3400" <= c <= "\u9fff" or c == " " for c in name)
