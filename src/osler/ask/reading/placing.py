"""Where a test hangs: "above 7" on a value, "in 2020" on its date, "older than 60" on an age."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from osler.ask.reading.relevance import Relevance
from osler.ask.reading.tests import Found as FoundTest
from osler.ask.reading.words import fields
from osler.records.kb import ClinicalKB, words
from osler.records.query import Query, Variable


@dataclass(frozen=True)
class Place:
    """Where a test may hang: from a variable over codes (none: the variable itself) to a type."""

    worth: float
    at: int
    codes: tuple[int, ...]
    types: tuple[int, ...]


def places(kb: ClinicalKB, test: FoundTest, relevance: Relevance, base: Query) -> list[Place]:
    """Places for a test, best reading first; a hub (a lab event, an admission) may lie between."""
    like = kb.value_like[test.kind]
    placed: list[Place] = []
    for at, variable in enumerate(base.variables):
        if variable.type < 0 or (at == 0 and base.patient >= 0):
            continue
        if like[variable.type] and variable.nodes is None:
            # The answer itself is tested where its own step reads as the test's words do.
            into = next((code for _, b, code in base.edges if b == at), None)
            worth = 0.8 if into is None else _test_worth(kb, test, relevance, into, variable.type)
            placed.append(Place(min(worth, 0.8), at, (), ()))
        named = 0.6 if variable.nodes is not None else 0.0
        walked = {c for a, _, c in base.edges if a == at}
        for code, type, _ in kb.schema_from.get(variable.type, ()):
            if code in walked:
                # What the walk itself goes on to is tested there.
                continue
            if like[type]:
                worth = named + _test_worth(kb, test, relevance, code, type)
                placed.append(Place(worth, at, (code,), (type,)))
            elif kb.hubs[type] and len(base.variables) == 1:
                # Beside a walk a new event would be another one than the walk's own.
                through = 0.5 * float(relevance.precision[relevance.elements.code_row(code)]) - 0.3
                for code2, type2, _ in kb.schema_from.get(type, ()):
                    if like[type2]:
                        worth = named + through + _test_worth(kb, test, relevance, code2, type2)
                        placed.append(Place(worth, at, (code, code2), (type, type2)))
    return sorted(placed, key=lambda p: (-p.worth, p.at, p.codes))[:4]


def _test_worth(
    kb: ClinicalKB, test: FoundTest, relevance: Relevance, code: int, type: int
) -> float:
    """How well a step to a value reads as what a test speaks of; words beside the test count
    most ("stayed for more than 2 days")."""
    rows = [relevance.elements.code_row(code), relevance.elements.type_row(type)]
    worth = float(relevance.precision[rows[0]]) + 0.5 * float(relevance.precision[rows[1]])
    if len(relevance.weights):
        beside = np.exp(-relevance.distances(test.start, test.end) / 12.0)
        met = relevance.strength[rows].max(axis=0) * np.minimum(relevance.weights, 1.0)
        worth += 3.0 * float((met * beside).max())
    name = f"{kb.types[type]} {kb.relation_of(code)[0]}".replace("_", " ")
    said = {f for w in words(name) for f in fields(w)}
    worth += 0.5 if "value" in said and test.kind == "number" else 0.0
    # A number of something (an item's, a code) is no amount.
    return worth - (2.0 if "code" in said or {"id", "item"} & set(words(name)) else 0.0)


def with_tests(
    kb: ClinicalKB, tests: list[FoundTest], relevance: Relevance, base: Query
) -> list[tuple[float, Query]]:
    """Queries with all tests hung somewhere, best reading first."""
    options = [places(kb, test, relevance, base) for test in tests[:2]]
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
