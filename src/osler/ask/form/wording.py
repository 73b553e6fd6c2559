"""A form in plain words: drugs · active on 2020-05-01 · of Priya Raman, b. 1975-10-23."""

from __future__ import annotations

from collections.abc import Mapping

from osler.ask.form.form import Either, Every, Form, Has, Person, Time, Value, What, Where, Who
from osler.ask.form.people import Patient

_KINDS = {
    "medication": "drugs",
    "condition": "conditions",
    "observation": "results",
    "procedure": "procedures",
    "encounter": "visits",
    "allergy": "allergies",
    "immunization": "vaccinations",
    "care plan": "care plans",
    "report": "reports",
    "device": "devices",
    "note": "notes",
    "patient": "the person",
}
_WHEN = {
    "now": "active now",
    "past": "past",
    "ever": "at any time",
    "planned": "planned",
    "not done": "not done",
    "on hold": "on hold",
    "in error": "entered in error",
    "any": "whatever became of it",
}
_SLOTS = {
    "patients": "patients",
    "count of patients": "number of patients",
    "facts": "",
    "count of facts": "number of",
    "count of times": "how many times",
    "yes or no": "whether",
    "values": "value of",
    "date": "date of",
    "end date": "end of",
    "dose": "dose of",
    "reason": "reason for",
    "reaction": "reaction to",
    "text": "what was found by",
    "trend": "trend of",
    "average": "mean of",
    "duration": "how long",
    "relative": "which relatives have",
    "most frequent": "most frequent of",
    "person": "",
    "age": "age",
}


def in_words(form: Form, people: Mapping[str, Patient]) -> str:
    """The whole form, its parts separated by dots."""
    parts: list[str] = []
    if form.answer in ("patients", "count of patients"):
        parts.append(_SLOTS[form.answer])
    elif form.answer == "person":
        parts.append(form.attribute)
    elif form.answer == "age":
        parts.append(
            "age" + (f" · {_time(form.what.time)}" if form.what and form.what.time else "")
        )
    elif form.what is not None:
        head = _SLOTS[form.answer] if form.attribute != "status reason" else "why it ended:"
        parts.append(f"{head} {_what(form.what)}".strip())
    else:
        parts.append(_SLOTS[form.answer])
    if form.negated:
        parts.append("asked in the negative")
    if form.direction:
        parts.append(f"whether {form.direction}")
    parts.append(_who(form.who, people))
    return " · ".join(p for p in parts if p)


def _who(who: Who, people: Mapping[str, Patient]) -> str:
    parts = []
    if who.patients:
        named = [people[p].line() if p in people else p for p in who.patients]
        parts.append("of " + " or ".join(named))
    if who.where is not None:
        parts.append(_where(who.where))
    if who.pick:
        parts.append(f"the {who.pick}")
    return " · ".join(parts) or "all patients"


def _where(where: Where) -> str:
    if isinstance(where, Has):
        return f"with {_what(where.what)}"
    if isinstance(where, Person):
        return _person(where)
    if isinstance(where, Every):
        return " and ".join(_where(part) for part in where.of)
    if isinstance(where, Either):
        return "(" + " or ".join(_where(part) for part in where.of) + ")"
    return f"without those {_where(where.of)}"


def _person(person: Person) -> str:
    if person.what == "death":
        between = f" between {person.value} and {person.to}" if person.compare == "between" else ""
        return f"who died{between}"
    if person.compare == "between":
        if not person.value or not person.to:
            return f"{person.what} {'until' if person.to else 'from'} {person.to or person.value}"
        return f"{person.what} from {person.value} to {person.to}"
    sign = {"=": "", ">": "over ", ">=": "at least ", "<": "under ", "<=": "at most "}
    return f"{person.what} {sign.get(person.compare, '')}{person.value}"


def _what(what: What) -> str:
    kind = f"{what.setting} {_KINDS[what.kinds[0]]}".strip()
    parts = [f"{kind}: {what.concept.words}" if what.concept is not None else kind]
    if what.but is not None:
        parts.append(f"other than {what.but.words}")
    if what.relative:
        parts.append("of the family" if what.relative == "*" else f"of the {what.relative}")
    if what.sure != "true":
        parts.append(what.sure if what.sure != "any" else "whether sure or not")
    if what.when != "ever" or what.time is None:
        parts.append(_WHEN[what.when])
    if what.value is not None:
        parts.append(_value(what.value))
    if what.time is not None:
        parts.append(_time(what.time))
    if what.reason is not None:
        parts.append(f"for {what.reason.words}")
    if what.pick != "all":
        place = f", number {what.nth}" if what.nth else f" {what.many}" if what.many else ""
        parts.append(f"{what.pick}{place}")
    return ", ".join(parts)


def _value(value: Value) -> str:
    worded = {
        "said": "said to be so",
        "said once": "said to be or have been so",
        "denied": "denied",
    }
    if value.compare in worded or value.compare == "former":
        return worded.get(value.compare, "former")
    if value.number is None:
        return value.compare.replace("range", "the reference range")
    if value.compare == "between":
        return f"between {value.number:g} and {value.to:g}"
    return f"{value.compare} {value.number:g}"


def _time(time: Time | None) -> str:
    if time is None:
        return ""
    if time.event is not None:
        side = "on the day of" if time.side == "on" else time.side
        return f"{side} {time.event.words}"
    if time.first == time.last:
        return f"on {time.first}"
    if time.first and time.last:
        return f"from {time.first} to {time.last}"
    return f"from {time.first} on" if time.first else f"until {time.last}"
