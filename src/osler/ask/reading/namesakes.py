"""Patients whom one name may mean: the very characters decide, or nobody is taken.

Names are compared loosely, so that a question need not be typed as the records are. ``12/3`` and
``12-3``, ``P1`` and ``p1`` are alike then, and are two people: what is one patient's is never told
as another's.
"""

from __future__ import annotations

import numpy as np

from osler.ask.answer import Bearer
from osler.ask.reading.question import Reading
from osler.records.ids import source_of
from osler.records.kb import ClinicalKB

SHOWN = 20


def settle(kb: ClinicalKB, reading: Reading) -> list[int]:
    """Hold each mention of patients to those whose name is written in the question letter for
    letter; the patients among whom that leaves a choice."""
    for mention in reading.patients:
        nodes = mention.nodes[kb.type_of[mention.nodes] == kb.patient_type]
        if len(nodes) < 2:
            continue
        start = reading.words[mention.first].start
        end = reading.words[mention.last - 1].end
        meant = [n for n in nodes.tolist() if _written(kb.names[n], reading.text, start, end)]
        if len(meant) != 1:
            return meant or nodes.tolist()
        mention.nodes = np.asarray(meant, dtype=np.int64)
        mention.by_type = {int(kb.patient_type): mention.nodes}
    return []


def _written(name: str, text: str, start: int, end: int) -> bool:
    """Whether a name stands in a text around some of its words."""
    at = text.find(name)
    while 0 <= at <= start:
        if at + len(name) >= end:
            return True
        at = text.find(name, at + 1)
    return False


def bearers(kb: ClinicalKB, nodes: list[int]) -> list[Bearer]:
    """The patients to choose from; each source's name tells those of one name apart."""
    return [Bearer(id=kb.ids[n], name=kb.names[n]) for n in nodes[:SHOWN]]


def note(kb: ClinicalKB, nodes: list[int]) -> str:
    """Why nobody was taken, and what to do."""
    names = {kb.names[n] for n in nodes}
    if len(names) > 1:
        return f"{len(nodes)} patients have a name like that: write it as the records do"
    sources = sorted({source_of(kb.ids[n]) for n in nodes} - {""})
    where = f" (in {', '.join(sources)})" if sources else ""
    return (
        f"{len(nodes)} patients have that name{where}; if they are one person, read their files "
        "under one source (osler add --source NAME)"
    )
