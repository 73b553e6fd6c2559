"""From a reading to graph queries: walks from the topic that pass, or carry, what is mentioned.

A state is a walk with the nodes that it has reached. Mentions are satisfied on the way (the walk
passes a node of that name) or at its side (a node of that name hangs on one edge), which is how
both "P -> ibuprofen -> dosage" and "P -> prescription -> dosage, prescription -> ibuprofen" are
read. Only what the patient in question may see is touched (``ClinicalKB.may_see``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from osler.ask.reading.mentions import Mention
from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.words import NEGATIONS
from osler.records.kb import BOTH, ClinicalKB, Ints, words
from osler.records.query import Query, Variable, turned

MAX_STATES = 300
MAX_NODES = 5_000
WIDTHS = (0, 40, 12, 12)


@dataclass(frozen=True)
class Hang:
    """A mention beside variable ``at``: the codes from there outwards, and the types between."""

    mention: int
    at: int
    codes: tuple[int, ...]
    types: tuple[int, ...]


@dataclass(frozen=True)
class Walk:
    """A walk from the topic: codes and types, mentions passed (mention -> place), mentions
    hanging."""

    root: int
    root_type: int
    codes: tuple[int, ...] = ()
    types: tuple[int, ...] = ()
    passed: tuple[tuple[int, int], ...] = ()
    hanging: tuple[Hang, ...] = ()

    @property
    def end(self) -> int:
        return len(self.codes)

    @property
    def used(self) -> frozenset[int]:
        return frozenset([m for m, _ in self.passed] + [h.mention for h in self.hanging])

    @property
    def named_end(self) -> bool:
        return any(place == self.end for _, place in self.passed)


@dataclass
class Candidate:
    """A walk that answers: its nodes as far as the search saw them.

    ``cover`` says for each clue of the question how far the walk meets it.
    """

    walk: Walk
    nodes: Ints
    tests: tuple[tuple[int, int, int], ...] = ()
    features: np.ndarray = field(default_factory=lambda: np.zeros(0))
    score: float = 0.0
    cover: np.ndarray = field(default_factory=lambda: np.zeros(0))


Beside = tuple[tuple[int, ...], tuple[int, ...], np.ndarray]
"""Codes outwards to a mention, types between, and which nodes of the whole have it there."""


class Search:
    """The walks for one reading; made anew for each question."""

    def __init__(self, kb: ClinicalKB, reading: Reading, relevance: Relevance) -> None:
        self.kb = kb
        self.reading = reading
        self.relevance = relevance
        self.elements = relevance.elements
        self.patient = -1
        self._cheap: list[float] = relevance.cheap.tolist()
        self._besides: dict[int, list[Beside]] = {}
        self._masks: dict[int, np.ndarray] = {}

    # what a step is worth before anything else is known

    def _worth(self, code: int, type: int) -> float:
        row = 2 * (code - BOTH) + 1 if code >= BOTH else code
        return self._cheap[row] + self._cheap[self.elements.codes + type if type >= 0 else -1]

    def groups(self, nodes: Ints, *, through: bool = True) -> list[tuple[int, int, Ints]]:
        """Everything one edge away, by code and type."""
        kb = self.kb
        _, rows = kb.edges_of(nodes)
        reached = kb.neighbour[rows].astype(np.int64)
        keep = np.ones(len(rows), dtype=bool)
        if self.patient >= 0:
            keep &= kb.may_see(self.patient, reached) & (reached != self.patient)
        rows, reached = rows[keep], reached[keep]
        if not len(rows):
            return []
        types = len(kb.types)
        key = kb.code[rows].astype(np.int64) * types + kb.type_of[reached]
        order = np.argsort(key, kind="stable")
        key, reached = key[order], reached[order]
        cuts = np.flatnonzero(np.diff(key)) + 1
        result: dict[tuple[int, int], Ints] = {}
        for at, part in zip(key[np.append(0, cuts)].tolist(), np.split(reached, cuts), strict=True):
            result[divmod(at, types)] = np.unique(part)
        both = []
        for (code, type), part in result.items():
            if code % 2 == 0 and (code + 1, type) in result:
                both.append((BOTH + code // 2, type, np.union1d(part, result[code + 1, type])))
        many: dict[int, list[Ints]] = {}
        for (code, type), part in result.items():
            if type != kb.patient_type:
                many.setdefault(code, []).append(part)
        any_type = (
            [(code, -1, np.concatenate(parts)) for code, parts in many.items() if len(parts) > 1]
            if through
            else []
        )
        return [(code, type, part) for (code, type), part in result.items()] + both + any_type

    def _mask(self, nodes: Ints) -> np.ndarray:
        mask = np.zeros(len(self.kb), dtype=bool)
        mask[nodes] = True
        return mask

    def beside(self, mention: int, depth: int = 1) -> list[Beside]:
        """Nodes beside a mention's: (codes from there to the mention, types between, nodes)."""
        nodes = self._mentioned(mention)
        first = self.groups(nodes, through=False)
        merged: dict[int, list[Ints]] = {}
        for code, _, part in first:
            merged.setdefault(code, []).append(part)
        result: list[Beside] = [
            ((turned(code),), (), self._mask(np.concatenate(parts)))
            for code, parts in merged.items()
        ]
        if depth > 1:
            self._further(result, first, (), (), depth)
        return result

    def _further(
        self,
        result: list[Beside],
        groups: list[tuple[int, int, Ints]],
        codes: tuple[int, ...],
        types: tuple[int, ...],
        depth: int,
    ) -> None:
        """Patients more than one step beside a mention; past the second step only through events
        (an order within a stay)."""
        hubs = self.kb.hubs
        groups = sorted(groups, key=lambda g: (-self._worth(g[0], g[1]), g[0], g[1]))
        for code, type, part in groups[:6]:
            if type == self.kb.patient_type or type < 0 or len(part) > MAX_NODES:
                continue
            if codes and not hubs[type]:
                continue
            outwards, between = (turned(code), *codes), (type, *types)
            beyond = self.groups(part, through=False)
            for code2, type2, part2 in beyond:
                # Several steps beside something only matter for patients.
                if type2 == self.kb.patient_type:
                    result.append(((turned(code2), *outwards), between, self._mask(part2)))
            if depth > 2 and hubs[type]:
                events = [g for g in beyond if g[1] >= 0 and hubs[g[1]] and g[1] != type]
                self._further(result, events, outwards, between, depth - 1)

    def _mentioned(self, mention: int) -> Ints:
        nodes = self.reading.mentions[mention].nodes
        if self.patient >= 0:
            nodes = nodes[self.kb.may_see(self.patient, nodes)]
        return nodes

    def _named(self, mention: int) -> np.ndarray:
        key = mention if self.patient < 0 else (mention + 1) * len(self.kb) + self.patient
        mask = self._masks.get(key)
        if mask is None:
            mask = self._masks[key] = self._mask(self._mentioned(mention))
        return mask

    # walks

    def from_patient(self, mention: int, node: int, wanted: tuple[int, ...]) -> list[Candidate]:
        self.patient = node
        self._besides = {m: self.beside(m) for m in wanted}
        start = Walk(mention, self.kb.patient_type)
        level = [(start, np.asarray([node], dtype=np.int64))]
        return self._levels(level, wanted, deepest=4 if any(self.kb.hubs) else 3)

    def from_entity(self, mention: int, wanted: tuple[int, ...]) -> list[Candidate]:
        self.patient = -1
        events = any(self.kb.hubs)
        self._besides = {m: self.beside(m, depth=3 if events else 2) for m in wanted}
        by_type = self.reading.mentions[mention].by_type
        level = [(Walk(mention, type), nodes) for type, nodes in by_type.items()]
        deepest = (3 if events else 2) + (self.reading.population and events)
        return self._levels(level, wanted, deepest=deepest)

    def from_everyone(self) -> list[Candidate]:
        """What all patients have, where nothing but their kind is named ("the mean age of
        patients")."""
        self.patient = -1
        self._besides = {}
        start = Walk(-1, self.kb.patient_type)
        return self._levels([(start, self.kb.patients)], (), deepest=1)

    def _levels(
        self, level: list[tuple[Walk, Ints]], wanted: tuple[int, ...], *, deepest: int
    ) -> list[Candidate]:
        """Breadth first; a level is satisfied in all ways, then widened by one edge."""
        done: list[Candidate] = []
        needed = frozenset(wanted)
        level = self._satisfy(level, needed) if needed else level
        for depth in range(1, deepest + 1):
            grown: list[tuple[Walk, Ints]] = []
            for walk, nodes in level:
                if walk.end and not self._onwards(walk):
                    continue
                if len(nodes) > MAX_NODES and depth > 1:
                    continue
                here = {h.codes[0] for h in walk.hanging if h.at == walk.end}
                for code, type, part in self.groups(nodes):
                    # Straight back over the same relation, or on to what already hangs here:
                    # siblings,
                    # which no question means.
                    if code in here:
                        continue
                    if (
                        walk.codes
                        and code == turned(walk.codes[-1])
                        and code < BOTH
                        and not walk.named_end
                    ):
                        continue
                    grown.append(
                        (replace(walk, codes=(*walk.codes, code), types=(*walk.types, type)), part)
                    )
            if len(grown) > MAX_STATES:
                grown.sort(key=lambda g: -self.worth(g[0]))
                grown = grown[:MAX_STATES]
            level = self._satisfy(grown, needed) if needed else grown
            for walk, nodes in level:
                if needed <= walk.used and (not walk.named_end or self._may_end(walk)):
                    done.append(Candidate(walk, nodes))
            if depth == deepest or (depth >= 2 and needed and self._enough(done)):
                break
            # Deeper walks only from what reads well, mentions that are met first.
            level.sort(key=lambda g: (-len(g[0].used & needed), -self.worth(g[0])))
            level = level[: WIDTHS[depth] * (2 if any(self.kb.hubs) else 1)]
        return done

    def _may_end(self, walk: Walk) -> bool:
        """Whether a walk may end at what is named: yes or no, or which of those offered."""
        ends = [m for m, place in walk.passed if place == walk.end]
        return self.reading.polar or any(self.reading.mentions[m].choice for m in ends)

    def _onwards(self, walk: Walk) -> bool:
        """Whether a walk may go on: never from things of several types, and past patients only
        where the question is about what all of them have."""
        last = self._last_type(walk)
        if last != self.kb.patient_type:
            return last >= 0
        return self.reading.population and self.kb.patient_type not in walk.types[:-1]

    def _enough(self, done: list[Candidate]) -> bool:
        """Whether some walk already ends at what is asked for: patients, or something with a
        name."""
        hubs = self.kb.hubs
        if self.reading.asks_patients and self.patient < 0:
            return any(c.walk.types and c.walk.types[-1] == self.kb.patient_type for c in done)
        if self.reading.population:
            return False
        return any(c.walk.types[-1] < 0 or not hubs[c.walk.types[-1]] for c in done if c.walk.types)

    def worth(self, walk: Walk) -> float:
        total = sum(self._worth(c, t) for c, t in zip(walk.codes, walk.types, strict=True))
        # A longer walk must earn its edges, or it would win by their number.
        return total + 2.0 * len(walk.used) - 1.2 * len(walk.codes)

    def _last_type(self, walk: Walk) -> int:
        return walk.types[-1] if walk.types else walk.root_type

    def _satisfy(
        self, level: list[tuple[Walk, Ints]], needed: frozenset[int]
    ) -> list[tuple[Walk, Ints]]:
        """Each walk as it is, and with each missing mention met at its end, passed or beside."""
        result = list(level)
        fresh = list(level)
        for _ in range(len(needed)):
            more: list[tuple[Walk, Ints]] = []
            for walk, nodes in fresh:
                # Mentions are met in order, so that no two walks differ only in that.
                missing = sorted(needed - walk.used)
                for mention in missing:
                    more += self._meet(walk, nodes, mention)
            fresh = _distinct(more)
            result += fresh
        return result

    def _meet(self, walk: Walk, nodes: Ints, mention: int) -> list[tuple[Walk, Ints]]:
        met: list[tuple[Walk, Ints]] = []
        if walk.end:
            here = nodes[self._named(mention)[nodes]]
            if len(here) and not walk.named_end:
                met.append((replace(walk, passed=(*walk.passed, (mention, walk.end))), here))
        at_patient = self._last_type(walk) == self.kb.patient_type
        if walk.end or self.patient < 0:
            options = []
            for codes, types, part in self._besides[mention]:
                if len(codes) > 1 and not at_patient:
                    continue
                here = nodes[part[nodes]]
                if len(here):
                    worth = sum(self._worth(turned(c), -1) for c in codes) - 0.3 * len(codes)
                    options.append((worth, codes, types, here))
            options.sort(key=lambda o: (-o[0], o[1]))
            for _, codes, types, here in options[: 4 if at_patient else 3]:
                hang = Hang(mention, walk.end, codes, types)
                met.append((replace(walk, hanging=(*walk.hanging, hang)), here))
        return met


