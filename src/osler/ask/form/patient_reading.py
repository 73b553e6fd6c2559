"""Questions about one patient: what was heard, as what is asked of the facts."""

from __future__ import annotations

from collections.abc import Sequence

from osler.ask.form.clause_reading import (
    DEAD,
    LEANING,
    PERSON,
    SLIGHT,
    ClauseReader,
    Reading,
    within,
)
from osler.ask.form.clauses import Clause, merge_concepts
from osler.ask.form.form import (
    Concept,
    Form,
    Has,
    Person,
    Slot,
    Time,
    Value,
    What,
    Where,
    Who,
    Without,
)
from osler.ask.form.heard import Heard
from osler.ask.form.slots import circular, died, joined, moment, pick, placed, slot_of, with_

# Words that say where a visit took place and nothing else; "admitted" is said of wards and of
# emergency rooms.
_PLAINLY = (
    *("inpatient", "in-patient", "as an inpatient", "as an in-patient", "hospitalised"),
    *("hospitalized", "hospitalization", "hospitalisation", "as an outpatient", "住院"),
)


class PatientReader(ClauseReader):
    """Puts a question about one patient together."""

    def _about(self, heard: Heard, who: Who, reading: Reading, before: Form | None) -> Form | None:
        attribute = next(
            (a for a in heard.attributes if a in (*PERSON, *DEAD, "age", "id", "number")), ""
        )
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
        aged = "old" in asks or "age" in heard.attributes
        if aged and "death" in heard.attributes and not (clauses or heard.lives or heard.negated):
            return Form("age", Who(who.patients, who.words, died(True, None)))
        if ("old" in asks or attribute == "age") and not concepts:
            return Form("age", who, moment(heard))
        if ("old" in asks or attribute == "age") and (event := _event_of(heard, concepts)):
            return Form("age", who, What(kinds=("patient",), time=Time(event=event, side="on")))
        if attribute in DEAD and not (concepts and "when" not in asks):
            return self._life(heard, who, attribute)
        if "birth date" in heard.attributes and ("where" in asks or "city" in heard.attributes):
            return Form("person", who, attribute="birthplace")
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
        if circular(heard, slot, concepts):
            reading.sure *= LEANING
            reading.doubts.append(f"what about “{concepts[0].words}” is asked was only guessed")
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
        treated = match["condition"]
        heard.reason = Concept(concepts[0].words, "condition", (*treated.names, *treated.past))
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
        if not kind and heard.implied:
            # "What was discontinued?": what is stopped is a drug, what heals a condition.
            kind = heard.implied[0]
        if not kind and slot != "count of times" and (_possessed(heard) or heard.sure):
            # What is suspected or ruled out, and nothing more is said of it, is a diagnosis.
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
        clauses = _once(clauses)
        if (inside := within(reading.spans)) is not None:
            said = " and ".join(f"“{span.words}”" for span in inside)
            reading.refuse(f"{said}: how do they belong together?")
            return None
        if slot == "yes or no" and len(clauses) > 1 and len({c.words for c in clauses}) > 1:
            parts = [(c.join, self._wrapped(c, reading, heard)) for c in clauses]
            return Form("yes or no", Who(who.patients, who.words, joined(parts)))
        first = clauses[0]
        if slot in ("dose", "reason") and "medication" in first.match:
            first.hint, first.bound = "medication", True
        if slot == "count of times" and heard.tense == "past":
            # "How often has it been prescribed": the verb comes after what it speaks of.
            first.tense = "past"
        if slot in ("dose", "reason") and not first.when:
            first.when = "ever"
        if slot == "facts" and heard.pick in ("latest", "first") and first.kind == "condition":
            # The last diagnosis is the last that was made, over or not.
            first.when = first.when or "ever"
        listing = slot in ("facts", "count of facts", "count of times")
        said_when = first.when or first.tense or first.time is not None or heard.relatives
        reading.silent = listing and first.kind == "condition" and not said_when
        what = self._what(first, reading, heard, cohort=False, listing=listing)
        if heard.said and not self._in_words(what):
            reading.refuse(f"“{first.words}” is no result in words: what would be positive?")
            return None
        if slot == "count of facts" and self._in_words(what):
            # "How many cigarettes": a result in words tells no number.
            reading.refuse(f"how many is not told: “{first.words}” is a result in words")
            return None
        if (
            slot == "facts"
            and what.kinds[0] == "encounter"
            and heard.pick in ("latest", "first")
            and not heard.asks
        ):
            slot = "date"
        wider = next((s for s in heard.spans if s.means("wider", *what.kinds)), None)
        if wider is not None and what.concept is None:
            reading.sure *= SLIGHT
            reading.doubts.append(f"“{wider.words}” takes in every {what.kinds[0]} on record")
        same = [c for c in clauses if c.kind == first.kind]
        if len(same) > 1:
            merged = merge_concepts(same, what.when)
            what = with_(what, concept=merged)
        if slot == "yes or no" and first.when == "past" and self._in_words(what):
            # "Is she a former smoker": who still smokes is none.
            what = with_(what, value=Value("former"))
            if any(s.words.lower() in ("used to", "use to") for s in heard.spans):
                reading.sure *= LEANING
        negated = first.negated or (heard.negated and slot == "yes or no")
        current = what.when == "now" and first.when != "now"
        if slot in ("date", "end date") and what.kinds[0] == "medication" and current:
            what = with_(what, when="ever")
        chosen = pick(heard, slot, what, several=first.several)
        what = with_(what, **placed(heard, chosen, slot), reason=what.reason or heard.reason)
        what = with_(what, but=heard.but)
        if heard.setting and what.kinds[0] == "encounter":
            what = with_(what, setting=heard.setting)
            if not any(s.means("setting") and s.words.lower() in _PLAINLY for s in heard.spans):
                self._stay_doubt(reading, f"taken to be asked of {heard.setting} visits alone")
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

    def _in_words(self, what: What) -> bool:
        names = set(what.concept.names) if what.concept is not None else set()
        return what.kinds[0] == "observation" and bool(names & self.vocabulary.worded)

    def _wrapped(self, clause: Clause, reading: Reading, heard: Heard) -> Where:
        what = self._what(clause, reading, heard, cohort=False)
        where = Has(self._worded(what, clause))
        return Without(where) if clause.negated else where

    def _again(self, heard: Heard, who: Who, before: Form) -> Form:
        """The last question with another time, tense, pick or patient."""
        assert before.what is not None
        what = before.what
        if heard.time is not None:
            # What was so in 2015 need not be so now.
            what = with_(what, time=heard.time, when="ever" if what.when == "now" else what.when)
        if heard.when in ("now", "past", "ever"):
            what = with_(what, when=heard.when)
        if heard.pick in ("latest", "first", "all"):
            what = with_(what, pick=heard.pick)
        return Form(before.answer, who, what, before.attribute, before.negated, before.direction)


