"""From scored walks to the answer: tests, negation, extremes, counts, yes or no."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import numpy as np

from osler.ask.reading.placing import with_tests
from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.scorer import Scorer
from osler.ask.reading.search import Candidate, Search, to_query
from osler.ask.reading.walk_evidence import AT, features
from osler.ask.reading.words import CERTAIN, NEGATIONS, QUALIFYING
from osler.records.kb import ClinicalKB, Ints, words
from osler.records.query import Found, Query, Variable, execute, passes, turned

TRIED = 12
TIED = 0.15
"""Two places of a test that read alike within this: nothing says which is meant."""


@dataclass
class Executed:
    """The best walk, executed. ``best`` is its place among the candidates, -1 for none of them."""

    best: int
    query: Query
    matched: Found
    nodes: list[int]
    names: list[str]
    note: str = ""
    fell_back: bool = False
    """Whether a test hangs elsewhere than where it reads best, because nothing was there."""
    tied: bool = False
    """Whether a test reads as well in two places."""
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
        return _whole_type(kb, reading, relevance, scorer)
    order = np.argsort(-scores, kind="stable")
    if reading.tests:
        return _tested(kb, reading, relevance, items, scores, order, scorer)
    for at in order[:TRIED].tolist():
        done = _run(kb, reading, items[at], at)
        if done is not None and (_unsaid(kb, reading, done) or _idle(reading, items[at])):
            return None
        if done is not None:
            return _shape(kb, reading, relevance, items[at], done, scorer)
    return None


def _idle(reading: Reading, item: Candidate) -> bool:
    """Yes or no to something that the walk never met: "does P have an appointment"."""
    unread = any(not c.known for c in reading.clues)
    return (
        reading.polar
        and not item.walk.used
        and (unread or item.features[AT["uncovered_known"]] >= 0.5)
    )


def _unsaid(kb: ClinicalKB, reading: Reading, done: Executed) -> bool:
    """A question of what a patient does not have, and no relation that says so: not in the
    records. What is "not certain" is not denied: a relation that qualifies says it."""
    texts = [w.text for w in reading.words]
    after = {b for a, b in itertools.pairwise([*texts, ""]) if a in ("not", "never")}
    relations = [kb.relation_of(code)[0] for _, _, code in done.query.edges]
    told = {w for r in relations for w in words(r)}
    asked = bool(after)
    said = bool(told & NEGATIONS) or (after <= CERTAIN and bool(told & QUALIFYING))
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
    executed = execute(kb, query)
    nodes = executed.answers(query)
    more = [m for m in reading.patients if m is not reading.mentions[item.walk.root]]
    for other in more if query.patient >= 0 else ():
        # "P1 and P2": the same walk for each; the answer says both.
        again = to_query(kb, reading.mentions, item, int(other.nodes[0]))
        nodes = np.union1d(nodes, execute(kb, again).answers(again))
    if not len(nodes):
        return None
    return Executed(at, query, executed, nodes.tolist(), [])


def _shape(
    kb: ClinicalKB,
    reading: Reading,
    relevance: Relevance,
    item: Candidate | None,
    done: Executed,
    scorer: Scorer,
) -> Executed | None:
    """Negation, extremes, then how the answer is said."""
    before = len(done.nodes)
    if item is not None:
        _negate(kb, reading, relevance, item, done, scorer)
    if reading.extreme and not reading.count and not _extreme(kb, reading, done):
        # "The maximum" of what has no order would be everything there is.
        return None
    if not done.nodes:
        return None
    if len(done.nodes) != before:
        # Paths and sources are those of what is left.
        left = replace(done.query, variables=list(done.query.variables))
        answer = left.variables[left.answer]
        left.variables[left.answer] = replace(answer, nodes=np.asarray(done.nodes, dtype=np.int64))
        done.matched = execute(kb, left)
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


def _negate(
    kb: ClinicalKB,
    reading: Reading,
    relevance: Relevance,
    item: Candidate,
    done: Executed,
    scorer: Scorer,
) -> None:
    """ "without X", "not on X": what is left when the walk to X is taken away.

    Nothing is taken away where the relation itself says no (``does not have``).
    """
    denied = [i for i, m in enumerate(reading.mentions) if m.negated and not m.patient]
    met = {*item.walk.used, item.walk.root}
    relations = [kb.relation_of(code)[0] for _, _, code in done.query.edges]
    said = any(w in NEGATIONS for r in relations for w in words(r))
    asked_others = done.query.patient < 0 and _are_patients(kb, done.nodes)
    if not denied or said or reading.polar or not asked_others:
        return
    done.extra["without"] = ", ".join(reading.mentions[i].name for i in denied)
    if all(i in denied for i in met):
        done.nodes = np.setdiff1d(_meeting(kb, reading, relevance), np.asarray(done.nodes)).tolist()
        return
    for mention in denied:
        if reading.mentions[mention].weak and mention not in met:
            continue
        having = _having(kb, reading, relevance, mention, scorer)
        done.nodes = np.setdiff1d(np.asarray(done.nodes, dtype=np.int64), having).tolist()


def _meeting(kb: ClinicalKB, reading: Reading, relevance: Relevance) -> Ints:
    """The patients who meet the question's tests: all of them where it has none."""
    base = Query([Variable(type=kb.patient_type)], [], 0)
    if reading.tests:
        for _, query in with_tests(kb, reading.tests, relevance, base):
            return execute(kb, query).answers(query)
    return kb.patients


