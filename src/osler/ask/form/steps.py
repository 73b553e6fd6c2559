"""Steps over the spans of a question: looking around, times, events, numbers."""

from __future__ import annotations

import datetime

from osler.ask.form.clauses import Clause
from osler.ask.form.form import Concept, Time, Value
from osler.ask.form.heard import Heard
from osler.ask.form.spans import Span

AGE = ("years", "year", "yrs", "岁")
_TO = ("to", "-", "till", "until", "到", "至")
_SIDES = {
    "up to": "until",
    "since": "since",
    "until": "until",
    "till": "until",
    "以来": "since",
    "自": "since",
    "in or before": "until",
    "on or before": "until",
    "no later than": "until",
    "not later than": "until",
    "by the end of": "until",
    "in or after": "since",
    "on or after": "since",
    "no earlier than": "since",
    "not earlier than": "since",
    "not before": "since",
}
_LIVES = ("birth date", "death")
_EVENTS = ("condition", "procedure", "medication", "encounter")


class Steps:
    """Where the walk stands: what was said so far, and what waits for the next clause."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self.heard = Heard(spans)
        self.hint, self.bound = "", False
        self.tense, self.when, self.sure = "", "", ""
        self.value: Value | None = None
        self.negated = False
        self.join = "and"
        self.group: list[Clause] = []
        self.used: set[int] = set()
        self.last_be = ""
        self.several = False
        self.waiting: list[tuple[str, str, int]] = []

    def _add(self, clause: Clause) -> None:
        clause.tense, clause.when, clause.sure = self.tense, self.when, self.sure
        clause.several, self.several = clause.several or self.several, False
        if clause.person is None:
            clause.value, self.value = self.value, None
        clause.negated, clause.join = self.negated, self.join
        if self.join != "or":
            self.negated = False
        self.join = "and"
        self.group.append(clause)
        self.heard.clauses.append(clause)

    def _next(self, at: int, *, over_people: bool = True) -> int:
        """The next span that carries something; the number of spans where there is none."""
        at += 1
        while at < len(self.spans):
            span = self.spans[at]
            skipped = span.empty or (over_people and span.person is not None) or span.means("class")
            if not skipped:
                break
            at += 1
        return at

    def _span(self, at: int) -> Span | None:
        return self.spans[at] if 0 <= at < len(self.spans) else None

    # -- times ----------------------------------------------------------------------------------

    def _time(self, at: int, side: str) -> None:
        """A time, alone or closing a stretch that a word opened before it."""
        span = self.spans[at]
        stretch = span.time
        assert stretch is not None
        first, last = stretch.first, stretch.last
        self.used.add(at)
        after = self._next(at)
        follower = self._span(after)
        linked = self._span(at + 1)
        to = linked is not None and (
            linked.means("join", "and")
            or linked.words.lower() in ("to", "-", "till", "until", "到", "至")
        )
        if side in ("between", "in") and to and follower is not None:
            end = self._span(self._next(at + 1)) if linked and not linked.empty else follower
            if end is not None and end.time is not None:
                place = self.spans.index(end)
                self.used.update(range(at + 1, place + 1))
                last = end.time.last
                side = "in"
        if linked is not None and linked.means("side"):
            # "2010 or later".
            side = linked.value("side")
        if side == "before":
            time = Time(last=_day_before(first))
        elif side == "after":
            time = Time(first=_day_after(last))
        elif side == "since":
            time = Time(first=first)
        elif side == "until":
            time = Time(last=last)
        else:
            time = Time(first=first, last=last)
        if about := self._of_life(at):
            self.heard.lives[about] = time
        else:
            self._attach_time(time)

    def _of_life(self, at: int) -> str:
        """ "Born before 1940", "died in 2015": a time that belongs to the person, not to a fact."""
        before = [s for s in self.spans[:at] if not s.mark]
        while before and (
            before[-1].empty or before[-1].means("time") or before[-1].means("compare", "between")
        ):
            before.pop()
        if not before:
            return ""
        return next((a for a in _LIVES if before[-1].means("attr", a)), "")

    def _attach_time(self, time: Time) -> None:
        if self.heard.clauses and self.heard.clauses[-1].time is None:
            self.heard.clauses[-1].time = time
            if len(self.group) > 1:
                self.heard.doubts.append("the time is taken to belong to the last thing named")
        elif self.heard.time is None:
            self.heard.time = time
        else:
            self.heard.left.append("a second time")

    def _time_word(self, at: int) -> bool:
        """Before, after, since, between, on, in: with a time or an event that follows."""
        span = self.spans[at]
        word = span.words.lower()
        follower = self._next(at, over_people=False)
        after = self._span(follower)
        if span.means("time", "at") and self._at_event(at):
            return True
        if word == "at the time":
            # At which time, nobody said.
            self.heard.left.append(span.words)
            return True
        if after is None:
            return False
        side = span.value("time") or ("between" if span.means("compare", "between") else "in")
        side = _SIDES.get(word, side)
        if after.time is not None:
            if self._year_is_number(at, follower):
                return False
            # Words between (the, his) carry nothing.
            self.used.update(range(at, follower))
            self._time(follower, side)
            return True
        if side in ("before", "after", "since"):
            follower = self._begun(follower)
            after = self.spans[follower]
        waits = self.heard.clauses or self._follows(follower)
        if after.means("concept") and side in ("before", "after", "since") and waits:
            kind = next((k for k in _EVENTS if k in after.concept), "")
            if kind:
                names = (*after.concept[kind].names, *after.concept[kind].past)
                event = Concept(after.words, kind, names)  # type: ignore[arg-type]
                where = "before" if side == "before" else "after"
                end = follower
                while (later := self._span(end + 1)) is not None and _begins(later):
                    end += 1
                # "After losartan was begun": its verb belongs to the event.
                follower = end if _came_to_be(self.spans[end]) else follower
                self.used.update(range(at, follower + 1))
                self._attach_time(Time(event=event, side=where))  # type: ignore[arg-type]
                dated = self._span(self._next(follower))
                if dated is not None and (dated.time is not None or dated.words.lower() == "in"):
                    place = self._next(follower)
                    if self.spans[place].time is None:
                        place = self._next(place)
                    if place < len(self.spans) and self.spans[place].time is not None:
                        self.used.update(range(follower, place + 1))
                return True
        return False

    def _begun(self, at: int) -> int:
        """ "Since he started atorvastatin", "before being switched to losartan": the event that the
        verb tells of, or the same place where it tells of none."""
        place = at
        while (span := self._span(place)) is not None and (_begins(span) or span.person):
            place += 1
        told = place > at and any(_came_to_be(s) for s in self.spans[at:place])
        return place if told and span is not None and span.means("concept") else at

    def _follows(self, at: int) -> bool:
        """Whether something is named further on that has a time: "after the PCI, what was the
        LDL?", "before the losartan, what dose of lisinopril"."""
        later = self.spans[at + 1 :]
        asked = any(s.means("ask") for s in later)
        dated = [s for s in later if "medication" in s.concept or s.means("kind", "medication")]
        return any(_is_result(s) for s in later) or (asked and bool(dated))

    def _at_event(self, at: int) -> bool:
        """ "The day they found the gout", "at the time of the stroke": on the day of an event."""
        place = at + 1
        while place < len(self.spans):
            span = self.spans[place]
            kind = next((k for k in _EVENTS if k in span.concept), "")
            beside = self._span(place + 1)
            if kind and beside is not None and beside.means("concept"):
                # Two things side by side: one event that no record bears, it may be.
                return False
            if kind:
                match = span.concept[kind]
                event = Concept(span.words, kind, (*match.names, *match.past))  # type: ignore[arg-type]
                end = place
                while (later := self._span(end + 1)) is not None and _tells_of_event(later):
                    end += 1
                self.used.update(range(at, end + 1))
                self._attach_time(Time(event=event, side="on"))
                return True
            if not _tells_of_event(span):
                return False
            place += 1
        return False

    def _year_is_number(self, at: int, follower: int) -> bool:
        """Over 2000: a count, where a result stands before it and no word of time does."""
        span = self.spans[at]
        compares = span.means("compare", ">", ">=", "<", "<=", "=") and not span.means("time")
        last = self.heard.clauses[-1] if self.heard.clauses else None
        # Only a result has numbers; a visit up to 2103 is a day.
        return compares and last is not None and last.kind == "observation"

    def _than(self, at: int) -> bool:
        """ "Lower in 2019 than in 2012", "higher than in 2018": from the one time to the other."""
        signs = {">": "rising", "<": "falling"}
        trend = signs.get(self.spans[at].value("compare"), self.heard.trend)
        last = self.heard.clauses[-1] if self.heard.clauses else None
        place = self._next(at, over_people=False)
        dated = self.spans[at].means("than")
        while (span := self._span(place)) is not None and _helps(span):
            dated = dated or span.means("time")
            place = self._next(place, over_people=False)
        if span is None or span.time is None or not dated:
            return False
        if last is None or last.kind != "observation" or trend not in signs.values():
            return False
        one, other = last.time or self.heard.time, span.time
        self.used.update(range(at, place + 1))
        if one is None:
            last.time = Time(first=other.first)
        elif one.first > other.last:
            last.time = Time(first=other.first, last=one.last)
        else:
            last.time = Time(first=one.first, last=other.last)
            trend = "falling" if trend == "rising" else "rising"
        self.heard.trend, self.heard.time = trend, None
        self.heard.doubts.append("the first and the last value of that time are compared")
        return True

    # -- numbers --------------------------------------------------------------------------------

    def _compare(self, at: int) -> bool:
        """A comparison with one or two numbers; it belongs to a result, or to the patients' age."""
        span = self.spans[at]
        sign = span.value("compare")
        place = self._next(at, over_people=False)
        named = self._span(place)
        if named is not None and named.means("attr", "age"):
            # "Above the age of 70".
            self.used.add(place)
            place = self._next(place, over_people=False)
        first = self._numeric(place)
        if first is None:
            return False
        self.used.add(place)
        value = Value(sign, first)  # type: ignore[arg-type]
        end = place
        if sign == "between":
            joined = self._next(place)
            if (unit := self._span(joined)) is not None and unit.means("units"):
                # "Between 1 mg/dL and 2 mg/dL".
                joined = self._next(joined)
            second = joined if self._numeric(joined) is not None else self._next(joined)
            upper = self._numeric(second)
            if upper is None:
                return False
            self.used.update(range(at, second + 1))
            value = Value("between", first, upper)
            end = second
        unit = self._span(end + 1)
        years = False
        if unit is not None and unit.means("units"):
            self.used.add(end + 1)
            years = unit.words.lower() in AGE
        old = self._span(self._next(end))
        if old is not None and old.means("attr", "age"):
            years = True
            self.used.add(self.spans.index(old))
        before = [s for s in self.spans[:at] if not s.empty]
        years = years or (named is not None and named.means("attr", "age"))
        aged = bool(before) and (before[-1].means("attr", "age") or before[-1].means("be", "now"))
        of_result = self.heard.clauses and self.heard.clauses[-1].person is None
        result = bool(of_result) and self.heard.clauses[-1].kind == "observation"
        follows = self._span(self._next(end))
        if years or (
            (not result) and (aged or _is_people(before[-1:])) and not _is_result(follows)
        ):
            self._age(value)
        elif result:
            self.heard.clauses[-1].value = value
        elif follows is not None and _is_result(follows):
            self.value = value
        elif of_result:
            self.heard.clauses[-1].value = value
        else:
            self._age(value)
        return True

    def _numeric(self, at: int) -> float | None:
        span = self._span(at)
        if span is None:
            return None
        if span.number is not None:
            return span.number
        if span.time is not None and span.words.isdigit():
            return float(span.words)
        return None

    def _age(self, value: Value) -> None:
        to = "" if value.to is None else f"{value.to:g}"
        self._add(Clause(person=("age", value.compare, f"{value.number:g}", to)))

    def _number(self, at: int) -> None:
        """A bare number: 65 years old, 65+, 40 to 50; anything else is not understood."""
        number = self.spans[at].number
        after = self._span(at + 1)
        counted = self._span(at - 1)
        if counted is not None and counted.means("pick", "latest", "first") and number:
            self.heard.many = int(number)
            return
        # The sign may follow: 50 or more, 40 and under.
        sign = after.value("compare") if after is not None and after.means("compare") else "="
        of_years = False
        if sign != "=" and after is not None:
            # "Who is 40 or older?"
            of_years = after.words.lower().endswith(("older", "younger"))
            self.used.add(at + 1)
            after = self._span(at + 2)
        later = self._span(at + 2)
        if sign == "=" and _of_age(after) and later is not None and later.means("compare"):
            # The year may stand between: 60岁以上.
            sign = later.value("compare")
            self.used.add(at + 2)
        before = [s for s in self.spans[:at] if not s.empty]
        to = self._span(at + 2)
        aged = bool(before) and before[-1].means("attr", "age")
        upto = to.number if to is not None else None
        joined = after is not None and after.words.lower() in (*_TO, "and")
        if aged and joined and upto is not None:
            self.used.update((at + 1, at + 2))
            self._add(Clause(person=("age", "between", f"{number:g}", f"{upto:g}")))
            return
        age = after is not None and (after.words.lower() in AGE or after.means("attr", "age"))
        if age and after is not None and after.means("units"):
            self.used.add(self.spans.index(after))
        if age or (before and before[-1].means("attr", "age")) or of_years:
            self._add(Clause(person=("age", sign, f"{number:g}", "")))
        elif sign != "=" and self.heard.clauses and _measurable(self.heard.clauses[-1]):
            self.heard.clauses[-1].value = Value(sign, number)  # type: ignore[arg-type]
        elif sign != "=" and _is_people([s for s in before if not s.means("be")][-1:]):
            # "Patients 65 or older", "patients who are 65 or older".
            self._add(Clause(person=("age", sign, f"{number:g}", "")))
        else:
            self.heard.left.append(self.spans[at].words)