def _event_of(heard: Heard, concepts: Sequence[Clause]) -> Concept | None:
    """ "How old was she when asthma was found": the one thing of which the day counts."""
    if len(heard.clauses) != 1 or len(concepts) != 1 or concepts[0].negated or heard.time:
        return None
    if concepts[0].kind not in ("condition", "procedure", "immunization") or heard.relatives:
        return None
    return concepts[0].concept("ever")


def _once(clauses: Sequence[Clause]) -> list[Clause]:
    """ "Smoke cigarettes": two words side by side for one thing are one clause."""
    kept: list[Clause] = []
    for clause in clauses:
        last = kept[-1] if kept else None
        if last is not None and clause.words and last.spans and clause.spans:
            beside = last.spans[-1].end == clause.spans[0].start
            mine, theirs = (c.match.get(c.kind or "") for c in (clause, last))
            if beside and mine and theirs and set(mine.names) == set(theirs.names):
                continue
        kept.append(clause)
    return kept


def _possessed(heard: Heard) -> bool:
    """Whether somebody has something; "what has been discontinued" only helps a verb."""
    for at, span in enumerate(heard.spans):
        if not span.means("have"):
            continue
        after = [s for s in heard.spans[at + 1 :] if s.person is None][:1]
        if not after or after[0].words.lower() not in ("been", "be"):
            return True
    return False
