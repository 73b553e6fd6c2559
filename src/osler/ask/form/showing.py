"""Facts for people: which of several is meant, why one is left out, its state, its text."""

from __future__ import annotations

import datetime

from osler.ask.answer import Quoted
from osler.ask.form.compiling import statuses
from osler.ask.form.form import What
from osler.ask.form.lexicon import drug_classes
from osler.ask.form.tokens import name_words
from osler.kinds.fact import Fact


def picked(facts: list[Fact], what: What) -> list[Fact]:
    if what.pick in ("highest", "lowest"):
        values = [f.number for f in facts if f.number is not None]
        if not values:
            return []
        edge_value = max(values) if what.pick == "highest" else min(values)
        return [f for f in facts if f.number == edge_value][:1]
    dated = [f for f in facts if f.start]
    if what.pick == "all" or not dated:
        return facts
    # Results of one moment stand together; the last two are two moments.
    moments = sorted({f.start for f in dated}, reverse=what.pick == "latest")
    if what.nth:
        kept = moments[what.nth - 1 : what.nth]
    else:
        kept = moments[: what.many or 1]
    return [f for f in dated if f.start in kept]


def says_none(fact: Fact) -> bool:
    return fact.kind == "allergy" and fact.name.casefold().startswith(
        ("no known", "no allerg", "nka", "nkda")
    )


_ANY_DRUG = ("drug", "medication", "medicine", "nkda")
_ANYTHING = frozenset(name_words("no known allergy allergic nka of to any history disorder"))


def denies(fact: Fact, asked: str) -> bool:
    """Whether a fact that says there is no allergy says it of what is asked for: of drugs where it
    speaks of drugs, of anything where it names nothing."""
    words = name_words(fact.name)
    if any(word in _ANY_DRUG for word in words):
        phrase = name_words(asked)
        classes = drug_classes()
        return phrase in classes or any(c.holds(w) for c in classes.values() for w in phrase)
    return _ANYTHING.issuperset(words) or set(words).issuperset(name_words(asked))


def given_once(fact: Fact) -> bool:
    return fact.detail.get("source type") in ("MedicationAdministration", "MedicationDispense")


_SETTINGS = {
    "inpatient": ("imp", "acute", "nonac", "obsenc", "ss"),
    "outpatient": ("amb", "vr", "hh", "fld"),
}


def settings_of(fact: Fact) -> tuple[str, ...]:
    """Where a visit took place, by the class that HL7 gives it, else by its name; none where
    neither tells."""
    code, name = fact.detail.get("class", "").casefold(), fact.name.casefold()
    if code:
        classed = [setting for setting, codes in _SETTINGS.items() if code in codes]
        return tuple(classed) or ("other",)
    if is_stay(name):
        return ("inpatient",)
    return ("outpatient",) if "outpatient" in name else ()


def is_stay(name: str) -> bool:
    """Whether a visit's name says that somebody stayed in a hospital."""
    words = name_words(name)
    stayed = {"inpatient", "hospital", "admission"} & {*words}
    return bool(stayed) and not {"emergency", "outpatient"} & {*words}


def told(fact: Fact, name: str) -> list[str]:
    text = {"dose": fact.dose, "reason": fact.reason, "result": fact.value}.get(name)
    if text is None:
        text = fact.detail.get(name, "")
    return [line for line in text.split("\n") if line]


def left_out_because(fact: Fact, what: What) -> str:
    """Why a fact about the thing does not answer; empty where it would."""
    if fact.status == "entered in error" and what.when != "in error":
        return "entered in error"
    if fact.certainty in ("refuted", "absent") and what.sure not in ("refuted", "any"):
        return fact.certainty
    if fact.certainty == "conditional" and what.sure not in ("provisional", "any"):
        return "only under a condition"
    if fact.certainty == "provisional" and what.sure == "confirmed":
        return "not confirmed"
    allowed = statuses(fact.kind, what.when)
    if allowed is not None and fact.status not in allowed:
        return "over" if fact.status == "completed" and fact.kind == "condition" else fact.status
    return ""


def state(fact: Fact) -> str:
    """A fact's state in words: refuted, stopped, planned for a day, a value."""
    parts: list[str] = []
    if fact.certainty != "confirmed":
        parts.append(fact.certainty)
    if fact.kind != "observation":
        resolved = fact.status == "completed" and fact.kind in ("condition", "allergy")
        parts.append("resolved" if resolved else fact.status)
    if why := fact.detail.get("status reason"):
        parts.append(why)
    if fact.value:
        parts.append(shown_value(fact))
    if fact.start:
        parts.append(
            f"{fact.start[:10]}"
            + (f" to {fact.end[:10]}" if fact.end and fact.end[:10] != fact.start[:10] else "")
        )
    return ", ".join(parts)


def standing(fact: Fact) -> str:
    """In a word, why a fact is not simply so now; empty where it is."""
    if fact.certainty != "confirmed":
        return "suspected" if fact.certainty == "provisional" else fact.certainty
    if fact.status in ("active", "unknown"):
        return "over" if fact.end and fact.kind == "condition" else ""
    if fact.status == "completed":
        return "resolved" if fact.kind in ("condition", "allergy") else "completed"
    return fact.status


def lasted(fact: Fact, today: datetime.date) -> str:
    """How long a fact held: "3 years, since 2020-01-01"; empty where the record does not say."""
    lasting = fact.status == "active" and not fact.end
    try:
        first = datetime.date.fromisoformat(fact.start[:10])
        last = today if lasting else datetime.date.fromisoformat(fact.end[:10])
    except ValueError:
        return ""
    days = (last - first).days
    years = last.year - first.year - ((last.month, last.day) < (first.month, first.day))
    long = f"{years} year{'s' * (years != 1)}" if years else f"{days} day{'s' * (days != 1)}"
    return f"{long}, since {first}" if lasting else f"{long}, {first} to {last}"


def shown_value(fact: Fact) -> str:
    return f"{fact.comparator}{fact.value} {fact.unit}".strip()


def quote(fact: Fact) -> Quoted:
    """A fact's source as text, with the name (or its offsets) marked."""
    source = fact.source
    start, end = source.start, source.end
    if not end and (at := source.text.find(fact.name)) >= 0:
        start, end = at, at + len(fact.name)
    return Quoted(fact.id, source.text, start, end, source.file, source.place)
