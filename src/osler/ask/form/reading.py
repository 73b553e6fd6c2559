"""A question read into a form.

The words are cut into spans, heard from left to right, and put together. Rules decide, not scores:
a word that no part of the form uses and that is not known to be empty makes the reading a refusal
which names it. What lowers the certainty of a reading is listed with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from osler.ask.form.about_asker import asker_asides
from osler.ask.form.accounting import idle, unaccounted
from osler.ask.form.clause_reading import LEANING, Reading
from osler.ask.form.cohort_reading import CohortReader
from osler.ask.form.familiar import untried
from osler.ask.form.form import Form, Who
from osler.ask.form.framing import unframed, without_context
from osler.ask.form.heard import Heard
from osler.ask.form.lexicon import Meaning
from osler.ask.form.naming import whom
from osler.ask.form.patient_reading import PatientReader
from osler.ask.form.restating import restated
from osler.ask.form.slots import for_what
from osler.ask.form.spans import Span, cut
from osler.ask.form.synonyms import unknown, ways
from osler.ask.form.tokens import Token
from osler.ask.form.walk import Walk

__all__ = ["Reader", "Reading"]

GUESSED = 0.88
"""What a reading keeps of its certainty where words were set aside, or read as others."""
BEYOND = {
    "advice": "that asks for advice; records only tell what is and was",
    "forecast": "that asks for a forecast; records only tell what is and was",
    "author": "who did it is not told by these answers",
    "contact": "who stands by somebody is not told by these answers",
    "here": "who is in the house now is not told by these answers",
}
_MAY = ("can i", "could i", "may i", "can we", "could we")
_TAG = re.compile(
    r"[,，]\s*(?:or\s+)?(?:right|correct|yes|yeah|innit|eh|no|is it so|am i right|"
    r"(?:is|isn't|isnt)\s+(?:that|this)(?:\s+(?:right|correct|so|true|the case))?|"
    r"(?:is|are|was|were|do|does|did|has|have|had)(?:n['’]?t)?\s+(?:he|she|it|they|there)(?:\s+not)?|"
    r"对吗|对吧|是吧|对不对|是不是)\s*[?？.]*\s*$",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"((?:^|[.,:;?!—–-]\s)\s*(?:is|are|was|were|do|does|did|has|have|had))"
    r"(n['’]?t)(?=\s+(?!you\b|we\b|i\b|there\s+a\s+reason)\w)",
    re.IGNORECASE,
)
"""A verb with "not" in it before its subject: "isn't she on aspirin?" asks whether she is, and is
answered as "is she?" would be."""


class Reader(CohortReader, PatientReader):
    """Reads questions over one vocabulary and one set of people."""

    def read(self, question: str, *, before: Form | None = None) -> Reading:
        """The form of a question. ``before`` is the form of the last one, which "she", "and in
        2019?" may refer to. Where a word is not known, the same without what only frames the
        question, and with words beside the unknown ones."""
        words, spans = self._cut(question)
        kept, told = without_context(spans, _gaps(question, words, spans))
        if told:
            reading = self._read(question, before, words, kept, told, keeps=LEANING)
            if reading.form is not None:
                return reading
            words, spans = self._cut(question)
        strict = self._read(question, before, words, spans)
        if strict.form is not None or not (strict.left or strict.misplaced):
            return strict
        if strict.whom.half:
            return strict  # what stands beside half a name frames nothing
        plain = self._guessed(question, before, {})
        if plain.form is not None:
            return plain
        for way in ways(plain.unknown):
            reading = self._guessed(question, before, way)
            if reading.form is not None:
                for token in plain.unknown:
                    reading.doubts.append(f"“{token.text}” read as “{way[token.start]}”")
                reading.sure *= GUESSED
                return reading
        return strict

    def _cut(
        self, question: str, instead: Mapping[int, str] | None = None
    ) -> tuple[list[Token], list[Span]]:
        asked, _ = _untagged(question)
        asked = _TURNED.sub(lambda turned: turned[1] + " " * len(turned[2]), asked)
        return cut(asked, self.vocabulary, self.people, self.today, instead)

    def _guessed(self, question: str, before: Form | None, instead: Mapping[int, str]) -> Reading:
        """Without what only frames the question, and with some words read as others."""
        words, spans = self._cut(question, instead)
        spans, aside = unframed(spans, _gaps(question, words, spans))
        return self._read(question, before, words, spans, aside, keeps=GUESSED, instead=instead)

    def _read(
        self,
        question: str,
        before: Form | None,
        words: Sequence[Token],
        spans: list[Span],
        aside: Sequence[str] = (),
        *,
        keeps: float = 1.0,
        instead: Mapping[int, str] | None = None,
    ) -> Reading:
        """``aside`` was taken to ask nothing, of which the reading ``keeps`` that certainty."""
        _, tagged = _untagged(question)
        left = any(span.left for span in spans)
        spans = restated(spans)
        reading = Reading(question, spans=spans, left=left, unknown=unknown(spans, words))
        for said in aside:
            reading.doubts.append(f"“{said}” is taken to ask nothing")
        if aside:
            reading.sure *= keeps
        reading.whom = who = whom(spans, words, self.people)
        if who.several:
            named = " and ".join(who.several)
            return reading.refuse(f"the question names {named}: ask about one patient at a time")
        if who.unknown:
            return reading.refuse(f"there is no patient {who.unknown} in these records")
        walk = Walk(spans)
        walk.used.update(who.used, asker_asides(spans))
        heard = walk.run()
        if (beyond := _beyond(spans, heard, walk.used)) is not None:
            return reading.refuse(f"“{beyond.words}”: {BEYOND[beyond.value('beyond')]}")
        if tagged:
            heard.polar = True
            if heard.negated:
                return reading.refuse(
                    "a statement in the negative with a question behind it can be read both ways"
                )
        if heard.left:
            listed = ", ".join(f"“{word}”" for word in dict.fromkeys(heard.left))
            return reading.refuse(f"not understood: {listed}")
        reading.doubts += who.notes + heard.doubts
        reading.sure *= who.sure * 0.8 ** len(heard.doubts)
        for span in spans:
            if span.typed:
                reading.doubts.append(f"“{span.words}” read as “{span.typed}”")
                reading.sure *= LEANING
        patients, named = who.patients, who.words
        many = heard.people or bool(heard.sexes) or "who" in heard.asks
        # "Which of them": of everybody, where no question went before.
        many = many or (heard.them and before is None)
        many = many or ("count" in heard.asks and "death" in heard.attributes and before is None)
        cohort = not patients and many
        cohort = cohort or (heard.most and not patients)
        if not patients and not cohort and before is None and {"count", "what"} & set(heard.asks):
            # "How many diabetics ...", "how many are on warfarin": those of whom it holds.
            counted = {"count"} & set(heard.asks) and not heard.attributes
            cohort = any(
                c.words and (c.kind == "condition" or (counted and c.kind != "encounter"))
                for c in heard.clauses
            )
            reading.sure *= 0.95
        if not patients and not cohort and before is not None and before.who.patients:
            patients, named = before.who.patients, before.who.words
        of_name = "name" in heard.attributes and (heard.people or "count" in heard.asks)
        who_is = heard.asks == ["who"] and not (heard.clauses or heard.verbs)
        who_is = who_is and set(heard.attributes) <= {"id", "number", "name"}
        if patients and (of_name or (who_is and not heard.relatives)):
            reading.form = Form(
                "count of patients" if "count" in heard.asks else "patients", Who(patients, named)
            )
            return reading
        if len(patients) > 1 and _which_of(spans):
            # "Which James Wilson takes metformin?": those of the name of whom it holds.
            reading.form = self._cohort(heard, reading)
            if reading.form is not None:
                who_of = Who(patients, named, reading.form.who.where)
                reading.form = msgspec.structs.replace(reading.form, who=who_of)
        elif cohort:
            reading.form = self._cohort(heard, reading)
        elif patients:
            reading.form = self._about(heard, Who(patients, named), reading, before)
        else:
            return reading.refuse("the question names no patient and asks for none")
        if reading.form is not None:
            unused, light = unaccounted(heard, reading.form)
            heavy, lighter = idle(spans, reading.form, who.used | asker_asides(spans))
            unused += [w for w in heavy if w not in unused]
            if unused:
                reading.form = None
                reading.misplaced = True
                return reading.refuse("not understood in this place: " + ", ".join(unused))
            light += [w for w in lighter if w not in light]
            reading.sure *= LEANING ** (2 * len(light))
            reading.doubts += [f"“{word}” was not used" for word in light]
            if untried(spans) and not (aside or instead):
                # What was guessed is new anyway.
                reading.new = True
                reading.doubts.append("worded unlike the questions that were tried")
        return reading


def _gaps(text: str, words: Sequence[Token], spans: Sequence[Span]) -> list[str]:
    """For each span the text between it and the one before."""
    starts = [words[span.start].start for span in spans]
    ends = [0, *(words[span.end - 1].end for span in spans[:-1])]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _untagged(question: str) -> tuple[str, bool]:
    """ "She takes aspirin, doesn't she?": the statement, and that it is asked whether it holds."""
    match = _TAG.search(question)
    return (question[: match.start()] + "?", True) if match else (question, False)


def _which_of(spans: Sequence[Span]) -> bool:
    """ "Which Ann Lee", "which of the two Ann Lees": the word that asks stands before the name."""
    for at, span in enumerate(spans):
        if span.person is None or span.owner:
            continue
        before = [s for s in spans[:at] if not s.empty and not s.means("many", "2")]
        if before and before[-1].means("ask", "what") and not before[-1].means("kind"):
            return before[-1].words.lower() in ("which", "which one", "哪个", "哪位", "哪一个")
    return False


def _says(spans: Sequence[Span], at: int) -> bool:
    """ "Can codeine be counted among her allergies?": what may be said is what is on record."""
    modal = spans[at].words.lower() in ("can", "could", "may", "might")
    pairs = zip(spans[at:], spans[at + 1 :], strict=False)
    return modal and any(a.words.lower() == "be" and b.means("said of") for a, b in pairs)


def _gives(spans: Sequence[Span]) -> bool:
    """ "Can I give her ...": whether it may be done, which no record tells."""
    return spans[0].words.lower() == "give"


def _beyond(spans: Sequence[Span], heard: Heard, used: set[int]) -> Span | None:
    """A word that asks for what no record tells: advice, a forecast, who did it."""
    for at, span in enumerate(spans):
        if at + 1 < len(spans) and span.words.lower() in _MAY and _gives(spans[at + 1 :]):
            return Span(span.start, span.end, span.words, (Meaning("beyond", "advice"),))
        if not span.means("beyond") or at in used or _says(spans, at):
            continue
        needed = span.words.lower() in ("need", "needs") and (
            "why" in heard.asks or for_what(heard)
        )
        if not needed:
            return span
    return None
