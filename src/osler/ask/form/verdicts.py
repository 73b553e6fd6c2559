"""Yes or no: from a fact that meets every filter, or from a stated absence; else "no record"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy.engine import Connection

from osler.ask.answer import Answer
from osler.ask.form.certainty import SURE
from osler.ask.form.clause_reading import SLIGHT
from osler.ask.form.form import Form, Has, Value
from osler.ask.form.ground import Ground, attribute, parts_of
from osler.ask.form.people import Patient
from osler.ask.form.showing import denies, left_out_because, says_none, state
from osler.ask.form.tokens import name_words, tidy
from osler.kinds.fact import Fact

_NO = frozenset(
    [
        "no",
        "not",
        "never",
        "negative",
        "absent",
        "none",
        "false",
        "denies",
        "denied",
        "non",
        "undetected",
        "nil",
        "无",
        "否",
        "阴性",
        "从不",
    ]
)
_FORMER = frozenset(["former", "ex", "previously", "quit", "past", "stopped"])
_YES = frozenset(
    [
        "yes",
        "positive",
        "present",
        "true",
        "current",
        "currently",
        "daily",
        "every",
        "some",
        "day",
        "light",
        "heavy",
        "detected",
        "smoker",
        "有",
        "是",
        "阳性",
    ]
)


def _in_error(fact: Fact) -> bool:
    return fact.status == "entered in error"


def _comparable(facts: Sequence[Fact], value: Value) -> list[Fact]:
    """Those that can be held against a value: against its own range only a result that has one."""
    if value.number is not None:
        return list(facts)
    return [f for f in facts if f.interpretation or f.low is not None or f.high is not None]


DENIED = ("absent", "refuted")
BOTH_SAID = 0.5
"""How much of its confidence a "yes" keeps where the same record says no, too."""
SILENCE = "; that is not the same as a no"


class Verdicts(Ground):
    """Answers that are yes, no, or silent."""

    def _yes_or_no(self, form: Form, answer: Answer, connection: Connection) -> None:
        if form.what is None:
            self._meets(form, answer, connection)
            return
        facts = self._found(form, connection)
        whole = self._relaxed(form, connection)
        what = form.what
        former = what.value is not None and what.value.compare == "former"
        plain = what.kinds[0] == "observation" and what.time is None
        if plain and (what.value is None or former):
            everything = self._found(form, connection, value=None, pick="all")
            self._stated(form, answer, everything)
            return
        verdict: bool | None = None
        if what.when == "past":
            active = self._found(form, connection, when="now")
            verdict = bool(facts) and not active if (facts or active) else None
            facts = facts or active
        elif what.when == "not done":
            done = self._found(form, connection, when="ever")
            verdict = bool(facts) if (facts or done) else None
            facts = facts or done
        elif what.value is not None and what.pick != "all" and what.concept is None:
            verdict, facts = self._all_in_range(form, connection)
        elif what.value is not None and what.pick != "all":
            facts = self._found(form, connection, value=None)
            verdict = self._measured(form, facts, connection)
        elif facts:
            verdict = True
        elif what.value is not None:
            facts = _comparable(
                self._found(form, connection, value=None, pick="latest"), what.value
            )
            verdict = False if facts else None
        elif against := self._against(form, connection):
            verdict, facts = False, against
        elif what.time is None and (none := self._stated_absence(form, connection)):
            verdict, facts = False, none
        self._leave_out(answer, facts, whole, what)
        if verdict is None:
            self._nothing(form, answer, whole)
            answer.note += SILENCE
            return
        self._say(form, answer, verdict, facts)
        if verdict and what.sure == "true" and (denied := self._gainsaid(form, facts, connection)):
            answer.confidence *= BOTH_SAID
            answer.note += f"; but the record also says: {denied}"

    def _gainsaid(self, form: Form, facts: Sequence[Fact], connection: Connection) -> str:
        """What the record denies of the same thing, and not before it last said it."""
        last = max((fact.start for fact in facts), default="")
        every = self._found(form, connection, when="any", sure="any", value=None, pick="all")
        denied = (f for f in every if f.certainty in DENIED and not _in_error(f))
        later = (f for f in denied if not (f.start and last and f.start < last))
        return "; ".join(dict.fromkeys(f"{tidy(f.name)}: {f.certainty}" for f in later))

    def _measured(self, form: Form, facts: Sequence[Fact], connection: Connection) -> bool | None:
        """Whether the one result that is meant (the last) meets the value; silent where it has no
        range to be held against."""
        assert form.what is not None
        assert form.what.value is not None
        if not _comparable(facts, form.what.value):
            return None
        query = self.compiler.patients(Has(form.what), form.who.patients)
        return connection.execute(query).first() is not None

    def _all_in_range(self, form: Form, connection: Connection) -> tuple[bool | None, list[Fact]]:
        """Whether "the results" are normal: the last of each test has to be."""
        within = self._found(form, connection, pick="all")
        beyond = self._found(form, connection, pick="all", value=Value("outside range"))
        last: dict[str, str] = {}
        for fact in (*within, *beyond):
            last[fact.name] = max(last.get(fact.name, ""), fact.start)
        beyond = [fact for fact in beyond if fact.start == last[fact.name]]
        return (not beyond if last else None), beyond or within

    def _against(self, form: Form, connection: Connection) -> list[Fact]:
        """What the record states to the contrary in the time asked for: refuted, not done."""
        assert form.what is not None
        there = self._found(form, connection, when="any", sure="any", value=None, pick="all")
        what = form.what
        if what.sure == "refuted":
            # "Has it been ruled out": what was written in error tells nothing of that.
            return [f for f in there if f.certainty == "confirmed" and not _in_error(f)]
        return [f for f in there if left_out_because(f, what)]

    def _say(self, form: Form, answer: Answer, verdict: bool, facts: Sequence[Fact]) -> None:
        answer.answers = ["yes" if verdict != form.negated else "no"]
        answer.note = "; ".join(dict.fromkeys(f"{tidy(f.name)}: {state(f)}" for f in facts[:5]))
        unsure = all(f.certainty == "provisional" for f in facts)
        if verdict and unsure and form.what is not None and form.what.sure == "true":
            answer.confidence *= SLIGHT
            answer.note = f"not confirmed: {answer.note}"
        self._rest_on(answer, facts)

    def _stated(self, form: Form, answer: Answer, facts: Sequence[Fact]) -> None:
        """Yes or no out of a result in words: never smoker, positive, absent."""
        newest = sorted((f for f in facts), key=lambda f: f.start)[-1:]
        if not newest:
            self._nothing(form, answer, [])
            return
        fact = newest[0]
        words = set(name_words(fact.value))
        verdict: bool | None = None
        assert form.what is not None
        if form.what.value is not None:
            told_former, known = bool(words & _FORMER), words & (_FORMER | _NO | _YES)
            verdict = told_former if known else None
        elif form.what.concept is None:
            # "Are there any results?"
            verdict = True
        elif fact.number is not None:
            # A number says that it was measured; of how somebody is now it says neither.
            verdict = None if form.what.when == "now" else True
        elif words & _FORMER:
            verdict = form.what.when != "now"
        elif words & _NO:
            verdict = False
        elif words & _YES:
            verdict = True
        if verdict is None:
            answer.note = f"{tidy(fact.name)}: {fact.value}"
            self._rest_on(answer, newest)
            return
        self._say(form, answer, verdict, newest)

    def _stated_absence(self, form: Form, connection: Connection) -> list[Fact]:
        """ "No known drug allergy": a fact that says there is none, of what was asked for."""
        assert form.what is not None
        what = msgspec.structs.replace(form.what, concept=None, when="any", sure="any")
        query = self.compiler.rows(what, form.who.patients)
        facts = self.relation.whole(connection, connection.execute(query).all())
        true = [f for f in facts if says_none(f) and f.certainty == "confirmed"]
        denied = [f for f in true if f.status in ("active", "unknown")]
        concept = form.what.concept
        return [f for f in denied if concept is None or denies(f, concept.words)]

    def _meets(self, form: Form, answer: Answer, connection: Connection) -> None:
        """Whether the patient belongs to a set; "no" only where the record states something."""
        where = form.who.where
        assert where is not None
        among = form.who.patients
        member = bool(connection.execute(self.compiler.patients(where, among)).first())
        person = self._person(among[0])
        about = attribute(where)
        if about == "death":
            self._alive(form, answer, member, person)
            return
        if about:
            value = person.about.get(about, "")
            if not value:
                answer.note = f"the record does not say: {about}"
                return
            answer.answers = ["yes" if member != form.negated else "no"]
            answer.note = f"{about}: {value}"
            return
        facts: list[Fact] = []
        silent = []
        for what in parts_of(where):
            one = Form("facts", form.who, what)
            here = self._relaxed(one, connection)
            facts += self._found(one, connection)
            if not here:
                silent.append(what.concept.words if what.concept else what.kinds[0])
        if not member and silent:
            answer.note = f"no record of {', '.join(silent)} for this patient{SILENCE}"
            return
        answer.answers = ["yes" if member else "no"]
        self._rest_on(answer, facts)

    def _alive(self, form: Form, answer: Answer, member: bool, person: Patient) -> None:
        death = person.about.get("death", "")
        dead = bool(death) and death.casefold() != "false"
        if not dead and not death:
            # The record tells a death where there was one; that it tells none is said as that.
            answer.note = "no death is on record"
        answer.answers = ["yes" if member != form.negated else "no"]
        answer.confidence = SURE if dead or death else 0.85
        if dead:
            answer.note = (
                f"died {death[:10]}" if death[:1].isdigit() else "dead; the record has no date"
            )
