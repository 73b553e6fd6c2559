"""The facts' own vocabulary: which of their names a phrase of a question takes in.

"Asthma" takes in every narrower name that holds its words (*Childhood asthma*), but not one that
only mentions them (*Asthma screening*, *Suspected ...*, *no loss of consciousness*). A result is
another matter: the words of its component must agree (*Hemoglobin* is not *Hemoglobin A1c*). Names
that share a code are one. A drug class takes in drugs by name stems. A terminology, where one is
loaded, adds what it knows (``osler.ask.form.terminology``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Protocol

from osler.ask.form.called import other_names
from osler.ask.form.lexicon import DrugClass, Phrase, drug_classes, other_words, rows
from osler.ask.form.tokens import name_words

SMALL = frozenset(
    [
        "of",
        "the",
        "in",
        "a",
        "an",
        "to",
        "and",
        "and/or",
        "with",
        "by",
        "for",
        "on",
        "at",
        "or",
        "as",
        "from",
        "due",
        "per",
        "-",
        "/",
        "other",
        "type",
    ]
)
_SMALL_KEPT_TYPE = SMALL - {"type"}
_COMPONENT = re.compile(r"\s\[|\sin\s|\sby\s|\sof\s(?=urine|blood|serum)|\s-\s", re.IGNORECASE)
_HARMLESS = frozenset(
    [
        "total",
        "body",
        "serum",
        "blood",
        "plasma",
        "count",
        "level",
        "left",
        "ventricular",
        "estimated",
        "automated",
        "auto",
        "severity",
        "verbal",
        "numeric",
        "rating",
        "score",
        "status",
        "tobacco",
        "dxa",
        "density",
        "bone",
        "rate",
        "panel",
        "hemoglobin",
        "predicted",
        "sq",
        "m",
        "73",
        "1",
        "0",
        "10",
        "oral",
        "elevated",
        "bld",
        "vol",
        "reported",
        "i",
        "level",
        "mass",
        "index",
        "white",
        "cell",
    ]
)
# Words that say nothing of which result is meant.
_GENERIC = _HARMLESS - {"hemoglobin", "dxa", "tobacco"}
_SPECIMEN = frozenset(["urine", "stool", "csf", "saliva", "sputum"])
_HISTORY = re.compile(
    r"^(?:personal )?(?:history of|h/o|past|old|status post|s/p)\b", re.IGNORECASE
)
_ABOUT = re.compile(
    r"^(?:suspected|possible|probable|rule out|family history|fh[: ]|no |not |absence of|"
    r"without |negative for|at risk|risk of|exposure to|fear of|screening|education|counsel|"
    r"prevention|prophyla|encounter for|vaccination|need for|concern about)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|without|not)\s+((?:\w+\s*){1,5})", re.IGNORECASE)
_SUSPECTED = re.compile(r"^(?:suspected|possible|probable)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Name:
    """A name that facts of one kind bear; ``worded`` where its results are words."""

    kind: str
    key: str
    text: str
    codes: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    worded: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        all_words = set(name_words(self.text))
        for other in self.others:
            all_words.update(name_words(other))
        return frozenset(all_words)

    @cached_property
    def component(self) -> frozenset[str]:
        return frozenset(name_words(_COMPONENT.split(self.text, maxsplit=1)[0])) - SMALL


@dataclass
class Match:
    """The names of one kind that a phrase takes in. ``past`` only where the past counts."""

    kind: str
    names: list[str] = field(default_factory=list)
    past: list[str] = field(default_factory=list)
    suspected: list[str] = field(default_factory=list)
    how: str = "name"
    loose: bool = False
    exact: bool = False
    groups: int = 1

    def __bool__(self) -> bool:
        return bool(self.names or self.past or self.suspected)


class Knows(Protocol):
    """A terminology, as far as a vocabulary asks it."""

    def knows(self, text: str) -> bool: ...

    def matches(self, text: str, names: Iterable[Name]) -> list[Match]: ...


class Vocabulary:
    """Names by their words; a terminology adds names that it knows to belong."""

    def __init__(self, names: Iterable[Name], terminology: Knows | None = None) -> None:
        self.names = list(names)
        self.terminology = terminology
        self.by_word: dict[str, set[int]] = {}
        self.by_code: dict[tuple[str, str], set[int]] = {}
        for at, name in enumerate(self.names):
            for word in name.words:
                self.by_word.setdefault(word, set()).add(at)
            for code in name.codes:
                self.by_code.setdefault(code, set()).add(at)
        self.full = {tuple(name_words(n.text)) for n in self.names}
        self.worded = {n.key for n in self.names if n.kind == "observation" and n.worded}
        self._kept: dict[Phrase, dict[str, Match]] = {}

    def find(self, phrase: Phrase) -> dict[str, Match]:
        """For each kind, the names that a phrase takes in; nothing where it is no concept."""
        known = self._kept.get(phrase)
        if known is None:
            known = self._kept[phrase] = self._find(phrase)
        return known

    def _find(self, phrase: Phrase) -> dict[str, Match]:
        by_kind: dict[str, Match] = {}
        drug_class = drug_classes().get(phrase)
        if drug_class is not None:
            for kind in ("medication", "allergy"):
                if by_stem := self._of_class(drug_class, kind):
                    by_kind[kind] = by_stem
        terms = [name_words(term) for term in other_words().get(phrase, ())]
        literal = tuple(word for word in phrase if word not in _SMALL_KEPT_TYPE)
        spelled = name_words(" ".join(phrase))
        for words in dict.fromkeys([*terms, spelled, literal, *organs(literal), *within(phrase)]):
            for kind, match in self._holding(words).items():
                if kind == "medication" and drug_class is not None and kind in by_kind:
                    match.how = by_kind[kind].how
                _merge(by_kind, match)
        bare = tuple(word for word in literal if word != "allergy")
        # Among allergies a name need not say again that it is one.
        if bare and bare != literal and (own := self.find(bare).get("allergy")):
            self._widen(by_kind, replace(own, names=list(own.names)))
        if self.terminology is not None:
            for text in dict.fromkeys([" ".join(phrase), *other_words().get(phrase, ())]):
                for match in self.terminology.matches(text, self.names):
                    self._widen(by_kind, match)
                # An allergy is a concept of its own: one to peanuts is one to nuts, though the
                # plant is no nut.
                for match in self.terminology.matches(f"{text} allergy", self.names):
                    if match.kind == "allergy":
                        self._widen(by_kind, match)
        return by_kind

    def near(self, phrase: Phrase, *, hurt: bool = False) -> tuple[dict[str, Match], str]:
        """The same for a phrase that is no concept, under another name that a thesaurus gives the
        thing or a part of it; and that name. ``hurt`` where it is what somebody did to himself."""
        for words in dict.fromkeys(other_names(phrase, hurt=hurt)):
            if all(word in self.by_word or word in SMALL for word in words):
                by_kind = self.find(words)
                if any(match and not match.loose for match in by_kind.values()):
                    return by_kind, " ".join(words)
        return {}, ""

    def _widen(self, by_kind: dict[str, Match], match: Match) -> None:
        """What a terminology adds; how it came in is told where it added anything."""
        known = by_kind.get(match.kind)
        if known is None:
            by_kind[match.kind] = match
            return
        fresh = [k for k in match.names if k not in {*known.names, *known.past, *known.suspected}]
        if fresh:
            known.names.extend(fresh)
            known.how = f"{known.how}, {match.how}"

    def known(self, phrase: Phrase) -> bool:
        """Whether a terminology knows the phrase, though no record may bear it."""
        return self.terminology is not None and self.terminology.knows(" ".join(phrase))

    def _holding(self, words: Sequence[str]) -> dict[str, Match]:
        content = [w for w in words if w not in _SMALL_KEPT_TYPE]
        if not content:
            return {}
        sets = [self.by_word.get(word, set()) for word in content]
        both = set.intersection(*sets)
        by_kind: dict[str, list[int]] = {}
        for at in sorted(both):
            by_kind.setdefault(self.names[at].kind, []).append(at)
        wanted = frozenset(content)
        matches = {}
        for kind, numbers in by_kind.items():
            chosen = [self.names[at] for at in numbers]
            match = _results(wanted, chosen) if kind == "observation" else _things(wanted, chosen)
            if match:
                self._same_code(match)
                matches[kind] = match
        return matches

    def _same_code(self, match: Match) -> None:
        """Names that share a code with those taken in are the same concept under another name."""
        keys = set(match.names)
        listed = {(name.kind, name.key): name for name in self.names} if match.names else {}
        for key in list(match.names):
            name = listed.get((match.kind, key))
            for code in name.codes if name else ():
                for at in self.by_code[code]:
                    other = self.names[at]
                    if other.kind == match.kind and other.key not in keys:
                        keys.add(other.key)
                        match.names.append(other.key)

    def _of_class(self, drug_class: DrugClass, kind: str) -> Match:
        match = Match(kind, how=f"drug class by name stem ({drug_class.name})")
        for name in self.names:
            if name.kind == kind and any(drug_class.holds(w) for w in name.words):
                match.names.append(name.key)
        return match

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of a name that is worth correcting a typing error to."""
        return frozenset(w for w in self.by_word if len(w) > 4)


