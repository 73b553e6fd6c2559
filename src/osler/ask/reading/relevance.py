"""How well each relation and each type of a knowledge base answers to a question's words.

Names of relations and types are all that is known of a hospital's triples, so their words are
matched with the question's clues: the same stem, the same semantic field, and, with an encoder, a
like meaning.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from osler.ask.reading.han import bag, is_han
from osler.ask.reading.names import spaced
from osler.ask.reading.profiles import profiles
from osler.ask.reading.question import Clue, Reading
from osler.ask.reading.words import CUT, EMPTY, OPPOSITES, QUALIFYING, fields, stem
from osler.records.kb import ClinicalKB, words

# Words of the step that names an event, and fields of what names one.
_NAMING = frozenset(
    stem(w) for w in ["kind", "type", "name", "title", "item", "product", "label", "what"]
)
_NAMED = frozenset(["medication", "test", "procedure", "disease", "observation"])
# A profile is less sure than a name.
PROFILE = 0.6
Floats = npt.NDArray[np.float64]


class WordEncoder(Protocol):
    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]: ...


class Elements:
    """Codes (a relation in a direction) and types of a knowledge base as bags of words."""

    def __init__(self, kb: ClinicalKB, encoder: WordEncoder | None = None) -> None:
        self.kb = kb
        self.codes = 2 * len(kb.relations)
        bags: list[list[str]] = []
        for relation in kb.relations:
            bag = _bag(relation)
            # Only a name that is all about order: "looked after by" has no before.
            ordered = len(bag) <= 2
            bags.append([OPPOSITES.get(w, w) for w in bag] if ordered else bag)
            bags.append(bag)
        for type in kb.types:
            bags.append(_bag(type))
        bags.append([])
        self.vocabulary = sorted({w for bag in bags for w in bag})
        place = {w: i for i, w in enumerate(self.vocabulary)}
        self._stems = [stem(w) for w in self.vocabulary]
        self._fields = [fields(w) for w in self.vocabulary]
        self.stems = frozenset(self._stems)
        self.bags = [np.asarray([place[w] for w in bag], dtype=np.int64) for bag in bags]
        seen = np.zeros(len(self.vocabulary))
        for bag_ in self.bags[: self.codes : 2]:
            seen[np.unique(bag_)] += 1
        type_words = {w for type in kb.types for w in _bag(type)}
        # A word that many relations share, or that only repeats a type's name, tells little.
        self.weights = np.asarray(
            [
                (0.4 if w in type_words else 1.0) / (1.0 + np.log(max(1.0, seen[i])) / 2)
                for i, w in enumerate(self.vocabulary)
            ]
        )
        width = max((len(b) for b in self.bags), default=1) or 1
        self.table = np.full((len(bags), width), len(self.vocabulary), dtype=np.int64)
        for at, bag_ in enumerate(self.bags):
            self.table[at, : len(bag_)] = bag_
        self.qualified = np.asarray([*(float(w in QUALIFYING) for w in self.vocabulary), 0.0])
        self._padded = np.append(self.weights, 0.0)
        self._clues: dict[str, Floats] = {}
        self.profiles = profiles(kb)
        self._shown: dict[str, Floats] = {}
        self._encoder = encoder
        self._vectors: npt.NDArray[np.float32] | None = None

    @cached_property
    def label_of(self) -> dict[int, int]:
        """For each type of events the step that names one: to its kind, title, drug or test."""
        kb = self.kb
        result: dict[int, int] = {}
        for type, hub in enumerate(kb.hubs):
            steps = [
                (self._naming(type, code, end), -code, code)
                for code, end, _ in kb.schema_from.get(type, ())
                if hub and code % 2 == 0 and not kb.opaque[end]
            ]
            if steps:
                result[type] = max(steps)[2]
        return result

    def _naming(self, type: int, code: int, end: int) -> float:
        kb = self.kb
        said = set(_bag(kb.relation_of(code)[0])) | set(_bag(kb.types[end]))
        stems, own = {stem(w) for w in said}, {stem(w) for w in _bag(kb.types[type])}
        worth = 2.0 * bool(stems & _NAMING) + bool(stems & own)
        worth += bool({f for w in said for f in fields(w)} & _NAMED | self.profiles[end] & _NAMED)
        plain = not kb.value_like["date"][end] and not kb.value_like["number"][end]
        return worth + 1.5 * plain - 1.0 * bool(self.profiles[end] & {"doctor", "date", "dosage"})

    def speaks(self, reading: Reading, mention: int) -> bool:
        """Whether a mention's words are also words of a relation or a type."""
        mention_ = reading.mentions[mention]
        return any(stem(reading.words[i].text) in self.stems for i in mention_.words)

    def code_row(self, code: int) -> int:
        from osler.records.kb import BOTH

        return 2 * (code - BOTH) + 1 if code >= BOTH else code

    def type_row(self, type: int) -> int:
        # The last row is of no type at all: an answer that may be of several.
        return self.codes + type if type >= 0 else len(self.table) - 1

    def clue(self, word: str) -> Floats:
        """How strongly a word of a question stands for each word of the elements."""
        known = self._clues.get(word)
        if known is None:
            known = self._clues[word] = self._match(word)
        return known

    def shown(self, word: str) -> Floats:
        """How strongly a word of a question stands for what each type holds."""
        known = self._shown.get(word)
        if known is None:
            mine = fields(word)
            known = np.zeros(len(self.table))
            if mine:
                for at, profile in enumerate(self.profiles):
                    known[self.codes + at] = PROFILE if mine & profile else 0.0
            self._shown[word] = known
        return known

    def prepare(self, clues: list[Clue]) -> None:
        """Encode the unseen words of a question in one batch."""
        if self._encoder is None or not self.vocabulary:
            return
        new = [c.text for c in clues if c.text not in self._clues and c.text.isascii()]
        if not new:
            return
        if self._vectors is None:
            self._vectors = self._encoder.encode(list(self.vocabulary))
        vectors = self._encoder.encode(new)
        for word, row in zip(new, vectors @ self._vectors.T, strict=True):
            likeness = np.clip((row.astype(np.float64) - 0.4) / 0.6, 0.0, 1.0) * 0.8
            self._clues[word] = np.maximum(self._match(word), likeness)

    def _match(self, word: str) -> Floats:
        result = np.zeros(len(self.vocabulary))
        root, mine = stem(word), fields(word)
        for at, other in enumerate(self._stems):
            if other == root:
                result[at] = 1.0
            elif mine and mine & self._fields[at]:
                result[at] = 0.75
            elif is_han(root) and len(root) > 1 and (root in other or other in root):
                result[at] = 0.9
        return result