def _distinct(items: list[tuple[Walk, Ints]]) -> list[tuple[Walk, Ints]]:
    kept: dict[tuple[object, ...], tuple[Walk, Ints]] = {}
    for walk, nodes in items:
        key = (walk.codes, walk.types, frozenset(walk.passed), frozenset(walk.hanging))
        kept.setdefault(key, (walk, nodes))
    return list(kept.values())


def candidates(search: Search) -> list[Candidate]:
    """All walks that a reading allows, strong mentions always met, weak ones where they can be."""
    reading, kb = search.reading, search.kb
    mentions = reading.mentions
    strong = [i for i, m in enumerate(mentions) if not m.patient and not m.weak]
    weak = [i for i, m in enumerate(mentions) if not m.patient and m.weak][:3]
    items: list[Candidate] = []
    patients = reading.patients
    if patients:
        at = mentions.index(patients[0])
        for node in patients[0].nodes[:3].tolist():
            own = [w for w in weak if bool(kb.may_see(node, mentions[w].nodes).any())]
            for extra in _choices(own):
                items += search.from_patient(at, node, (*strong, *extra))
        return items
    positive = [i for i in strong if not mentions[i].negated]
    if positive and len(positive) < len(strong):
        # "X but not Y": unless a relation itself says no, Y is taken away afterwards.
        items = _grown(search, strong, weak)
        if any(_says_no(kb, c.walk) for c in items):
            return items
        strong = positive
    items = _grown(search, strong, weak)
    if not items and not strong and reading.population:
        items = search.from_everyone()
    return items


