"""A form run over facts: the answer, what it rests on, what was left out and why."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from sqlalchemy.engine import Connection

from osler.ask.answer import Answer, Moment
from osler.ask.form.certainty import SURE
from osler.ask.form.clause_reading import SLIGHT
from osler.ask.form.cohorts import Cohorts
from osler.ask.form.compiling import LASTING
from osler.ask.form.form import Concept, Form, What, json_of
from osler.ask.form.ground import take_in
from osler.ask.form.people import People
from osler.ask.form.relation import Relation
from osler.ask.form.showing import given_once, lasted, picked, shown_value, state, told
from osler.ask.form.times import years_between
from osler.ask.form.tokens import tidy
from osler.ask.form.verdicts import Verdicts
from osler.ask.form.wording import in_words

TIMELINE = 200


class Runner(Verdicts, Cohorts):
    """Runs forms over one relation and its people, on one day."""

    def __init__(self, relation: Relation, people: People, today: datetime.date) -> None:
        super().__init__(relation, people, today)
        self._slots: dict[str, Callable[[Form, Answer, Connection], None]] = {
            "patients": self._patients,
            "count of patients": self._count_of_patients,
            "facts": self._facts,
            "count of facts": self._count_of_facts,
            "count of times": self._count_of_times,
            "yes or no": self._yes_or_no,
            "values": self._values,
            "date": self._date,
            "end date": self._end_date,
            "dose": self._dose,
            "reason": self._reason,
            "reaction": self._reaction,
            "text": self._text,
            "trend": self._trend,
            "average": self._average,
            "duration": self._duration,
            "relative": self._relative,
            "most frequent": self._most_frequent,
            "person": self._of_person,
            "age": self._age,
        }

    def run(self, form: Form, question: str) -> Answer:
        """The answer; without answers it is a refusal, whose note says why."""
        answer = Answer(question=question, method="form")
        answer.form, answer.form_text = json_of(form), in_words(form, self.people.all)
        answer.path = answer.form_text
        answer.confidence = SURE
        take_in(form, answer)
        if len(form.who.patients) > 1 and form.answer not in ("count of patients", "patients"):
            return self._ask_back(form, answer)
        with self.relation.connect() as connection:
            self._slots[form.answer](form, answer, connection)
            if form.who.patients and form.what is not None and form.answer != "age":
                self._timeline(form, answer, connection)
        self._of_the_dead(form, answer)
        return answer

    def _of_the_dead(self, form: Form, answer: Answer) -> None:
        """What lasts and was never ended stays active in a record; of the dead it is not so now."""
        what, patients = form.what, form.who.patients
        if what is None or what.when != "now" or what.kinds[0] not in LASTING or what.relative:
            return
        death = self._person(patients[0]).about.get("death", "") if len(patients) == 1 else ""
        if answer.answers not in ([], ["no"]) and death and death.casefold() != "false":
            day = f" {death[:10]}" if death[:1].isdigit() else ""
            answer.confidence *= SLIGHT
            answer.note = f"died{day}: what was current then; {answer.note}".rstrip("; ")

    def _facts(self, form: Form, answer: Answer, connection: Connection) -> None:
        assert form.what is not None
        facts = self._found(form, connection)
        whole = self._relaxed(form, connection)
        facts = [f for f in facts if not (form.what.when == "past" and given_once(f))]
        self._leave_out(answer, facts, whole, form.what)
        if not facts and form.what.concept is None and form.what.time is None:
            # "No known drug allergy" is what the record tells of allergies.
            facts = self._stated_absence(form, connection)
        if not facts:
            self._nothing(form, answer, whole)
            return
        answer.answers = list(dict.fromkeys(tidy(f.name) for f in facts))
        if form.what.pick != "all" and (len(answer.answers) > 1 or facts[0].kind == "encounter"):
            # The last of several on one day; a visit, of which the day may be meant.
            answer.confidence *= 0.9
        if form.what.relative:
            answer.note = "; ".join(dict.fromkeys(f"{f.relative}: {tidy(f.name)}" for f in facts))
        open_ = [f for f in facts if f.status == "unknown" and form.what.when == "now"]
        if open_:
            answer.confidence *= 0.85
            names = ", ".join(dict.fromkeys(tidy(f.name) for f in open_))
            answer.note = f"the record does not say whether still current: {names}"
        doubtful = [
            f for f in facts if f.certainty == "provisional" and form.what.sure != "provisional"
        ]
        if doubtful:
            answer.note = "not confirmed: " + ", ".join(
                dict.fromkeys(tidy(f.name) for f in doubtful)
            )
        self._rest_on(answer, facts)

    def _count_of_times(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._count_of_facts(form, answer, connection, each=True)

    def _count_of_facts(
        self, form: Form, answer: Answer, connection: Connection, *, each: bool = False
    ) -> None:
        """How many of a kind (a drug prescribed twice is one), or how many ``each`` time."""
        assert form.what is not None
        facts = self._found(form, connection)
        whole = self._relaxed(form, connection)
        self._leave_out(answer, facts, whole, form.what)
        if not whole:
            self._nothing(form, answer, whole)
            return
        lasting = form.what.kinds[0] in ("condition", "medication", "allergy", "care plan")
        kinds = len({f.name.casefold() for f in facts}) if lasting else len(facts)
        if kinds != len(facts) and form.what.concept is not None and not each:
            answer.note = f"on record {len(facts)} times"
            answer.confidence *= 0.85
        # A pressure and its two parts were taken at one time.
        times = len({f.start for f in facts if f.start}) + sum(not f.start for f in facts)
        count = times if each else kinds
        answer.answers = [str(count)]
        self._rest_on(answer, facts)
        answer.entities = []

    # -- values, dates and the rest -------------------------------------------------------------

    def _values(self, form: Form, answer: Answer, connection: Connection) -> None:
        assert form.what is not None
        facts = [f for f in self._found(form, connection) if f.value or f.number is not None]
        whole = self._relaxed(form, connection)
        self._leave_out(answer, facts, whole, form.what)
        if not facts:
            self._nothing(form, answer, whole)
            return
        if form.what.value is not None and form.what.concept is None:
            answer.answers = list(dict.fromkeys(tidy(f.name) for f in facts))
        else:
            answer.answers = [shown_value(f) for f in facts]
        several = len({f.name.casefold() for f in facts}) > 1
        answer.note = "; ".join(
            (f"{tidy(f.name)} " if several else "") + f"{shown_value(f)} on {f.start[:10]}"
            for f in facts[:20]
        )
        self._rest_on(answer, facts)

    def _date(
        self, form: Form, answer: Answer, connection: Connection, *, end: bool = False
    ) -> None:
        assert form.what is not None
        extreme = form.what.pick in ("highest", "lowest")
        facts = self._found(
            form,
            connection,
            **({"when": "any"} if end else {}),
            **({"pick": "all"} if extreme else {}),
        )
        if extreme:
            # Equal values of several days are told with all of their days.
            edge = {fact.number for fact in picked(facts, form.what)}
            facts = [fact for fact in facts if fact.number in edge]
        whole = self._relaxed(form, connection)
        self._leave_out(answer, facts, whole, form.what)
        dated = [(f.end if end else f.start or f.recorded, f) for f in facts]
        days = list(dict.fromkeys(day[:10] for day, _ in dated if day))
        if not days:
            self._nothing(form, answer, whole)
            if facts:
                answer.note = (
                    f"{tidy(facts[0].name)} is on record ({state(facts[0])}), its date is not"
                )
            return
        if form.what.pick == "first":
            days = [min(days)]
        elif form.what.pick == "latest":
            days = [max(days)]
        answer.answers = days
        chosen = [f for day, f in dated if day[:10] in days]
        answer.note = "; ".join(dict.fromkeys(tidy(f.name) for f in chosen[:5]))
        if len(days) > 1:
            answer.confidence *= 0.9
        self._rest_on(answer, chosen)

    def _end_date(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._date(form, answer, connection, end=True)

    def _detail(self, form: Form, answer: Answer, connection: Connection, name: str) -> None:
        """One thing that stands beside a fact: dose, reason, reaction, what a report found."""
        facts = self._found(form, connection)
        active = [f for f in facts if f.status == "active"]
        kept = active if name == "dose" and active else facts
        lines = [(line, f) for f in kept for line in told(f, name)]
        whole = self._relaxed(form, connection)
        assert form.what is not None
        self._leave_out(answer, kept, whole, form.what)
        if not lines:
            self._nothing(form, answer, whole)
            if facts:
                answer.note = f"{tidy(facts[0].name)} is on record, its {name} is not"
            return
        answer.answers = list(dict.fromkeys(tidy(line) for line, _ in lines))
        answer.note = "; ".join(
            dict.fromkeys(f"{tidy(f.name)}: {tidy(line)}" for line, f in lines[:5])
        )
        self._rest_on(answer, [f for _, f in lines])

    def _dose(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._detail(form, answer, connection, "dose")

    def _reason(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._detail(form, answer, connection, form.attribute or "reason")

    def _reaction(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._detail(form, answer, connection, "reaction")

    def _text(self, form: Form, answer: Answer, connection: Connection) -> None:
        self._detail(form, answer, connection, "result")

    def _trend(self, form: Form, answer: Answer, connection: Connection) -> None:
        facts = [f for f in self._found(form, connection) if f.number is not None and f.start]
        facts.sort(key=lambda f: f.start)
        if len(facts) < 2 or len({f.unit for f in facts}) > 1:
            answer.note = (
                "values in different units are not compared"
                if len(facts) > 1
                else f"{len(facts)} value on record for this; a trend needs two"
            )
            return
        first, last = facts[0], facts[-1]
        assert first.number is not None
        assert last.number is not None
        change = last.number - first.number
        trend = "rising" if change > 0 else "falling" if change < 0 else "unchanged"
        if form.direction:
            answer.answers = ["yes" if trend == form.direction else "no"]
        else:
            answer.answers = [trend]
        ends = ", ".join(f"{shown_value(f)} on {f.start[:10]}" for f in (first, last))
        answer.note = f"{ends}: {trend}"
        self._rest_on(answer, [first, last])

    def _average(self, form: Form, answer: Answer, connection: Connection) -> None:
        facts = [f for f in self._found(form, connection) if f.number is not None]
        whole = self._relaxed(form, connection)
        numbers = [f.number for f in facts if f.number is not None]
        if not numbers:
            self._nothing(form, answer, whole)
            return
        if len({(f.name.casefold(), f.unit) for f in facts}) > 1 or any(
            f.comparator for f in facts
        ):
            answer.note = "no mean is taken of different results, of different units or of bounds"
            return
        answer.answers = [f"{sum(numbers) / len(numbers):.6g} {facts[0].unit}".strip()]
        answer.note = f"mean of {len(numbers)}: " + ", ".join(shown_value(f) for f in facts[:20])
        self._rest_on(answer, facts)

    def _duration(self, form: Form, answer: Answer, connection: Connection) -> None:
        """From the start to the end, or to today where it lasts; silent where an end is missing."""
        facts = self._found(form, connection, when="ever")
        whole = self._relaxed(form, connection)
        assert form.what is not None
        self._leave_out(answer, facts, whole, form.what)
        until = self._until(form)
        lines = [(line, f) for f in facts if until and (line := lasted(f, until))]
        if not lines:
            self._nothing(form, answer, whole)
            if facts:
                answer.note = (
                    f"{tidy(facts[0].name)} is on record ({state(facts[0])}), how long is not"
                )
            return
        answer.answers = list(dict.fromkeys(line for line, _ in lines))
        answer.note = "; ".join(dict.fromkeys(f"{tidy(f.name)}: {line}" for line, f in lines[:5]))
        if len(answer.answers) > 1 or len(lines) < len(facts):
            answer.confidence *= 0.9
        self._rest_on(answer, [f for _, f in lines])

    def _until(self, form: Form) -> datetime.date | None:
        """The day up to which what lasts is counted: today, or the day of death if it is known."""
        death = self._person(form.who.patients[0]).about.get("death", "")
        if not death or death.casefold() == "false":
            return self.today
        return datetime.date.fromisoformat(death[:10]) if death[4:5] == "-" else None

    def _relative(self, form: Form, answer: Answer, connection: Connection) -> None:
        facts = self._found(form, connection)
        if not facts:
            self._nothing(form, answer, self._relaxed(form, connection))
            return
        answer.answers = list(dict.fromkeys(f.relative for f in facts))
        answer.note = "; ".join(dict.fromkeys(f"{f.relative}: {tidy(f.name)}" for f in facts))
        self._rest_on(answer, facts)

    def _of_person(self, form: Form, answer: Answer, connection: Connection) -> None:
        person = self._person(form.who.patients[0])
        if form.attribute in ("id", "number"):
            numbers = person.numbers if form.attribute == "number" else []
            answer.answers = list(numbers or person.ids)
            return
        value = person.about.get(form.attribute, "")
        if form.attribute == "death":
            if not value or value.casefold() == "false":
                answer.note = "no death is on record"
                return
            if not value[:1].isdigit():
                answer.note = "dead; the record has no date"
                return
            value = value[:10]
        if not value:
            answer.note = f"the record does not say: {form.attribute}"
            return
        answer.answers = [value]

    def _age(self, form: Form, answer: Answer, connection: Connection) -> None:
        person = self._person(form.who.patients[0])
        died = person.about.get("death", "")
        day = self.today.isoformat()
        if form.who.where is not None and not died[:1].isdigit():
            answer.note = "no day of death is on record for this patient"
            return
        timed = form.what is not None and form.what.time is not None
        if died and died.casefold() != "false" and not died[:1].isdigit() and not timed:
            answer.note = "dead; the record has no date, so that no age is told"
            return
        if form.what is not None and form.what.time is not None:
            time = form.what.time
            day = time.last or time.first
            if time.event is not None and not (
                day := self._first_day(form, time.event, connection)
            ):
                answer.note = f"no day of {time.event.words} is on record for this patient"
                return
        elif died[:1].isdigit():
            day = died[:10]
        years = years_between(person.born, day)
        if years is None:
            answer.note = "the record has no birth date to the day"
            return
        answer.answers = [str(years)]
        answer.note = f"born {person.born}" + (f", died {died[:10]}" if died[:1].isdigit() else "")

    def _first_day(self, form: Form, event: Concept, connection: Connection) -> str:
        one = Form("facts", form.who, What(kinds=(event.kind,), concept=event))
        return min((f.start[:10] for f in self._found(one, connection) if f.start), default="")

    # -- what is shown beside -------------------------------------------------------------------

    def _timeline(self, form: Form, answer: Answer, connection: Connection) -> None:
        assert form.what is not None
        lasting = form.what.kinds[0] in ("condition", "medication")
        what = What(
            kinds=form.what.kinds,
            concept=None if lasting else form.what.concept,
            when="any",
            sure="any",
        )
        query = self.compiler.rows(what, form.who.patients).limit(TIMELINE)
        chosen = set(answer.entities)
        for row in connection.execute(query):
            if row.start:
                value = f"{row.value} {row.unit}".strip()
                moment = Moment(
                    tidy(row.name), row.start, row.end, row.status, value, row.id in chosen
                )
                answer.timeline.append(moment)
