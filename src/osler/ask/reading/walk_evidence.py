"""What speaks for a walk as the meaning of a question, as numbers that fit any knowledge base."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.search import Candidate, Walk
from osler.ask.reading.words import NEGATIONS, PATIENT_WORDS
from osler.records.kb import BOTH, ClinicalKB
from osler.records.query import turned

NAMES = (
    "covered",
    "uncovered_unknown",
    "uncovered_known",
    "relations_precise",
    "relations_least",
    "last_relation",
    "answer_type",
    "target_type",
    "target_last",
    "target_covered",
    "patients_asked",
    "patients_unasked",
    "patients_missed",
    "edges",
    "hanging",
    "hanging_relation",
    "either_way",
    "weak_used",
    "weak_unused",
    "part_used",
    "mention_type",
    "against",
    "tests_relation",
    "last_is_best",
    "type_is_best",
    "likeness",
    "opaque_answer",
    "through_opaque",
    "plain_value",
    "past_patients",
    "value_unused",
    "extreme_value",
    "names_event",
    "narrowed",
    "element_used",
    "qualified",
    "hanging_steps",
    "polar_end",
)
SIZE = len(NAMES)
AT = {name: at for at, name in enumerate(NAMES)}
"""Where each number stands in a row."""


def features(
    kb: ClinicalKB,
    reading: Reading,
    relevance: Relevance,
    items: Sequence[Candidate],
    likeness: np.ndarray | None = None,
) -> np.ndarray:
    """One row a candidate."""
    elements = relevance.elements
    result = np.zeros((len(items), SIZE))
    weights = relevance.weights
    total = max(float(weights.sum()), 1e-9)
    unknown = np.asarray([not c.known for c in reading.clues], dtype=bool)
    target_share = weights * relevance.target
    target_total = max(float(target_share.sum()), 1e-9)
    asks = reading.asks_patients
    # "What is the BMI of P": nothing else is asked for, so it is the value.
    inside = {at for m in reading.mentions for at in m.words}
    plain = not asks and not any(c.weight >= 1.0 and c.place not in inside for c in reading.clues)
    weak = [i for i, m in enumerate(reading.mentions) if m.weak]
    people = np.asarray(
        [at for at, c in enumerate(reading.clues) if c.text in PATIENT_WORDS], dtype=np.int64
    )
    if reading.patients:
        people = people[:0]
    # "but not on X" is met by taking X away.
    denied = any(m.negated for m in reading.mentions)
    nots = [at for at, c in enumerate(reading.clues) if c.text in NEGATIONS]
    weak_places = {
        i: [at for at, c in enumerate(reading.clues) if c.place in reading.mentions[i].words]
        for i in weak
    }
    spoken = [i for i in weak if elements.speaks(reading, i)]
    said = [i for i in weak if reading.mentions[i].how == "exact" and i not in spoken]
    # Relations that lead to several types: to take one of them, the question must say which.
    wide = {_wider(item.walk) for item in items if item.walk.types and item.walk.types[-1] < 0}
    numeric = reading.extreme in ("max", "min", "mean")
    for at, item in enumerate(items):
        walk = item.walk
        relation_rows = [elements.code_row(c) for c in walk.codes]
        # A hanging step is stored from the walk outwards; a question says it from what it names.
        hang_rows = [elements.code_row(turned(c)) for h in walk.hanging for c in h.codes]
        test_rows = [elements.code_row(c) for _, c, _ in item.tests]
        type_rows = [elements.type_row(t) for t in walk.types]
        last_type = walk.types[-1] if walk.types else walk.root_type
        answer_row = elements.type_row(last_type)
        rows = (
            relation_rows
            + hang_rows
            + test_rows
            + type_rows
            + [elements.type_row(t) for h in walk.hanging for t in h.types]
        )
        cover = (
            relevance.strength[rows].max(axis=0)
            if rows and len(weights)
            else np.zeros(len(weights))
        )
        # The type of a mention may be said beside it ("the problem chest pain").
        mention_types = (
            [t for i in (*walk.used, walk.root) for t in list(reading.mentions[i].by_type)[:4]]
            if walk.root >= 0
            else []
        )
        mention_rows = [elements.type_row(t) for t in mention_types]
        beside = (
            relevance.strength[mention_rows].max(axis=0)
            if mention_rows and len(weights)
            else np.zeros(len(weights))
        )
        cover = np.maximum(cover, 0.7 * beside)
        for i in weak:
            if i in walk.used or i == walk.root:
                cover[weak_places[i]] = 1.0
        if denied:
            cover[nots] = 1.0
        if len(people) and (reading.population or kb.patient_type in (walk.root_type, *walk.types)):
            # However a house calls its patients, these words mean them.
            cover[people] = 1.0
        item.cover = cover
        missing = weights * (1.0 - cover)
        last = relation_rows[-1] if relation_rows else -1
        precise = relevance.precision[relation_rows] if relation_rows else np.zeros(1)
        evidence: dict[str, float] = {}
        # Where a question has only weak words, to meet them says little.
        evidence["covered"] = float(weights @ cover) / max(total, 1.0)
        evidence["uncovered_unknown"] = float(missing[unknown].sum())
        evidence["uncovered_known"] = float(missing[~unknown].sum())
        evidence["relations_precise"] = float(precise.mean())
        evidence["relations_least"] = float(precise.min())
        evidence["last_relation"] = float(relevance.precision[last]) if last >= 0 else 0.0
        evidence["answer_type"] = float(relevance.precision[answer_row])
        evidence["target_type"] = float(relevance.target_precision[answer_row])
        evidence["target_last"] = float(relevance.target_precision[last]) if last >= 0 else 0.0
        ends = [answer_row] + ([last] if last >= 0 else [])
        evidence["target_covered"] = (
            float((relevance.strength[ends].max(axis=0) * target_share).sum() / target_total)
            if len(weights)
            else 0.0
        )
        is_patient = last_type == kb.patient_type
        evidence["patients_asked"] = float(asks and is_patient)
        evidence["patients_unasked"] = float(is_patient and not asks)
        evidence["patients_missed"] = float(asks and not is_patient)
        evidence["edges"] = float(len(walk.codes))
        evidence["hanging"] = float(len(walk.hanging))
        evidence["hanging_relation"] = (
            float(relevance.precision[hang_rows].mean()) if hang_rows else 0.0
        )
        evidence["either_way"] = float(any(c >= BOTH for c in walk.codes))
        evidence["weak_used"] = float(sum(i in walk.used or i == walk.root for i in weak))
        evidence["weak_unused"] = float(sum(i not in walk.used and i != walk.root for i in weak))
        evidence["part_used"] = float(sum(reading.mentions[i].how != "exact" for i in walk.used))
        evidence["mention_type"] = float((beside * weights).sum() / total)
        evidence["against"] = float(
            sum(c % 2 for c in walk.codes if c < BOTH) / max(len(walk.codes), 1)
        )
        evidence["plain_value"] = float(
            plain and last_type >= 0 and bool(kb.value_like["number"][last_type])
        )
        evidence["opaque_answer"] = float(
            last_type >= 0 and kb.opaque[last_type] and not is_patient
        )
        evidence["through_opaque"] = float(sum(t >= 0 and kb.hubs[t] for t in walk.types[:-1]))
        evidence["past_patients"] = float(kb.patient_type in walk.types[:-1])
        evidence["value_unused"] = float(sum(i not in walk.used and i != walk.root for i in said))
        evidence["extreme_value"] = float(
            numeric and last_type >= 0 and bool(kb.value_like["number"][last_type])
        )
        evidence["names_event"] = _names_event(relevance, walk)
        if walk.types and last_type >= 0 and _wider(walk) in wide:
            said_type = float(relevance.target_precision[answer_row])
            evidence["narrowed"] = 1.0 - said_type if said_type >= 0.6 else 1.0
        evidence["element_used"] = float(sum(i in walk.used or i == walk.root for i in spoken))
        steps = relation_rows + hang_rows
        evidence["qualified"] = float(relevance.unsaid[steps].sum()) if steps else 0.0
        evidence["hanging_steps"] = float(sum(len(h.codes) - 1 for h in walk.hanging))
        evidence["polar_end"] = float(reading.polar and walk.named_end)
        evidence["tests_relation"] = (
            float(relevance.precision[test_rows].mean()) if test_rows else 0.0
        )
        for name, value in evidence.items():
            result[at, AT[name]] = value
    if len(items):
        # How far the last relation and the answer type are the best ones at hand.
        result[:, AT["last_is_best"]] = (
            result[:, AT["last_relation"]] >= result[:, AT["last_relation"]].max() - 1e-9
        )
        result[:, AT["type_is_best"]] = (
            result[:, AT["target_covered"]] >= result[:, AT["target_covered"]].max() - 1e-9
        )
        if likeness is not None:
            result[:, AT["likeness"]] = likeness
    return result


def _wider(walk: Walk) -> tuple[object, ...]:
    """The walk but for the type that it ends at."""
    return (walk.root, walk.codes, walk.types[:-1], walk.passed, walk.hanging)


def _names_event(relevance: Relevance, walk: Walk) -> float:
    """How far an event is asked for and the walk ends at what names it ("which interventions":
    their kind, not who did them)."""
    if len(walk.codes) < 2 or walk.types[-2] < 0:
        return 0.0
    elements = relevance.elements
    if elements.label_of.get(walk.types[-2]) != walk.codes[-1]:
        return 0.0
    rows = [elements.type_row(walk.types[-2]), elements.code_row(walk.codes[-2])]
    return float(relevance.target_cover[rows].max())


@lru_cache(maxsize=200_000)
def _hash(text: str) -> int:
    return zlib.crc32(text.encode())


def grams(masked: Sequence[str]) -> np.ndarray:
    """Words, pairs and triples of the masked question, hashed."""
    words = ["^", *masked, "$"]
    said = list(words)
    said += [f"{a} {b}" for a, b in pairwise(words)]
    said += [f"{a} {b} {c}" for a, b, c in zip(words, words[1:], words[2:], strict=False)]
    return np.asarray([_hash(g) for g in dict.fromkeys(said)][:120], dtype=np.uint64)


def step_name(kb: ClinicalKB, code: int) -> str:
    relation, against = kb.relation_of(code)
    return f"~{relation}" if code >= BOTH else f"^{relation}" if against else relation


def signature(kb: ClinicalKB, walk: Walk) -> str:
    """The walk in names only: what a memory can carry to another knowledge base."""
    passed = {place for _, place in walk.passed}
    parts = [kb.types[walk.root_type] if walk.root_type >= 0 else "*"]
    for at, (code, type) in enumerate(zip(walk.codes, walk.types, strict=True), 1):
        parts.append(
            f"{step_name(kb, code)}|{kb.types[type] if type >= 0 else '*'}"
            f"{'=' if at in passed else ''}"
        )
    for hang in walk.hanging:
        parts.append(f"@{hang.at}:" + ",".join(step_name(kb, c) for c in hang.codes))
    return "/".join(parts)


# Kinds of key that `memory_keys` gives.
MEMORY_KEYS = 4


def memory_keys(kb: ClinicalKB, walk: Walk) -> list[str]:
    """What the memory ties words to: the whole walk, its last relation, its answer type."""
    last = step_name(kb, walk.codes[-1]) if walk.codes else ""
    number = walk.types[-1] if walk.types else walk.root_type
    type = kb.types[number] if number >= 0 else "*"
    return [signature(kb, walk), f"r:{last}", f"t:{type}", f"rt:{last}|{type}"]
