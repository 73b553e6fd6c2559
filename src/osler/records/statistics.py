"""The statistics of the paper's Table 3 for a knowledge base and its questions, and Table 4's
types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from osler.records.kb import ClinicalKB, words
from osler.records.questions import Question

# Table 3: patients, entities, types, triples, relations, templates, QA pairs.
PAPER_TABLE_3 = {
    "smoking": (502, 6160, 49, 9730, 5, 26, 600),
    "obesity": (1103, 17861, 42, 42474, 8, 37, 1126),
    "medications": (261, 28821, 46, 53519, 14, 59, 1847),
    "relations": (426, 20031, 7, 30401, 11, 74, 2389),
    "coreference": (424, 1581, 7, 1378, 7, 18, 444),
    "temporal": (310, 127772, 20, 276513, 13, 29, 626),
    "risk": (119, 6984, 15, 24553, 11, 79, 1920),
}
PAPER_TABLE_4 = {
    "What": 38.29,
    "List/Search/Give/Provide": 35.21,
    "Which": 20.81,
    "Why": 2.21,
    "How": 2.13,
    "When": 1.34,
}
_ASKED = {"list": 1, "search": 1, "give": 1, "provide": 1, "find": 1}


def table_3(kb: ClinicalKB, questions: Sequence[Question] = ()) -> dict[str, float]:
    """Counts of a knowledge base and of the questions over it."""
    rows: dict[str, float] = {
        "patients": len(kb.patients),
        "entities": len(kb),
        "types": len({int(t) for t in kb.type_of}),
        "triples": len(kb.triples),
        "relations": len(kb.relations),
        "templates": len({q.template for q in questions}),
        "pairs": len(questions),
    }
    if questions:
        lengths = [len(words(q.question)) for q in questions]
        gold = [len(q.entities) for q in questions]
        for name, values in (("length", lengths), ("gold", gold)):
            rows[f"{name}_min"], rows[f"{name}_max"] = min(values), max(values)
            rows[f"{name}_mean"] = sum(values) / len(values)
    return rows


def table_4(questions: Sequence[Question]) -> dict[str, float]:
    """Percentages of question types by the first word, as Table 4 groups them."""
    counts: Counter[str] = Counter()
    for question in questions:
        first = words(question.question)[:1]
        word = first[0] if first else ""
        if word in _ASKED:
            counts["List/Search/Give/Provide"] += 1
        elif word in ("what", "which", "why", "how", "when"):
            counts[word.capitalize()] += 1
        else:
            counts["other"] += 1
    total = max(len(questions), 1)
    return {name: 100 * counts[name] / total for name in (*PAPER_TABLE_4, "other")}


def figure_3(questions: Sequence[Question], *, top: int = 12) -> dict[str, list[tuple[str, int]]]:
    """The most common first two words (a), and the most common pairs of words (b)."""
    starts: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for question in questions:
        tokens = words(question.question)
        starts[" ".join(tokens[:2])] += 1
        pairs.update(f"{a} {b}" for a, b in pairwise(tokens))
    return {"starts": starts.most_common(top), "pairs": pairs.most_common(top)}
