"""Why an answer is the answer: the path, what decided, which words carried it, which lines say
it."""

from __future__ import annotations

import numpy as np

from osler.ask.reading.answering import Executed
from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.scorer import Scorer
from osler.kinds import AspectWeights, Heat, Path, PathReason, Reason, Step
from osler.records.kb import BOTH, ClinicalKB

SHOWN_SOURCES = 20
SHOWN_PATHS = 5


def path_text(kb: ClinicalKB, reading: Reading, done: Executed) -> str:
    """The query's walk in words: ``P1 -prescribed with-> ibuprofen -has reason-> ?disease``."""
    query = done.query
    shown = [
        _variable(kb, query.variables[at].nodes, query.variables[at].type, at == query.answer)
        for at in range(len(query.variables))
    ]
    parts: list[str] = []
    last = -1
    for a, b, code in query.edges:
        relation, against = kb.relation_of(code)
        arrow = (
            f"-{relation}-" if code >= BOTH else f"<-{relation}-" if against else f"-{relation}->"
        )
        if a != last:
            parts.append(f"{'; ' if parts else ''}{shown[a]}")
        tests = " ".join(f"{op} {value}" for op, value in query.variables[b].tests)
        parts.append(f" {arrow} {shown[b]}{f' [{tests}]' if tests else ''}")
        last = b
    without = done.extra.get("without")
    return ("".join(parts) or shown[query.answer]) + (f", without {without}" if without else "")


def _variable(kb: ClinicalKB, nodes: np.ndarray | None, type: int, answer: bool) -> str:
    kind = kb.types[type] if type >= 0 else "anything"
    if nodes is None or answer:
        return f"?{kind}" if answer else kind
    names = list(dict.fromkeys(kb.names[n] for n in nodes[:3].tolist()))
    return names[0] if names else kind


def sources(kb: ClinicalKB, done: Executed) -> list[str]:
    """Where the triples stand that the answer rests on."""
    answer = set(done.nodes)
    places: dict[str, None] = {}
    for (a, b, _), (left, right, triples) in zip(done.query.edges, done.matched.rows, strict=True):
        for x, y, t in zip(left.tolist(), right.tolist(), triples.tolist(), strict=True):
            touches = (
                done.query.answer not in (a, b) or (x if a == done.query.answer else y) in answer
            )
            if touches and kb.sources[t]:
                places[kb.sources[t]] = None
            if len(places) >= SHOWN_SOURCES:
                return list(places)
    return list(places)


def reasons(
    kb: ClinicalKB, reading: Reading, relevance: Relevance, done: Executed, scorer: Scorer
) -> tuple[Reason, ...]:
    """Paths to the first answers, weights of the aspects, and the heat of the question's words."""
    return (*_paths(kb, done), _aspects(relevance, done), _heat(reading, relevance, done))


def _rows(done: Executed, relevance: Relevance) -> tuple[list[int], list[int], list[int]]:
    elements = relevance.elements
    relation_rows = [elements.code_row(code) for _, _, code in done.query.edges]
    answer = [elements.type_row(done.query.variables[done.query.answer].type)]
    context = [
        elements.type_row(v.type)
        for at, v in enumerate(done.query.variables)
        if at != done.query.answer and v.type >= 0
    ]
    return relation_rows, answer, context


def _aspects(relevance: Relevance, done: Executed) -> AspectWeights:
    """Which aspect the question's words met: path, type, entity, context (as the paper names
    them)."""
    relation_rows, answer, context = _rows(done, relevance)
    weight = relevance.weights

    def met(rows: list[int]) -> float:
        return float(weight @ relevance.strength[rows].max(axis=0)) if rows and len(weight) else 0.0

    named = sum(v.nodes is not None for v in done.query.variables)
    raw = {
        "path": met(relation_rows),
        "type": met(answer),
        "entity": float(named),
        "context": 0.5 * met(context),
    }
    total = sum(raw.values()) or 1.0
    return AspectWeights({name: value / total for name, value in raw.items()})


def _heat(reading: Reading, relevance: Relevance, done: Executed) -> Heat:
    relation_rows, answer, context = _rows(done, relevance)
    rows = relation_rows + answer + context
    strength = (
        relevance.strength[rows].max(axis=0) if rows and len(relevance.weights) else np.zeros(0)
    )
    warm = dict.fromkeys(range(len(reading.words)), 0.0)
    for clue, value in zip(reading.clues, strength.tolist(), strict=False):
        warm[clue.place] = max(warm.get(clue.place, 0.0), value * min(clue.weight, 1.0))
    for mention in reading.mentions:
        if not mention.weak or mention.patient:
            for at in mention.words:
                warm[at] = 1.0
    text = reading.text
    words = tuple((text[w.start : w.end], round(warm[at], 4)) for at, w in enumerate(reading.words))
    return Heat(view="attention", words=words)


def _paths(kb: ClinicalKB, done: Executed) -> list[PathReason]:
    """One walked path for each of the first answers, back from the answer to the topic."""
    into: dict[int, tuple[int, int, int]] = {
        b: (a, code, at) for at, (a, b, code) in enumerate(done.query.edges)
    }
    reasons: list[PathReason] = []
    for node in done.nodes[:SHOWN_PATHS]:
        steps: list[tuple[int, int]] = []
        here, variable = node, done.query.answer
        while variable in into:
            before, code, at = into[variable]
            left, right, _ = done.matched.rows[at]
            # Rows are kept in the direction in which they were walked.
            match = left[right == here] if (right == here).any() else right[left == here]
            if not len(match):
                break
            steps.append((code, here))
            here, variable = int(match[0]), before
        walked = tuple(
            Step(kb.relation_of(code)[0], kb.ids[n], inverse=kb.relation_of(code)[1])
            for code, n in reversed(steps)
        )
        if not walked:
            continue
        path = Path(kb.ids[here], walked)
        names = {kb.ids[here]: kb.names[here], **{kb.ids[n]: kb.names[n] for _, n in steps}}
        reasons.append(PathReason(path, 1.0 / min(len(done.nodes), SHOWN_PATHS), names))
    return reasons
