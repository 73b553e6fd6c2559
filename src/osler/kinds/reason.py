"""Why a hit stands where it stands. Each kind of reason is a type of its own."""

from __future__ import annotations

import msgspec

from osler.kinds.graph import Path


class ScoreParts(msgspec.Struct, frozen=True, tag="parts"):
    """The score as the sum of its channels: raw score and what it contributed."""

    raw: dict[str, float]
    contributed: dict[str, float]


class EvidenceSentence(msgspec.Struct, frozen=True, tag="sentence"):
    """The sentence that carries the hit; offsets count characters of ``Document.text``,
    or of the passage's full-text section when ``section`` says so."""

    text: str
    start: int
    end: int
    score: float = 0.0
    section: str = ""


class SharedConcept(msgspec.Struct, frozen=True, tag="concept", omit_defaults=True):
    """A concept that query and document share. ``via`` is the parent through which they met,
    empty when both name the concept itself; ``spans`` are its places in the document's text, and
    ``denied`` those of them where the text says that it is not so ("no fever")."""

    entity: str
    name: str
    weight: float
    via: str = ""
    via_name: str = ""
    in_document: str = ""
    in_document_name: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    denied: tuple[tuple[int, int], ...] = ()


class PathReason(msgspec.Struct, frozen=True, tag="path"):
    """A path through the graph and its share of the score; names are for showing."""

    path: Path
    weight: float
    names: dict[str, str] = {}

    @property
    def line(self) -> str:
        """The path in words and arrows; a step against its relation's direction points back."""
        parts = [self.names.get(self.path.start, self.path.start)]
        for step in self.path.steps:
            arrow = f"<-{step.relation}-" if step.inverse else f"-{step.relation}->"
            parts.append(f"{arrow} {self.names.get(step.entity, step.entity)}")
        return " ".join(parts)


class Heat(msgspec.Struct, frozen=True, tag="heat"):
    """Words and how warm each is, for one view (``RCor``, ``KImp``, ``attention``)."""

    view: str
    words: tuple[tuple[str, float], ...]


class AspectWeights(msgspec.Struct, frozen=True, tag="aspects"):
    """Which aspect of an answer decided: entity, type, path, context."""

    weights: dict[str, float]


class GradeReason(msgspec.Struct, frozen=True, tag="grade", omit_defaults=True):
    """A grade of relevance and how sure it is; ``probabilities`` are those of all grades. They can
    be taken at their word where ``calibrated`` says so: fitted on pairs held out from teaching."""

    grade: str
    confidence: float
    probabilities: dict[str, float] = {}
    calibrated: bool = False


class StanceReason(msgspec.Struct, frozen=True, tag="stance", omit_defaults=True):
    """On which side a text stands to a claim: probabilities that sum to one. ``no_effect`` is the
    part of ``refutes`` that says "no effect was found"; ``why`` says what held a side back;
    ``design`` is the kind of study."""

    stance: str
    supports: float
    refutes: float
    neutral: float
    no_effect: float = 0.0
    why: tuple[str, ...] = ()
    design: str = ""


class EntityPair(msgspec.Struct, frozen=True, tag="entity-pair"):
    """An entity of the question, one of the answer, and how much the pair weighed; the weights of
    one answer's pairs sum to one. The same entity on both sides is a pair as well."""

    question: str
    answer: str
    question_name: str
    answer_name: str
    weight: float


class Mentions(msgspec.Struct, frozen=True, tag="mentions"):
    """Where a text names entities: (start, end, entity's id, its type), by place. ``where`` is
    ``question`` or ``answer``."""

    where: str
    spans: tuple[tuple[int, int, str, str], ...]


class KnownItem(msgspec.Struct, frozen=True, tag="known"):
    """This is the paper that the question names; ``by`` says by what: its PMID, its title."""

    by: str


Reason = (
    KnownItem
    | ScoreParts
    | EvidenceSentence
    | SharedConcept
    | PathReason
    | Heat
    | AspectWeights
    | GradeReason
    | StanceReason
    | EntityPair
    | Mentions
)
