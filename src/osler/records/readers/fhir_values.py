"""Data types of FHIR R4 as plain values: concepts, quantities, value[x], periods, names, doses.

Numbers come as ``Decimal`` and stay as they were written: 0.125 is 0.125, 7.20 is 7.20.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Resource = dict[str, Any]

_UNITS = {
    "h": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "min": "minute",
    "a": "year",
    "s": "second",
}
MAX_DATA = 2_000
"""Characters of sampled data that are kept as a value."""


class Malformed(ValueError):
    """A field is not of the shape that FHIR R4 gives it."""


def listed(value: Any) -> list[Any]:
    """A field that repeats; one that stands alone counts as a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def objects(value: Any) -> Iterator[Resource]:
    """The objects of a field that repeats; anything else in it is malformed."""
    for item in listed(value):
        if item is None:
            continue
        if not isinstance(item, dict):
            raise Malformed
        yield item


def child(parent: Resource, name: str) -> Resource:
    """An object under a name; an empty one where there is none."""
    value = parent.get(name)
    if value is None:
        return {}
    if isinstance(value, list):
        value = next(iter(value), {})
    if not isinstance(value, dict):
        raise Malformed
    return value


def word(parent: Resource, *names: str) -> str:
    """The first of the fields that is there, as text; an object or a list is malformed."""
    for name in names:
        value = parent.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, dict | list):
            raise Malformed
        return written(value)
    return ""


def written(value: Any) -> str:
    """A primitive as it stands in the file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def tidy(number: str) -> str:
    """A count for people: 2.0 is 2; anything that is no whole number stays as written."""
    try:
        value = Decimal(number)
    except ArithmeticError:
        return number
    return (
        str(int(value))
        if value.is_finite() and value == value.to_integral() and abs(value) < 10**15
        else number
    )


def number_of(value: Any) -> float | None:
    """What a written number measures; None where it is none, or too large for one."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


@dataclass(frozen=True)
class Concept:
    """A CodeableConcept: what people read, its codes as (system, code), further displays."""

    display: str = ""
    codes: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.display)


def concept(value: Any) -> Concept:
    """A CodeableConcept, a Coding or (before R4) a bare code."""
    if value is None:
        return Concept()
    if isinstance(value, str):
        return Concept(value)
    if isinstance(value, list):
        value = next(iter(value), {})
    if not isinstance(value, dict):
        raise Malformed
    codings = list(objects(value.get("coding")))
    if not codings and ("code" in value or "display" in value):
        codings = [value]
    text = value.get("text")
    text = text.strip() if isinstance(text, str) else ""
    displays = [d for c in codings if (d := word(c, "display").strip())]
    codes = [(word(c, "system"), code) for c in codings if (code := word(c, "code"))]
    named = [name for name in (text, *displays) if name]
    display = (named or [code for _, code in codes] or [""])[0]
    others = tuple(dict.fromkeys(name for name in named if name != display))
    return Concept(display, tuple(dict.fromkeys(codes)), others)


def code_of(value: Any) -> str:
    """The bare code of a status, which is a code or a CodeableConcept."""
    if isinstance(value, str):
        return value.strip().lower()
    return next((code.lower() for _, code in concept(value).codes), concept(value).display.lower())


@dataclass(frozen=True)
class Value:
    """A value[x]: as written, what it measures, its unit and comparator, codes of a concept."""

    text: str = ""
    number: float | None = None
    unit: str = ""
    comparator: str = ""
    codes: tuple[tuple[str, str], ...] = ()


def quantity(value: Resource) -> Value:
    amount = value.get("value")
    if isinstance(amount, dict | list):
        raise Malformed
    unit = word(value, "unit", "units", "code")
    if amount is None:
        return Value("", None, unit)
    comparator = word(value, "comparator")
    return Value(written(amount), number_of(amount), unit, comparator)


def _amount(value: Resource) -> str:
    one = quantity(value)
    return f"{one.comparator}{one.text} {one.unit}".strip()


def value_of(part: Resource) -> Value:
    """The value[x] of an observation or component, whichever type it is of."""
    values = [(key, item) for key, item in part.items() if key.startswith("value")]
    for key, item in values:
        kind = key.removeprefix("value")
        if not kind or item is None:
            continue
        if kind == "Quantity":
            if not isinstance(item, dict):
                raise Malformed
            return quantity(item)
        if kind in ("CodeableConcept", "Coding"):
            coded = concept(item)
            return Value(coded.display, codes=coded.codes)
        if kind == "Range":
            low, high = _amount(child(item, "low")), _amount(child(item, "high"))
            return Value(f"{low} - {high}".strip(" -") if low or high else "")
        if kind == "Ratio":
            return Value(
                f"{_amount(child(item, 'numerator'))}/{_amount(child(item, 'denominator'))}"
            )
        if kind == "Period":
            return Value("/".join(p for p in (word(item, "start"), word(item, "end")) if p))
        if kind == "SampledData":
            origin = child(item, "origin")
            return Value(word(item, "data")[:MAX_DATA] or "sampled data", unit=word(origin, "unit"))
        if kind == "Attachment":
            return Value(word(item, "title", "url", "contentType") or "attachment")
        if isinstance(item, dict | list):
            return Value(json.dumps(item, ensure_ascii=False, default=str)[:MAX_DATA])
        return Value(written(item), number_of(item))
    return Value()


