"""An answer of the notes' graph, held against the facts.

The graph of annotated notes knows more relations than facts do, but not what is absent, stopped or
suspected. Its answer stands where the facts say of all that it names that it is simply so. Else the
answer of the facts goes before it; and where they have none, what they deny is taken out, the rest
that is not simply so is said, and it is never sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from osler.ask.answer import Answer, LeftOut
from osler.ask.form.answering import FormAnswerer
from osler.records.kb import ClinicalKB

DOUBTFUL = 0.5
"""How sure an answer can be at most of which the facts say something else."""
DENIED = ("absent", "refuted")
VERDICTS = ("yes", "no")


def held_against_facts(
    of_graph: Answer,
    of_facts: Answer,
    asked: FormAnswerer,
    patients: Sequence[str],
    kb: ClinicalKB,
) -> Answer:
    """One of the two, by what the facts of these patients say of each thing that the graph named.
    Yes and no are the facts' alone: that there is a node is neither."""
    if of_graph.refused or of_graph.answers[0] in VERDICTS:
        return of_facts
    states = {
        key: (state, patient)
        for patient in patients
        for key, state in asked.states(patient).items()
    }
    kept: list[tuple[str, str]] = []
    doubts: dict[str, str] = {}
    denied: list[LeftOut] = []
    for entity, shown in zip_longest(of_graph.entities, of_graph.answers, fillvalue=""):
        name = kb.names[kb.number_of[entity]] if entity in kb.number_of else shown
        state, patient = states.get(entity) or states.get(name.casefold()) or ("", "")
        if state in DENIED:
            denied.append(LeftOut(name, state, patient))
            continue
        if state:
            doubts[name] = state
        kept.append((entity, shown))
    if not denied and not doubts:
        return of_graph
    if not of_facts.refused or not kept:
        return of_facts
    of_graph.entities = [entity for entity, _ in kept if entity]
    of_graph.answers = [shown for _, shown in kept if shown]
    of_graph.left_out = denied
    of_graph.confidence = min(of_graph.confidence, DOUBTFUL)
    said = [f"{name}: {state}" for name, state in doubts.items()]
    of_graph.note = "; ".join(filter(None, [of_graph.note, *said]))
    return of_graph
