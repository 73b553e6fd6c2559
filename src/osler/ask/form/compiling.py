"""A form as SQL: filters over a relation of facts, and sets of patients.

SQLAlchemy Core writes the statement for whichever database is asked; no SQL is spelled out here.
Dates are ISO texts that may be partial: a bound is cut to the length of the date beside it.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Select,
    and_,
    case,
    cast,
    exists,
    false,
    func,
    or_,
    select,
    true,
)

from osler.ask.form.form import Either, Every, Has, Person, Time, Value, What, Where
from osler.ask.form.relation import Relation
from osler.kinds.fact import Kind

_STATUS: dict[str, dict[str, tuple[str, ...]]] = {
    "medication": {
        "now": ("active", "unknown"),
        "past": ("stopped", "completed"),
        "ever": ("active", "completed", "stopped", "on hold", "unknown"),
    },
    "observation": {"now": ("active", "completed", "unknown")},
    "": {
        "now": ("active", "unknown"),
        "past": ("completed", "stopped"),
        "ever": ("active", "completed", "stopped", "on hold", "unknown"),
        "planned": ("planned",),
        "not done": ("not done",),
        "on hold": ("on hold",),
        "in error": ("entered in error",),
    },
}
_CERTAINTY = {
    "true": ("confirmed", "provisional"),
    "confirmed": ("confirmed",),
    "provisional": ("provisional", "conditional"),
    "refuted": ("refuted", "absent"),
}
HIGH = ("h", "hh", "hu", "high", "above", "elevated", "critical high", "above normal", ">")
LOW = ("l", "ll", "lu", "low", "below", "critical low", "below normal", "<")
ODD = (*HIGH, *LOW, "a", "aa", "abnormal", "critical abnormal")
_MEASURED = ("patient", "value", "number", "comparator", "interpretation", "low", "high")
# Kinds that last: they hold on a day between their start and their end.
LASTING: tuple[Kind, ...] = ("condition", "medication", "allergy", "care plan", "device")


def statuses(kind: str, when: str) -> tuple[str, ...] | None:
    """The statuses that a word of time allows a kind; None allows all."""
    if when == "any":
        return None
    return _STATUS.get(kind, {}).get(when) or _STATUS[""][when]


class Compiler:
    """Forms over one relation, on one day."""

    def __init__(self, relation: Relation, today: datetime.date) -> None:
        self.relation = relation
        self.today = today

    def rows(self, what: What, patients: Sequence[str] = ()) -> Select[tuple[object, ...]]:
        """The facts that meet every filter of ``what``, of some patients or of all."""
        facts = self.relation.facts(what.kinds).alias()
        shown = [c for c in facts.c if c.name != "body"]
        query = select(*shown).where(*self.filters(what, facts, whose=patients))
        return query.order_by(facts.c.patient, facts.c.start, facts.c.row)

    def filters(
        self, what: What, facts: FromClause, *, values: bool = True, whose: Sequence[str] = ()
    ) -> list[ColumnElement[bool]]:
        c = facts.c
        tests: list[ColumnElement[bool]] = [c.kind.in_(what.kinds)]
        if whose:
            tests.append(c.patient.in_(list(whose)))
        if what.concept is not None:
            names = what.concept.names
            # One patient's facts are few, one name's may be many: joined to nothing, the name is
            # kept from leading the search where a patient can.
            key = c.name_key.concat("") if whose else c.name_key
            tests.append(key.in_(names) if names else false())
        if what.but is not None:
            tests.append(c.name_key.not_in(what.but.names))
        if what.relative:
            tests.append(c.role == "family member")
            if what.relative != "*":
                tests.append(_relatives(c.relative, what.relative))
        else:
            tests.append(c.role == "own")
        if what.sure != "any":
            tests.append(c.certainty.in_(_CERTAINTY[what.sure]))
        allowed = statuses(what.kinds[0], what.when)
        if allowed is not None and not what.relative:
            tests.append(c.status.in_(allowed))
        elif what.when != "any" or what.relative:
            tests.append(c.status != "entered in error")
        if what.when == "now" and what.time is None and what.kinds[0] in LASTING:
            today = self.today.isoformat()
            tests.append(or_(c.end == "", c.end >= func.substr(today, 1, func.length(c.end))))
        if what.time is not None:
            tests.append(self.when(what.time, what, facts))
        if what.value is not None and values:
            tests.append(measured(what.value, facts))
        return tests

    def when(self, time: Time, what: What, facts: FromClause) -> ColumnElement[bool]:
        c = facts.c
        if time.event is not None:
            return self._beside_event(time, facts)
        began = _within(c.start, time.first, time.last)
        if not (time.holds and what.kinds[0] in LASTING):
            return began
        before = _within(c.start, "", time.last)
        lasts = or_(
            and_(c.end != "", _within(c.end, time.first, "")),
            and_(c.end == "", c.status.in_(("active", "unknown"))),
        )
        return or_(began, and_(c.start != "", before, lasts))

    def _beside_event(self, time: Time, facts: FromClause) -> ColumnElement[bool]:
        """Before the first day of the event, after it or on it."""
        assert time.event is not None
        event = What(kinds=(time.event.kind,), concept=time.event, when="ever")
        other = self.relation.facts(event.kinds).alias()
        first = (
            select(func.min(other.c.start))
            .where(
                *self.filters(event, other), other.c.start != "", other.c.patient == facts.c.patient
            )
            .scalar_subquery()
        )
        day = func.substr(facts.c.start, 1, 10)
        there = facts.c.start != ""
        if time.side == "before":
            return and_(there, day < func.substr(first, 1, 10))
        if time.side == "on":
            return and_(there, day == func.substr(first, 1, 10))
        return and_(there, day > func.substr(first, 1, 10))

    # -- sets of patients -----------------------------------------------------------------------

    def patients(self, where: Where | None, among: Sequence[str] = ()) -> Select[tuple[str]]:
        """The patients who meet a description; all of them where there is none."""
        person = self.relation.facts(("patient",)).alias()
        query = select(person.c.patient).distinct()
        query = query.where(person.c.kind == "patient", person.c.name_key == "id")
        if among:
            query = query.where(person.c.patient.in_(list(among)))
        if where is not None:
            query = query.where(self.meets(where, person))
        return query.order_by(person.c.patient)

    def meets(self, where: Where, person: FromClause) -> ColumnElement[bool]:
        """Whether a patient's row belongs: "without" takes away from those who meet the rest."""
        if isinstance(where, Has):
            return person.c.patient.in_(self.having(where.what))
        if isinstance(where, Person):
            return person.c.patient.in_(self._being(where))
        if isinstance(where, Every):
            return and_(true(), *(self.meets(part, person) for part in where.of))
        if isinstance(where, Either):
            return or_(false(), *(self.meets(part, person) for part in where.of))
        return ~self.meets(where.of, person)

    def having(self, what: What) -> Select[tuple[str]]:
        facts = self.relation.facts(what.kinds).alias()
        if what.pick == "all":
            return select(facts.c.patient).where(*self.filters(what, facts))
        # The last result of each patient first; then whether it is high, low or above a number.
        newest = facts.c.start.desc() if what.pick == "latest" else facts.c.start.asc()
        place = func.rank().over(partition_by=facts.c.patient, order_by=newest).label("place")
        needed = [c for c in facts.c if c.name in _MEASURED]
        ranked = (
            select(*needed, place)
            .where(*self.filters(what, facts, values=False), facts.c.start != "")
            .subquery()
        )
        query = select(ranked.c.patient).where(ranked.c.place == 1)
        return query.where(measured(what.value, ranked)) if what.value is not None else query

    def _being(self, person: Person) -> Select[tuple[str]]:
        facts = self.relation.facts(("patient",)).alias()
        c = facts.c
        query = select(c.patient).where(c.kind == "patient", c.status != "entered in error")
        if person.what == "age":
            return self._of_age(person, query, facts)
        query = query.where(c.name_key == person.what)
        if person.what == "marital status":
            return query.where(func.lower(c.value).in_((person.value, person.value[:1])))
        if person.what == "death":
            query = query.where(func.lower(c.value) != "false")
            if person.compare == "between":
                query = query.where(_within(c.value, person.value, person.to))
            return query
        if person.compare == "between":
            return query.where(_within(c.value, person.value, person.to))
        return query.where(func.lower(c.value) == person.value.lower())

    def _of_age(
        self, person: Person, query: Select[tuple[str]], birth: FromClause
    ) -> Select[tuple[str]]:
        """The living by their age today, the dead by their age at death."""
        c, d = birth.c, self.relation.facts(("patient",)).alias().c
        deaths = and_(
            d.patient == c.patient,
            d.kind == "patient",
            d.name_key == "death",
            d.status != "entered in error",
            func.lower(d.value) != "false",
        )
        # A death without a day leaves the age open: such a patient is of no age.
        dated = d.value.like("____-__-__%")
        at_death = exists(select(d.patient).where(deaths, dated, _age_at(person, c.value, d.value)))
        living = and_(~exists(select(d.patient).where(deaths)), self._aged(person, c.value))
        return query.where(c.name_key == "birth date", or_(living, at_death))

    def _aged(self, person: Person, born: ColumnElement[str]) -> ColumnElement[bool]:
        """Whole years today against a number, by the birth date."""
        low, high = float(person.value), float(person.to or person.value)

        def ago(years: float) -> str:
            return _years_before(self.today, int(years)).isoformat()

        at_least = {
            ">": ago(low + 1),
            ">=": ago(low),
            "=": ago(low),
            "between": ago(low),
        }.get(person.compare)
        at_most = {
            "<": ago(low),
            "<=": ago(low + 1),
            "=": ago(low + 1),
            "between": ago(high + 1),
        }.get(person.compare)
        tests: list[ColumnElement[bool]] = [born != ""]
        if at_least is not None:
            tests.append(born <= at_least)
        if at_most is not None:
            tests.append(born > at_most)
        return and_(*tests)