def span(resource: Resource, name: str) -> tuple[str, str]:
    """Start and end of a name[x]: a moment, or a period."""
    for suffix in ("DateTime", "Instant", "Date", ""):
        moment = resource.get(f"{name}{suffix}")
        if isinstance(moment, str) and moment:
            return moment, ""
    period = resource.get(f"{name}Period") or resource.get(name)
    if isinstance(period, dict):
        return word(period, "start"), word(period, "end")
    timing = resource.get(f"{name}Timing")
    if isinstance(timing, dict):
        events = listed(timing.get("event"))
        bounds = child(child(timing, "repeat"), "boundsPeriod")
        first = word(bounds, "start") or (written(events[0]) if events else "")
        return first, word(bounds, "end")
    return "", ""


def human_name(value: Resource) -> str:
    text = word(value, "text").strip()
    parts = [*listed(value.get("given")), *listed(value.get("family"))]
    whole = " ".join(written(p) for p in parts if p is not None and not isinstance(p, dict | list))
    return text or " ".join(whole.split())


def name_forms(name: str) -> tuple[str, ...]:
    """Ways in which people write a full name: without digits (Synthea's), first and last only."""
    plain = " ".join(word.rstrip("0123456789") or word for word in name.split())
    short = " ".join([*plain.split()[:1], *plain.split()[-1:]]) if " " in plain else plain
    return tuple(dict.fromkeys(form for form in (plain, short) if form and form != name))


def frequency(times: str, period: str, unit: str) -> str:
    """2, 1, d is ``2 per day``; 1, 6, h is ``1 per 6 hours``."""
    if not times or not period:
        return ""
    length, name = tidy(period), _UNITS.get(unit, unit)
    return f"{tidy(times)} per {name}" if length == "1" else f"{tidy(times)} per {length} {name}s"


@dataclass(frozen=True)
class Dosage:
    """What a dosage says, line by line, and in one line for people."""

    amounts: tuple[str, ...] = ()
    frequencies: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    end: str = ""

    @property
    def text(self) -> str:
        said = (*self.amounts, *self.frequencies)
        return ", ".join(said) or "; ".join(self.instructions)

    @property
    def detail(self) -> dict[str, str]:
        lines = {
            "dosage": self.amounts,
            "frequency": self.frequencies,
            "route": self.routes,
            "instruction": tuple(" ".join(i.split()) for i in self.instructions),
        }
        return {key: "\n".join(value) for key, value in lines.items() if value}


def dosage_of(values: Iterable[Resource]) -> Dosage:
    amounts: list[str] = []
    frequencies: list[str] = []
    routes: list[str] = []
    instructions: list[str] = []
    end = ""
    for value in values:
        rates = [*objects(value.get("doseAndRate")), value]
        for rate in rates:
            for name in ("doseQuantity", "dose", "quantityQuantity"):
                dose = rate.get(name)
                if isinstance(dose, dict) and dose.get("value") is not None:
                    one = quantity(dose)
                    amounts.append(f"{one.comparator}{tidy(one.text)} {one.unit}".strip())
            if rate.get("doseRange"):
                amounts.append(value_of({"valueRange": child(rate, "doseRange")}).text)
            if rate.get("rateQuantity"):
                amounts.append(_amount(child(rate, "rateQuantity")))
            if rate.get("rateRatio"):
                amounts.append(value_of({"valueRatio": child(rate, "rateRatio")}).text)
        timing = child(value, "timing")
        repeat = child(timing, "repeat")
        times = frequency(
            word(repeat, "frequency"), word(repeat, "period"), word(repeat, "periodUnit")
        )
        frequencies += [f for f in (times, concept(timing.get("code")).display) if f]
        if value.get("asNeededBoolean") is True or value.get("asNeededCodeableConcept"):
            frequencies.append("as needed")
        end = end or word(child(repeat, "boundsPeriod"), "end")
        routes += [r for r in [concept(value.get("route")).display] if r]
        text = value.get("text")
        if isinstance(text, str) and text.strip():
            instructions.append(text)
    return Dosage(
        tuple(dict.fromkeys(amounts)),
        tuple(dict.fromkeys(frequencies)),
        tuple(dict.fromkeys(routes)),
        tuple(dict.fromkeys(instructions)),
        end,
    )