def _having(
    kb: ClinicalKB, reading: Reading, relevance: Relevance, mention: int, scorer: Scorer
) -> Ints:
    """The patients to whom the best walk from a mention leads."""
    holding = [
        c
        for c in Search(kb, reading, relevance).from_entity(mention, ())
        if c.walk.types and c.walk.types[-1] == kb.patient_type
    ]
    if not holding:
        return np.zeros(0, dtype=np.int64)
    values = features(kb, reading, relevance, holding) @ scorer.weights
    query = to_query(kb, reading.mentions, holding[int(values.argmax())], -1)
    return execute(kb, query).answers(query)


def _extreme(kb: ClinicalKB, reading: Reading, done: Executed) -> bool:
    """The latest, first, highest, lowest or mean among the answers, by their own or a beside
    value; False where several answers have no number to be the highest by.

    "First" may be a relation's own word ("first seen on"), so that it may have no order."""
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
        return by_date or len(nodes) < 2
    if kind == "mean":
        done.extra["value"] = f"{float(np.nanmean(_weighed(done, nodes, values))):.4g}"
        return True
    best = np.nanmax(values) if kind in ("last", "max") else np.nanmin(values)
    done.nodes = nodes[values == best].tolist()
    return True


def _weighed(done: Executed, nodes: Ints, values: np.ndarray) -> np.ndarray:
    """Each value as often as something has it: forty patients of one age are forty."""
    for at, (_, b, _) in enumerate(done.query.edges):
        if b == done.query.answer:
            rows = np.concatenate(done.matched.rows[at][:2])
            counts = np.asarray([int((rows == n).sum()) for n in nodes.tolist()])
            return np.repeat(values, np.maximum(counts, 1))
    return values


def _beside_values(kb: ClinicalKB, done: Executed, nodes: Ints, by_date: bool) -> np.ndarray:
    """For each answer a date or number beside it, or beside what the walk passed just before it."""
    source = kb.dates[0] if by_date else kb.numbers
    result = np.full(len(nodes), np.nan)
    before: dict[int, list[int]] = {}
    for at, (_, b, _) in enumerate(done.query.edges):
        if b == done.query.answer:
            left, right, _ = done.matched.rows[at]
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
    scorer: Scorer,
) -> Executed | None:
    """Hang each test on the variable where it reads best; a test that fits nowhere is no answer."""
    tried: list[tuple[float, Executed, Candidate]] = []
    for at in order[:TRIED].tolist():
        item = items[at]
        base = to_query(kb, reading.mentions, item, _patient_of(kb, reading, item))
        options = with_tests(kb, reading.tests, relevance, base)
        tied = len(reading.tests) == 1 and _tied(options)
        for place, (bonus, query) in enumerate(options):
            executed = execute(kb, query)
            nodes = executed.answers(query)
            if len(nodes):
                done = Executed(at, query, executed, nodes.tolist(), [])
                done.fell_back, done.tied = place > 0, tied
                tried.append((float(scores[at]) + bonus, done, item))
                break
    if not tried:
        return None
    _, done, item = max(tried, key=lambda t: t[0])
    return _shape(kb, reading, relevance, item, done, scorer)


def _tied(options: list[tuple[float, Query]]) -> bool:
    """Whether one test reads alike over two steps from the same thing: born, or admitted."""
    if len(options) < 2 or options[0][0] - options[1][0] >= TIED:
        return False
    first, second = (query.edges[-1:] for _, query in options[:2])
    return bool(first and second) and first[0][0] == second[0][0]


def _all_read(reading: Reading, relevance: Relevance, query: Query) -> bool:
    """Whether every word of content is met by some relation or type of the query."""
    rows = [relevance.elements.code_row(code) for _, _, code in query.edges]
    rows += [relevance.elements.type_row(v.type) for v in query.variables]
    met = relevance.strength[rows].max(axis=0)
    return all(c.weight < 1.0 or met[at] >= 0.5 for at, c in enumerate(reading.clues))


def _whole_type(
    kb: ClinicalKB, reading: Reading, relevance: Relevance, scorer: Scorer
) -> Executed | None:
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
        for _, query in with_tests(kb, reading.tests, relevance, base):
            if not _all_read(reading, relevance, query):
                continue
            executed = execute(kb, query)
            if len(executed.answers(query)):
                return _shape(
                    kb,
                    reading,
                    relevance,
                    None,
                    Executed(-1, query, executed, executed.answers(query).tolist(), []),
                    scorer,
                )
        return None
    met = relevance.strength[relevance.elements.type_row(type)]
    if any(c.weight >= 1.0 and met[at] < 0.5 for at, c in enumerate(reading.clues)):
        return None
    executed = execute(kb, base)
    nodes = executed.answers(base)
    return (
        _shape(
            kb, reading, relevance, None, Executed(-1, base, executed, nodes.tolist(), []), scorer
        )
        if len(nodes)
        else None
    )


__all__ = ["Executed", "finish", "passes", "turned"]
