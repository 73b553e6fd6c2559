"""Relations and types as Biolink calls them.

Only names of the Biolink model leave the house: a relation or a type that it does not have becomes
``biolink:related_to`` or ``biolink:NamedThing``, with our own word beside it. A test checks every
name here against the model's own toolkit.
"""

from __future__ import annotations

from osler.grade.cues import group_of

PREDICATES = {
    "treats": "biolink:treats",
    "treated by": "biolink:treated_by",
    "prevents": "biolink:preventative_for_condition",
    "causes": "biolink:causes",
    "induces": "biolink:causes",
    "caused by": "biolink:caused_by",
    "has phenotype": "biolink:has_phenotype",
    "phenotype of": "biolink:phenotype_of",
    "has symptom": "biolink:has_phenotype",
    "contraindicated in": "biolink:contraindicated_in",
    "has side effect": "biolink:has_side_effect",
    "side effect": "biolink:has_side_effect",
    "adverse effect": "biolink:has_adverse_event",
    "risk factor": "biolink:predisposes_to_condition",
    "associated with": "biolink:associated_with",
    "interacts with": "biolink:interacts_with",
    "is a": "biolink:subclass_of",
    "same as": "biolink:same_as",
    "located in": "biolink:located_in",
    "affects": "biolink:affects",
}
BY_GROUP = {
    "treat": "biolink:treats",
    "cause": "biolink:causes",
    "symptom": "biolink:has_phenotype",
    "adverse": "biolink:has_adverse_event",
}
RELATED = "biolink:related_to"
CATEGORIES = {
    "disease": "biolink:Disease",
    "disorder": "biolink:Disease",
    "phenotype": "biolink:PhenotypicFeature",
    "symptom": "biolink:PhenotypicFeature",
    "chemical or drug": "biolink:ChemicalEntity",
    "chemical": "biolink:ChemicalEntity",
    "chemicalsubstance": "biolink:ChemicalEntity",
    "drug": "biolink:Drug",
    "compound": "biolink:SmallMolecule",
    "gene": "biolink:Gene",
    "protein": "biolink:Protein",
    "anatomy": "biolink:AnatomicalEntity",
    "organism": "biolink:OrganismTaxon",
    "procedure": "biolink:Procedure",
    "biological process": "biolink:BiologicalProcess",
    "biologicalprocess": "biolink:BiologicalProcess",
    "pathway": "biolink:Pathway",
    "cell": "biolink:Cell",
}
NAMED = "biolink:NamedThing"


def predicate(relation: str) -> str:
    """A relation as a predicate: by its own name, else, where it is an active verb of a group, by
    the group."""
    name = " ".join(relation.lower().replace("_", " ").split())
    if name in PREDICATES:
        return PREDICATES[name]
    if name.endswith((" by", " of", " to", " in")):
        return RELATED
    return BY_GROUP.get(group_of(relation), RELATED)


def category(type: str) -> str:
    """A type as a class."""
    return CATEGORIES.get(" ".join(type.lower().split()), NAMED)