def within(phrase: Phrase) -> Iterator[Phrase]:
    """The same phrase with a part of it under its other names: "CKD stage 3", "acute MI". A number
    alone beside it is a value: "BMI of 40"."""
    for at in range(len(phrase)):
        for end in range(at + 1, len(phrase) + 1):
            rest = (*phrase[:at], *phrase[end:])
            if any(word not in SMALL and not word[:1].isdigit() for word in rest):
                for term in other_words().get(phrase[at:end], ()):
                    yield (*phrase[:at], *name_words(term), *phrase[end:])


def _merge(by_kind: dict[str, Match], match: Match) -> None:
    known = by_kind.get(match.kind)
    if known is None:
        by_kind[match.kind] = match
        return
    exact = known.loose is False
    if exact and match.loose:
        return
    if known.loose and not match.loose:
        by_kind[match.kind] = match
        return
    known.exact = known.exact or match.exact
    for mine, theirs in (
        (known.names, match.names),
        (known.past, match.past),
        (known.suspected, match.suspected),
    ):
        mine.extend(key for key in theirs if key not in mine)


@lru_cache(maxsize=1)
def _organs() -> dict[str, tuple[str, ...]]:
    """The adjective for an organ's name and the other way round: renal, kidney."""
    others: dict[str, list[str]] = {}
    for adjectives, nouns in rows("organs"):
        for one, other in ((adjectives, nouns), (nouns, adjectives)):
            for word in one.split("|"):
                others.setdefault(word, []).extend(other.split("|"))
    return {word: tuple(some) for word, some in others.items()}


