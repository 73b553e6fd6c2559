"""The linker: every name of a graph found in a text, in linear time.

A text becomes tokens, tokens become normal forms (``normalise``), and a trie over the names'
variants (``variants``, ``index``) gives the longest match at each place. Abbreviations that the
text defines are read as their long forms (``abbreviations``), coordinated modifiers share their
head ("breast and ovarian cancer"), and denied mentions are marked (``negation``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import add
from pathlib import Path

from osler.kinds import Entity, Mention
from osler.knowledge.abbreviations import definitions
from osler.knowledge.chemistry import charged, salt_ions
from osler.knowledge.dictionary import SINGULAR, Dictionary, squeezed
from osler.knowledge.graph import Graph
from osler.knowledge.ids import terminology
from osler.knowledge.index import UNKNOWN
from osler.knowledge.negation import negated
from osler.knowledge.normalise import normal
from osler.knowledge.pieces import Pieces
from osler.knowledge.reading import Reading, expand
from osler.text.by_length import ByLength

VERSION = "3"
Candidates = tuple[tuple[str, float], ...]
# Candidates that need a spelling: entity, weight, how it is written.
Spelled = tuple[tuple[str, float, str], ...]
Found = tuple[int, int, Candidates]
MINIMUM = 0.4
# A word that can modify a head without being in the dictionary: an eponym or an adjective.
_MODIFIER = re.compile(r"[A-Z][a-z]{3,}|[a-z]{3,}(?:al|ic|ar|an|ive|ous|ary|oid|ed)")
_ROMAN = frozenset({"ii", "iii", "iv", "vi", "vii", "viii", "ix"})
_CACHED_WORDS = 2_000_000


class _Words(dict[str, int]):
    """Tokens as they stand in texts, each with its number in the trie; filled as they are met."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, token: str) -> int:
        if len(self) > _CACHED_WORDS:
            self.clear()
        number = self._numbers.get(normal(token), UNKNOWN)
        self[token] = number
        return number


