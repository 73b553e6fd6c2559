"""The nouns that every room speaks: documents, entities, queries, hits, reasons."""

from osler.kinds.document import Author, Deletion, Document, Heading, Section
from osler.kinds.fact import Fact, FactSource
from osler.kinds.graph import Entity, Mention, Path, Step, Triple
from osler.kinds.hit import Evidence, Hit, Ranking, Run, Verdict
from osler.kinds.note import Note
from osler.kinds.pair import Pair
from osler.kinds.query import Filter
from osler.kinds.reason import (
    AspectWeights,
    EntityPair,
    EvidenceSentence,
    GradeReason,
    Heat,
    KnownItem,
    Mentions,
    PathReason,
    Reason,
    ScoreParts,
    SharedConcept,
    StanceReason,
)
from osler.kinds.reject import Reject

__all__ = [
    "AspectWeights",
    "Author",
    "Deletion",
    "Document",
    "Entity",
    "EntityPair",
    "Evidence",
    "EvidenceSentence",
    "Fact",
    "FactSource",
    "Filter",
    "GradeReason",
    "Heading",
    "Heat",
    "Hit",
    "KnownItem",
    "Mention",
    "Mentions",
    "Note",
    "Pair",
    "Path",
    "PathReason",
    "Ranking",
    "Reason",
    "Reject",
    "Run",
    "ScoreParts",
    "Section",
    "SharedConcept",
    "StanceReason",
    "Step",
    "Triple",
    "Verdict",
]