def organs(words: Phrase) -> list[Phrase]:
    """The same phrase with the other word for an organ: "renal disease" is one of the kidney. A
    word alone stays what it is: "lung" is no pulmonary anything."""
    if len(words) < 2:
        return []
    return [
        (*words[:at], other, *words[at + 1 :])
        for at, word in enumerate(words)
        for other in _organs().get(word, ())
    ]


@lru_cache(maxsize=1)
def _unlike() -> dict[str, frozenset[str]]:
    return {term: frozenset(words.split("|")) for term, words in rows("unlike")}


def _things(wanted: frozenset[str], names: Sequence[Name]) -> Match:
    """Names of things: all that hold the words, but those that only speak about them."""
    match = Match(names[0].kind)
    barred = frozenset[str]().union(*(_unlike().get(w, frozenset()) for w in wanted)) - wanted
    for name in names:
        if name.words & barred:
            continue
        denied = {w for m in _DENIED.finditer(name.text) for w in name_words(m.group(1))}
        if denied & wanted and not {"no", "not", "without"} & wanted:
            continue
        asked_about = not _ABOUT.match(name.text) or _own_words(name.text) <= wanted
        if _SUSPECTED.match(name.text) and not {"suspected", "possible"} & wanted:
            match.suspected.append(name.key)
        elif not asked_about and name.kind == "condition":
            continue
        elif _HISTORY.match(name.text) and "history" not in wanted:
            match.past.append(name.key)
        else:
            match.names.append(name.key)
            match.exact = match.exact or name.words - SMALL == wanted - SMALL
    return match


def only_about(text: str) -> bool:
    """Whether a name only speaks about what it names: a suspicion, a history, a screening."""
    return bool(_ABOUT.match(text) or _HISTORY.match(text) or _DENIED.search(text))


def _own_words(text: str) -> frozenset[str]:
    first = name_words(text)[:1]
    return frozenset(first)


def _results(wanted: frozenset[str], names: Sequence[Name]) -> Match:
    """Names of results: the component must agree; the specimen is blood unless it is asked for."""
    match = Match("observation")
    if wanted <= _GENERIC and not any(n.words - SMALL == wanted for n in names):
        return match
    if not wanted & _SPECIMEN:
        names = [n for n in names if not n.words & _SPECIMEN] or names
    exact = [n for n in names if n.component == wanted or n.words - SMALL == wanted]
    if exact:
        match.names, match.exact = [n.key for n in exact], True
        return match
    near = [n for n in names if not (n.component - wanted) - _HARMLESS]
    if near:
        fewest = min(len(n.component - wanted) for n in near)
        match.names = [n.key for n in near if len(n.component - wanted) == fewest]
        return match
    match.loose = True
    match.how = "results whose names hold the words"
    match.names = [n.key for n in names]
    match.groups = len({n.codes[:1] or n.key for n in names})
    return match
