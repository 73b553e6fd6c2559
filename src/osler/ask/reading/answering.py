"""From scored walks to the answer: tests, negation, extremes, counts, yes or no."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.scorer import Scorer
from osler.ask.reading.search import Candidate, to_query
from osler.ask.reading.tests import Found as FoundTest
from osler.ask.reading.words import NEGATIONS, fields
from osler.records.kb import ClinicalKB, Ints, words
from osler.records.query import Found, Query, Variable, execute, passes, turned

TRIED = 12


@dataclass
class Executed:
    """The best walk, executed. ``best`` is its place among the candidates, -1 for none of them."""

    best: int
    query: Query
    found: Found
    nodes: list[int]
    names: list[str]
    note: str = ""
    extra: dict[str, str] = field(default_factory=dict)


def finish(
    kb: ClinicalKB,
    reading: Reading,
    relevance: Relevance,
    items: list[Candidate],
    scores: np.ndarray,
    scorer: Scorer,
) -> Executed | None:
    """The best candidate that has an answer under all tests; None where none has."""
    if not items:
        return _whole_type(kb, reading, relevance)
    order = np.argsort(-scores, kind="stable")
    if reading.tests:
        return _tested(kb, reading, relevance, items, scores, order)
    for at in order[:TRIED].tolist():
        done = _run(kb, reading, items[at], at)
        if done is not None and (_unsaid(kb, reading, done) or _idle(reading, items[at])):
            return None
        if done is not None:
            return _shape(kb, reading, relevance, items[at], done)
    return None


def _idle(reading: Reading, item: Candidate) -> bool:
    """Yes or no to something that the walk never met: "does P have an appointment"."""
    unread = any(not c.known for c in reading.clues)
    return reading.polar and not item.walk.used and (unread or item.features[2] >= 0.5)


def _unsaid(kb: ClinicalKB, reading: Reading, done: Executed) -> bool:
    """A question of what a patient does not have, and no relation that says so: not in the
    records."""
    asked = any(w.text in ("not", "never") for w in reading.words)
    relations = [kb.relation_of(code)[0] for _, _, code in done.query.edges]
    said = any(w in NEGATIONS for r in relations for w in words(r))
    inside = any(
        w.text in ("not", "never")
        for m in reading.mentions
        for w in reading.words[m.first : m.last]
    )
    return asked and not said and not inside and done.query.patient >= 0


def _patient(reading: Reading, item: Candidate) -> int:
    root = reading.mentions[item.walk.root] if item.walk.root >= 0 else None
    return int(root.nodes[0]) if root is not None and root.patient else -1


def _patient_of(kb: ClinicalKB, reading: Reading, item: Candidate) -> int:
    """The patient node of a walk; where several share a name, the one the walk was made for."""
    if _patient(reading, item) < 0:
        return -1
    nodes = reading.mentions[item.walk.root].nodes
    for node in nodes.tolist():
        if bool(kb.may_see(node, item.nodes).all()):
            return int(node)
    return int(nodes[0])


def _run(kb: ClinicalKB, reading: Reading, item: Candidate, at: int) -> Executed | None:
    query = to_query(kb, reading.mentions, item, _patient_of(kb, reading, item))
    found = execute(kb, query)
    nodes = found.answers(query)
    more = [m for m in reading.patients if m is not reading.mentions[item.walk.root]]
    for other in more if query.patient >= 0 else ():
        # "P1 and P2": the same walk for each; the answer says both.
        again = to_query(kb, reading.mentions, item, int(other.nodes[0]))
        nodes = np.union1d(nodes, execute(kb, again).answers(again))
    if not len(nodes):
        return None
    return Executed(at, query, found, nodes.tolist(), [])


def _shape(
    kb: ClinicalKB, reading: Reading, relevance: Relevance, item: Candidate | None, done: Executed
) -> Executed:
    """Negation, extremes, then how the answer is said."""
    if item is not None:
        _negate(kb, reading, item, done)
    if reading.extreme and not reading.count:
        _extreme(kb, reading, done)
    done.names = list(
        dict.fromkeys(
            kb.names[n] for n in sorted(done.nodes, key=lambda n: (kb.names[n], kb.ids[n]))
        )
    )
    if done.extra.get("value"):
        done.names = [done.extra["value"]]
    elif reading.polar and item is not None:
        denied = _denied(kb, done)
        done.names = ["no" if denied else "yes"]
    elif reading.count and _countable(kb, done):
        # Things that are told apart by name are counted by name, patients by who they are.
        by_name = done.query.answer < len(done.query.variables) and not _are_patients(
            kb, done.nodes
        )
        done.names = [str(len(done.names) if by_name else len(done.nodes))]
        done.note = "counted"
    return done


def _are_patients(kb: ClinicalKB, nodes: list[int]) -> bool:
    return bool(nodes) and int(kb.type_of[nodes[0]]) == kb.patient_type


def _countable(kb: ClinicalKB, done: Executed) -> bool:
    """A number that stands in the records is given, not counted ("how many packs a day")."""
    numeric = kb.value_like["number"]
    return not all(numeric[kb.type_of[n]] for n in done.nodes[:5]) or _are_patients(kb, done.nodes)


def _denied(kb: ClinicalKB, done: Executed) -> bool:
    relations = [kb.relation_of(code)[0] for _, _, code in done.query.edges]
    if any(w in NEGATIONS for r in relations for w in words(r)):
        return True
    for node in done.nodes[:20]:
        around = [kb.names[n].lower() for _, n, _ in kb.neighbours(node)[:200]]
        if any(name in ("absent", "negative", "negated") for name in around):
            return True
    return False


def _negate(kb: ClinicalKB, reading: Reading, item: Candidate, done: Executed) -> None:
    """ "without X", "not on X": what is left when the walk to X is taken away.

    Nothing is taken away where the relation itself says no (``does not have``).
    """
    denied = [
        i
        for i, m in enumerate(reading.mentions)
        if m.negated and (i in item.walk.used or i == item.walk.root)
    ]
    relations = [kb.relation_of(code)[0] for _, _, code in done.query.edges]
    said = any(w in NEGATIONS for r in relations for w in words(r))
    if (
        not denied
        or said
        or reading.polar
        or done.query.patient >= 0
        or not _are_patients(kb, done.nodes)
    ):
        return
    if all(i in denied for i in (*item.walk.used, item.walk.root)):
        rest = np.setdiff1d(kb.patients, np.asarray(done.nodes))
        done.nodes = rest.tolist()
        return
    # "X without Y": everything with X, less those that the hanging walk finds.
    kept = replace_hanging(item, frozenset(denied))
    if kept is None:
        return
    query = to_query(kb, reading.mentions, kept, -1)
    wide = execute(kb, query).answers(query)
    done.nodes = np.setdiff1d(wide, np.asarray(done.nodes)).tolist()


def replace_hanging(item: Candidate, denied: frozenset[int]) -> Candidate | None:
    from dataclasses import replace

    if item.walk.root in denied or any(m in denied for m, _ in item.walk.passed):
        return None
    hanging = tuple(h for h in item.walk.hanging if h.mention not in denied)
    return Candidate(replace(item.walk, hanging=hanging), item.nodes)


def _extreme(kb: ClinicalKB, reading: Reading, done: Executed) -> None:
    """The latest, first, highest, lowest or mean among the answers, by their own or a beside
    value."""
    kind = reading.extreme
    nodes = np.asarray(done.nodes)
    by_date = kind in ("first", "last")
    if by_date:
        values = kb.dates[0][nodes].astype(np.float64)
        values[values == 0] = np.nan
    else:
        values = kb.numbers[nodes]
    if np.isnan(values).all():
        values = _beside_values(kb, done, nodes, by_date)
    if np.isnan(values).all():
        return
    if kind == "mean":
        done.extra["value"] = f"{float(np.nanmean(values)):.4g}"
        return
    best = np.nanmax(values) if kind in ("last", "max") else np.nanmin(values)
    done.nodes = nodes[values == best].tolist()


def _beside_values(kb: ClinicalKB, done: Executed, nodes: Ints, by_date: bool) -> np.ndarray:
    """For each answer a date or number beside it, or beside what the walk passed just before it."""
    source = kb.dates[0] if by_date else kb.numbers
    result = np.full(len(nodes), np.nan)
    before: dict[int, list[int]] = {}
    for at, (_, b, _) in enumerate(done.query.edges):
        if b == done.query.answer:
            left, right, _ = done.found.rows[at]
            for x, y in zip(left.tolist(), right.tolist(), strict=True):
                before.setdefault(y, []).append(x)
    for at, node in enumerate(nodes.tolist()):
        for holder in [node, *before.get(node, [])[:5]]:
            if kb.type_of[holder] == kb.patient_type:
                continue
            around = np.asarray([n for _, n, _ in kb.neighbours(holder)[:100]], dtype=np.int64)
            values = source[around].astype(np.float64) if len(around) else np.zeros(0)
            values = (
                values[(values > 0) & ~np.isnan(values)] if by_date else values[~np.isnan(values)]
            )
            if len(values):
                result[at] = values.max()
                break
    return result


def _tested(
    kb: ClinicalKB,
    reading: Reading,
    relevance: Relevance,
    items: list[Candidate],
    scores: np.ndarray,
    order: np.ndarray,
) -> Executed | None:
    """Hang each test on the variable where it reads best; a test that fits nowhere is no answer."""
    tried: list[tuple[float, Executed, Candidate]] = []
    for at in order[:TRIED].tolist():
        item = items[at]
        base = to_query(kb, reading.mentions, item, _patient_of(kb, reading, item))
        for bonus, query in _with_tests(kb, reading.tests, relevance, base):
            found = execute(kb, query)
            nodes = found.answers(query)
            if len(nodes):
                tried.append(
                    (
                        float(scores[at]) + bonus,
                        Executed(at, query, found, nodes.tolist(), []),
                        item,
                    )
                )
                break
    if not tried:
        return None
    _, done, item = max(tried, key=lambda t: t[0])
    return _shape(kb, reading, relevance, item, done)


@dataclass(frozen=True)
class _Place:
    """Where a test may hang: from a variable over codes (none: the variable itself) to a type."""

    worth: float
    at: int
    codes: tuple[int, ...]
    types: tuple[int, ...]


def _places(kb: ClinicalKB, test: FoundTest, relevance: Relevance, base: Query) -> list[_Place]:
    """Places for a test, best reading first; a hub (a lab event, an admission) may lie between."""
    like = kb.value_like[test.kind]
    found: list[_Place] = []
    for at, variable in enumerate(base.variables):
        if variable.type < 0 or (at == 0 and base.patient >= 0):
            continue
        if like[variable.type] and variable.nodes is None:
            found.append(_Place(0.8, at, (), ()))
        named = 0.6 if variable.nodes is not None else 0.0
        for code, type, _ in kb.schema_from.get(variable.type, ()):
            if like[type]:
                worth = named + _test_worth(kb, test, relevance, code, type)
                found.append(_Place(worth, at, (code,), (type,)))
            elif kb.hubs[type] and len(base.variables) == 1:
                # Beside a walk a new event would be another one than the walk's own.
                through = 0.5 * float(relevance.precision[relevance.elements.code_row(code)]) - 0.3
                for code2, type2, _ in kb.schema_from.get(type, ()):
                    if like[type2]:
                        worth = named + through + _test_worth(kb, test, relevance, code2, type2)
                        found.append(_Place(worth, at, (code, code2), (type, type2)))
    return sorted(found, key=lambda p: (-p.worth, p.at, p.codes))[:4]


def _test_worth(
    kb: ClinicalKB, test: FoundTest, relevance: Relevance, code: int, type: int
) -> float:
    # The test may be all that says a relation ("an onset in 2015"): its words count fully.
    worth = 2.5 * float(relevance.precision[relevance.elements.code_row(code)])
    worth += 0.5 * float(relevance.precision[relevance.elements.type_row(type)])
    name = f"{kb.types[type]} {kb.relation_of(code)[0]}"
    said = {f for w in words(name.replace("_", " ")) for f in fields(w)}
    worth += 0.5 if "value" in said and test.kind == "number" else 0.0
    return worth - (1.5 if "code" in said else 0.0)


def _with_tests(
    kb: ClinicalKB, tests: list[FoundTest], relevance: Relevance, base: Query
) -> list[tuple[float, Query]]:
    """Queries with all tests hung somewhere, best reading first."""
    options = [_places(kb, test, relevance, base) for test in tests[:2]]
    if any(not o for o in options):
        return []
    combined: list[tuple[float, Query]] = []
    for picked in product(*options):
        query = Query(
            [Variable(v.type, v.nodes, v.tests, v.without) for v in base.variables],
            list(base.edges),
            base.answer,
            base.aggregate,
            base.patient,
        )
        hung: dict[tuple[int, int], int] = {}
        for test, place in zip(tests, picked, strict=False):
            here = place.at
            for step, (code, type) in enumerate(zip(place.codes, place.types, strict=True)):
                last = step == len(place.codes) - 1
                # Two tests through one hub speak of one event: its value and its date.
                there = -1 if last else hung.get((here, code), -1)
                if there < 0:
                    there = query.add(Variable(type=type))
                    query.edges.append((here, there, code))
                    if not last:
                        hung[here, code] = there
                here = there
            query.variables[here].tests += test.tests
        combined.append((sum(p.worth for p in picked), query))
    combined.sort(key=lambda c: -c[0])
    return combined


def _all_read(reading: Reading, relevance: Relevance, query: Query) -> bool:
    """Whether every word of content is met by some relation or type of the query."""
    rows = [relevance.elements.code_row(code) for _, _, code in query.edges]
    rows += [relevance.elements.type_row(v.type) for v in query.variables]
    met = relevance.strength[rows].max(axis=0)
    return all(c.weight < 1.0 or met[at] >= 0.5 for at, c in enumerate(reading.clues))


def _whole_type(kb: ClinicalKB, reading: Reading, relevance: Relevance) -> Executed | None:
    """No entity is named: all of a type, perhaps under a test ("patients born before 1950")."""
    if any(not m.weak for m in reading.mentions) or not (
        reading.asks_patients or reading.count or reading.tests
    ):
        return None
    unread = [c.text for c in reading.clues if not c.known]
    if unread:
        return None
    if reading.asks_patients and kb.patient_type >= 0:
        type = kb.patient_type
    else:
        rows = relevance.target_cover[relevance.elements.codes : -1]
        if not len(rows) or rows.max() < 0.6:
            return None
        type = int(rows.argmax())
    base = Query([Variable(type=type)], [], 0)
    if reading.tests:
        for _, query in _with_tests(kb, reading.tests, relevance, base):
            if not _all_read(reading, relevance, query):
                continue
            found = execute(kb, query)
            if len(found.answers(query)):
                return _shape(
                    kb,
                    reading,
                    relevance,
                    None,
                    Executed(-1, query, found, found.answers(query).tolist(), []),
                )
        return None
    met = relevance.strength[relevance.elements.type_row(type)]
    if any(c.weight >= 1.0 and met[at] < 0.5 for at, c in enumerate(reading.clues)):
        return None
    found = execute(kb, base)
    nodes = found.answers(base)
    return (
        _shape(kb, reading, relevance, None, Executed(-1, base, found, nodes.tolist(), []))
        if len(nodes)
        else None
    )


__all__ = ["Executed", "finish", "passes", "turned"]
