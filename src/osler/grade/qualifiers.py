"""Facts that indexers wrote: MeSH's qualifiers join a drug and a disease of one paper.

"Lactic Acidosis / chemically induced" with "Phenformin / adverse effects" says that the paper is
about phenformin causing lactic acidosis; "Asthma / drug therapy" with "Albuterol / therapeutic use"
that it treats it. Every library with subject headings holds such facts.
"""

from __future__ import annotations

from collections.abc import Iterator

from osler.kinds import Document, Heading, Triple

CAUSES, TREATS, PREVENTS = "causes", "treats", "prevents"
_JOINED = (
    (CAUSES, ("adverse effects", "toxicity", "poisoning"), ("chemically induced",)),
    (TREATS, ("therapeutic use", "administration & dosage"), ("drug therapy",)),
    (PREVENTS, ("therapeutic use", "administration & dosage"), ("prevention & control",)),
)


def qualified_facts(document: Document) -> Iterator[Triple]:
    """Facts of one paper by the ids of its headings. A paper that names many drugs and many
    diseases with the same qualifiers does not say which goes with which, and gives none."""
    for relation, of_drug, of_disease in _JOINED:
        drugs = _with(document.headings, of_drug)
        diseases = _with(document.headings, of_disease)
        if drugs and diseases and min(len(drugs), len(diseases)) <= 1 and len(drugs) <= 4:
            for drug in drugs:
                for disease in diseases:
                    if drug.id != disease.id:
                        yield Triple(drug.id, relation, disease.id)


def _with(headings: tuple[Heading, ...], qualifiers: tuple[str, ...]) -> list[Heading]:
    return [
        one for one in headings if one.id and any(q.lower() in qualifiers for q in one.qualifiers)
    ]