def _tells_of_event(span: Span) -> bool:
    """Words that only say that the event came to be: was first diagnosed, they found."""
    tags = {m.tag for m in span.meanings}
    return (span.empty and not span.mark) or (
        (
            bool(tags)
            and (tags <= {"be", "have", "do", "empty"} or span.means("verb", "condition past"))
        )
        or span.means("pick", "first")
    )


def _came_to_be(span: Span) -> bool:
    """A verb that says that a drug, a disease began: started, was switched to, was diagnosed."""
    begins = span.means("begin") or span.means("edge", "start")
    return (begins and not span.means("when")) or span.means("verb", "condition past")


def _begins(span: Span) -> bool:
    """Words of a clause that says that something began: he was first started on."""
    if span.mark or span.person is not None or span.concept or span.left:
        return False
    return _tells_of_event(span) or _came_to_be(span)


def _helps(span: Span) -> bool:
    """Words between "than" and its time: it had been in."""
    tags = {m.tag for m in span.meanings}
    return bool(tags) and tags <= {"be", "have", "do", "empty", "time"} and span.time is None


def _of_age(span: Span | None) -> bool:
    return span is not None and (span.words.lower() in AGE or span.means("attr", "age"))


def _measurable(clause: Clause) -> bool:
    """Whether a number may be said of it: a result, or a thing that no record bears."""
    return clause.kind == "observation" or (bool(clause.words) and not clause.match)


def _is_people(spans: list[Span]) -> bool:
    return any(s.means("people") or s.means("sex") or s.means("ask", "who") for s in spans)


def _is_result(span: Span | None) -> bool:
    return span is not None and span.means("concept") and "observation" in span.concept


def _day_before(day: str) -> str:
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()


def _day_after(day: str) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
