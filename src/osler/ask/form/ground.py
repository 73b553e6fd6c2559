"""What every slot of an answer needs: the facts behind it, what it rests on, what was left out."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.engine import Connection

from osler.ask.answer import Answer, Bearer, LeftOut
from osler.ask.form.compiling import Compiler
from osler.ask.form.form import Form, Has, Person, What, Where, Without
from osler.ask.form.people import Patient, People
from osler.ask.form.relation import Relation
from osler.ask.form.showing import left_out_because, picked, quote, says_none, settings_of, state
from osler.ask.form.tokens import tidy
from osler.kinds.fact import Fact
from osler.store.facts import key_of

# Shown with an answer; all rows stay reachable through ``Answer.patients`` and the doors' pages.
QUOTED = 20
LEFT_OUT = 50


class Ground:
    """One relation and its people, on one day."""

    def __init__(self, relation: Relation, people: People, today: datetime.date) -> None:
        self.relation = relation
        self.people = people
        self.today = today
        self.compiler = Compiler(relation, today)

    def _person(self, id: str) -> Patient:
        return self.people.all.get(id) or Patient(id)

    # -- facts ----------------------------------------------------------------------------------

    def _found(self, form: Form, connection: Connection, **changes: Any) -> list[Fact]:
        what = form.what
        assert what is not None
        what = msgspec.structs.replace(what, **changes)
        query = self.compiler.rows(what, form.who.patients)
        facts = self.relation.whole(connection, connection.execute(query).all())
        facts = [f for f in facts if not says_none(f)]
        if what.reason is not None:
            facts = [f for f in facts if key_of(f.reason) in what.reason.names]
        if what.setting:
            facts = [f for f in facts if what.setting in settings_of(f)]
        return picked(facts, what)

    def _relaxed(self, form: Form, connection: Connection) -> list[Fact]:
        """All facts about the same thing, whether true, over, refuted or never done."""
        wide = {"when": "any", "sure": "any", "value": None, "pick": "all", "time": None}
        facts = self._found(form, connection, **wide, setting="")
        if form.what is not None and form.what.setting and not all(map(settings_of, facts)):
            # Where a visit may have been anywhere, none of that kind is no count of none.
            return self._found(form, connection, **wide)
        return facts

    def _rest_on(self, answer: Answer, facts: Sequence[Fact]) -> None:
        answer.entities = list(dict.fromkeys(f.entity or f.id for f in facts))
        answer.sources = list(
            dict.fromkeys(
                f"{f.source.file}:{f.source.place}".strip(":") for f in facts if f.source.file
            )
        )
        answer.quoted = [quote(f) for f in facts[:QUOTED]]

    def _leave_out(
        self, answer: Answer, kept: Sequence[Fact], all_of_it: Sequence[Fact], what: What
    ) -> None:
        there = {f.id for f in kept}
        for fact in all_of_it:
            if fact.id not in there and (why := left_out_because(fact, what)):
                day = (fact.start or fact.recorded)[:10]
                answer.left_out.append(LeftOut(tidy(fact.name), why, fact.patient, day))
        del answer.left_out[LEFT_OUT:]

    def _nothing(self, form: Form, answer: Answer, facts: Sequence[Fact]) -> None:
        """A refusal that says what the record is silent about, or what it says instead."""
        what = form.what
        assert what is not None
        thing = what.concept.words if what.concept is not None else what.kinds[0]
        if facts:
            said = "; ".join(dict.fromkeys(f"{tidy(f.name)}: {state(f)}" for f in facts[:5]))
            answer.note = f"nothing that meets every part of the question; on record: {said}"
        else:
            whose = "the family" if what.relative == "*" else f"the {what.relative}"
            of_whom = f"{whose} of this patient" if what.relative else "this patient"
            answer.note = f"no record of {thing} for {of_whom}"


def bearer(person: Patient) -> Bearer:
    return Bearer(person.id, person.name, person.born, person.sex)


def take_in(form: Form, answer: Answer) -> None:
    whats = [form.what] if form.what is not None else []
    for what in [*whats, *parts_of(form.who.where)]:
        if what.concept is not None:
            answer.taken_in[f"{what.concept.words} ({what.concept.how})"] = list(what.concept.names)


def parts_of(where: Where | None) -> list[What]:
    if where is None:
        return []
    if isinstance(where, Has):
        return [where.what]
    if isinstance(where, Without):
        return parts_of(where.of)
    of = getattr(where, "of", ())
    return [what for part in of for what in parts_of(part)]


def persons_of(where: Where | None) -> list[Person]:
    """What a description says of the patients themselves."""
    if isinstance(where, Person):
        return [where]
    of = getattr(where, "of", ())
    inner = of if isinstance(of, tuple) else (of,)
    return [person for part in inner for person in persons_of(part)]


def unrecorded(where: Where | None) -> bool:
    parts = parts_of(where)
    return any(w.concept is not None and not w.concept.names for w in parts)


def attribute(where: Where) -> str:
    inner = where.of if isinstance(where, Without) else where
    return (
        getattr(inner, "what", "")
        if not isinstance(inner, Has) and not hasattr(inner, "of")
        else ""
    )
