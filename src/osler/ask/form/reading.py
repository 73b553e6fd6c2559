"""A question read into a form.

The words are cut into spans, heard from left to right, and put together. Rules decide, not scores:
a word that no part of the form uses and that is not known to be empty makes the reading a refusal
which names it. What lowers the certainty of a reading is listed with it.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from osler.ask.form.accounting import idle, unaccounted
from osler.ask.form.clauses import Clause, final_when, merge_concepts
from osler.ask.form.compiling import LASTING
from osler.ask.form.form import (
    Concept,
    Form,
    Has,
    Person,
    Slot,
    Value,
    What,
    Where,
    Who,
    Without,
)
from osler.ask.form.heard import Heard
from osler.ask.form.naming import Whom, whom
from osler.ask.form.people import People
from osler.ask.form.slots import died, joined, moment, pick, slot_of, with_
from osler.ask.form.spans import Span, cut
from osler.ask.form.vocabulary import Vocabulary
from osler.ask.form.walk import Walk

_PERSON = ("birth date", "sex", "city", "marital status", "race", "language")
_DEAD = ("death", "alive")
LEANING = 0.92
"""What a reading that leans on a guess keeps of its certainty: one guess takes it below 0.9."""


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

    def refuse(self, why: str) -> Reading:
        self.refusal = self.refusal or why
        return self


class Reader:
    """Reads questions over one vocabulary and one set of people."""

    def __init__(
        self, vocabulary: Vocabulary, people: People, *, today: datetime.date | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.people = people
        self.today = today or datetime.date.today()

    def read(self, question: str, *, before: Form | None = None) -> Reading:
        """The form of a question. ``before`` is the form of the last one, which "she", "and in
        2019?" may refer to."""
        words, spans = cut(question, self.vocabulary, self.people, self.today)
        reading = Reading(question, spans=spans)
        reading.whom = who = whom(spans, words, self.people)
        if who.unknown:
            return reading.refuse(f"there is no patient {who.unknown} in these records")
        walk = Walk(spans)
        walk.used.update(who.used)
        heard = walk.run()
        if heard.left:
            listed = ", ".join(f"“{word}”" for word in dict.fromkeys(heard.left))
            return reading.refuse(f"not understood: {listed}")
        reading.doubts += who.notes + heard.doubts
        reading.sure = who.sure * 0.8 ** len(heard.doubts)
        for span in spans:
            if span.typed:
                reading.doubts.append(f"“{span.words}” read as “{span.typed}”")
                reading.sure *= 0.93
        patients, named = who.patients, who.words
        cohort = not patients and (heard.people or bool(heard.sexes) or "who" in heard.asks)
        cohort = cohort or (heard.most and not patients)
        if not patients and not cohort and before is None and {"count", "what"} & set(heard.asks):
            # "How many diabetics ...": the condition stands for those who have it.
            cohort = any(c.words and c.kind == "condition" for c in heard.clauses)
            reading.sure *= 0.95
        if not patients and not cohort and before is not None and before.who.patients:
            patients, named = before.who.patients, before.who.words
        if patients and ("name" in heard.attributes) and (heard.people or "count" in heard.asks):
            reading.form = Form(
                "count of patients" if "count" in heard.asks else "patients", Who(patients, named)
            )
            return reading
        if cohort:
            reading.form = self._cohort(heard, reading)
        elif patients:
            reading.form = self._about(heard, Who(patients, named), reading, before)
        else:
            return reading.refuse("the question names no patient and asks for none")
        if reading.form is not None:
            unused, light = unaccounted(heard, reading.form)
            if unused:
                reading.form = None
                return reading.refuse("not understood in this place: " + ", ".join(unused))
            light += [w for w in idle(spans, reading.form, who.used) if w not in light]
            reading.sure *= LEANING ** (2 * len(light))
            reading.doubts += [f"“{word}” was not used" for word in light]
        return reading

    # -- many patients --------------------------------------------------------------------------

    def _cohort(self, heard: Heard, reading: Reading) -> Form | None:
        parts: list[tuple[str, Where]] = []
        for sex in dict.fromkeys(heard.sexes):
            parts.append(("and", Person("sex", "=", sex)))
        for place in heard.places:
            parts.append(("and", Person("city", "=", place)))
        for attribute in heard.attributes:
            if attribute in _DEAD:
                opposite = (heard.negated and not heard.clauses) or heard.when == "past"
                dead = (attribute == "death") != opposite
                time = heard.time if not heard.clauses else None
                parts.append(("and", died(dead, time)))
            elif attribute == "birth date" and heard.time is not None:
                parts.append(
                    ("and", Person("birth date", "between", heard.time.first, heard.time.last))
                )
            elif attribute in _PERSON and attribute not in ("city", "sex"):
                reading.refuse(f"patients cannot be asked for by {attribute}")
                return None
        concepts = [c for c in heard.clauses if c.words or c.person]
        named = {c.kind for c in concepts}
        clauses = [c for c in heard.clauses if c in concepts or c.kind not in named]
        if heard.relatives:
            for clause in clauses:
                clause.relative = heard.relatives[0]
        if heard.reason is not None or any(c.reason is not None for c in clauses):
            reading.refuse("what a drug is given for is only asked of one patient")
            return None
        for clause in clauses:
            where = self._clause(clause, reading, heard)
            parts.append((clause.join, Without(where) if clause.negated else where))
        if heard.most:
            return self._most(heard, parts, reading)
        described = joined(parts)
        if len(parts) > 3 or len({join for join, _ in parts[1:]}) > 1:
            # Several ands and ors: the words do not say which binds first.
            reading.sure *= LEANING
        if described is None:
            everybody = not heard.when and not heard.time
            everybody = everybody and (
                "count" in heard.asks or heard.pick == "all" or "who" in heard.asks
            )
            if everybody and len([s for s in reading.spans if not s.empty]) <= 4:
                return Form("count of patients" if "count" in heard.asks else "patients", Who())
            reading.refuse("the question does not say which patients")
            return None
        counted = "count" in heard.asks or ("how much" in heard.asks and not heard.clauses)
        if "how much" in heard.asks and "what" not in heard.asks and "who" not in heard.asks:
            counted = True
        if any(ask in ("when", "why") for ask in heard.asks):
            reading.refuse("this is asked of many patients at once; name one")
            return None
        return Form("count of patients" if counted else "patients", Who(where=described))

    def _clause(self, clause: Clause, reading: Reading, heard: Heard) -> Where:
        if clause.person is not None:
            about, compare, value, to = clause.person
            return Person(about, compare, value, to)  # type: ignore[arg-type]
        what = self._what(clause, reading, heard, cohort=True)
        return Has(self._worded(what, clause))

    def _worded(self, what: What, clause: Clause) -> What:
        """A result in words ("who smokes"): what the last one says, not that there is one."""
        concept = what.concept
        if what.value is not None or concept is None or not concept.names:
            return what
        if not set(concept.names) <= self.vocabulary.worded:
            return what
        compare = "said once" if clause.tense == "past" or clause.when == "ever" else "said"
        if clause.when == "past":
            compare = "former"
        if clause.negated:
            clause.negated = False
            compare = "denied"
        return with_(what, value=Value(compare), pick="latest")  # type: ignore[arg-type]

    def _most(self, heard: Heard, parts: list[tuple[str, Where]], reading: Reading) -> Form | None:
        kinds = [c for c in heard.clauses if not c.words and c.kind]
        if not kinds:
            reading.refuse("most frequent of what? name a kind: drugs, conditions, procedures")
            return None
        what = self._what(kinds[0], reading, heard, cohort=True)
        rest = [p for p in parts if not (isinstance(p[1], Has) and p[1].what == what)]
        return Form("most frequent", Who(where=joined(rest)), what)

    def _what(
        self, clause: Clause, reading: Reading, heard: Heard, *, cohort: bool, listing: bool = False
    ) -> What:
        when = final_when(clause, cohort=cohort, listing=listing)
        kind = clause.kind or "condition"
        if clause.doubtful_kind:
            reading.sure *= LEANING
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
        if time is not None and kind in LASTING and not heard.begins:
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

    # -- one patient ----------------------------------------------------------------------------

    def _about(self, heard: Heard, who: Who, reading: Reading, before: Form | None) -> Form | None:
        attribute = next((a for a in heard.attributes if a in (*_PERSON, *_DEAD, "age", "id")), "")
        asks, clauses = heard.asks, heard.clauses
        concepts = [c for c in clauses if c.words]
        if heard.sexes and not concepts:
            if "sex" in heard.attributes or len(set(heard.sexes)) > 1:
                return Form("person", who, attribute="sex")
            return Form(
                "yes or no", Who(who.patients, who.words, Person("sex", "=", heard.sexes[0]))
            )
        if heard.marital and not concepts:
            married = Person("marital status", "=", heard.marital[0])
            return Form("yes or no", Who(who.patients, who.words, married))
        if ("old" in asks or attribute == "age") and not concepts:
            return Form("age", who, moment(heard))
        if attribute in _DEAD and not (concepts and "when" not in asks):
            return self._life(heard, who, attribute)
        if attribute == "city" or "where" in asks:
            if heard.polar and heard.places:
                where = Person("city", "=", heard.places[0])
                return Form("yes or no", Who(who.patients, who.words, where))
            return Form("person", who, attribute="city")
        if attribute and not concepts:
            return Form("person", who, attribute=attribute)
        slot = slot_of(heard, concepts)
        if not heard.asks and not heard.polar and not heard.pick and concepts:
            # A bare "asthma, Ann Lee": what is asked for is only guessed.
            reading.sure *= LEANING
        if slot == "reason" and (given_for := self._given_for(heard, concepts)):
            slot, clauses, concepts = "facts", given_for, []
        if not clauses:
            clauses = self._implied(heard, slot)
            if not clauses and before is not None and before.what is not None:
                return self._again(heard, who, before)
            if not clauses:
                reading.refuse("the question does not say what about the patient")
                return None
        return self._facts(heard, who, slot, concepts or clauses, reading)

    def _given_for(self, heard: Heard, concepts: Sequence[Clause]) -> list[Clause]:
        """ "What is she taking for gout?" asks for drugs, not for the reason of gout."""
        if "medication" not in heard.verbs or len(concepts) != 1:
            return []
        match = concepts[0].match
        if {"medication", "procedure"} & set(match) or "condition" not in match:
            return []
        found = match["condition"]
        heard.reason = Concept(concepts[0].words, "condition", (*found.names, *found.past))
        heard.asks = [ask for ask in heard.asks if ask != "why"]
        return [Clause(hint="medication", tense=heard.tense, when=heard.when)]

    def _life(self, heard: Heard, who: Who, attribute: str) -> Form:
        if "when" in heard.asks:
            return Form("person", who, attribute="death")
        dead = (attribute == "death") != (heard.when == "past")
        negated = heard.negated and "alive" not in heard.attributes
        return Form("yes or no", Who(who.patients, who.words, died(dead, None)), negated=negated)

    def _implied(self, heard: Heard, slot: Slot) -> list[Clause]:
        """A clause that only the verb names: "what is she on?", "last seen"."""
        kind = next(
            (
                v
                for v in heard.verbs
                if v in ("medication", "encounter", "observation", "procedure", "condition")
            ),
            "",
        )
        if heard.relatives:
            kind = "condition"
        if not kind and (heard.value is not None):
            kind = "observation"
        if not kind and any(s.means("have") for s in heard.spans):
            kind = "condition"
        if not kind:
            return []
        clause = Clause(
            hint=kind,
            tense=heard.tense,
            when=heard.when,
            sure=heard.sure,
            value=heard.value,
            time=heard.time,
        )
        return [clause]

    def _facts(
        self, heard: Heard, who: Who, slot: Slot, clauses: Sequence[Clause], reading: Reading
    ) -> Form | None:
        if heard.relatives:
            for clause in clauses:
                clause.relative, clause.hint, clause.when = heard.relatives[0], "condition", "any"
        for clause in clauses:
            clause.time = clause.time or heard.time
            clause.tense = clause.tense or heard.tense
            clause.value = clause.value or (heard.value if len(clauses) == 1 else None)
            # A word of status that stood apart ("which of his conditions have resolved").
            clause.when = clause.when or heard.when
            clause.sure = clause.sure or heard.sure
        if "end" in heard.edges and slot not in ("date", "end date"):
            for clause in clauses:
                clause.when = clause.when or "past"
        if slot == "yes or no" and len(clauses) > 1 and len({c.words for c in clauses}) > 1:
            parts = [(c.join, self._wrapped(c, reading, heard)) for c in clauses]
            return Form("yes or no", Who(who.patients, who.words, joined(parts)))
        first = clauses[0]
        if slot in ("dose", "reason") and "medication" in first.match:
            first.hint, first.bound = "medication", True
        if slot in ("dose", "reason") and not first.when:
            first.when = "ever"
        listing = slot in ("facts", "count of facts")
        what = self._what(first, reading, heard, cohort=False, listing=listing)
        if (
            slot == "facts"
            and what.kinds[0] == "encounter"
            and heard.pick in ("latest", "first")
            and not heard.asks
        ):
            slot = "date"
        same = [c for c in clauses if c.kind == first.kind]
        if len(same) > 1:
            merged = merge_concepts(same, what.when)
            what = with_(what, concept=merged)
        negated = first.negated or (heard.negated and slot == "yes or no")
        if slot == "yes or no" and what.when == "not done":
            what = with_(what, when="ever")
            negated = True
        if slot in ("date", "end date") and what.kinds[0] == "medication" and what.when == "now":
            what = with_(what, when="ever")
        what = with_(
            what,
            pick=pick(heard, slot, what, several=first.several),
            reason=what.reason or heard.reason,
        )
        if heard.trend and slot == "trend":
            direction = heard.trend if heard.trend != "either" and heard.polar else ""
            return Form("trend", who, what, direction=direction)  # type: ignore[arg-type]
        if negated and slot not in ("yes or no", "reason") and what.when != "not done":
            reading.refuse("what a patient does not have cannot be listed")
            return None
        if slot == "reason" and (
            "end" in heard.edges or what.when in ("past", "not done") or negated
        ):
            # Why it was stopped or never done stands beside its status, not as its indication.
            return Form(slot, who, with_(what, when="any"), attribute="status reason")
        return Form(slot, who, what, negated=negated)

    def _wrapped(self, clause: Clause, reading: Reading, heard: Heard) -> Where:
        where = Has(self._what(clause, reading, heard, cohort=False))
        return Without(where) if clause.negated else where

    def _again(self, heard: Heard, who: Who, before: Form) -> Form:
        """The last question with another time, pick or patient."""
        assert before.what is not None
        what = before.what
        if heard.time is not None:
            what = with_(what, time=heard.time)
        if heard.pick in ("latest", "first", "all"):
            what = with_(what, pick=heard.pick)
        return Form(before.answer, who, what, before.attribute, before.negated, before.direction)
