"""Questions about many patients: what was heard, as a description of them."""

from __future__ import annotations

import itertools
from dataclasses import replace

from osler.ask.form.clause_reading import DEAD, LEANING, PERSON, ClauseReader, Reading, within
from osler.ask.form.clauses import Clause
from osler.ask.form.form import Every, Form, Has, Person, Time, Where, Who, Without
from osler.ask.form.heard import Heard
from osler.ask.form.showing import is_stay
from osler.ask.form.slots import died, joined, with_
from osler.ask.form.spans import Span
from osler.ask.form.vocabulary import Match

_EACH = frozenset(
    ["all", "each", "every", "everyone", "everybody", "所有", "所有患者", "所有病人", "全部"]
)


class CohortReader(ClauseReader):
    """Puts a question about many patients together."""

    def _cohort(self, heard: Heard, reading: Reading) -> Form | None:
        parts = self._described_as(heard, reading)
        if parts is None:
            return None
        if heard.setting and (stays := self._stays(heard, reading)) is not None:
            heard.clauses.append(stays)
        concepts = [c for c in heard.clauses if c.words or c.person]
        named = {c.kind for c in concepts}
        clauses = [c for c in heard.clauses if c in concepts or c.kind not in named]
        if heard.relatives:
            for clause in clauses:
                clause.relative = heard.relatives[0]
        given_for = any(c.reason is not None for c in clauses) or _for_it(reading)
        if heard.reason is not None or given_for:
            reading.refuse("what a drug is given for is only asked of one patient")
            return None
        for clause in clauses:
            where = self._clause(clause, reading, heard)
            if clause.negated and clause.value is not None and isinstance(where, Has):
                parts += self._denied_value(clause, where, reading)
            else:
                parts.append((clause.join, Without(where) if clause.negated else where))
        aged = [c.person is not None and c.person[0] == "age" for c in clauses]
        if any(aged) and self._of_now(heard, clauses):
            # "Patients over 60" are the living: the dead grow no older.
            parts.append(("and", died(False, None)))
        if (beside := _side_by_side(reading)) is not None:
            said = " and ".join(f"“{span.words}”" for span in beside)
            reading.refuse(f"{said}: how do they belong together?")
            return None
        if heard.polar and (each := _of_each(reading)) is not None:
            reading.refuse(f"“{each.words}”: whether all of them do is not told; ask who does not")
            return None
        if heard.most:
            return self._most(heard, parts, reading)
        described = joined(parts)
        if len(parts) > 3 or len({join for join, _ in parts[1:]}) > 1:
            # Several ands and ors: the words do not say which binds first.
            reading.sure *= LEANING
        if described is None:
            if heard.aged and not heard.verbs and "count" not in heard.asks:
                return Form("patients", Who(where=died(False, None), pick=heard.aged))  # type: ignore[arg-type]
            everybody = not heard.when and not heard.time and not heard.verbs
            asked_for = bool({"count", "who"} & {*heard.asks})
            everybody = everybody and (asked_for or heard.pick == "all" or _of_all(reading))
            if everybody and len([s for s in reading.spans if not s.empty]) <= 4:
                return Form("count of patients" if "count" in heard.asks else "patients", Who())
            reading.refuse("the question does not say which patients")
            return None
        if (noun := _counted(reading)) is not None:
            reading.refuse(f"“{noun.words}” are counted for one patient only; name one")
            return None
        if heard.aged and "count" not in heard.asks:
            living = died(False, None)
            everyone = Every((*(described.of if isinstance(described, Every) else (described,)),))
            dead = any(a in DEAD for a in heard.attributes)
            where = everyone if dead else Every((*everyone.of, living))
            return Form("patients", Who(where=where, pick=heard.aged))  # type: ignore[arg-type]
        counted = "count" in heard.asks or ("how much" in heard.asks and not heard.clauses)
        if "how much" in heard.asks and "what" not in heard.asks and "who" not in heard.asks:
            counted = True
        if any(ask in ("when", "why") for ask in heard.asks):
            reading.refuse("this is asked of many patients at once; name one")
            return None
        return Form("count of patients" if counted else "patients", Who(where=described))

    def _described_as(self, heard: Heard, reading: Reading) -> list[tuple[str, Where]] | None:
        """What the patients are by themselves: sex, town, alive or dead, when they were born."""
        parts: list[tuple[str, Where]] = []
        for sex in dict.fromkeys(heard.sexes):
            parts.append(("and", Person("sex", "=", sex)))
        for what, value in heard.apart:
            inner = died(what == "death", None) if what in DEAD else Person(what, "=", value)
            parts.append(("and", inner.of if isinstance(inner, Without) else Without(inner)))
        for state in heard.marital:
            parts.append(("and", Person("marital status", "=", state)))
        for place in heard.places:
            parts.append(("and", Person("city", "=", place)))
        for attribute in heard.attributes:
            if attribute in DEAD:
                opposite = (heard.negated and not heard.clauses) or heard.when == "past"
                dead = (attribute == "death") != opposite
                parts.append(("and", died(dead, heard.lives.get("death") or self._alone(heard))))
            elif attribute == "birth date" and (
                born := heard.lives.get("birth date") or self._alone(heard)
            ):
                parts.append(("and", Person("birth date", "between", born.first, born.last)))
            elif attribute in PERSON and attribute not in ("city", "sex"):
                reading.refuse(f"patients cannot be asked for by {attribute}")
                return None
        return parts

    def _stays(self, heard: Heard, reading: Reading) -> Clause | None:
        """ "Who was admitted in 2017": visits whose names say that somebody stayed; which class a
        visit is of stands beside it, where no set of patients can be chosen by it."""
        visits = [c for c in heard.clauses if c.kind == "encounter" and not c.words]
        others = [c for c in heard.clauses if c not in visits]
        names = [n for n in self.vocabulary.names if n.kind == "encounter" and is_stay(n.text)]
        if heard.setting != "inpatient" or not names or (heard.negated and others):
            return None
        heard.clauses[:] = others
        said = visits[0] if visits else Clause(tense=heard.tense, when=heard.when)
        self._stay_doubt(reading, "stays are known by the names of the visits")
        return replace(
            said,
            spans=[s for s in heard.spans if s.means("setting")],
            match={"encounter": Match("encounter", [n.key for n in names])},
            words=next(s.words for s in heard.spans if s.means("setting")),
            hint="encounter",
            time=said.time or heard.time,
            negated=heard.negated,
        )

    def _denied_value(
        self, clause: Clause, where: Has, reading: Reading
    ) -> list[tuple[str, Where]]:
        """ "Whose potassium was never high": of those who have one; "without a high potassium"
        leaves that open."""
        denied = Without(where)
        if not any(s.words.lower() == "whose" for s in reading.spans):
            reading.sure *= LEANING
            return [(clause.join, denied)]
        measured = Has(with_(where.what, value=None, pick="all"))
        return [(clause.join, measured), ("and", denied)]

    def _alone(self, heard: Heard) -> Time | None:
        """A time that no clause can claim."""
        return heard.time if not heard.clauses else None

    def _of_now(self, heard: Heard, clauses: list[Clause]) -> bool:
        """Whether a question about patients of an age is one in the present."""
        said = [heard.when, *(word for c in clauses for word in (c.when, c.tense))]
        timed = heard.time is not None or any(c.time is not None for c in clauses)
        dead = any(a in DEAD for a in heard.attributes)
        return not (dead or timed or any(w in ("past", "ever", "any") for w in said))

    def _clause(self, clause: Clause, reading: Reading, heard: Heard) -> Where:
        if clause.person is not None:
            about, compare, value, to = clause.person
            return Person(about, compare, value, to)  # type: ignore[arg-type]
        what = self._what(clause, reading, heard, cohort=True)
        if what.when == "past" and what.kinds[0] == "medication":
            if any(s.means("gone") for s in reading.spans):
                # "No longer": those who take it again are not meant.
                return Every((Has(what), Without(Has(with_(what, when="now", time=None)))))
            reading.sure *= LEANING
        return Has(self._worded(what, clause))

    def _most(self, heard: Heard, parts: list[tuple[str, Where]], reading: Reading) -> Form | None:
        kinds = [c for c in heard.clauses if not c.words and c.kind]
        if not kinds:
            reading.refuse("most frequent of what? name a kind: drugs, conditions, procedures")
            return None
        what = self._what(kinds[0], reading, heard, cohort=True)
        rest = [p for p in parts if not (isinstance(p[1], Has) and p[1].what == what)]
        return Form("most frequent", Who(where=joined(rest)), what)


