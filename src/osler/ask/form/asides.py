"""Words beside the clauses of a question: exceptions, owners, lists, what a result says."""

from __future__ import annotations

from osler.ask.form.clauses import Clause
from osler.ask.form.form import Concept
from osler.ask.form.lexicon import Meaning
from osler.ask.form.spans import Span
from osler.ask.form.steps import Steps

_ENDS = ",，;；:：?？.!"
_LEFT_OUT = ("in error", "not done", "past", "on hold")
_BESIDE_STATUS = ("kind", "be", "have", "join", "implies", "edge", "ask")
_BESIDE_PEOPLE = ("people", "be", "have", "join", "ask", "when")
_SUBJECTS = ("he", "she", "they", "他", "她", "patient", "患者", "病人")


class Asides(Steps):
    """Steps that look to the words beside."""

    def _of_patient(self, at: int) -> bool:
        """Whether a verb of asking is said of the patient: "does Ann Lee know about it?"."""
        before = at - 1
        while (span := self._span(before)) is not None and span.empty and not span.mark:
            if span.words.lower() in _SUBJECTS:
                return True
            before -= 1
        return span is not None and span.person is not None

    def _lying(self) -> None:
        """ "Whose BMI falls between 25 and 30": beside numbers that are no years, the verb says
        where a result lies and not where it goes. "Who is over 60": nothing ended."""
        for at, span in enumerate(self.spans):
            if span.words.lower() == "is over" and self._numeric(at + 1) is not None:
                span.meanings = (Meaning("compare", ">"),)
            beside, number = self._span(at + 1), self._span(at + 2)
            if span.words.lower() not in ("fall", "falls") or beside is None or number is None:
                continue
            if beside.means("compare") and number.number is not None and number.time is None:
                span.meanings = (Meaning("empty", "-"),)

    def _owned(self, span: Span) -> bool:
        """Whether a class of things is called somebody's: "Ann Lee's statin?"."""
        before = self._span(self.spans.index(span) - 1)
        owned = before is not None and before.person is not None and before.owner
        return owned and any(match.how != "name" for match in span.concept.values())

    def _chosen_from(self, at: int) -> bool:
        """ "Which of her parents": the word that asks stands before the people it chooses from."""
        before = [s for s in self.spans[:at] if not s.empty and s.person is None]
        return bool(before) and before[-1].means("ask", "what")

    def _oldest(self, at: int) -> bool:
        """ "The oldest patient with asthma": a word that else picks a result, before people."""
        after = self._span(self._next(at))
        people = after is not None and (after.means("people") or after.means("sex"))
        beside = self._span(at + 1)
        people = people or (beside is not None and beside.words.lower() in ("patient", "person"))
        return people and self.spans[at].words.lower() in ("oldest", "the oldest", "eldest")

    def _all_of_it(self, at: int) -> bool:
        """ "The LDL history of Ann Lee": every value, where "history" follows a result."""
        before = self._span(at - 1)
        result = before is not None and before.means("concept") and "observation" in before.concept
        if not result or self.spans[at].words.lower() != "history of":
            return False
        self.heard.pick = "all"
        return True

    def _except(self, at: int) -> bool:
        """ "Apart from aspirin, what does she take?": taken out of one patient's list. Of many
        patients "except" takes patients away; a patient who is named there has no place."""
        if self.spans[at].means("except", "after"):
            return self._excepted_before(at)
        follower = self._next(at, over_people=False)
        after = self._span(follower)
        if after is not None and after.person is not None:
            self.heard.left.append(self.spans[at].words)
            return True
        if self._leaves_out(at) or self._leaves_people(at):
            return True
        named = any(s.person is not None for s in self.spans)
        if not named or after is None or not after.means("concept"):
            return False
        excepted = [after]
        follower = self._shaped(follower)
        joint = self._span(follower + 1)
        while joint is not None and joint.means("join"):
            place = self._next(follower + 1, over_people=False)
            more = self._span(place)
            if more is None or not more.means("concept"):
                break
            excepted.append(more)
            follower = self._shaped(place)
            joint = self._span(follower + 1)
        self.used.update(range(at, follower + 1))
        self._take_out(excepted)
        return True

    def _shaped(self, at: int) -> int:
        """The place of the word that only says in what shape a drug comes: "adrenaline pen"."""
        after = self._span(at + 1)
        return at + 1 if after is not None and after.means("form") else at

    def _leaves_out(self, at: int) -> bool:
        """ "Leaving out what was stopped", "disregarding any entry made in error": a clause that
        names only a status, and wants none of it."""
        place = at + 1
        left_out: set[str] = set()
        while (span := self._span(place)) is not None and not (span.mark and span.mark in _ENDS):
            if span.means("when", *_LEFT_OUT) or span.means("sure", "refuted"):
                left_out.add(span.value("when") or span.value("sure"))
            elif not (span.empty or any(span.means(t) for t in _BESIDE_STATUS)) or span.left:
                return False
            place += 1
        if not left_out:
            return False
        self.used.update(range(at, place))
        if left_out & {"past", "on hold"} and not self.heard.when:
            # Erroneous, refuted, cancelled is out by itself; what is stopped is not.
            self.heard.when = "now"
        return True

    def _leaves_people(self, at: int) -> bool:
        """ "Leaving out those who died", "excluding women": people who are left out by what they
        are, and by nothing that a record tells of them."""
        place = at + 1
        apart: list[tuple[str, str]] = []
        while (span := self._span(place)) is not None and not (span.mark and span.mark in _ENDS):
            if span.means("attr", "death", "alive"):
                apart.append((span.value("attr"), ""))
            elif span.means("sex"):
                apart.append(("sex", span.value("sex")))
            elif span.left or not (span.empty or any(span.means(t) for t in _BESIDE_PEOPLE)):
                return False
            place += 1
        if not apart:
            return False
        self.used.update(range(at, place))
        self.heard.apart += apart
        self.heard.people = True
        return True

    def _excepted_before(self, at: int) -> bool:
        """ "Influenza apart, ...": the word stands behind what it takes out."""
        last = self.heard.clauses[-1] if self.heard.clauses else None
        if last is None or last.spans[-1:] != [self._span(at - 1)] or not last.words:
            self.heard.left.append(self.spans[at].words)
            return True
        self.heard.clauses.remove(last)
        self.group = [clause for clause in self.group if clause is not last]
        self._take_out(last.spans)
        return True

    def _take_out(self, excepted: list[Span]) -> None:
        names = [n for s in excepted for m in s.concept.values() for n in (*m.names, *m.past)]
        words = " and ".join(s.words for s in excepted)
        kind = next((k for s in excepted for k in s.concept), "condition")
        self.heard.but = Concept(words, kind, tuple(dict.fromkeys(names)))  # type: ignore[arg-type]

    def _listed(self, join: str) -> None:
        """ "Gout, asthma or migraine": what commas part before an "or" is held together by it, and
        denied together: "no gout, asthma or migraine", "neither gout, asthma nor migraine"."""
        chain = self._chain()
        for clause in chain[1:]:
            clause.join, clause.negated = join, chain[0].negated

    def _chain(self) -> list[Clause]:
        """The last things that were named with nothing but commas between them."""
        chain = self.group[-1:]
        for clause in self.group[-2::-1]:
            if clause.person is not None or not self._only_comma(clause, chain[0]):
                break
            chain.insert(0, clause)
        return chain

    def _only_comma(self, one: Clause, other: Clause) -> bool:
        if not (one.spans and other.spans):
            return False
        first, last = self.spans.index(one.spans[-1]), self.spans.index(other.spans[0])
        said = [
            s for i, s in enumerate(self.spans[first + 1 : last], first + 1) if i not in self.used
        ]
        marks = [s.mark for s in said if s.mark]
        return marks in ([","], ["，"]) and all(s.empty for s in said)

    def _said(self, span: Span) -> None:
        """ "Positive", "negative": what the last result in words says."""
        clauses = self.heard.clauses
        result = clauses[-1] if clauses and clauses[-1].kind == "observation" else None
        if result is None or self.heard.said:
            self.heard.left.append(span.words)
        else:
            self.heard.said = span.value("said")
            self.heard.negated ^= self.heard.said == "no"
