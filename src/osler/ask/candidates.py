"""Candidate answers of a question, as section 4.1 of the paper makes them.

(1) From the topic entity, everything within three hops is gathered with the walk that led there.
(2) The question's other entities are constraints: a walk is kept when it passes, or has beside
it, each of them and ends at the expected answer type; it is cut at that type. Every entity on a
kept walk but the root is a candidate. A third hop is only walked where two find nothing of the
expected type. Walks do not lead through another patient: the paper does not say whether its did.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from osler.ask.reading.walk_evidence import step_name
from osler.records.kb import ClinicalKB, Ints, normalise
from osler.records.questions import Question
from osler.stopping import check_stopped

MAX_CANDIDATES = 3_000
MAX_STATES = 600
HOPS = 3


@dataclass
class Candidates:
    """Nodes, and for each the walk to it from the topic entity, in names."""

    root: Ints
    nodes: Ints
    paths: list[str]

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True)
class _State:
    path: tuple[str, ...]
    type: int
    nodes: Ints
    met: frozenset[int]
    before: tuple[tuple[tuple[str, ...], Ints], ...] = ()


def candidates(kb: ClinicalKB, question: Question) -> Candidates:
    """The candidates of a question whose topic entity, constraints and answer type are known."""
    type, name = question.topic_entity
    root = np.asarray(kb.named(name, type=type), dtype=np.int64)
    constraints = [_masks(kb, t, normalise(n)) for t, n in question.constraints]
    wanted = kb.types.index(question.answer_type) if question.answer_type in kb.types else -1
    patient = int(root[0]) if len(root) and kb.type_of[root[0]] == kb.patient_type else -1
    if patient >= 0:
        root = root[:1]
    states = [_State((), -2, root, frozenset())]
    kept: list[_State] = []
    for depth in range(1, HOPS + 1):
        grown: list[_State] = []
        for state in states:
            check_stopped()
            if state.type == kb.patient_type and state.path:
                continue
            grown += _grow(kb, state, patient)
        grown = [s for g in grown for s in _meet(g, constraints)]
        done = [
            s for s in grown if (wanted < 0 or s.type == wanted) and len(s.met) == len(constraints)
        ]
        kept += done
        if depth >= 2 and kept:
            break
        ended = {id(s) for s in done}
        states = [s for s in grown if wanted < 0 or id(s) not in ended]
        states.sort(key=lambda s: (-len(s.met), len(s.nodes), s.path))
        states = states[: MAX_STATES if depth == 1 else 60]
    return _gather(kb, root, kept, question)


def _masks(kb: ClinicalKB, type: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    nodes = [n for n in kb.by_name.get(name, ()) if not type or kb.types[kb.type_of[n]] == type]
    on = np.zeros(len(kb), dtype=bool)
    on[nodes] = True
    near = np.zeros(len(kb), dtype=bool)
    _, rows = kb.edges_of(np.asarray(nodes, dtype=np.int64))
    near[kb.neighbour[rows]] = True
    return on, near


def _grow(kb: ClinicalKB, state: _State, patient: int) -> list[_State]:
    _, rows = kb.edges_of(state.nodes)
    reached = kb.neighbour[rows].astype(np.int64)
    if patient >= 0:
        keep = kb.may_see(patient, reached) & (reached != patient)
        rows, reached = rows[keep], reached[keep]
    if not len(rows):
        return []
    types = len(kb.types)
    key = kb.code[rows].astype(np.int64) * types + kb.type_of[reached]
    order = np.argsort(key, kind="stable")
    key, reached = key[order], reached[order]
    cuts = np.flatnonzero(np.diff(key)) + 1
    before = (*state.before, (state.path, state.nodes)) if state.path else ()
    result = []
    for at, part in zip(key[np.append(0, cuts)].tolist(), np.split(reached, cuts), strict=True):
        code, type = divmod(at, types)
        path = (*state.path, step_name(kb, code))
        result.append(_State(path, type, np.unique(part), state.met, before))
    return result


def _meet(state: _State, constraints: list[tuple[np.ndarray, np.ndarray]]) -> list[_State]:
    """The state with every constraint met that can be met here, and as it is."""
    result = [state]
    for at, (on, near) in enumerate(constraints):
        if at in state.met:
            continue
        for mask in (on, near):
            here = state.nodes[mask[state.nodes]]
            if len(here):
                result.append(_State(state.path, state.type, here, state.met | {at}, state.before))
                break
    if len(constraints) > 1 and len(result) > 2:
        both = state.nodes
        for on, near in constraints:
            both = both[(on | near)[both]]
        if len(both):
            met = frozenset(range(len(constraints)))
            result.append(_State(state.path, state.type, both, met, state.before))
    return result


def _gather(kb: ClinicalKB, root: Ints, kept: list[_State], question: Question) -> Candidates:
    path_of: dict[int, str] = {}
    for state in sorted(kept, key=lambda s: (len(s.path), s.path)):
        for node in state.nodes.tolist():
            path_of.setdefault(node, "/".join(state.path))
        for path, nodes in state.before:
            for node in nodes.tolist()[:50]:
                path_of.setdefault(node, "/".join(path))
        if len(path_of) > MAX_CANDIDATES:
            break
    for node in root.tolist():
        path_of.pop(node, None)
    order = sorted(path_of)
    return Candidates(root, np.asarray(order, dtype=np.int64), [path_of[n] for n in order])