def _age_at(
    person: Person, born: ColumnElement[str], day: ColumnElement[str]
) -> ColumnElement[bool]:
    """Whole years between two days that the records hold, against a number."""
    low, high = float(person.value), float(person.to or person.value)
    before = case((func.substr(day, 6, 5) < func.substr(born, 6, 5), 1), else_=0)
    # A birth date without its four figures has no year to count from.
    years = case(
        (
            born.like("____-__-__%"),
            cast(func.substr(day, 1, 4), Integer) - cast(func.substr(born, 1, 4), Integer) - before,
        ),
        else_=None,
    )
    return {
        ">": years > low,
        ">=": years >= low,
        "<": years < low,
        "<=": years <= low,
        "=": years == low,
        "between": and_(years >= low, years <= high),
    }[person.compare]


def _years_before(day: datetime.date, years: int) -> datetime.date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def _within(date: ColumnElement[str], first: str, last: str) -> ColumnElement[bool]:
    tests: list[ColumnElement[bool]] = [date != ""]
    if first:
        tests.append(date >= func.substr(first, 1, func.length(date)))
    if last:
        tests.append(func.substr(date, 1, 10) <= last)
    return and_(*tests)


def _relatives(column: ColumnElement[str], relative: str) -> ColumnElement[bool]:
    wider = {
        "parent": ("mother", "father", "parent"),
        "sibling": ("brother", "sister", "sibling"),
    }.get(relative, (relative,))
    return or_(*(func.lower(column).like(f"%{word}%") for word in wider))


