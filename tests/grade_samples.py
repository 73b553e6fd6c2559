"""Labelled pairs of our own making, for graders."""

from __future__ import annotations

from osler.grade.pair import Fact, Pair
from osler.grade.scale import SAMPLE

DRUGS = ("metformin", "warfarin", "salbutamol", "ibuprofen", "insulin", "aspirin")
ILLS = ("diabetes", "thrombosis", "asthma", "arthritis", "gout", "migraine")


def labelled_pairs(count: int = 60) -> list[Pair]:
    """Labelled pairs whose label follows from where the entities stand, as in the sample."""
    pairs = []
    for number in range(count):
        drug, ill = DRUGS[number % 6], ILLS[(number // 6 + number) % 6]
        at = number % 5
        rcor, kimp = SAMPLE.rcor[at], SAMPLE.kimp[at] or 1
        title = {3: f"{drug} treats {ill} in group {number}", 2: f"{drug} in group {number}"}.get(
            kimp, f"a walk through ward {number}"
        )
        together = f"patients with {ill} received {drug} treatment."
        apart = f"{drug} was on the shelf. nothing else was seen. Later {ill} came."
        abstract = "We looked around. " + (together if rcor == 3 else apart)
        words = {3: (drug, ill), 2: (ill,)}.get(kimp, ("ward",))
        pairs.append(
            Pair(
                Fact(drug, "treats", ill),
                title,
                abstract.replace(". n", ". N"),
                words,
                f"paper {number}",
                label=str(at),
                rcor=rcor,
                kimp=kimp,
            )
        )
    return pairs
