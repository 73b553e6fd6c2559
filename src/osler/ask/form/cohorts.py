"""Sets of patients: listed, counted, what is most frequent among them, who was left out and why."""

from __future__ import annotations

import msgspec
from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from osler.ask.answer import Answer, LeftOut
from osler.ask.form.form import Form, Where
from osler.ask.form.ground import (
    LEFT_OUT,
    Ground,
    bearer,
    parts_of,
    persons_of,
    unrecorded,
)
from osler.ask.form.showing import left_out_because
from osler.ask.form.tokens import tidy
from osler.kinds.fact import Fact


class Cohorts(Ground):
    """Answers about many patients, and the question back where a name means several."""

    # -- who ------------------------------------------------------------------------------------

    def _ask_back(self, form: Form, answer: Answer) -> Answer:
        bearers = [self.people.all[p] for p in form.who.patients]
        answer.candidates = [bearer(b) for b in bearers]
        listed = "; ".join(b.line() for b in bearers)
        answer.note = f"{len(bearers)} patients are called {form.who.words}: {listed}. Which one?"
        return answer

    def _patients(self, form: Form, answer: Answer, connection: Connection) -> None:
        ids = self._chosen(form, connection)
        answer.patients = [bearer(self._person(id)) for id in ids]
        answer.answers = [b.name for b in answer.patients]
        answer.entities = ids
        if not ids:
            answer.note = "no patient in these records meets this"
        self._cohort_left_out(form.who.where, answer, connection, set(ids))

    def _count_of_patients(self, form: Form, answer: Answer, connection: Connection) -> None:
        ids = self._chosen(form, connection)
        answer.patients = [bearer(self._person(id)) for id in ids]
        answer.answers = [str(len(ids))]
        answer.entities = []
        if not ids and (unrecorded(form.who.where) or self._untold(form.who.where)):
            answer.answers = []
            answer.note = "nothing of the kind stands in these records"
        self._cohort_left_out(form.who.where, answer, connection, set(ids))

    def _untold(self, where: Where | None) -> bool:
        """Whether patients are described by what the record tells of nobody: marital status."""
        about = {p.what for p in persons_of(where)} - {"death", "age"}
        told = {what for person in self.people.all.values() for what in person.about}
        return bool(about - told)

    def _chosen(self, form: Form, connection: Connection) -> list[str]:
        ids = self._described(form, connection)
        born = {id: self._person(id).born for id in ids if len(self._person(id).born) == 10}
        if not form.who.pick or not born:
            return ids
        edge = (max if form.who.pick == "youngest" else min)(born.values())
        return [id for id in ids if born.get(id) == edge]

    def _described(self, form: Form, connection: Connection) -> list[str]:
        if form.who.patients and form.who.where is None:
            return list(form.who.patients)
        query = self.compiler.patients(form.who.where, form.who.patients)
        return [str(row[0]) for row in connection.execute(query)]

    def _most_frequent(self, form: Form, answer: Answer, connection: Connection) -> None:
        what = form.what
        assert what is not None
        facts = self.relation.facts(what.kinds).alias()
        count = func.count(facts.c.patient.distinct()).label("count")
        query = select(facts.c.name_key, func.min(facts.c.name), count)
        query = query.where(*self.compiler.filters(what, facts))
        if form.who.where is not None or form.who.patients:
            among = self.compiler.patients(form.who.where, form.who.patients).order_by(None)
            query = query.where(facts.c.patient.in_(among))
        query = query.group_by(facts.c.name_key).order_by(count.desc(), facts.c.name_key).limit(10)
        rows = connection.execute(query).all()
        if not rows:
            answer.note = "nothing of the kind stands in these records"
            return
        answer.answers = [tidy(name) for _, name, n in rows if n == rows[0][2]]
        answer.note = "; ".join(f"{tidy(name)}: {n} patients" for _, name, n in rows)

    def _cohort_left_out(
        self, where: Where | None, answer: Answer, connection: Connection, kept: set[str]
    ) -> None:
        """Patients with a fact about it that does not count: refuted, over, never done."""
        for what in parts_of(where):
            if what.concept is None or not what.concept.names:
                continue
            wide = msgspec.structs.replace(
                what, when="any", sure="any", value=None, pick="all", time=None
            )
            facts = self.relation.facts(wide.kinds).alias()
            query = select(
                facts.c.patient, facts.c.name, facts.c.status, facts.c.certainty, facts.c.start
            )
            query = query.where(*self.compiler.filters(wide, facts)).limit(5_000)
            for patient, name, status, certainty, start in connection.execute(query):
                fact = Fact(
                    id="",
                    patient=patient,
                    kind=what.kinds[0],
                    name=name,
                    status=status,
                    certainty=certainty,
                )
                why = left_out_because(fact, what)
                if why and patient not in kept and len(answer.left_out) < LEFT_OUT:
                    who = self._person(patient).name
                    answer.left_out.append(
                        LeftOut(f"{who}: {tidy(name)}", why, patient, start[:10])
                    )
