"""The spans of a question heard from left to right: clauses, and what is asked about them."""

from __future__ import annotations

from osler.ask.form.asides import Asides
from osler.ask.form.clauses import Clause
from osler.ask.form.form import Concept, Value
from osler.ask.form.heard import Heard
from osler.ask.form.lexicon import Meaning
from osler.ask.form.spans import Span
from osler.ask.form.steps import AGE

_PEOPLE_AGES = {"adults": (">=", "18"), "children": ("<", "18")}
_SORTS = ("type of", "types of", "kind of", "kinds of", "sort of", "form of", "类型")
# "Get" is said of drugs, of vaccines and of diseases: the concept decides.
_WEAK = ("get", "gets", "getting", "got", "gotten", "receive", "receives", "received", "receiving")
# "Is given": what is done now; "was given", "has been given": what was.
_PASSIVE = (
    "prescribed",
    "given",
    "taken",
    "used",
    "administered",
    "dispensed",
    "issued",
    "ordered",
)
_STATES = ("smoker", "non-smoker", "nonsmoker", "ex-smoker", "current smoker", "drinker")
_FOR = ("for", "against", "because of", "due to", "to treat")
_FINE = ("ok", "okay", "fine", "alright", "all right")
# A word of status before one of these belongs to what follows.
# What a thing is in, one at a time.
_APART = ("past", "on hold", "planned", "not done", "in error")
_AHEAD = ("concept", "kind", "have", "verb", "be", "range", "when", "sure", "not")


def _in_range(said: list[Span]) -> bool:
    """Whether one result by its name stands beside a word for its range."""
    return (
        any(s.means("range") for s in said)
        and any(s.means("concept") and "observation" in s.concept for s in said)
        and not any(s.means("kind") or s.means("people") or s.means("pick") for s in said)
    )


def _sort_of(span: Span) -> bool:
    """Whether a thing is named with the word for its sort, which asks for the sort it is of."""
    return span.words.lower().split()[-1] in ("stage", "grade", "type", "class", "severity")


def _of_result(span: Span) -> bool:
    return "observation" in span.concept or span.means("kind", "observation")


def _only_vaccine(span: Span) -> bool:
    return "immunization" in span.concept and "medication" not in span.concept


