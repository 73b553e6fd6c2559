"""Questions with gold answers, made from templates and a knowledge base (section 3.2).

Both limits of the paper hold: at most so many questions for one template, and no question without
an answer. The gold answers are what the template's graph query gives.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import numpy as np

from osler.errors import FieldError
from osler.files.source import Source
from osler.records.kb import BOTH, ClinicalKB, Ints, normalise
from osler.records.query import Query, Test, Variable, execute
from osler.records.schema import date_of, number_of
from osler.records.templates import Slot, Template, Walk

TRIES = 150
MOST = 3


class Question(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A question and what it must give. ``entities`` are ids, ``answers`` their names.

    ``topic_entity`` and ``constraints`` are (type, name) as the paper's candidate generation
    takes them.
    """

    id: str
    question: str
    topic: str = ""
    template: str = ""
    answers: list[str] = []
    entities: list[str] = []
    answer_type: str = ""
    topic_entity: tuple[str, str] = ("", "")
    constraints: list[tuple[str, str]] = []
    query: str = ""
    patients: list[str] = []


def questions(
    kb: ClinicalKB,
    templates: Sequence[Template],
    *,
    limit: int = 28,
    total: int | None = None,
    seed: int = 0,
    max_answers: int = 2_000,
) -> Iterator[Question]:
    """Fill templates: at most ``limit`` for each, or ``total`` spread over all of them.

    With a total, a template gives at most three times ``limit``, so that none takes over.
    """
    fillers = [
        _fill(kb, template, _generator(seed, template), max_answers) for template in templates
    ]
    counts = [0] * len(templates)
    wanted = limit * len(templates) if total is None else total
    count = 0
    open_ = list(range(len(templates)))
    # A round gives each template its share; what small templates cannot fill, later rounds spread.
    while open_ and count < wanted:
        share = max(1, (wanted - count) // len(open_))
        for at in list(open_):
            for _ in range(min(share, wanted - count)):
                if total is None and counts[at] >= limit:
                    open_.remove(at)
                    break
                question = next(fillers[at], None)
                if question is None:
                    open_.remove(at)
                    break
                counts[at] += 1
                count += 1
                yield question
            if total is not None and at in open_ and counts[at] >= MOST * limit:
                open_.remove(at)


def _generator(seed: int, template: Template) -> Random:
    # Each template draws from its own generator: editing one wording moves no other question.
    return Random(f"{seed}/{template.id}/{template.wording}")  # noqa: S311


def _fill(kb: ClinicalKB, template: Template, rng: Random, max_answers: int) -> Iterator[Question]:
    seen: set[str] = set()
    misses = 0
    while misses < TRIES:
        misses += 1
        filled = _draw(kb, template, rng)
        if filled is None:
            continue
        text = template.wording
        for slot, value in filled.items():
            text = text.replace(f"|{slot}|", value[1])
        if text in seen:
            continue
        query = bind(kb, template, filled)
        nodes = execute(kb, query).answers(query)
        if not len(nodes) or len(nodes) > max_answers:
            continue
        seen.add(text)
        misses = 0
        order = {slot: value for slot, value in filled.items() if value[0]}
        topic = order[template.topic_slot]
        if template.aggregate == "count":
            answers, entities = [str(len(nodes))], [kb.ids[n] for n in nodes]
        else:
            answers = sorted({kb.names[n] for n in nodes})
            entities = sorted(kb.ids[n] for n in nodes)
        yield Question(
            id=f"{template.id}-{len(seen):03d}",
            question=text,
            topic=template.topic,
            template=template.id,
            answers=answers,
            entities=entities,
            answer_type=template.answer_type,
            topic_entity=topic,
            constraints=[v for s, v in order.items() if s != template.topic_slot],
            query=template.query,
            patients=[v[1] for v in order.values() if v[0] == "patient"],
        )


def _draw(kb: ClinicalKB, template: Template, rng: Random) -> dict[str, tuple[str, str]] | None:
    """Values for the slots that a random walk through the records finds together.

    The walk starts in the middle, at a triple of its rarest relation: most walks that start at a
    patient would end nowhere.
    """
    filled: dict[str, tuple[str, str]] = {}
    answer = -1
    for number, walk in enumerate(template.walks):
        nodes, steps = list(walk.nodes), list(walk.steps)
        if number:
            # Later clauses end at the answer that the first one found: walk them backwards.
            nodes, steps = nodes[::-1], [(r, -d) for r, d in steps[::-1]]
            at, here = 0, [answer]
        else:
            rows = [
                _triples_of(kb, relation, *((a.type, b.type) if way >= 0 else (b.type, a.type)))
                for (relation, way), a, b in zip(steps, nodes, nodes[1:], strict=False)
            ]
            at = min(range(len(steps)), key=lambda i: len(rows[i]))
            if not len(rows[at]):
                return None
            head, _, tail = kb.triples[rows[at][rng.randrange(len(rows[at]))]].tolist()
            here = [head, tail] if steps[at][1] >= 0 else [tail, head]
        places = dict(enumerate(here, at))
        for there in [*range(at + len(here), len(nodes)), *range(at - 1, -1, -1)]:
            forward = there > at
            relation, direction = steps[there - 1] if forward else steps[there]
            start = places[there - 1] if forward else places[there + 1]
            turn = direction if forward else -direction
            reached = _reached(kb, start, relation, turn, nodes[there].type)
            if not reached:
                return None
            places[there] = reached[rng.randrange(len(reached))]
        for there, node in enumerate(nodes):
            if node.answer:
                answer = places[there]
            if node.slot:
                name = kb.names[places[there]]
                if any(name == other[1] for other in filled.values()) or len(name) > 60:
                    return None
                filled[node.slot] = (kb.types[kb.type_of[places[there]]], name)
            if node.test:
                value = _tested(kb, places[there], node.test[0], rng)
                if value is None:
                    return None
                filled[node.test[1]] = ("", value)
    return filled


def _triples_of(kb: ClinicalKB, relation: str, head: str, tail: str) -> Ints:
    """Triples of a relation between two types; kept with the knowledge base, as templates share
    them."""
    kept: dict[tuple[str, str, str], Ints] = kb.__dict__.setdefault("_triples_of", {})
    key = (relation, head, tail)
    if key not in kept:
        keep = np.zeros(len(kb.triples), dtype=bool)
        if relation in kb.relations:
            keep = kb.triples[:, 1] == kb.relations.index(relation)
        for column, type in ((0, head), (2, tail)):
            if type != "*":
                number = kb.types.index(type) if type in kb.types else -1
                keep = keep & (kb.type_of[kb.triples[:, column]] == number)
        kept[key] = np.flatnonzero(keep)
    return kept[key]


def _reached(kb: ClinicalKB, here: int, relation: str, direction: int, type: str) -> list[int]:
    if relation not in kb.relations:
        return []
    code = _code(kb, relation, direction)
    wanted = kb.types.index(type) if type != "*" and type in kb.types else -1
    if type != "*" and wanted < 0:
        return []
    return [int(n) for n in kb.step(np.asarray([here]), code, wanted)[1]]


def _code(kb: ClinicalKB, relation: str, direction: int) -> int:
    number = kb.relations.index(relation)
    return BOTH + number if direction == 0 else 2 * number + (direction < 0)


def _tested(kb: ClinicalKB, node: int, operator: str, rng: Random) -> str | None:
    if operator in ("in", "before", "after"):
        date = date_of(kb.names[node])
        if not date:
            return None
        return str(int(date[:4]) + {"in": 0, "before": 1, "after": -1}[operator])
    value = number_of(kb.names[node])
    if value is None:
        return None
    moved = value * rng.uniform(0.85, 0.99) if operator == ">" else value * rng.uniform(1.01, 1.15)
    return f"{moved:.1f}".removesuffix(".0")


def bind(kb: ClinicalKB, template: Template, filled: dict[str, tuple[str, str]]) -> Query:
    """The template's walks as one query tree, slots filled by type and name."""
    query = Query(aggregate=template.aggregate)
    answer = -1
    for walk in template.walks:
        previous = -1
        for at, node in enumerate(walk.nodes):
            if node.answer and answer >= 0:
                here = answer
            else:
                here = query.add(_variable(kb, node, filled))
                if node.answer:
                    answer = here
            if at:
                relation, direction = walk.steps[at - 1]
                query.edges.append((previous, here, _code(kb, relation, direction)))
            previous = here
    query.answer = answer
    return query


def _variable(kb: ClinicalKB, node: Slot, filled: dict[str, tuple[str, str]]) -> Variable:
    type = kb.types.index(node.type) if node.type != "*" and node.type in kb.types else -1
    tests: tuple[Test, ...] = ()
    if node.test:
        operator, value = node.test[0], filled[node.test[1]][1]
        tests = ((operator, value if operator in ("in", "before", "after") else float(value)),)
    if not node.slot:
        return Variable(type=type, tests=tests)
    name = filled[node.slot][1]
    nodes = [n for n in kb.by_name.get(normalise(name), []) if type < 0 or kb.type_of[n] == type]
    return Variable(type=type, nodes=np.asarray(nodes, dtype=np.int64), tests=tests)


def unanswerable(
    kb: ClinicalKB, templates: Sequence[Template], count: int, *, seed: int = 0
) -> list[tuple[str, str]]:
    """Questions that these records cannot answer, with why: an absent patient, an absent fact."""
    rng = Random(f"{seed}/unanswerable")  # noqa: S311
    usable = [t for t in templates if any(n.slot and n.type == "patient" for n in t.walks[0].nodes)]
    result: dict[str, str] = {}
    known = {kb.names[n] for n in kb.patients.tolist()}
    for _ in range(count * 30):
        if len(result) >= count or not usable:
            break
        template = usable[rng.randrange(len(usable))]
        filled = _draw(kb, template, rng)
        if filled is None:
            continue
        kind = ("patient", "fact")[len(result) % 2]
        slots = [s for s, v in filled.items() if v[0]]
        patient = next(s for s in slots if filled[s][0] == "patient")
        if kind == "patient":
            name = f"P{rng.randrange(200_000, 999_999)}"
            if name in known:
                continue
            filled[patient] = ("patient", name)
        else:
            # Another patient, or another thing of the same type, that leaves the query empty.
            others = [s for s in slots if s != patient]
            if others and rng.random() < 0.7:
                slot = others[rng.randrange(len(others))]
                pool = np.flatnonzero(kb.type_of == kb.types.index(filled[slot][0]))
                filled[slot] = (filled[slot][0], kb.names[int(pool[rng.randrange(len(pool))])])
            else:
                pool = kb.patients
                filled[patient] = ("patient", kb.names[int(pool[rng.randrange(len(pool))])])
            query = bind(kb, template, filled)
            if len(execute(kb, query).answers(query)):
                continue
        text = template.wording
        for slot, value in filled.items():
            text = text.replace(f"|{slot}|", value[1])
        result.setdefault(text, kind)
    return list(result.items())


def write_questions(path: str | Path, items: Iterable[Question]) -> int:
    count = 0
    with Path(path).open("w", encoding="utf-8") as out:
        for item in items:
            out.write(json.dumps(msgspec.to_builtins(item), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_questions(path: str | Path) -> list[Question]:
    source = Source(Path(path))
    listed = []
    for number, line in source.sure_lines():
        try:
            listed.append(msgspec.json.decode(line, type=Question))
        except (ValueError, RecursionError):
            raise FieldError(
                f"{source.name} line {number} is no question with a query",
                cure="osler records qa writes such files: gold.jsonl",
            ) from None
    return listed


__all__ = ["Question", "Walk", "bind", "questions", "read_questions", "write_questions"]
