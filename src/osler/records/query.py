"""Graph queries over a clinical knowledge base: a tree of variables, executed exactly.

A query has variables (a type, a set of nodes it may be, a test on its name) and edges between them.
The edges form a tree, so one pass down and one pass up from the smallest variable leave, for every
variable, exactly the nodes that stand in some answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from osler.records.kb import BOTH, ClinicalKB, Ints
from osler.records.schema import date_span

Test = tuple[str, float | str]
"""An operator (``>``, ``<``, ``>=``, ``<=``, ``=``, ``in``, ``before``, ``after``) and what it
compares with."""

MAX_EDGES = 2_000_000


@dataclass
class Variable:
    """``nodes`` None leaves it open within its type; type -1 is any."""

    type: int = -1
    nodes: Ints | None = None
    tests: tuple[Test, ...] = ()
    without: Ints | None = None


@dataclass
class Query:
    """Edges are (from, to, code); ``answer`` is a variable; ``aggregate`` may be ``count``.

    ``patient``: when a node is given, nothing that is another patient's own may take part.
    """

    variables: list[Variable] = field(default_factory=list)
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    answer: int = 0
    aggregate: str = ""
    patient: int = -1

    def add(self, variable: Variable) -> int:
        self.variables.append(variable)
        return len(self.variables) - 1


@dataclass
class Found:
    """For each variable its nodes; for each edge the (from, to, triple) rows that are left."""

    nodes: list[Ints]
    rows: list[tuple[Ints, Ints, Ints]]

    def answers(self, query: Query) -> Ints:
        return self.nodes[query.answer]


def turned(code: int) -> int:
    """The code of the same edge walked the other way."""
    return code if code >= BOTH else code ^ 1


def passes(kb: ClinicalKB, nodes: Ints, test: Test) -> np.ndarray:
    """Which nodes' names, or normalised synonyms, pass a test; a name of another kind never
    does."""
    operator, wanted = test
    if operator in ("in", "before", "after", "since", "until"):
        low, high = date_span(str(wanted))
        first, last = kb.dates[0][nodes], kb.dates[1][nodes]
        result = {
            "in": (first >= low) & (last <= high),
            "before": first < low,
            "after": last > high,
            "since": last >= low,
            "until": first <= high,
        }[operator]
        return np.asarray(result & (first > 0))
    values, limit = kb.numbers[nodes], float(wanted)
    with np.errstate(invalid="ignore"):
        return np.asarray(
            {
                ">": values > limit,
                "<": values < limit,
                ">=": values >= limit,
                "<=": values <= limit,
                "=": np.abs(values - limit) <= 1e-6 * max(1.0, abs(limit)),
            }[operator]
        )


def execute(kb: ClinicalKB, query: Query) -> Found:
    """All variables' nodes under the query; empty arrays where nothing fits."""
    count = len(query.variables)
    around: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for at, (a, b, code) in enumerate(query.edges):
        around[a].append((b, code, at))
        around[b].append((a, turned(code), at))
    root = _smallest(kb, query)
    nodes: list[Ints] = [np.zeros(0, dtype=np.int64)] * count
    rows: list[tuple[Ints, Ints, Ints]] = [_NONE] * len(query.edges)
    nodes[root] = _start(kb, query.variables[root])
    order: list[tuple[int, int, int]] = []
    waiting, seen = [root], {root}
    while waiting:
        here = waiting.pop()
        for there, code, at in around[here]:
            if there in seen:
                continue
            seen.add(there)
            variable = query.variables[there]
            position, reached, triple = kb.step(nodes[here], code, variable.type)
            if len(reached) > MAX_EDGES:
                position, reached, triple = (
                    position[:MAX_EDGES],
                    reached[:MAX_EDGES],
                    triple[:MAX_EDGES],
                )
            keep = _fits(kb, variable, reached)
            if query.patient >= 0:
                keep &= kb.may_see(query.patient, reached)
            rows[at] = (nodes[here][position[keep]], reached[keep], triple[keep])
            nodes[there] = np.unique(reached[keep])
            order.append((here, there, at))
            waiting.append(there)
    for here, there, at in reversed(order):
        sources, targets, _ = rows[at]
        left = sources[np.isin(targets, nodes[there])]
        nodes[here] = np.intersect1d(nodes[here], left)
    for here, there, at in order:
        sources, targets, triple = rows[at]
        keep = np.isin(sources, nodes[here]) & np.isin(targets, nodes[there])
        rows[at] = (sources[keep], targets[keep], triple[keep])
        nodes[there] = np.unique(targets[keep])
    return Found(nodes, rows)


_NONE = (np.zeros(0, dtype=np.int64),) * 3


def _start(kb: ClinicalKB, variable: Variable) -> Ints:
    nodes = variable.nodes
    if nodes is None:
        nodes = (
            np.flatnonzero(kb.type_of == variable.type)
            if variable.type >= 0
            else np.arange(len(kb))
        )
        bare = Variable(tests=variable.tests, without=variable.without)
        return np.asarray(nodes[_fits(kb, bare, nodes)], dtype=np.int64)
    return np.asarray(np.unique(nodes[_fits(kb, variable, nodes)]), dtype=np.int64)


def _fits(kb: ClinicalKB, variable: Variable, nodes: Ints) -> np.ndarray:
    keep = np.ones(len(nodes), dtype=bool)
    if variable.type >= 0:
        keep &= kb.type_of[nodes] == variable.type
    if variable.nodes is not None:
        keep &= np.isin(nodes, variable.nodes)
    if variable.without is not None:
        keep &= ~np.isin(nodes, variable.without)
    for test in variable.tests:
        keep &= passes(kb, nodes, test)
    return keep


def _smallest(kb: ClinicalKB, query: Query) -> int:
    def size(at: int) -> int:
        variable = query.variables[at]
        if variable.nodes is not None:
            return len(variable.nodes)
        return len(kb) + 1

    return min(range(len(query.variables)), key=lambda at: (size(at), at))
