"""From spans to clauses: each concept with its kind, tense, time, value and negation.

A clause is one thing that is said of patients ("on a statin now", "never had a fracture"). Clauses
come in the order of the words, joined by and, or, but, without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from osler.ask.form.form import Concept, Time, Value, When
from osler.ask.form.spans import Span
from osler.ask.form.vocabulary import Match
from osler.kinds.fact import Kind

# Where the words leave it open, the first kind that the concept has.
_ORDER: tuple[Kind, ...] = (
    *("condition", "observation", "medication", "procedure", "allergy", "immunization"),
    *("report", "care plan", "device", "encounter", "note"),
)
# What the verb allows: to have influenza is not to be vaccinated against it.
_ALLOWED: dict[str, tuple[Kind, ...]] = {
    "have now": (
        *("condition", "observation", "allergy", "device", "care plan", "procedure", "report"),
    ),
    "have past": (
        *("condition", "procedure", "observation", "immunization", "medication", "report"),
        *("encounter", "device", "care plan", "allergy"),
    ),
    "condition": ("condition",),
    "medication": ("medication", "immunization"),
    "procedure": ("procedure", "report", "immunization", "observation"),
    "observation": ("observation", "procedure", "report"),
    "allergy": ("allergy",),
    "immunization": ("immunization",),
    "encounter": ("encounter",),
    "report": ("report", "procedure", "observation"),
    "care plan": ("care plan",),
    "device": ("device",),
}


@dataclass
class Clause:
    """One thing said of patients, before its form is fixed."""

    spans: list[Span] = field(default_factory=list)
    match: dict[str, Match] = field(default_factory=dict)
    words: str = ""
    hint: str = ""
    bound: bool = False
    tense: str = ""
    when: str = ""
    sure: str = ""
    time: Time | None = None
    value: Value | None = None
    pick: str = ""
    negated: bool = False
    join: str = "and"
    relative: str = ""
    typed: str = ""
    person: tuple[str, str, str, str] | None = None
    reason: Concept | None = None
    several: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that the clause may be of, best first."""
        order = _ALLOWED.get(self.hint, _ORDER)
        if self.value is not None and "observation" in self.match:
            return ("observation",)
        if self.words and not self.bound:
            # The kind in which the concept stands under its own name, before one that mentions it.
            order = tuple(
                sorted(order, key=lambda k: not (k in self.match and self.match[k].exact))
            )
        if self.words:
            there = tuple(k for k in order if k in self.match)
            if there or self.bound:
                return there[:1] or order[:1]
            return tuple(k for k in _ORDER if k in self.match)[:1] or order[:1]
        return order[:1] if self.hint else ()

    @property
    def kind(self) -> Kind | None:
        return self.kinds[0] if self.kinds else None

    @property
    def doubtful_kind(self) -> bool:
        """Whether the concept stands under several kinds and nothing said which."""
        return bool(self.words) and not self.hint and len(self.match) > 1

    def concept(self, when: When) -> Concept | None:
        if not self.words:
            return None
        kind = self.kind
        assert kind is not None
        match = self.match.get(kind)
        names: list[str] = []
        how = "name"
        if match is not None:
            names, how = list(match.names), match.how
            if when in ("ever", "past", "any"):
                names += match.past
            if self.sure in ("provisional", "any"):
                names += match.suspected
        return Concept(self.words, kind, tuple(dict.fromkeys(names)), how)

    @property
    def untimed(self) -> bool:
        return not self.tense and not self.when and self.time is None

    def copy(self) -> Clause:
        return replace(self, spans=list(self.spans))


def final_when(clause: Clause, *, cohort: bool, listing: bool) -> When:
    """Now, past or ever, as the words say; where they are silent, as the kind is usually meant."""
    said = {"ended": "past", "never": "ever"}.get(clause.when, clause.when)
    if (
        clause.when == "past"
        and clause.kind != "medication"
        and (clause.words or clause.kind != "condition")
    ):
        # "A previous infarction": it was, whatever has become of it.
        return "ever"
    if said:
        return said  # type: ignore[return-value]
    time = clause.time
    if time is not None and (time.last or time.side == "before" or clause.kind != "medication"):
        # A time that is named decides; "takes it since 2019" still takes it.
        return "ever"
    if clause.kind in ("condition", "care plan"):
        if clause.tense == "now" or (cohort and clause.tense != "past"):
            return "now"
        return "ever"
    if clause.kind == "medication":
        return "ever" if clause.tense == "past" else "now"
    if clause.kind == "allergy":
        return "ever" if clause.tense == "past" and not listing else "now"
    if clause.kind == "observation" and not cohort and clause.tense == "now":
        # Whether somebody smokes; a result itself has no end, and who has one had it measured.
        return "ever" if clause.hint == "have now" else "now"
    return "ever"


def merge_concepts(clauses: Sequence[Clause], when: When) -> Concept | None:
    """Several concepts of one kind, asked for side by side, as one set."""
    concepts = [c for clause in clauses if (c := clause.concept(when)) is not None]
    if not concepts:
        return None
    if len(concepts) == 1:
        return concepts[0]
    names = tuple(dict.fromkeys(n for c in concepts for n in c.names))
    return Concept(
        " and ".join(c.words for c in concepts), concepts[0].kind, names, concepts[0].how
    )
