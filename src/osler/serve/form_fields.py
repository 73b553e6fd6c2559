"""The reading of a question as fields that a person can change: what is asked for, when, how sure,
which of several, between which days, beyond which number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

import msgspec

from osler.ask.form.form import Compare, Form, Pick, Slot, Sure, Time, Value, What, When
from osler.errors import InputError

CHANGED = "f_"
"""How the names of these fields begin."""


class FormField(NamedTuple):
    """A field of the form: its name, what it is called, its value, and the choices it has."""

    name: str
    label: str
    value: str
    choices: tuple[str, ...] = ()
    type: str = "text"


def fields_of(form: Form) -> list[FormField]:
    """The fields of a form, with the values that were read."""
    fields = [FormField("f_answer", "Asked for", form.answer, get_args(Slot))]
    what = form.what
    if what is None:
        return fields
    time, value = what.time or Time(), what.value
    return [
        *fields,
        FormField("f_when", "When", what.when, get_args(When)),
        FormField("f_sure", "How sure", what.sure, get_args(Sure)),
        FormField("f_pick", "Which", what.pick, get_args(Pick)),
        FormField("f_first", "From", time.first, type="date"),
        FormField("f_last", "To", time.last, type="date"),
        FormField("f_compare", "Value", value.compare if value else "", ("", *get_args(Compare))),
        FormField("f_number", "Number", _number(value), type="number"),
    ]


def _number(value: Value | None) -> str:
    return "" if value is None or value.number is None else f"{value.number:g}"


def changed(form: Form, given: Mapping[str, str]) -> Form:
    """A form with what a person changed; what cannot be is told."""
    if not any(name.startswith(CHANGED) for name in given):
        return form
    built: dict[str, Any] = msgspec.to_builtins(form)
    built["answer"] = given.get("f_answer", form.answer)
    if form.what is not None:
        built["what"] = _changed_what(form.what, given)
    try:
        return msgspec.convert(built, Form)
    except msgspec.ValidationError as error:
        raise InputError(f"the fields make no question: {error}") from None


def _changed_what(what: What, given: Mapping[str, str]) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(what)
    for name in ("when", "sure", "pick"):
        built[name] = given.get(f"f_{name}", getattr(what, name))
    time: dict[str, Any] = dict(built.get("time") or {})
    for name in ("first", "last"):
        time[name] = given.get(f"f_{name}", time.get(name, "")).strip()
    built["time"] = time if any(time.values()) else None
    compare = given.get("f_compare", what.value.compare if what.value else "")
    if not compare:
        built["value"] = None
    else:
        value: dict[str, Any] = dict(built.get("value") or {})
        number = given.get("f_number", "").strip()
        try:
            value.update(compare=compare, number=float(number) if number else None)
        except ValueError:
            raise InputError(f"{number[:40]!r} is no number") from None
        built["value"] = value
    return built
