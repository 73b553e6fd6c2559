"""The logical form of a question: who, what, under which filters, and what is asked for.

A form is plain data. It is read from words (``osler.ask.form.reading``), shown in words
(``osler.ask.form.wording``), written as JSON, and compiled to SQL (``osler.ask.form.compiling``).
Whatever door a question comes through, the form decides the answer.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from osler.errors import InputError
from osler.kinds.fact import Kind

Slot = Literal[
    "patients",
    "count of patients",
    "facts",
    "count of facts",
    "count of times",
    "yes or no",
    "values",
    "date",
    "end date",
    "dose",
    "reason",
    "reaction",
    "text",
    "trend",
    "average",
    "duration",
    "relative",
    "most frequent",
    "person",
    "age",
]
When = Literal["now", "past", "ever", "planned", "not done", "on hold", "in error", "any"]
Sure = Literal["true", "confirmed", "provisional", "refuted", "any"]
Setting = Literal["", "inpatient", "outpatient"]
Pick = Literal["all", "latest", "first", "highest", "lowest"]
Compare = Literal[
    "<",
    "<=",
    ">",
    ">=",
    "=",
    "between",
    "above range",
    "below range",
    "outside range",
    "in range",
    "said",
    "said once",
    "denied",
    "former",
]


class Concept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A set of names under one head: ``words`` as they were asked, ``names`` as the facts write
    them (their keys), ``how`` each came in."""

    words: str
    kind: Kind
    names: tuple[str, ...] = ()
    how: str = "name"


class Time(msgspec.Struct, frozen=True, omit_defaults=True):
    """First and last day, each open where empty; or before, after or on the day of an event.
    ``holds``: what lasts (a drug, a condition) need only hold on a day of it, not begin in it."""

    first: str = ""
    last: str = ""
    holds: bool = False
    event: Concept | None = None
    side: Literal["", "before", "after", "on"] = ""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number to compare with (``to`` closes a range), the result's own reference range, or what a
    result in words says: that it is so (``said``; ``said once``: or was), is not, or was."""

    compare: Compare
    number: float | None = None
    to: float | None = None
    unit: str = ""


class What(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts of some kinds that meet every filter. ``reason``: given or done for that. ``nth``
    counts from the side that ``pick`` names: the second, the last but one; ``many``: the last
    two. ``but``: all of these other than that. ``setting``: of visits, those of one kind."""

    kinds: tuple[Kind, ...]
    concept: Concept | None = None
    when: When = "ever"
    sure: Sure = "true"
    relative: str = ""
    time: Time | None = None
    value: Value | None = None
    pick: Pick = "all"
    reason: Concept | None = None
    nth: int = 0
    many: int = 0
    but: Concept | None = None
    setting: Setting = ""


class Has(msgspec.Struct, frozen=True, omit_defaults=True, tag="has"):
    """Patients with at least one such fact."""

    what: What


class Person(msgspec.Struct, frozen=True, omit_defaults=True, tag="person"):
    """Patients by what they are: ``sex``, ``age``, ``birth date``, ``city``, ``death`` ..."""

    what: str
    compare: Compare = "="
    value: str = ""
    to: str = ""


class Every(msgspec.Struct, frozen=True, tag="and"):
    of: tuple[Where, ...]


class Either(msgspec.Struct, frozen=True, tag="or"):
    of: tuple[Where, ...]


class Without(msgspec.Struct, frozen=True, tag="not"):
    """Subtracts from the patients who meet the rest of the ``and`` that it stands in."""

    of: Where


Where = Has | Person | Every | Either | Without


class Who(msgspec.Struct, frozen=True, omit_defaults=True):
    """Patients by id (``words`` as they were named), or by description; neither is everybody.
    ``pick``: of these, by their birth dates."""

    patients: tuple[str, ...] = ()
    words: str = ""
    where: Where | None = None
    pick: Literal["", "youngest", "oldest"] = ""


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question. ``negated``: "has she never ..." asks for the opposite of the yes."""

    answer: Slot
    who: Who = Who()
    what: What | None = None
    attribute: str = ""
    negated: bool = False
    direction: Literal["", "rising", "falling"] = ""


def form_of(data: bytes | str) -> Form:
    """A form from JSON, or an error that says which part is wrong."""
    try:
        return msgspec.json.decode(data, type=Form)
    except msgspec.DecodeError as error:
        raise InputError(
            f"this is no form: {error}", cure="osler ask LIB QUESTION --json shows one"
        ) from error


def form_from(data: object) -> Form:
    """A form from plain values, as an answer holds it."""
    try:
        return msgspec.convert(data, Form)
    except msgspec.ValidationError as error:
        raise InputError(
            f"this is no form: {error}", cure="osler ask LIB QUESTION --json shows one"
        ) from error


def json_of(form: Form) -> dict[str, object]:
    """A form as plain values, for JSON."""
    built: dict[str, object] = msgspec.to_builtins(form)
    return built
