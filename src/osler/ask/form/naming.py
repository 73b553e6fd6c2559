"""Who a question is about: the patient named, asked back, or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from osler.ask.form.lexicon import english
from osler.ask.form.people import People, parts_of
from osler.ask.form.spans import Span
from osler.ask.form.tokens import Token

_ADDRESSES = ("lady", "gentleman", "man", "woman", "girl", "boy")


@dataclass
class Whom:
    """The patients that the words name. ``unknown`` is a name that nobody bears, of which ``half``
    is somebody's; ``several`` are names of different patients; ``sure`` falls where only a part of
    a name, or a near spelling of it, was given."""

    patients: tuple[str, ...] = ()
    words: str = ""
    unknown: str = ""
    half: bool = False
    several: tuple[str, ...] = ()
    sure: float = 1.0
    notes: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def whom(spans: Sequence[Span], words: Sequence[Token], people: People) -> Whom:
    """All names and ids of a question meant together: the namesake with that number, born then."""
    meant = Whom()
    sets: list[set[str]] = []
    said: list[str] = []
    whole = [s for s in spans if s.person is not None and s.person.how != "part"]
    parts = [s for s in spans if s.person is not None and s.person.how == "part"]
    stranger = _stranger(spans, words)
    if not whole and stranger is None and (other := _forename(spans, words, people)):
        meant.unknown, meant.half = other, True
        return meant
    for span in whole:
        assert span.person is not None
        sets.append(set(span.person.patients))
        said.append(span.words)
    if not whole and parts:
        beside = _beside(spans)
        if stranger is None and len(parts) == 1 and beside is not None:
            # "thomas beker": what stands beside a part of a name may be the rest, misspelled.
            place, rest = beside
            if close := people.near([words[s.start] for s in rest]):
                spans[place].left, meant.used = False, {place}
                meant.patients, meant.words = close, " ".join(s.words for s in rest)
                meant.sure = 0.75
                meant.notes.append(f"read as {', '.join(people.all[p].name for p in close)}")
                return meant
        if stranger is not None or len(parts) > 1:
            near = _near(spans, words, people)
            if not near:
                meant.unknown = _together(spans, words)
                return meant
            sets.append(set(near))
            said.append(_together(spans, words))
            meant.sure = 0.75
            meant.notes.append(f"read as {', '.join(people.all[p].name for p in near)}")
            meant.used = {at for at, s in enumerate(spans) if s.left and words[s.start].capital}
        else:
            span = parts[0]
            assert span.person is not None
            sets.append(set(span.person.patients))
            said.append(span.words)
            meant.sure = span.person.sure
    elif not whole and stranger is not None:
        meant.unknown = stranger
        return meant
    if not sets:
        return meant
    both = set.intersection(*sets)
    both = _addressed(spans, both, people, meant)
    both = _born(spans, both, people, meant)
    both = _ranked(spans, both, people, meant)
    if not both and len(sets) > 1:
        meant.several = tuple(said)
        return meant
    meant.patients = tuple(sorted(both))
    meant.words = " ".join(said)
    if not both:
        meant.unknown = " ".join(said) + " with that birth date"
    return meant


def _addressed(spans: Sequence[Span], bearers: set[str], people: People, meant: Whom) -> set[str]:
    """ "This lady, Ann Lee": who bears the name and is one; a word that fits nobody stays."""
    said = [(at, s) for at, s in enumerate(spans) if not s.mark]
    for (_, before), (at, span), (_, after) in zip(said, said[1:], said[2:], strict=False):
        pointed = before.words.lower() in ("this", "that", "the", "our")
        if pointed and span.words.lower() in _ADDRESSES and after.person is not None:
            fitting = {id for id in bearers if people.all[id].sex == span.value("sex")}
            if fitting:
                meant.used.add(at)
                return fitting
    return bearers


def _ranked(spans: Sequence[Span], bearers: set[str], people: People, meant: Whom) -> set[str]:
    """ "The younger James Wilson": of two who bear the name, by their birth dates."""
    for at, span in enumerate(spans[:-1]):
        if not span.means("elder") or spans[at + 1].person is None or len(bearers) != 2:
            continue
        days = {id: people.all[id].born for id in bearers}
        if all(len(day) == 10 for day in days.values()) and len(set(days.values())) == 2:
            meant.used.add(at)
            choose = max if span.means("elder", "younger") else min
            return {choose(days, key=lambda id: days[id])}
    return bearers


def _born(spans: Sequence[Span], bearers: set[str], people: People, meant: Whom) -> set[str]:
    """Born on, in, before a time that follows the word: which of the namesakes."""
    for at, span in enumerate(spans):
        if not span.means("attr", "birth date") and span.words.lower() not in ("b", "b."):
            continue
        after = at + 1
        while after < len(spans) and (
            spans[after].empty or spans[after].words.lower() in ("on", "in")
        ):
            after += 1
        if after < len(spans) and (stretch := spans[after].time) is not None:
            meant.used.update(range(at, after + 1))
            return {
                id
                for id in bearers
                if (born := people.all[id].born)
                and stretch.first[: len(born)] <= born <= stretch.last
            }
    for at, span in enumerate(spans):
        if span.means("place") and len(bearers) > 1:
            here = {
                id for id in bearers if people.all[id].about.get("city", "") == span.value("place")
            }
            if here:
                meant.used.update(_relative_clause(spans, at))
                return here
    return bearers


def _relative_clause(spans: Sequence[Span], at: int) -> set[int]:
    """The place that tells namesakes apart, with "who lives in" between the name and it."""
    back = at - 1
    while (
        back >= 0
        and not spans[back].mark
        and (
            spans[back].empty
            or spans[back].means("attr", "city")
            or spans[back].means("time", "in")
            or spans[back].words.lower() in ("who", "which", "that")
        )
    ):
        back -= 1
    named = back >= 0 and spans[back].person is not None
    tells = any(s.words.lower() in ("who", "which", "that") for s in spans[back + 1 : at])
    return set(range(back + 1, at + 1)) if named and tells else {at}


def _stranger(spans: Sequence[Span], words: Sequence[Token]) -> str | None:
    """Capital words that nothing explains and that do not open the question: a name, it seems."""
    run: list[str] = []
    for at, span in enumerate(spans):
        token = words[span.start]
        if (span.left and token.capital and (at > 0 or len(spans) < 4)) or (
            span.left and token.chinese
        ):
            run.append(span.words)
        elif run:
            break
    if not run:
        return None
    return (
        "".join(run)
        if words and all("\u3400" <= c <= "\u9fff" for c in "".join(run))
        else " ".join(run)
    )


def _forename(spans: Sequence[Span], words: Sequence[Token], people: People) -> str:
    """What stands beside a part of a name as the rest of one, where nobody bears both: "Ana Okoro -
    current meds?" opens with a word that is no English one, "Diaz G" has an initial."""
    said = [(at, span) for at, span in enumerate(spans) if span.words != "."]
    for (at, span), (_, after) in pairwise(said):
        part, other = (after, span) if span.person is None else (span, after)
        if part.person is None or part.person.how != "part" or other.person is not None:
            continue
        token = words[other.start]
        opens = at == 0 and other is span and other.left and token.key not in english()
        initial = len(token.text) == 1 and not token.chinese
        if not token.capital or not (opens or initial):
            continue
        names = [name for id in part.person.patients for name in people.all[id].names]
        if not any(word.startswith(token.key) for name in names for word in parts_of(name)):
            return f"{span.words} {after.words}"
    return ""


def _together(spans: Sequence[Span], words: Sequence[Token]) -> str:
    return " ".join(
        s.words
        for s in spans
        if (s.person is not None and s.person.how == "part") or (s.left and words[s.start].capital)
    )


def _beside(spans: Sequence[Span]) -> tuple[int, list[Span]] | None:
    """The place of an unknown word beside a part of a name, and both in the order of the words."""
    for at, span in enumerate(spans):
        if span.person is not None and span.person.how == "part":
            for place in (at + 1, at - 1):
                if 0 <= place < len(spans) and spans[place].left:
                    return place, [spans[i] for i in sorted((at, place))]
    return None


def _near(spans: Sequence[Span], words: Sequence[Token], people: People) -> tuple[str, ...]:
    tokens = [
        words[s.start]
        for s in spans
        if (s.person is not None and s.person.how == "part") or (s.left and words[s.start].capital)
    ]
    return people.near(tokens)
