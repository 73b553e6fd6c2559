"""Every word that carries something is used by the form, or the reading says so.

A word in a place where the form has no room for it (a relative beside "is she alive", an age beside
a named patient) is as bad as an unknown word: answering past it would answer another question.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from osler.ask.form.form import Either, Every, Form, Has, Person, What, Where, Without
from osler.ask.form.heard import Heard
from osler.ask.form.lexicon import Meaning
from osler.ask.form.spans import Span


def unaccounted(heard: Heard, form: Form) -> tuple[list[str], list[str]]:
    """Words that the form does not use: those that forbid an answer, then those that make it
    doubtful."""
    whats = [*([form.what] if form.what is not None else []), *_whats(form.who.where)]
    persons = _persons(form.who.where)
    about = {p.what for p in persons} | {form.attribute}
    heavy: list[str] = []
    light: list[str] = []

    def missing(tag: str, *values: str) -> list[str]:
        return [s.words for s in heard.spans if s.means(tag, *values)]

    for tag in _homeless(heard, form, whats):
        heavy += missing(*tag)
    # "Her mother had cancer. And her father?": a form holds one of them.
    several = len(set(heard.relatives) - {"*"}) > 1
    if heard.relatives and (several or not any(w.relative for w in whats)):
        heavy += missing("relative")
    if heard.trend and form.answer != "trend" and not _also(heard, "trend"):
        heavy += missing("trend")
    heavy += _by_how_much(heard) if form.answer == "trend" else []
    if heard.most and form.answer != "most frequent":
        heavy += missing("most")
    if form.who.patients:
        heavy += missing("people", "adults", "children")
    if heard.sexes and "sex" not in about:
        heavy += missing("sex")
    if heard.marital and "marital status" not in about:
        heavy += missing("marital")
    if heard.places and "city" not in about and form.who.patients:
        light += missing("place")
    for attribute in dict.fromkeys(heard.attributes):
        if not _attribute_used(attribute, form, about, heard):
            heavy += missing("attr", attribute)
    if (heard.time is not None or heard.lives or any(c.time for c in heard.clauses)) and not (
        any(w.time is not None for w in whats)
        or any(p.compare == "between" or p.what == "age" for p in persons)
        or form.answer == "age"
    ):
        heavy += [s.words for s in heard.spans if s.time is not None]
    if (heard.value is not None or any(c.value for c in heard.clauses)) and not (
        any(w.value is not None for w in whats)
    ):
        heavy += missing("range") + missing("compare")
    asked = _slots_of(form, heard, whats)
    for ask, slots in asked.items():
        if ask in heard.asks and form.answer not in slots:
            spans = [s for s in heard.spans if s.value("ask") == ask and not _empty_too(s.words)]
            (light if ask == "show" else heavy).extend(s.words for s in spans)
    if heard.reason is not None and not any(w.reason is not None for w in whats):
        heavy.append(heard.reason.words)
    kinds = {w.kinds[0] for w in whats}
    heavy += _lost(heard, whats)
    for clause in heard.clauses:
        alone = not clause.words and clause.person is None and clause.kind not in kinds
        if alone and form.answer not in ("reason", "person", "most frequent"):
            # "What lab test ... hospital encounter": the kind that was asked for got lost.
            heavy += [s.words for s in clause.spans]
    if heard.pick in ("highest", "lowest") and not any(w.pick == heard.pick for w in whats):
        heavy += missing("pick", "highest", "lowest")
    cohort = form.answer in ("patients", "count of patients") and form.who.where is not None
    if form.answer in ("patients", "count of patients") and not whats and not form.who.pick:
        # "The oldest patient": nothing stands there to be picked from.
        heavy += missing("pick", "latest", "first")
    elif cohort and heard.pick in ("latest", "first") and all(w.pick == "all" for w in whats):
        light += missing("pick", "latest", "first")
    if cohort and "show" in heard.asks:
        # "Show me patients with gout" only opens the question.
        opening = next((s for s in heard.spans if not s.mark), None)
        heavy += [s.words for s in heard.spans if s.means("ask", "show") and s is not opening]
    if (
        heard.pick in ("latest", "first")
        and form.answer
        in (
            "yes or no",
            "count of facts",
            "trend",
        )
        and not any(w.pick == heard.pick for w in whats)
    ):
        light += missing("pick", "latest", "first")
    return list(dict.fromkeys(heavy)), list(dict.fromkeys(light))


def _by_how_much(heard: Heard) -> list[str]:
    """ "By how much did it rise", "what did it climb to": a number, where a trend tells none."""
    said = [s for s in heard.spans if not s.mark]
    pairs = list(pairwise(said))
    by = [b.words for a, b in pairs if a.words.lower() == "by" and b.means("ask", "how much")]
    ends = pairs[-1] if pairs else None
    if ends and ends[0].means("trend") and ends[1].words.lower() == "to":
        by.append(ends[0].words)
    return by[:1]


def _lost(heard: Heard, whats: Sequence[What]) -> list[str]:
    """Things that were named and stand nowhere in the form: "her LDL with the infarction"."""
    held = [c for w in whats for c in (w.concept, w.reason, w.but) if c is not None]
    held += [w.time.event for w in whats if w.time is not None and w.time.event is not None]
    names = {name for concept in held for name in concept.names}
    lost = []
    for clause in heard.clauses:
        match = clause.match.get(clause.kind or "")
        mine = {*match.names, *match.past, *match.suspected} if match is not None else set()
        said = any(clause.words in concept.words for concept in held)
        if clause.words and not said and not (mine and mine <= names):
            lost.append(clause.words)
    return lost


def _slots_of(form: Form, heard: Heard, whats: Sequence[What]) -> dict[str, tuple[str, ...]]:
    """For each word that asks: the slots that answer it."""
    slots: dict[str, tuple[str, ...]] = {
        "why": ("reason",),
        "where": ("person", "yes or no"),
        "how": ("values", "trend", "reaction", "dose", "text", "age"),
        "old": ("age",),
        "when": ("date", "end date", "person", "age"),
        "show": ("text", "values", "facts"),
        "average": ("average",),
        "duration": ("duration",),
        "relative": ("relative",),
        "times": ("count of times", "dose"),
    }
    if form.answer == "values" and heard.pick:
        slots["when"] = (*slots["when"], "values")
    if "immunization" in {w.kinds[0] for w in whats}:
        # What somebody is vaccinated against is the vaccination itself.
        slots["why"] = ("reason", "facts")
    return slots


def _homeless(heard: Heard, form: Form, whats: Sequence[What]) -> list[tuple[str, ...]]:
    """Tags of words that only one kind of answer has room for, where it is another."""
    tags: list[tuple[str, ...]] = []
    if "who" in heard.asks and form.who.patients and form.answer not in _OF_PEOPLE:
        tags.append(("ask", "who"))
    if heard.nth and not any(w.nth for w in whats):
        tags.append(("nth",))
    if heard.many and not any(w.many for w in whats):
        tags.append(("many",))
    if heard.apart and form.who.where is None:
        tags.append(("except",))
    if heard.but is not None and not any(w.but is not None for w in whats):
        tags.append(("except",))
    if heard.relatives:
        # "Herself, or was it her mother?": two people, and a form holds one.
        tags.append(("self",))
    if heard.aged and not form.who.pick:
        tags.append(("aged",))
    if heard.setting and not any(w.setting or _stays(w) for w in whats):
        tags.append(("setting",))
    if heard.said and form.answer != "yes or no":
        tags.append(("said",))
    return tags


def _stays(what: What) -> bool:
    """Whether visits are asked for by names: of many patients, stays are known by these."""
    return what.kinds[0] == "encounter" and what.concept is not None


MATTERS = (
    *("when", "sure", "edge", "range", "trend", "not", "attr", "relative", "sex", "most"),
    *("marital", "compare", "pick", "ask", "verb", "time"),
)
"""Tags that a form has a place for."""
_OF_PEOPLE = ("patients", "count of patients", "relative")
_ANY = frozenset(["what", "who", "how", "how much", "show", "polar"])


_HEAVY = frozenset(["compare", "not", "sure", "relative", "most", "trend", "time"])
"""Tags without which an answer would be to another question."""


def idle(spans: Sequence[Span], form: Form, used: set[int]) -> tuple[list[str], list[str]]:
    """Words with a meaning that a form has a place for, and that stands nowhere in this one: those
    that forbid an answer, then those that make it doubtful."""
    whats = [*([form.what] if form.what is not None else []), *_whats(form.who.where)]
    heavy: list[str] = []
    light: list[str] = []
    for at, span in enumerate(spans):
        if (
            at not in used
            and {m.tag for m in span.meanings} == {"begin"}
            and not _dated(form, whats)
        ):
            # "Is the warfarin new?": nothing says since when a thing is new.
            heavy.append(span.words)
        meant = [m for m in span.meanings if m.tag in MATTERS]
        other = [m for m in span.meanings if m.tag not in MATTERS]
        if at in used or not meant or any(m.tag != "begin" for m in other):
            continue
        if not any(_realised(m, form, whats) for m in meant):
            # "Was her CT clear?": a yes to something else than was asked.
            ends = form.answer == "yes or no" and all(m == ("edge", "end") for m in meant)
            weighs = ends or {m.tag for m in meant} <= _HEAVY
            (heavy if weighs else light).append(span.words)
    return heavy, light


def _dated(form: Form, whats: Sequence[What]) -> bool:
    """Whether a form asks when, or of a time."""
    return form.answer in ("date", "duration") or any(w.time is not None for w in whats)


def _realised(meaning: Meaning, form: Form, whats: Sequence[What]) -> bool:
    """Whether a word's meaning stands in the form."""
    tag, value = meaning
    persons = _persons(form.who.where)
    about = {p.what for p in persons} | {form.attribute}
    if tag == "when":
        if value == "never":
            return form.negated or _denies(form.who.where) or _says(whats, "denied")
        wanted = {"ended": "past"}.get(value, value)
        held = {w.when for w in whats} | ({"any"} if form.attribute == "status reason" else set())
        if wanted == "now" and "death" in about:
            return True
        former = value == "past" and ("death" in about or "ever" in held or _says(whats, "former"))
        refused = value == "not done" and form.negated
        return (
            wanted in held
            or (wanted in ("past", "not done") and "any" in held)
            or former
            or refused
        )
    if tag == "sure":
        refuted = value == "provisional" and any(w.sure == "refuted" for w in whats)
        return refuted or any(w.sure == value for w in whats)
    if tag == "edge":
        ended = form.answer == "end date" or form.attribute == "status reason"
        if value == "end":
            return ended or any(w.when == "past" for w in whats)
        return form.answer == "date" or any(w.time is not None for w in whats)
    if tag == "range":
        return any(w.value is not None and w.value.compare == value for w in whats)
    if tag == "compare":
        if form.answer == "trend" and value in (">", "<"):
            # "Higher than in 2018".
            return True
        if value == "between" and any(w.time is not None for w in whats):
            return True
        held_signs = {w.value.compare for w in whats if w.value is not None}
        return value in held_signs | {p.compare for p in persons}
    if tag == "time":
        if value == "before" and any(w.when == "past" for w in whats):
            # "What was she on before?"
            return True
        return any(w.time is not None for w in whats) or any(
            p.compare == "between" for p in persons
        )
    if tag == "trend":
        return form.answer == "trend"
    if tag == "not":
        return (
            form.negated
            or _denies(form.who.where)
            or _says(whats, "denied")
            or bool(form.attribute)
        )
    if tag == "relative":
        return any(w.relative for w in whats)
    if tag == "most":
        return form.answer == "most frequent"
    if tag == "pick" and form.who.pick:
        # "The oldest patient".
        return True
    if tag == "pick":
        # "How long did it last" picks nothing.
        return value == "all" or form.answer == "duration" or any(w.pick == value for w in whats)
    if tag == "verb":
        if value == "medication on" and not whats:
            # "Died on?": the word waits for a day.
            return False
        return value != "reaction" or form.answer == "reaction"
    if tag == "ask":
        return (
            value in _ANY
            or (value == "why" and any(w.kinds[0] == "immunization" for w in whats))
            or form.answer in _SLOTS.get(value, ())
            or (value in ("when", "where") and bool(form.attribute or persons))
        )
    # The heavy ones were settled before; what is left told namesakes apart or fills the slot.
    return tag in ("attr", "sex", "marital")


