"""Finding a knowledge base's entities in a question: exact names, then parts of names, then
typos."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from osler.ask.reading.words import (
    ABBREVIATIONS,
    NEGATIONS,
    PATIENT_WORDS,
    SOFT,
    STOP,
    fields,
    stem,
)
from osler.records.kb import _WORD, ClinicalKB, Ints

MAX_WORDS = 12
MAX_RUN = 6
GENDERS = {"female": "f", "male": "m", "women": "f", "men": "m", "woman": "f", "man": "m"}
MAX_TYPOS = 3
MAX_PARTIAL = 4_000


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    end: int


def question_words(text: str) -> list[Word]:
    """The words of a question with their characters, split as names are."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    return [
        Word(found.group(), found.start(), found.end())
        for found in _WORD.finditer(lowered)
        if not (found.group() == "s" and text[found.start() - 1 : found.start()] in ("'", "’"))
    ]


@dataclass
class Mention:
    """Words ``first`` to ``last`` (exclusive) that name nodes. ``how``: exact, part, typo, short.

    ``weak``: the words also have an ordinary meaning in a question, so that it may be none.
    """

    first: int
    last: int
    nodes: Ints
    how: str = "exact"
    weak: bool = False
    patient: bool = False
    name: str = ""
    negated: bool = False
    by_type: dict[int, Ints] = field(default_factory=dict)

    @property
    def words(self) -> range:
        return range(self.first, self.last)


class Names:
    """What a knowledge base calls things, prepared for finding."""

    def __init__(self, kb: ClinicalKB) -> None:
        self.kb = kb
        self.longest = min(MAX_WORDS, kb.longest_name)
        self._holding: dict[str, list[str]] | None = None
        self._shapes = self._patient_shapes()
        self.relation_words = _stems(kb.relations)
        self.elements = self.relation_words | _stems(kb.types)
        self.prose = self._prose()

    def _patient_shapes(self) -> frozenset[str]:
        names = [self.kb.names[n] for n in self.kb.patients[:500]]
        shapes = {shape(n) for n in names if any(c.isdigit() for c in n)}
        return frozenset(s for s in shapes if len(s) < 60)

    @property
    def holding(self) -> dict[str, list[str]]:
        """Names by each of their words' stems; long texts (narrative blocks) are left out."""
        if self._holding is None:
            found: dict[str, list[str]] = {}
            for name, nodes in self.kb.by_name.items():
                parts = name.split()
                if len(parts) <= MAX_WORDS and not self.prose[self.kb.type_of[nodes[0]]]:
                    for word in set(parts):
                        found.setdefault(stem(word), []).append(name)
            self._holding = found
        return self._holding

    def _prose(self) -> list[bool]:
        """Types whose names are sentences: a word in one of them names nothing."""
        found = []
        for type in range(len(self.kb.types)):
            some = np.flatnonzero(self.kb.type_of == type)[:200]
            ends = sum(self.kb.names[n].endswith(".") for n in some.tolist())
            found.append(len(some) > 0 and ends > len(some) / 2)
        return found

    @cached_property
    def things(self) -> frozenset[str]:
        """Words of names that are no patient's."""
        kb = self.kb
        found: set[str] = set()
        for name, nodes in kb.by_name.items():
            if kb.type_of[nodes[0]] != kb.patient_type:
                found.update(name.split()[:MAX_WORDS])
        return frozenset(found)

    def looks_like_patient(self, word: str) -> bool:
        return shape(word) in self._shapes


def _stems(names: list[str]) -> frozenset[str]:
    return frozenset(
        stem(w) for name in names for w in _WORD.findall(name.lower().replace("_", " "))
    )


@lru_cache(maxsize=100_000)
def shape(name: str) -> str:
    """P1054 is ``p9``: letters as they are, runs of digits as one 9."""
    return re.sub(r"\d+", "9", name.lower())