class Linker:
    """Finds entities in texts. Build it once, save it, load it in a fraction of a second."""

    def __init__(
        self,
        dictionary: Dictionary,
        *,
        branches: Sequence[str] = (),
        types: Sequence[str] = (),
        terminologies: Sequence[str] = (),
        without: Sequence[str] = (),
        steps: int = 0,
        abbreviations: bool = True,
        negation: bool = True,
        minimum: float = MINIMUM,
    ) -> None:
        self.dictionary = dictionary
        self.branches = tuple(branches)
        self.types = tuple(types)
        self.terminologies = tuple(terminologies)
        self.without = tuple(without)
        self.steps = steps
        self.abbreviations = abbreviations
        self.negation = negation
        self.minimum = minimum
        self._words = _Words(dictionary.trie.words)
        self._pieces = Pieces(self._words, dictionary.trie.token("the"))
        self._joints = {dictionary.trie.token(word) for word in ("and", "or", ",", "/", "nor")}
        self._of = dictionary.trie.token("of")
        self._opening, self._alone = dictionary.trie.openings()
        self._types: dict[str, str] = {}
        self._by_letter: dict[str, ByLength] = {}
        self._known: dict[int, tuple[Candidates, Spelled]] = {}

    @cached_property
    def _marks(self) -> set[int]:
        """Tokens that tell one of a kind from another: letters, figures, Roman numbers."""
        return {
            number
            for word, number in self.dictionary.trie.words.items()
            if word.isdigit() or len(word) == 1 or word in _ROMAN
        }

    @classmethod
    def build(cls, entities: Graph | Iterable[Entity], *, join: bool = True) -> Linker:
        """A linker over all names of a graph, or of some entities.

        ``join``: an entity is also found by the names of those that it xrefs.
        """
        listed = entities.entities() if isinstance(entities, Graph) else entities
        return cls(Dictionary.build(listed, join=join))

    def within(
        self,
        *,
        branches: Sequence[str] = (),
        types: Sequence[str] = (),
        terminologies: Sequence[str] = (),
        without: Sequence[str] = (),
        steps: int = 0,
        minimum: float | None = None,
    ) -> Linker:
        """The same linker, limited to branches of a tree (``C``, ``F03``), types or terminologies
        (``MESH``). The longest match is then the longest among these. ``without`` names branches
        that are left out; ``steps`` how far below a tree's root an entity must stand: what stands
        higher names a whole class (``D10`` Lipids, ``D06.472`` Hormones)."""
        return Linker(
            self.dictionary,
            branches=branches,
            types=types,
            terminologies=terminologies,
            without=without,
            steps=steps,
            abbreviations=self.abbreviations,
            negation=self.negation,
            minimum=self.minimum if minimum is None else minimum,
        )

    def save(self, folder: str | Path) -> None:
        self.dictionary.save(Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> Linker:
        return cls(Dictionary.load(Path(folder)))

    def knows(self, word: str) -> bool:
        """Whether a word stands in any name."""
        return self._words[word] != UNKNOWN

    def words_from(self, beginning: str, lengths: range | None = None) -> list[str]:
        """Words of names that begin so, in their normal form; ``lengths`` are those asked for."""
        words = self.dictionary.trie.words
        if len(beginning) != 1:
            return ByLength(word for word in words if word.startswith(beginning)).within(lengths)
        # Whoever looks for a slip asks by letters, again and again: one walk serves all of them.
        if not self._by_letter:
            letters: dict[str, list[str]] = {}
            for word in words:
                letters.setdefault(word[:1], []).append(word)
            self._by_letter = {letter: ByLength(found) for letter, found in letters.items()}
        found = self._by_letter.get(beginning)
        return found.within(lengths) if found is not None else []

    @property
    def version(self) -> str:
        """Changes when the linker, its options or the terminology do: mentions depend on it."""
        limits = (self.branches, self.types, self.terminologies, self.without, self.steps)
        options = (limits, self.abbreviations, self.negation, self.minimum)
        identity = f"{VERSION} {self.dictionary.fingerprint} {options}"
        return f"linker-{VERSION}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"

    def link(self, text: str) -> list[Mention]:
        """The mentions of a text, by place."""
        reading, suspects, charge = self._pieces.cut(text)
        if self.abbreviations:
            defined = definitions(text)
            if defined:
                reading = expand(text, reading, defined, self._words)
        mentions = self._mentions(text, reading)
        for extra in reading.asides:
            mentions += self._mentions(text, extra)
        ions = self._ions(text, mentions) if charge else []
        mentions += ions
        firsts = [start for start, _, _ in mentions]
        if ions or reading.asides or firsts != sorted(firsts):
            mentions.sort(key=lambda m: (m[0], -m[1]))
        spans = [(start, end) for start, end, _ in mentions]
        if but_ions := salt_ions(text, spans, lambda a, b: self._alike(mentions[a], mentions[b])):
            mentions = [one for place, one in enumerate(mentions) if place not in but_ions]
            spans = [(start, end) for start, end, _ in mentions]
        denied = negated(text, spans, suspects) if self.negation else [False] * len(spans)
        return [
            Mention(start=start, end=end, text=text[start:end], entities=entities, negated=no)
            for (start, end, entities), no in zip(mentions, denied, strict=True)
        ]

    def _mentions(self, text: str, reading: Reading) -> list[Found]:
        """The longest match at each place, left to right, with what it shares its head with."""
        numbers, starts, ends = reading.numbers, reading.starts, reading.ends
        inner, joints, known = reading.inner, self._joints, self._known
        step, final = self.dictionary.trie.tables(len(numbers))
        step_from, name_of = step.get, final.get
        # Whole columns at a time: one token on, two tokens on, and whether one token is a name.
        # Most places end here, without a turn of the loop below.
        ones = map(self._opening.__getitem__, numbers)
        twos = [*map(step_from, map(add, ones, numbers[1:])), None]
        names = map(self._alone.__getitem__, numbers)
        count, done = len(numbers), 0
        found: list[Found] = []
        for at, node, name in zip(range(count), twos, names, strict=False):
            if (node is None and name is None) or at < done:
                continue
            hits = [] if name is None else [(at + 1, name)]
            place = at + 2
            while node is not None:
                name = name_of(node)
                if name is not None:
                    hits.append((place, name))
                if place == count:
                    break
                node = step_from(node + numbers[place])
                place += 1
            for stop, name in reversed(hits):
                if inner and reading.straddles(at, stop):
                    continue
                entities, spelled = known.get(name) or self._resolve(name)
                if spelled:
                    shown = text[starts[at] : ends[stop - 1]]
                    entities = _as_spelled(shown, entities, spelled)
                if entities:
                    found.append((starts[at], ends[stop - 1], entities))
                    # Nothing is joined but beside a joint, of which something else stands.
                    if (
                        (at > 1 and numbers[at - 1] in joints)
                        or (at > 2 and numbers[at - 2] in joints)
                        or (stop > at + 1 and stop + 1 < count and numbers[stop] in joints)
                    ):
                        found += self._joined(text, reading, at, stop)
                    done = stop
                    break
        return found

    def _ions(self, text: str, mentions: Sequence[Found]) -> list[Found]:
        """Elements by their symbols with a charge, where nothing else was found."""
        ions = []
        for start, end, element in charged(text):
            name = self.dictionary.trie.find([self._words[element]])
            entities = () if name is None else self._candidates(name, element, 0, len(element))
            if entities and not any(a < end and start < b for a, b, _ in mentions):
                ions.append((start, end, entities))
        return ions

    def _alike(self, one: Found, other: Found) -> bool:
        """Whether two mentions are of one kind."""
        return self._type(one[2][0][0]) == self._type(other[2][0][0])

    def _type(self, id: str) -> str:
        if not self._types:
            self._types = dict(zip(self.dictionary.ids, self.dictionary.types, strict=True))
        return self._types[id]

    def _joined(self, text: str, reading: Reading, at: int, stop: int) -> Iterator[Found]:
        """Modifiers that share the head of a match that begins at ``at``: "breast and ovarian
        cancer", "Duchenne or Becker muscular dystrophy" (Becker's not being in the dictionary),
        "hemophilia A and B"."""
        numbers, joints = reading.numbers, self._joints
        if at >= 2:
            if numbers[at - 1] in joints:
                yield from self._before(text, reading, at, at + 1, stop)
            elif (
                at >= 3
                and numbers[at - 2] in joints
                and _MODIFIER.fullmatch(text[reading.starts[at - 1] : reading.ends[at - 1]])
            ):
                yield from self._before(text, reading, at - 1, at, stop)
        if stop - at >= 2 and stop + 1 < len(numbers) and numbers[stop] in joints:
            yield from self._after(text, reading, at, stop)

    def _before(
        self, text: str, reading: Reading, left: int, head: int, stop: int
    ) -> Iterator[Found]:
        """Modifiers to the left of ``left``, with what stands from ``head`` on to ``stop``."""
        numbers, starts, ends = reading.numbers, reading.starts, reading.ends
        find = self.dictionary.trie.find
        while left >= 2 and numbers[left - 1] in self._joints:
            edge = left - 1
            while edge > 0 and numbers[edge - 1] in self._joints:
                edge -= 1
            joined = None
            for first in range(max(0, edge - 3), edge):
                for begin in range(head, stop):
                    name = find((*numbers[first:edge], *numbers[begin:stop]))
                    if name is not None:
                        entities = self._candidates(name, text, starts[first], ends[stop - 1])
                        if entities:
                            joined = (first, entities)
                            break
                if joined:
                    break
            if not joined:
                return
            left = joined[0]
            yield starts[left], ends[stop - 1], joined[1]

    def _after(self, text: str, reading: Reading, at: int, stop: int) -> Iterator[Found]:
        """A letter, a number or an organ after a match that ends in one: "type 1 or 2"."""
        numbers, starts, ends = reading.numbers, reading.starts, reading.ends
        last = numbers[stop - 1]
        of = numbers[stop - 2] == self._of
        if not of and last not in self._marks:
            return
        place = stop
        while place < len(numbers) and numbers[place] in self._joints:
            place += 1
        if place < len(numbers) and (of or numbers[place] in self._marks):
            name = self.dictionary.trie.find((*numbers[at : stop - 1], numbers[place]))
            if name is not None:
                entities = self._candidates(name, text, starts[at], ends[place])
                if entities:
                    yield starts[at], ends[place], entities

    def _candidates(self, name: int, text: str, start: int, end: int) -> Candidates:
        plain, spelled = self._known.get(name) or self._resolve(name)
        return _as_spelled(text[start:end], plain, spelled) if spelled else plain

    def _resolve(self, name: int) -> tuple[Candidates, Spelled]:
        """A name's candidates that this linker may give, once; those that need a spelling apart."""
        plain: dict[str, float] = {}
        spelled = []
        for number, weight, spelling in self.dictionary.candidates(name):
            if weight < self.minimum or not self._allowed(number):
                continue
            id = self.dictionary.ids[number]
            if spelling:
                spelled.append((id, weight, spelling))
            else:
                plain[id] = max(weight, plain.get(id, 0.0))
        known = self._known[name] = (_ranked(plain), tuple(spelled))
        return known

    def _allowed(self, number: int) -> bool:
        book = self.dictionary
        if self.terminologies and terminology(book.ids[number]) not in self.terminologies:
            return False
        if self.types and book.types[number] not in self.types:
            return False
        places = book.places[number].split("|")
        if self.without and any(place.startswith(self.without) for place in places):
            return False
        if self.branches:
            places = [place for place in places if place.startswith(self.branches)]
        return not (self.branches or self.steps) or any(
            place.count(".") >= self.steps for place in places
        )


def _as_spelled(shown: str, plain: Candidates, spelled: Spelled) -> Candidates:
    """The candidates of a name where a text shows it so."""
    fitting = {id: score for id, score, how in spelled if _spells(shown, how)}
    if not fitting:
        return plain
    for id, score in plain:
        fitting[id] = max(score, fitting.get(id, 0.0))
    return _ranked(fitting)


def _spells(shown: str, how: str) -> bool:
    """Whether a text shows an acronym: as it is spelled, or, after ``~``, all in small letters; or,
    after ``=``, a word in this number; or no plural."""
    if how == SINGULAR:
        return not shown.endswith("s")
    if how[0] == "=":
        return shown.casefold() == how[1:]
    if how[0] == "~":
        how = how[1:]
        if shown == how.lower():
            return True
    shown = squeezed(shown)
    return shown in (how, f"{how}s")


def _ranked(scores: dict[str, float]) -> Candidates:
    """Best first, ties by id. A score is a weight, shared with the rivals of its terminology: a
    name that two descriptors bear says less about each."""
    totals: dict[str, float] = {}
    for id, score in scores.items():
        totals[terminology(id)] = totals.get(terminology(id), 0.0) + score
    shared = (
        (id, round(score * score / totals[terminology(id)], 4)) for id, score in scores.items()
    )
    return tuple(sorted(shared, key=lambda pair: (-pair[1], pair[0])))