_SLOTS = {
    "count": ("count of facts", "count of times", "count of patients", "dose"),
    "times": ("count of times", "dose"),
    "average": ("average",),
    "duration": ("duration",),
    "relative": ("relative",),
    "when": ("date", "end date", "age", "values"),
    "why": ("reason",),
    "how often": ("count of times", "dose"),
    "old": ("age",),
}


def _says(whats: Sequence[What], compare: str) -> bool:
    return any(w.value is not None and w.value.compare == compare for w in whats)


def _denies(where: Where | None) -> bool:
    if isinstance(where, Every | Either):
        return any(_denies(part) for part in where.of)
    return isinstance(where, Without)


def _also(heard: Heard, tag: str) -> bool:
    """Whether every span of a tag means something else too ("put on", "lower")."""
    return all(len({m.tag for m in s.meanings}) > 1 for s in heard.spans if s.means(tag))


def _empty_too(words: str) -> bool:
    return words.lower() in ("show", "find", "say")


def _attribute_used(attribute: str, form: Form, about: set[str], heard: Heard) -> bool:
    if attribute in about or attribute == form.answer:
        return True
    if attribute in ("death", "alive"):
        return "death" in about
    if form.attribute == "birthplace" and attribute in ("birth date", "city"):
        # "In which town was she born?"
        return True
    if attribute == "birth date":
        # "The James Wilson born in 1961": used to tell namesakes apart.
        return (
            form.answer == "age" or heard.birth is not None or bool(form.who.patients and form.what)
        )
    if attribute == "age":
        return form.answer == "age" or "age" in about
    if attribute in ("name", "id", "number"):
        return True
    if attribute == "dose" and form.what is not None and form.what.kinds == ("immunization",):
        # "How many doses of the vaccine": each is a vaccination.
        return form.answer == "count of times"
    if attribute == "city":
        return bool(heard.places)
    return False


def _whats(where: Where | None) -> list[What]:
    if isinstance(where, Has):
        return [where.what]
    if isinstance(where, Without):
        return _whats(where.of)
    if isinstance(where, Every | Either):
        return [what for part in where.of for what in _whats(part)]
    return []


def _persons(where: Where | None) -> list[Person]:
    if isinstance(where, Person):
        return [where]
    if isinstance(where, Without):
        return _persons(where.of)
    if isinstance(where, Every | Either):
        return [person for part in where.of for person in _persons(part)]
    return []
