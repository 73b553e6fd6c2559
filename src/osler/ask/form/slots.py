"""Which slot a question asks to be filled, and small parts that forms are put together from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from osler.ask.form.clauses import Clause
from osler.ask.form.form import Either, Every, Person, Slot, Time, What, Where, Without
from osler.ask.form.heard import Heard


def slot_of(heard: Heard, concepts: Sequence[Clause]) -> Slot:
    asks = heard.asks
    kinds = {c.kind for c in heard.clauses}
    results = kinds <= {"observation"} and bool(kinds)
    one = any(s.words.lower() in ("which one", "which ones", "which") for s in heard.spans)
    if heard.trend and (results or not kinds):
        return "trend"
    if "how often" in asks and "medication" in kinds:
        return "count of times" if _issued(heard) else "dose"
    if "dose" in heard.attributes and kinds == {"immunization"} and _how_many(heard):
        # "How many doses of the vaccine": how many times it was given.
        return "count of times"
    if "dose" in heard.attributes or ("how much" in asks and "medication" in kinds):
        return "dose"
    against = "immunization" in kinds and kinds <= {"immunization"}
    if ("why" in asks and not against) or for_what(heard) or treats_what(heard):
        return "reason"
    if "reaction" in heard.verbs:
        return "reaction"
    if "relative" in asks or ("who" in asks and heard.relatives):
        return "relative"
    if "average" in asks:
        return "average"
    if "duration" in asks:
        return "duration"
    if "times" in asks or "how often" in asks:
        return "count of times"
    if "count" in asks:
        return "count of facts"
    if "when" in asks and not (results and _subordinate(heard)):
        ended = "end" in heard.edges or any(c.when == "ended" for c in heard.clauses)
        return "end date" if ended else "date"
    if "show" in asks and kinds <= {"report", "procedure", "observation"} and concepts:
        return "text" if "report" in kinds else "values"
    if results and concepts and "how much" in asks:
        # "Was it ever measured, and if so how high was it?"
        return "values"
    if (
        heard.polar
        and not one
        and "what" not in asks
        and (concepts or heard.clauses or heard.verbs)
    ):
        return "yes or no"
    if results and concepts:
        return "values"
    if (
        concepts
        and not asks
        and not heard.pick
        and kinds & {"condition", "procedure", "medication", "allergy", "immunization"}
    ):
        narrow = concepts[0].match.get(concepts[0].kind or "")
        several = concepts[0].several or (narrow is not None and len(narrow.names) > 1)
        return "facts" if several else "yes or no"
    return "facts"


def _how_many(heard: Heard) -> bool:
    return any(s.words.lower() in ("how many", "number of", "count of", "几") for s in heard.spans)


def _issued(heard: Heard) -> bool:
    """ "How often has it been prescribed": the prescriptions are counted; "is it taken" asks for
    what is written on them."""
    return heard.tense == "past" and any(
        s.words.lower().split()[-1] in ("prescribed", "issued", "dispensed", "ordered", "supplied")
        for s in heard.spans
        if s.means("verb")
    )


def _subordinate(heard: Heard) -> bool:
    """ "How heavy was he when last weighed": "when" says which, where another word asks."""
    # "How heavy" is a concept of its own.
    asked = [s for s in heard.spans if s.means("ask") or s.words.lower().startswith("how ")]
    later = [s for s in asked[1:] if s.words.lower() == "when"]
    return bool(later) and not asked[0].means("ask", "when", "why") and bool(heard.pick)


def pick(heard: Heard, slot: Slot, what: What, *, several: bool) -> str:
    if slot == "values":
        if heard.pick in ("first", "all", "latest", "highest", "lowest"):
            return heard.pick
        if what.time is not None and what.time.event is not None:
            return "latest" if what.time.side == "before" else "first"
        if what.time is not None or what.value is not None or several:
            return "all"
        return "latest"
    if slot == "yes or no" and what.value is not None and what.concept is None:
        # "Are her results normal?" is asked of the last of each; "any normal ones?" of one.
        some = any(s.words.lower() in ("any", "some", "ever") for s in heard.spans)
        return "latest" if what.value.compare == "in range" and not some else "all"
    if slot == "yes or no" and what.value is not None:
        if heard.pick in ("latest", "first"):
            return heard.pick
        # "Is it high?" is asked of the last one; "was it ever?" of any.
        return "latest" if what.when == "now" and what.time is None else "all"
    if slot in ("date", "end date"):
        if heard.pick in ("latest", "first", "highest", "lowest"):
            return heard.pick
        return "first" if "start" in heard.edges else "all"
    if slot in ("facts", "dose", "reason", "text", "duration") and heard.pick in (
        "latest",
        "first",
    ):
        return heard.pick
    return "all"


def placed(heard: Heard, chosen: str, slot: Slot) -> dict[str, object]:
    """Which one of several, and how many: the second, the last but one, the last two."""
    if heard.nth and slot in ("values", "date", "end date", "facts", "duration"):
        return {"pick": "first" if heard.nth > 0 else "latest", "nth": abs(heard.nth)}
    if heard.many and chosen in ("first", "latest"):
        return {"pick": chosen, "many": heard.many}
    return {"pick": chosen}


def moment(heard: Heard) -> What | None:
    """At which day an age is asked for, carried as a time."""
    time = heard.time or heard.lives.get("death")
    return What(kinds=("patient",), time=time) if time is not None else None


def for_what(heard: Heard) -> bool:
    """ "What is she taking losartan for?": the word that ends the question."""
    said = [s for s in heard.spans if not s.mark]
    if len(said) > 2 and said[-1].person is not None and said[-2].words.lower() == "in":
        # "What is losartan for in Ann Lee?"
        said = said[:-2]
    ends = bool(said) and said[-1].words.lower() == "for"
    return ends and "medication" in {c.kind for c in heard.clauses}


def treats_what(heard: Heard) -> bool:
    """ "What is losartan treating?": the drug is what treats."""
    drug = False
    for span in heard.spans:
        drug = drug or (span.means("concept") and "medication" in span.concept)
        if drug and span.words.lower() in ("treat", "treats", "treating", "治疗"):
            kinds = {c.kind for c in heard.clauses if c.words or c.kind != "condition"}
            return "what" in heard.asks and kinds == {"medication"}
    return False


def circular(heard: Heard, slot: Slot, concepts: Sequence[Clause]) -> bool:
    """Whether the answer could only repeat what was named: "what of the asthma?" asks for
    something about it, "which asthma" or "what statin" for itself."""
    if slot != "facts" or "what" not in heard.asks or len(concepts) != 1:
        return False
    named = concepts[0].match.get(concepts[0].kind or "")
    if named is None or named.how != "name" or len(named.names) != 1:
        return False
    at = next((i for i, s in enumerate(heard.spans) if s is concepts[0].spans[0]), 0)
    said = [s for s in heard.spans[:at] if not s.empty and s.person is None]
    between = " ".join(s.words.lower() for s in heard.spans[max(at - 2, 0) : at])
    if said and said[-1].means("ask", "what"):
        # "What of the asthma": the word that asks does not stand beside it.
        return between == "of the"
    return bool(said) and not said[-1].means("kind")


def died(dead: bool, time: Time | None) -> Where:
    between = ("between", time.first, time.last) if time is not None else ("=", "", "")
    here = Person("death", *between)  # type: ignore[arg-type]
    return here if dead else Without(here)


def joined(parts: Sequence[tuple[str, Where]]) -> Where | None:
    """Clauses in their order: "or" binds the neighbours, everything else adds up."""
    groups: list[list[Where]] = []
    for join, where in parts:
        if join == "or" and groups:
            groups[-1].append(where)
        else:
            groups.append([where])
    every: list[Where] = []
    for group in groups:
        if len(group) == 1:
            every.append(group[0])
        elif all(isinstance(w, Without) for w in group):
            every.append(Without(Either(tuple(w.of for w in group if isinstance(w, Without)))))
        else:
            every.append(Either(tuple(group)))
    if not every:
        return None
    return every[0] if len(every) == 1 else Every(tuple(every))


def with_(what: What, **changes: object) -> What:
    return msgspec.structs.replace(what, **changes)