def exact_mentions(names: Names, words: list[Word]) -> list[Mention]:
    """Non-overlapping exact names, longest first, ties to the left."""
    kb = names.kb
    texts = [w.text for w in words]
    found: list[Mention] = []
    taken: set[int] = set()
    for length in range(min(names.longest, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            span = range(first, first + length)
            if taken.intersection(span):
                continue
            key = " ".join(texts[first : first + length])
            nodes = kb.by_name.get(key)
            if nodes is None and length == 1 and texts[first] in GENDERS:
                nodes = kb.by_name.get(GENDERS[texts[first]])
            if nodes is None and length == 1 and texts[first].endswith("s"):
                nodes = kb.by_name.get(texts[first][:-1])
            if not nodes:
                continue
            array = np.asarray(nodes, dtype=np.int64)
            is_patient = kb.type_of[array] == kb.patient_type
            if is_patient.any():
                if key.isdigit() and not _called(texts, first):
                    is_patient[:] = False
                    array = array[kb.type_of[array] != kb.patient_type]
                    if not len(array):
                        continue
                else:
                    array = array[is_patient]
            if (
                length == 1
                and not is_patient.any()
                and (texts[first] in STOP or texts[first] in PATIENT_WORDS)
            ):
                continue
            if length == 1 and key.replace(".", "").isdigit() and not is_patient.any():
                # A lone number is a test's, not the name of whatever has that value.
                continue
            if length > 1 or len(nodes) > 1:
                told = np.asarray([not names.prose[t] for t in kb.type_of[array]])
                # A whole sentence that happens to be these words is no name where a name is at
                # hand.
                array = array[told] if told.any() else array
            mention = _mention(
                kb, first, first + length, array, "exact", " ".join(texts[first : first + length])
            )
            mention.patient = bool(is_patient.any()) or _is_name(names, mention)
            mention.weak = not mention.patient and _ordinary(texts[first : first + length], names)
            taken.update(span)
            found.append(mention)
    return sorted(found, key=lambda m: m.first)


def _mention(kb: ClinicalKB, first: int, last: int, nodes: Ints, how: str, name: str) -> Mention:
    types = kb.type_of[nodes]
    by_type = {int(t): nodes[types == t] for t in np.unique(types)}
    # Part of a name, or a slip of the pen, may as well be no name at all.
    return Mention(first, last, nodes, how=how, name=name, by_type=by_type, weak=how != "exact")


def _is_name(names: Names, mention: Mention) -> bool:
    """A patient's name that stands as a node of its own: the mention then is of the patient."""
    kb = names.kb
    if not all("name" in kb.types[t].lower() for t in mention.by_type):
        return False
    _, rows = kb.edges_of(mention.nodes)
    near = np.unique(kb.neighbour[rows].astype(np.int64))
    near = near[kb.type_of[near] == kb.patient_type]
    if not len(near):
        return False
    mention.nodes = near
    mention.by_type = {kb.patient_type: near}
    return True


def _called(texts: list[str], first: int) -> bool:
    return any(
        t in ("patient", "subject", "id", "pt", "case", "number", "mrn", "病人", "患者", "号")
        for t in texts[max(0, first - 4) : first]
    )


def _ordinary(texts: list[str], names: Names) -> bool:
    """Words that could as well be the question's own: "admitted", "present", "smoking status"."""
    if len(texts) == 1 and texts[0] in GENDERS:
        # Who is asked about is never beside the point.
        return False
    return all(
        t in STOP or t in SOFT or t in NEGATIONS or fields(t) or stem(t) in names.relation_words
        for t in texts
    )


_NUMBERED = re.compile(r"[A-Za-z]{1,4}[-_]?\d{3,}")
_CALLED = ("patient", "subject", "pt", "id", "mrn", "case", "病人", "患者")


def unknown_patient(names: Names, words: list[Word], text: str, covered: set[int]) -> str:
    """Something that is called a patient but is none of these records'; empty if there is none.

    In doubt it is one: to answer about somebody else would be worse than to ask again.
    """
    for at, word in enumerate(words):
        if at in covered:
            continue
        raw = text[word.start : word.end]
        before = [w.text for w in words[max(0, at - 3) : at]]
        called = any(b in _CALLED for b in before)
        digits = any(c.isdigit() for c in raw)
        known = word.text in names.kb.vocabulary
        if digits and names.looks_like_patient(raw) and (called or not raw.isdigit()):
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


def _capital(word: str) -> bool:
    return (
        word[:1].isupper()
        and word[1:].islower()
        and word.lower() not in STOP
        and word.lower() not in SOFT
    )


def partial_mentions(names: Names, words: list[Word], free: list[bool]) -> list[Mention]:
    """Runs of free content words that stand inside names: metformin in "Metformin 500 MG
    Tablet"."""
    kb = names.kb
    found: list[Mention] = []
    at = 0
    while at < len(words):
        if not free[at]:
            at += 1
            continue
        end = at
        while end < len(words) and (
            free[end]
            or (words[end].text in ("of", "to", "in") and end + 1 < len(words) and free[end + 1])
        ):
            end += 1
        end = min(end, at + MAX_RUN)
        best: Mention | None = None
        for length in range(end - at, 0, -1):
            for first in range(at, end - length + 1):
                span = [words[i].text for i in range(first, first + length)]
                best = _part(names, first, span)
                if best is not None:
                    break
            if best is not None:
                break
        if best is None:
            at = end
            continue
        found.append(best)
        for i in best.words:
            free[i] = False
        # Look again in what is left of the run.
        if best.first == at:
            at = best.last
    del kb
    return found


def _part(names: Names, first: int, span: list[str]) -> Mention | None:
    kb = names.kb
    expanded = [w for s in span for w in ABBREVIATIONS.get(s, s).split()]
    how = "part" if expanded == span else "short"
    wanted = [stem(w) for w in expanded if w not in STOP]
    if not wanted or not any(len(w) > 2 for w in wanted):
        return None
    if how == "short" and " ".join(expanded) in kb.by_name:
        nodes = np.asarray(kb.by_name[" ".join(expanded)], dtype=np.int64)
        return _mention(kb, first, first + len(span), nodes, how, " ".join(span))
    lists = [names.holding.get(w) for w in wanted]
    if any(found is None for found in lists):
        return None
    shared = set(lists[0] or ())
    for other in lists[1:]:
        shared &= set(other or ())
    if not shared:
        return None
    collected: list[int] = []
    for name in sorted(shared):
        collected += kb.by_name[name]
        if len(collected) > MAX_PARTIAL:
            break
    nodes = np.unique(np.asarray(collected, dtype=np.int64))
    nodes = nodes[kb.type_of[nodes] != kb.patient_type] if kb.patient_type >= 0 else nodes
    if not len(nodes):
        return None
    return _mention(kb, first, first + len(span), nodes, how, " ".join(span))


def typo_mentions(names: Names, words: list[Word], free: list[bool]) -> list[Mention]:
    """A free word of five letters or more that is one slip away from a word of some name."""
    found: list[Mention] = []
    tried = 0
    for at, word in enumerate(words):
        if tried >= MAX_TYPOS:
            break
        if not free[at] or len(word.text) < 5 or any(c.isdigit() for c in word.text):
            continue
        tried += 1
        near = difflib.get_close_matches(word.text, _near(names, word.text), n=1, cutoff=0.84)
        if near:
            mention = _part(names, at, [near[0]])
            if mention is not None:
                mention.how = "typo"
                found.append(mention)
    return found


def _near(names: Names, word: str) -> list[str]:
    """Words of names with the same first letter or the same end, and about the same length."""
    return [
        w
        for w in names.kb.vocabulary
        if abs(len(w) - len(word)) <= 2 and (w[0] == word[0] or w[-3:] == word[-3:]) and w.isalpha()
    ]
