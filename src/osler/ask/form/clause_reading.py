"""What was read of a question, and a clause of it as a filter over facts."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from osler.ask.form.clauses import Clause, final_when
from osler.ask.form.compiling import LASTING
from osler.ask.form.form import Concept, Form, Value, What
from osler.ask.form.heard import Heard
from osler.ask.form.naming import Whom
from osler.ask.form.people import People
from osler.ask.form.showing import is_stay
from osler.ask.form.spans import Span
from osler.ask.form.tokens import Token
from osler.ask.form.vocabulary import Vocabulary

PERSON = (
    *("birth date", "sex", "city", "marital status", "race", "language"),
    *("phone", "email", "birthplace"),
)
DEAD = ("death", "alive")
LEANING = 0.91
"""What a reading that leans on a guess keeps of its certainty: one guess takes it below 0.9."""
SLIGHT = 0.95
"""What is left where a word may be meant a little wider or narrower: below 0.9, and no lower."""


@dataclass
class Reading:
    """A form, or why there is none; ``doubts`` say what was taken to be meant."""

    question: str
    form: Form | None = None
    refusal: str = ""
    doubts: list[str] = field(default_factory=list)
    sure: float = 1.0
    whom: Whom = field(default_factory=Whom)
    spans: list[Span] = field(default_factory=list)
    left: bool = False
    """Whether there were words that nothing explains."""
    misplaced: bool = False
    """Whether words stood in the question that its form has no place for."""
    unknown: list[Token] = field(default_factory=list)
    """Words that nothing explains and that are no name."""
    new: bool = False
    """Whether words stand together that no checked question has together."""
    silent: bool = False
    """Whether nothing said if what is over counts too."""

    def refuse(self, why: str) -> Reading:
        self.refusal = self.refusal or why
        return self


def within(spans: Sequence[Span]) -> tuple[Span, Span] | None:
    """Two conditions of which one stands in the other ("diabetes in pregnancy"): one name that no
    record bears, or what held at one time; both together is another question."""
    for first, middle, second in zip(spans, spans[1:], spans[2:], strict=False):
        if middle.words.lower() in ("in", "of") and all(
            "condition" in s.concept for s in (first, second)
        ):
            return first, second
    return None


class ClauseReader:
    """Reads clauses over one vocabulary and one set of people."""

    def __init__(
        self, vocabulary: Vocabulary, people: People, *, today: datetime.date | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.people = people
        self.today = today or datetime.date.today()

    def _stay_doubt(self, reading: Reading, doubt: str) -> None:
        """A word for a stay may be meant wider, unless all visits of these records are stays."""
        if not all(is_stay(n.text) for n in self.vocabulary.names if n.kind == "encounter"):
            reading.sure *= SLIGHT
            reading.doubts.append(doubt)

    def _what(
        self, clause: Clause, reading: Reading, heard: Heard, *, cohort: bool, listing: bool = False
    ) -> What:
        when = final_when(clause, cohort=cohort, listing=listing)
        kind = clause.kind or "condition"
        silent = heard.polar and not cohort and kind == "observation" and clause.untimed
        if silent and (clause.value is not None or self._only_words(clause.concept(when))):
            # Chinese says no tense: "抽烟吗" asks for what holds now, as "does he smoke" does.
            when = "now"
        if kind == "immunization" and when == "now":
            # Nothing on record says how long one protects: "currently vaccinated" is no no.
            when = "ever"
            reading.sure *= LEANING
            reading.doubts.append("told is what was given; how long it protects is not on record")
        if clause.doubtful_kind:
            reading.sure *= LEANING
        if kind == "care plan" and clause.hint != kind:
            # "Who has asthma": a plan for it is no diagnosis.
            reading.sure *= LEANING
            reading.doubts.append(f"only a care plan speaks of “{clause.words}”")
        match = clause.match.get(kind)
        if match is not None and match.loose and match.groups > 1:
            reading.sure *= 0.75
            reading.doubts.append(f"“{clause.words}” takes in {match.groups} different results")
        pick = "all"
        if cohort and clause.value is not None and clause.time is None and kind == "observation":
            # "Has a low haemoglobin": the last one counts; "had" and "ever": any.
            pick = "all" if clause.tense == "past" or clause.when in ("ever", "never") else "latest"
        sure = clause.sure or "true"
        time = clause.time
        begins = heard.begins or (kind == "condition" and _got(heard))
        if time is not None and kind in LASTING and not begins:
            time = msgspec.structs.replace(time, holds=True)
        return What(
            kinds=(kind,),
            concept=clause.concept(when),
            when=when,
            sure=sure,  # type: ignore[arg-type]
            relative=clause.relative,
            time=time,
            value=clause.value,
            pick=pick,  # type: ignore[arg-type]
            reason=clause.reason,
        )

    def _only_words(self, concept: Concept | None) -> bool:
        """Whether all results of a concept are words."""
        names = set(concept.names) if concept is not None else set()
        return bool(names) and names <= self.vocabulary.worded

    def _worded(self, what: What, clause: Clause) -> What:
        """A result in words ("who smokes"): what the last one says, not that there is one."""
        if what.value is not None or not self._only_words(what.concept):
            return what
        compare = "said once" if clause.tense == "past" or clause.when == "ever" else "said"
        if clause.when == "past":
            compare = "former"
        if clause.negated:
            clause.negated = False
            compare = "denied"
        return msgspec.structs.replace(what, value=Value(compare), pick="latest")  # type: ignore[arg-type]


_ONSET = ("get", "gets", "getting", "got", "develop", "come down with", "came down with")


def _got(heard: Heard) -> bool:
    """ "Who got gout in 2019?": it began then; "who had gout" only asks that it was there."""
    return any(s.words.lower() in _ONSET for s in heard.spans)