def _bag(name: str) -> list[str]:
    name_words = words(spaced(name).replace("_", " ").replace("-", " "))
    name_words = [w for w in name_words if not is_han(w)] + bag(name)
    name_words = [long for w in name_words for long in CUT.get(w, (w,))]
    kept = [w for w in name_words if w not in EMPTY]
    return list(dict.fromkeys(kept or name_words))


class Relevance:
    """One question against the elements: strength of each clue, precision of each element."""

    def __init__(self, elements: Elements, reading: Reading) -> None:
        self.elements = elements
        clues = reading.clues
        elements.prepare(clues)
        rows = [elements.clue(c.text) for c in clues]
        matrix = np.asarray(rows) if rows else np.zeros((0, len(elements.vocabulary)))
        self.weights = np.asarray([c.weight for c in clues])
        self.target = np.asarray([c.target for c in clues], dtype=bool)
        padded = np.concatenate([matrix, np.zeros((len(clues), 1))], axis=1)
        table, weight = elements.table, elements._padded
        total = np.maximum(weight[table].sum(axis=1), 1e-9)
        # strength[e, c]: the best word of element e for clue c.
        self.strength = padded[:, table].max(axis=2).T if len(clues) else np.zeros((len(table), 0))
        held = np.asarray([elements.shown(c.text) for c in clues]) if clues else None
        if held is not None:
            self.strength = np.maximum(self.strength, held.T)
        best = padded.max(axis=0) if len(clues) else np.zeros(len(weight))
        best_said = best[:-1]
        self.precision = (weight[table] * best[table]).sum(axis=1) / total
        if held is not None:
            self.precision = np.maximum(self.precision, held.max(axis=0))
        if self.target.any():
            best = padded[self.target].max(axis=0)
            self.target_precision = (weight[table] * best[table]).sum(axis=1) / total
            if held is not None:
                self.target_precision = np.maximum(
                    self.target_precision, held[self.target].max(axis=0)
                )
            share = self.weights * self.target
            self.target_cover = (self.strength * share).sum(axis=1) / max(share.sum(), 1e-9)
        else:
            self.target_precision = np.zeros(len(table))
            self.target_cover = np.zeros(len(table))
        self._spans = np.asarray(
            [(w.start, w.end) for w in (reading.words[c.place] for c in clues)], dtype=np.int64
        ).reshape(-1, 2)
        # How much of what qualifies a relation (family, past, possible) stays unsaid.
        said = elements.qualified[table] * np.append(best_said, 0.0)[table]
        self.unsaid = elements.qualified[table].max(axis=1) - said.max(axis=1)
        self.cheap = self.strength @ self.weights + self.precision

    def distances(self, start: int, end: int) -> Floats:
        """Characters between each clue and a span of the question; 0 where they touch.

        A test follows what it tests ("born after 2058"); of what comes behind it only a unit
        counts ("2 days"), so that the way back is longer.
        """
        before, after = start - self._spans[:, 1], self._spans[:, 0] - end
        after = np.where(after > 2, 3 * after, after)
        return np.maximum(np.maximum(before, after), 0).astype(np.float64)