class Walk(Asides):
    """One pass over the spans."""

    def run(self) -> Heard:
        self._lying()
        self._leading()
        self._fine()
        for at, span in enumerate(self.spans):
            if at in self.used or span.mark or span.person is not None:
                continue
            if span.left or span.means("left") or (span.means("asker") and self._of_patient(at)):
                self.heard.left.append(span.words)
            elif span.time is not None:
                self._time(at, "in")
            elif span.number is not None:
                self._number(at)
            elif span.means("concept"):
                self._concept(at)
            else:
                self._words(at)
        self._close()
        return self.heard

    # -- looking around -------------------------------------------------------------------------
    def _leading(self) -> None:
        """Whether the question opens as one that yes or no answers."""
        heard = self.heard
        said = [s for s in self.spans if not s.empty and s.person is None]
        if any(s.means("ask", "polar") for s in self.spans):
            heard.polar = True
        if said and (said[0].means("be") or said[0].means("do") or said[0].means("have")):
            heard.polar = heard.polar or said[0].words.lower() not in (
                "with",
                "w/",
                "w",
                "有",
                "患有",
            )
        asked = any(s.means("ask") and not s.means("ask", "polar") for s in said)
        opening = next((s for s in self.spans if not s.mark and s.person is None), None)
        if not asked and opening is not None and opening.words.lower() in _SORTS:
            # "Ann Lee: type of diabetes?"
            heard.asks.append("what")
            asked = True
        if not asked and any(s.means("concept") and _sort_of(s) for s in said):
            # "Ann Lee's CKD stage": which it is.
            heard.asks.append("what")
            asked = True
        question = any(s.mark in ("?", "？") for s in self.spans)
        if question and not asked and said and said[-1].words.lower() in _STATES:
            # "Ann Lee smoker?" asks whether, though what is recorded are words.
            heard.polar = True
        if question and not asked and _in_range(said):
            # "Her potassium normal?" asks whether; "abnormal labs?" asks which.
            heard.polar = True
        if question and not asked and not any(s.means("people") for s in said):
            # "Mammogram done?" asks whether; "last potassium?" how much, "Ann's statin?" which.
            heard.polar = heard.polar or any(
                s.means("concept") and "observation" not in s.concept and not self._owned(s)
                for s in said
            )

    def _fine(self) -> None:
        """ "Is her potassium ok?": whether it is in its range; of an illness it is not understood.
        Elsewhere the word says nothing."""
        said = [at for at, s in enumerate(self.spans) if not (s.mark or s.means("when", "now"))]
        last = self.spans[said[-1]] if said else None
        if last is None or last.words.lower() not in _FINE or self.spans[said[-1] - 1].mark:
            return
        asked = any(s.means("ask") for s in self.spans)
        if asked or not any(s.means("be") for s in self.spans):
            return
        if any(map(_of_result, self.spans)):
            last.meanings = (Meaning("range", "in range"),)
            self.heard.polar = True
        else:
            last.left = True

    # -- concepts and words ---------------------------------------------------------------------

    def _for(self, at: int) -> bool:
        """ "... for hypertension": why a drug is given, or a procedure done."""
        span, before = self.spans[at], self._span(at - 1)
        back = at - 1
        while before is not None and before.empty and before.words.lower() not in _FOR:
            back -= 1
            before = self._span(back)
        if before is None or before.words.lower() not in _FOR or "condition" not in span.concept:
            return False
        match = span.concept["condition"]
        concept = Concept(span.words, "condition", (*match.names, *match.past))
        last = self.heard.clauses[-1] if self.heard.clauses else None
        if last is not None and last.person is None and last.kind in ("medication", "procedure"):
            last.reason = concept
        elif "medication" not in span.concept and (self.hint == "medication" or self._drugs(at)):
            self.heard.reason = concept
        else:
            return False
        return True

    def _drugs(self, at: int) -> bool:
        """ "For gout, what does she take?": what is taken is only asked for behind it."""
        later = [s for s in self.spans[at + 1 :] if not s.empty and s.person is None]
        asked = any(s.means("ask", "what") for s in later)
        named = any(s.means("concept") or s.means("kind") for s in later)
        taken = any(s.value("verb").startswith("medication") for s in later)
        return not self.heard.clauses and asked and taken and not named

    def _concept(self, at: int) -> None:
        span = self.spans[at]
        if self._for(at):
            return
        clause = Clause([span], span.concept, span.words, self.hint, self.bound, typed=span.typed)
        before = self._span(at - 1)
        if (
            before is not None
            and before.means("verb", "medication on")
            and not span.concept.get("medication")
        ):
            clause.hint, clause.bound = "", False
        follower = self._span(at + 1)
        if follower is not None and follower.means("form") and "medication" in span.concept:
            clause.hint, clause.bound = "medication", True
            self.used.add(at + 1)
        elif follower is not None and follower.means("attr", "dose") and _only_vaccine(span):
            # "Her second COVID dose" is a vaccination.
            clause.hint, clause.bound = "immunization", True
            self.used.add(at + 1)
        elif (
            follower is not None
            and follower.means("kind")
            and not follower.means("kind", "observation", "condition")
        ):
            clause.hint, clause.bound = follower.value("kind"), True
            clause.several = follower.words.lower().endswith("s")
            self.used.add(at + 1)
        elif follower is not None and follower.means("kind"):
            # "potassium level", "thyroid disease": the kind word adds nothing where it fits.
            clause.hint = follower.value("kind")
            # "Vitamin D level": a result, and never the drug of that name. "Bone disease": a
            # condition, and never a scan of the bones.
            valued = follower.words.lower().rstrip("s") in ("level", "value", "reading")
            clause.bound = valued or clause.hint == "condition"
            clause.several = follower.words.lower().endswith("s")
            self.used.add(at + 1)
        self._add(clause)

    def _verb(self) -> None:
        """A verb after a clause opens a new group: what the last one said of time is over."""
        if self.group:
            self.group = []
            self.hint, self.bound = "", False
            self.tense, self.when = "", ""

    def _words(self, at: int) -> None:
        span = self.spans[at]
        heard = self.heard
        dated = span.means("time") or span.means("compare", "between")
        dated = dated or span.words.lower() in ("on", "up to")
        if dated and self._time_word(at):
            return
        if span.means("time", "before") and self._span(self._next(at)) is None:
            # "What was she on before?"
            self._modify(at, "when", "past")
            return
        if (span.means("than") or span.means("compare", ">", "<")) and self._than(at):
            return
        if span.means("compare") and self._compare(at):
            return
        if span.means("except") and self._except(at):
            return
        if span.means("not") or span.means("except", "-"):
            self._not(at)
        if span.means("ask") and not self._names_something(at):
            heard.asks.append(span.value("ask"))
        self._counting(at)
        self._person_words(at)
        if span.means("join"):
            self._join(span)
        if span.means("most"):
            heard.most = True
        if span.means("setting"):
            heard.setting = span.value("setting")
        if span.means("begin"):
            heard.begins = True
        if span.means("trend"):
            heard.trend = (
                "either" if heard.trend not in ("", span.value("trend")) else span.value("trend")
            )
        if span.means("edge"):
            heard.edges.append(span.value("edge"))
        if span.means("aged") or self._oldest(at):
            heard.aged = span.value("aged") or "oldest"
        elif span.means("pick") and not heard.pick:
            heard.pick = span.value("pick")
        if span.means("than") or span.means("elder"):
            heard.left.append(span.words)
        if span.means("range"):
            self._range(at)
        if span.means("said"):
            self._said(span)
        if span.means("make") and not any(s.means("kind", "encounter") for s in self.spans):
            heard.left.append(span.words)
        if span.means("sure"):
            self._modify(at, "sure", span.value("sure"))
        if span.means("when") and not self._all_of_it(at):
            self._modify(at, "when", span.value("when"))
        if span.means("be") or span.means("do") or span.means("have"):
            self._auxiliary(span)
        if span.means("kind"):
            self._kind(at)
        elif span.means("verb"):
            self._action(span)

    def _person_words(self, at: int) -> None:
        """Words for people and for what is known of a person."""
        span, heard = self.spans[at], self.heard
        if span.means("people"):
            self._people(span)
        if span.means("sex"):
            heard.sexes.append(span.value("sex"))
        if span.means("marital"):
            heard.marital.append(span.value("marital"))
        if span.means("place"):
            heard.places.append(span.value("place"))
        if span.means("relative"):
            heard.relatives.append(span.value("relative"))
            if span.means("relative", "parent", "sibling") and self._chosen_from(at):
                heard.asks.append("relative")
        if span.means("attr"):
            heard.attributes.append(span.value("attr"))

    def _counting(self, at: int) -> None:
        """Words beside a count or a place in a row: second, two, mg."""
        span, heard = self.spans[at], self.heard
        if span.means("form") or (span.means("class") and not self._beside_thing(at)):
            heard.left.append(span.words)
        if span.means("nth"):
            heard.nth = int(span.value("nth"))
        if span.means("implies"):
            heard.implied.append(span.value("implies"))
        if span.means("many"):
            self._many(at, int(span.value("many")))
        if span.means("units"):
            self._unit(at)

    def _beside_thing(self, at: int) -> bool:
        """Whether "class", "group" stands beside what it is a class of."""
        beside = [s for s in (self._span(at - 1), self._span(self._next(at))) if s is not None]
        if self.spans[at - 1].empty:
            beside.append(self.spans[at - 2])
        # "Blood group" is no group of anything: only drugs come in classes here.
        return any("medication" in s.concept or s.means("kind") or s.means("ask") for s in beside)

    def _names_something(self, at: int) -> bool:
        """ "The platelet count", "the patient with number 7": nothing is counted."""
        span, before, after = self.spans[at], self._span(at - 1), self._span(at + 1)
        if span.means("ask", "why") and span.means("verb"):
            # "Prescribed for Ann Lee" says to whom, not why.
            return after is not None and after.person is not None
        last = self.heard.clauses[-1] if self.heard.clauses else None
        if span.means("ask", "when") and span.means("pick"):
            # "Her blood pressure the first time" says which, "mammogram, last time" asks when.
            return last is not None and last.kind == "observation" and not self.heard.asks
        if not span.means("ask", "count"):
            return False
        result = before is not None and before.means("concept") and "observation" in before.concept
        bare = span.words.lower() in ("count", "counts", "count of", "number")
        return bare and (result or (after is not None and after.person is not None))

    def _many(self, at: int, number: int) -> None:
        """ "The last two": how many of them; any other number says nothing here."""
        before, after = self._span(at - 1), self._span(at + 1)
        if before is not None and before.means("pick", "latest", "first"):
            self.heard.many = number
        elif after is not None and after.person is not None and number == 2:
            # "Which of the two Ann Lees": as many as bear the name.
            return
        else:
            self.heard.left.append(self.spans[at].words)

    def _unit(self, at: int) -> None:
        """A unit beside no number: of a drug it asks for the dose; of years nothing was said."""
        span = self.spans[at]
        last = self.heard.clauses[-1] if self.heard.clauses else None
        if span.words.lower() in AGE:
            if not span.means("attr"):
                self.heard.left.append(span.words)
        elif last is not None and last.kind == "medication" and not self.heard.asks:
            self.heard.attributes.append("dose")

    def _not(self, at: int) -> None:
        if self.group and self.spans[at].words.lower() == "nor":
            self._listed("and")
        self.negated = True
        self.heard.negated = True
        if self.group and self.heard.clauses and self.spans[at].words.lower() in ("without", "w/o"):
            self.hint, self.bound, self.when = "", False, ""

    def _people(self, span: Span) -> None:
        if span.means("people", "them"):
            self.heard.them = True
            return
        self.heard.people = True
        if ages := _PEOPLE_AGES.get(span.value("people")):
            self._add(Clause(person=("age", *ages, "")))

    def _join(self, span: Span) -> None:
        join = span.value("join")
        if span.words.lower() in ("both", "either"):
            return
        if join == "and" and not self.negated and any(c.negated for c in self._chain()):
            self.heard.doubts.append("how far the negation reaches")
        if join == "or" and self.group:
            self._listed("or")
            self.negated = self.group[-1].negated
        elif join == "but":
            self.negated = False
        self.join = "or" if join == "or" else "and"

    def _range(self, at: int) -> None:
        value = Value(self.spans[at].value("range"))  # type: ignore[arg-type]
        if (
            self.heard.value is not None
            and self.heard.value.number is None
            and self.heard.value != value
        ):
            self.heard.left.append(self.spans[at].words)
        after = self._span(self._next(at))
        if after is not None and (after.means("concept") or after.means("kind", "observation")):
            self.value = value
        elif self.heard.clauses and self.heard.clauses[-1].person is None:
            self.heard.clauses[-1].value = value
        else:
            self.value = value
        self.heard.value = value

    def _modify(self, at: int, name: str, value: str) -> None:
        """A word of status: for what follows, or for what was just said."""
        if name == "when" and self._other_state(at, value):
            return
        if name == "when" and self._not_over(at):
            value = "now"
        after = self._span(self._next(at))
        before = self._span(at - 1)
        ahead = after is not None and any(after.means(tag) for tag in _AHEAD)
        if value == "never":
            self.heard.negated = True
            self.negated = True
        known = getattr(self.heard, name)
        if value == "refuted" and known == "provisional":
            # "Which suspected diagnosis was ruled out": what came of the suspicion counts.
            self.heard.sure = self.sure = value
            for clause in self.heard.clauses:
                clause.sure = value if clause.sure == known else clause.sure
        if not known or (
            value in ("not done", "never", "on hold", "planned") and known != "not done"
        ):
            setattr(self.heard, name, value)
        targets = self.group or self.heard.clauses[-1:]
        if not ahead and targets and not (before is not None and before.means("not")):
            for clause in targets:
                if clause.person is None:
                    setattr(clause, name, value)
                    # "In whom was LDL never measured": the word denies what was just said.
                    clause.negated = clause.negated or value == "never"
            if value == "never":
                self.negated = False
            return
        setattr(self, name, value)
        self.waiting.append((name, value, len(self.heard.clauses)))

    def _other_state(self, at: int, value: str) -> bool:
        """ "Stopped, not paused": what is in one state is in no other, and the denial adds nothing.
        Both words are used up."""
        if value not in _APART or self.heard.when not in _APART or self.heard.when == value:
            return False
        back = at - 1
        while (before := self._span(back)) is not None and before.empty and not before.mark:
            back -= 1
        if before is None or not before.means("not"):
            return False
        self.negated = self.heard.negated = False
        for span in (before, self.spans[at]):
            span.meanings = (Meaning("empty", "-"),)
        return True

    def _not_over(self, at: int) -> bool:
        """ "Which problems have not resolved", "which drugs were not stopped": those that are. A
        question for yes or no denies as a whole and is left to that."""
        back = at - 1
        while (before := self._span(back)) is not None and before.empty and not before.mark:
            back -= 1
        over = self.spans[at].means("when", "ended") or self.spans[at].means("implies")
        lists = bool({"what", "count", "who"} & {*self.heard.asks})
        if not (over and self.negated and lists) or self.heard.polar:
            return False
        if before is None or not before.means("not"):
            return False
        self.negated = self.heard.negated = False
        # The word is used up: it stands in the form as "now".
        before.meanings = (Meaning("empty", "-"),)
        return True

    def _auxiliary(self, span: Span) -> None:
        self._verb()
        tense = span.value("be") or span.value("do") or span.value("have")
        if tense == "past" or not self.tense:
            self.tense = tense
        self.last_be = span.value("be") or self.last_be
        if span.means("have") and not self.bound:
            self.hint = f"have {tense}"
        self.heard.tense = "past" if "past" in (tense, self.heard.tense) else tense

    def _action(self, span: Span) -> None:
        kind, _, tense = span.value("verb").partition(" ")
        self.heard.verbs.append(kind)
        if kind == "reaction":
            self.hint, self.bound = "allergy", True
            return
        if self.group and not self.heard.polar:
            self._verb()
        self.hint = kind
        self.bound = kind in ("medication",) and tense != "on" and span.words.lower() not in _WEAK
        if tense == "past" and not self._passive_now(span.words.lower()):
            self.tense = "past"
            self.heard.tense = "past"
            for clause in self.group:
                # "Has a statin been tried?": the verb comes after what it speaks of.
                clause.tense = "past"
        elif not self.tense:
            self.tense = "now"

    def _passive_now(self, word: str) -> bool:
        """ "Is given", "are prescribed"; of many, "are given" is said of any time."""
        if self.last_be != "now":
            return False
        one = any(s.words.lower() in ("is", "isn't") for s in self.spans)
        return word == "prescribed" or (one and word in _PASSIVE)

    def _kind(self, at: int) -> None:
        """A kind word: the kind of a concept beside it, or a clause of its own."""
        span = self.spans[at]
        kind = span.value("kind")
        after = self._span(self._next(at))
        if after is not None and after.means("concept"):
            plain = kind in ("observation", "condition", "procedure", "report")
            if not plain or kind in after.concept:
                self.hint, self.bound = kind, not plain
                self.several = span.words.lower().endswith("s")
                return
            if plain:
                return
        if kind == "observation" and self.heard.clauses and self.heard.clauses[-1].kind == kind:
            self.heard.clauses[-1].several |= span.words.lower().endswith("s")
            return
        self._add(Clause([span], hint=kind))

    def _close(self) -> None:
        heard = self.heard
        if self.negated and heard.clauses and heard.clauses[-1].person is None:
            # "In whom was LDL never measured": the word denies what stands before it.
            heard.clauses[-1].negated = True
        for name, value, clauses in self.waiting:
            # "Whose potassium has ever been high": no clause came that the word could belong to.
            last = heard.clauses[-1] if clauses == len(heard.clauses) > 0 else None
            if last is not None and last.person is None and not getattr(last, name):
                setattr(last, name, value)
        if self.value is not None:
            heard.value = self.value
        if heard.time is not None and heard.clauses:
            for clause in heard.clauses:
                if clause.time is None and clause.person is None:
                    clause.time = heard.time