def measured(value: Value, facts: FromClause) -> ColumnElement[bool]:
    """A result against a number, or against its own range; "< 0.01" is never above anything."""
    c = facts.c
    flag = func.lower(c.interpretation)
    if value.compare == "above range":
        return or_(flag.in_(HIGH), and_(flag == "", c.number > c.high))
    if value.compare == "below range":
        return or_(flag.in_(LOW), and_(flag == "", c.number < c.low))
    if value.compare == "outside range":
        return or_(flag.in_(ODD), and_(flag == "", or_(c.number > c.high, c.number < c.low)))
    if value.compare == "in range":
        inside = and_(
            or_(c.low.is_(None), c.number >= c.low), or_(c.high.is_(None), c.number <= c.high)
        )
        known = or_(c.low.is_not(None), c.high.is_not(None))
        return or_(flag.in_(("n", "normal")), and_(flag == "", known, inside))
    if value.compare in ("said", "said once", "denied", "former"):
        return _worded(value.compare, func.lower(c.value))
    below = c.comparator.not_in(("<", "<="))
    above = c.comparator.not_in((">", ">="))
    if value.compare == ">":
        return and_(c.number > value.number, below)
    if value.compare == ">=":
        return and_(c.number >= value.number, below)
    if value.compare == "<":
        return and_(
            or_(c.number < value.number, and_(c.number == value.number, c.comparator == "<")), above
        )
    if value.compare == "<=":
        return and_(c.number <= value.number, above)
    if value.compare == "between":
        return and_(c.number >= value.number, c.number <= value.to, c.comparator == "")
    return and_(c.number == value.number, c.comparator == "")


DENIED = (
    "never%",
    "no",
    "no %",
    "non%",
    "not %",
    "negative%",
    "absent%",
    "false",
    "none%",
    "denie%",
)
FORMER = ("former%", "ex %", "ex-%", "quit%", "past %", "stopped%")


def _worded(compare: str, said: ColumnElement[str]) -> ColumnElement[bool]:
    """A result in words: whether it says so, denies it, or puts it into the past."""
    denied = or_(*(said.like(pattern) for pattern in DENIED))
    former = or_(*(said.like(pattern) for pattern in FORMER))
    if compare == "denied":
        return denied
    if compare == "former":
        return former
    so = and_(said != "", ~denied, ~said.like("unknown%"))
    return so if compare == "said once" else and_(so, ~former)