def _says_no(kb: ClinicalKB, walk: Walk) -> bool:
    codes = [*walk.codes, *(c for h in walk.hanging for c in h.codes)]
    return any(w in NEGATIONS for c in codes for w in words(kb.relation_of(c)[0]))


def _grown(search: Search, strong: list[int], weak: list[int]) -> list[Candidate]:
    grown: list[Candidate] = []
    roots = strong or weak
    for extra in _choices([w for w in weak if w not in roots][:2]):
        chosen = [*strong, *extra] or roots
        for root in chosen[:2]:
            rest = tuple(m for m in chosen if m != root)
            grown += search.from_entity(root, rest if strong else ())
            if grown and strong:
                break
    return grown


def _choices(weak: list[int]) -> list[tuple[int, ...]]:
    return [c for size in range(len(weak) + 1) for c in combinations(weak, size)][:4]


def to_query(kb: ClinicalKB, mentions: list[Mention], candidate: Candidate, patient: int) -> Query:
    """A candidate as a query tree that ``execute`` takes."""
    walk = candidate.walk
    query = Query(patient=patient)
    root = (
        np.asarray([patient], dtype=np.int64)
        if patient >= 0
        else mentions[walk.root].nodes
        if walk.root >= 0
        else None
    )
    query.add(Variable(type=walk.root_type, nodes=root))
    passed = {place: mention for mention, place in walk.passed}
    for at, (code, type) in enumerate(zip(walk.codes, walk.types, strict=True), 1):
        nodes = mentions[passed[at]].nodes if at in passed else None
        query.add(Variable(type=type, nodes=nodes))
        query.edges.append((at - 1, at, code))
    query.answer = len(walk.codes)
    for hang in walk.hanging:
        here = hang.at
        for code, between in zip(hang.codes, (*hang.types, -1), strict=True):
            last = between < 0
            there = query.add(
                Variable(type=between, nodes=mentions[hang.mention].nodes if last else None)
            )
            query.edges.append((here, there, code))
            here = there
    return query