def _of_all(reading: Reading) -> bool:
    said = {s.words.lower() for s in reading.spans}
    return bool(said & {"all patients", "everybody", "everyone", "所有患者", "全部患者"})


def _of_each(reading: Reading) -> Span | None:
    """ "Does everyone ...?", "are all patients ...?": a list of those who do would be no answer."""
    return next((s for s in reading.spans if s.words.lower().split()[0] in _EACH), None)


def _counted(reading: Reading) -> Span | None:
    """ "How many warfarin prescriptions": what is counted, where it is no patients."""
    counting = False
    for span in reading.spans:
        if span.means("ask", "count"):
            counting = True
        elif counting and span.means("kind"):
            return span
        elif counting and not (span.empty or span.means("concept")):
            return None
    return None


def _for_it(reading: Reading) -> bool:
    """ "On no drug for it": what the drug is given for, by a word that points back."""
    words = [s.words.lower() for s in reading.spans]
    pairs = set(itertools.pairwise(words))
    return bool(pairs & {("for", "it"), ("for", "this"), ("for", "that"), ("for", "them")})


def _side_by_side(reading: Reading) -> tuple[Span, Span] | None:
    """Two concepts with nothing between them: one name that no record bears, it may be."""
    if (inside := within(reading.spans)) is not None:
        return inside
    for first, second in itertools.pairwise(reading.spans):
        # A sign that is no word may join them: "AF + warfarin".
        if first.means("concept") and second.means("concept") and "+" not in reading.question:
            return first, second
    return None
