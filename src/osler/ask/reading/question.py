"""A question as it is read: its words, what they mention, what they test, what is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from osler.ask.reading.han import glue, is_han, pieces
from osler.ask.reading.mentions import (
    Mention,
    exact_mentions,
    offered,
    partial_mentions,
    typo_mentions,
)
from osler.ask.reading.names import Names, Word, question_words
from osler.ask.reading.tests import Found, date_tests, extreme, number_tests
from osler.ask.reading.whom import unknown_patient
from osler.ask.reading.words import (
    ASKING,
    CLOSING,
    GENDERS,
    HEADS,
    NEGATIONS,
    OPENING,
    PATIENT_WORDS,
    PHRASES,
    POLAR,
    SOFT,
    STOP,
    WH,
    fields,
    stem,
)

_COUNT = re.compile(
    r"\b(?:how many|(?<!phone )(?<!telephone )(?<!id )number of|count(?: of)?|total of)\b"
    r"|多少(?:个|名|位)?(?:病人|患者)",
    re.I,
)
_OF_THEM = re.compile(
    r"\b(?:many|number) (?:of )?(?:them|these|those|such|were|had|have|are)\b", re.I
)
_HAN_WHO = re.compile(r"(?:哪|多少|几|所有|谁)[些个名位]*(?:病人|患者)|谁")
_OPENED = frozenset(stem(w) for w in OPENING)
_TIMES_A_DAY = re.compile(r"\bhow many times (?:a|per|each|every|daily)\b", re.I)


_ONE_PERSON = re.compile(r"\b(?:my|mine|me|his|him|he|her|hers|she)\b|[我他她](?!们)", re.I)
# "Give me all drugs": the one who asks is told the answer, and is not whom the question is about.
# "What did they give me?" is about the one who asks.
_TOLD_TO = re.compile(
    r"(?:^|[,.;:]|\bplease|\band|\b(?:can|could|would|will)\s+you)\s*(?:please\s+)?"
    r"\b(?:bring|fetch|find|get|give|help|let|list|remind|send|show|tell)\s+me\b"
    r"|(?:给|告诉|让|帮)我",
    re.I,
)


@dataclass
class Clue:
    """A word (or phrase) of the question that may speak of a relation or a type."""

    text: str
    weight: float
    place: int
    target: bool = False
    known: bool = True


@dataclass
class Reading:
    text: str
    words: list[Word]
    mentions: list[Mention] = field(default_factory=list)
    tests: list[Found] = field(default_factory=list)
    extreme: str = ""
    count: bool = False
    polar: bool = False
    clues: list[Clue] = field(default_factory=list)
    masked: list[str] = field(default_factory=list)
    unknown_patient: str = ""
    # Patients among whom the question does not say which one it means.
    namesakes: list[int] = field(default_factory=list)
    asks_patients: bool = False
    holes: int = 0
    # What all patients of a kind have: "the highest age of patients with gout".
    population: bool = False

    @property
    def patients(self) -> list[Mention]:
        return [m for m in self.mentions if m.patient]

    @property
    def points_at_nobody(self) -> str:
        """The pronoun of a question about one person whom it does not name; else nothing. "Which
        patient had his appendix out" asks for the person."""
        if self.patients or self.asks_patients or self.count or self.population:
            return ""
        pronoun = _ONE_PERSON.search(_TOLD_TO.sub(" ", self.text))
        return pronoun.group() if pronoun else ""


def _within(words: list[Word], start: int, end: int) -> set[int]:
    return {i for i, w in enumerate(words) if start <= w.start < end}


def read(names: Names, text: str) -> Reading:
    """Everything about the question that needs no relation's name."""
    words = [Word(names.respelled(w.text), w.start, w.end) for w in question_words(text)]
    reading = Reading(text, words)
    mentions = exact_mentions(names, words)
    covered = {i for m in mentions for i in m.words}
    reading.unknown_patient = (
        "" if any(m.patient for m in mentions) else unknown_patient(names, words, text, covered)
    )
    taken = [
        (words[m.first].start, words[m.last - 1].end)
        for m in mentions
        if not m.weak and (m.patient or m.how != "number")
    ]
    dates = date_tests(text, taken)
    taken += [(f.start, f.end) for f in dates]
    numbers = number_tests(text, taken)
    taken += [(f.start, f.end) for f in numbers]
    reading.tests = [*dates, *numbers]
    superlative = extreme(text, taken)
    tested = {
        i for i, w in enumerate(words) if any(f.start <= w.start < f.end for f in reading.tests)
    }
    mentions = [m for m in mentions if not tested.intersection(m.words)]
    covered = {i for m in mentions for i in m.words}
    counting = _COUNT.search(text)
    inside = counting is not None and any(
        words[i].start <= counting.start() < words[i].end for i in covered
    )
    reading.count = counting is not None and not inside and not _TIMES_A_DAY.search(text)
    # "Count the patients" asks; it names no reticulocyte count.
    counts = set() if counting is None else _within(words, counting.start(), counting.end())
    free = [
        i not in covered
        and i not in tested
        and i not in counts
        and not _structural(w.text)
        and not names_element(names, w.text)
        for i, w in enumerate(words)
    ]
    if not reading.unknown_patient:
        mentions += partial_mentions(names, words, free)
        mentions += typo_mentions(names, words, free)
    mentions.sort(key=lambda m: m.first)
    mentions = offered(names.kb, mentions, words)
    reading.mentions = mentions
    covered = {i for m in mentions for i in m.words if not m.weak}
    if superlative is not None:
        reading.extreme = superlative.kind
        # "first" or "last" inside a name is no extreme.
        if any(superlative.start <= words[i].start < superlative.end for i in covered):
            reading.extreme = ""
    _negation(reading)
    asked = {
        i
        for i, w in enumerate(words)
        if (counting is not None and counting.start() <= w.start < counting.end())
        or (
            reading.extreme
            and superlative is not None
            and superlative.start <= w.start < superlative.end
            and not names_element(names, w.text)
        )
    }
    _target(reading, covered, tested | asked, names.han)
    if not reading.patients and _asks_by_gender(reading):
        reading.asks_patients = True
    if not reading.asks_patients and reading.count and _OF_THEM.search(text):
        reading.asks_patients = any(w.text in PATIENT_WORDS for w in words)
    reading.population = (
        not reading.asks_patients
        and not reading.patients
        and any(w.text in PATIENT_WORDS and w.text.endswith(("s", "e", "人", "者")) for w in words)
    )
    first = words[0].text if words else ""
    reading.polar = (
        first in POLAR
        and not any(w.text in ("or", "which", "what") for w in words)
        and not reading.count
    )
    reading.masked = _masked(reading, names)
    reading.holes = _holes(reading)
    return reading


def names_element(names: Names, word: str) -> bool:
    return stem(word) in names.elements


def _structural(word: str) -> bool:
    return (
        word in STOP
        or word in SOFT
        or word in NEGATIONS
        or bool(fields(word))
        or word in PATIENT_WORDS
    )


def _negation(reading: Reading) -> None:
    """A mention that directly follows a negation within its clause is denied."""
    for mention in reading.mentions:
        if mention.patient:
            continue
        for back in range(mention.first - 1, max(-1, mention.first - 6), -1):
            word = reading.words[back].text
            if word in ("and", "but", "or", "who") and mention.first - back > 1:
                break
            if word in NEGATIONS or (word == "t" and back):
                mention.negated = True
                break


def _asking(reading: Reading, texts: list[str], start: int, covered: set[int]) -> set[int]:
    """Clues of the words that ask: fixed phrases, "how", and the wh-words. Gives their places."""
    used: set[int] = set()
    for phrase, meaning in PHRASES:
        for at in range(len(texts) - len(phrase) + 1):
            if tuple(texts[at : at + len(phrase)]) == phrase:
                reading.clues.append(Clue(meaning, 1.5, at, target=True))
                used.update(range(at, at + len(phrase)))
    if "how" in texts and not used:
        at = texts.index("how")
        if texts[at : at + 2] != ["how", "many"]:
            reading.clues.append(Clue("howgiven", 0.4, at, target=True))
    for at, text in enumerate(texts):
        if text in ("who", "whom", "whose", "that") and _relative(texts, at, start, covered):
            used.add(at)
        elif text in WH and at not in used:
            reading.clues.append(Clue(WH[text], 1.5 if text != "who" else 0.8, at, target=True))
            used.add(at)
            if text in ("who", "whom"):
                # "Who looks after P1" asks for somebody else.
                reading.asks_patients = not reading.patients
    return used


def _target(reading: Reading, covered: set[int], tested: set[int], han: frozenset[str]) -> None:
    """Clues, and which of them stand in the noun phrase that is asked for."""
    words = reading.words
    texts = [w.text for w in words]
    reading.asks_patients = False
    start = next(
        (i for i, t in enumerate(texts) if t in ASKING or t == "many" or t == "number"), -1
    )
    used = _asking(reading, texts, start, covered)
    open_target = start >= 0 or reading.count
    run = named = False
    people = {i for m in reading.patients for i in m.words}
    for at in range(max(start, 0), len(texts)):
        text = texts[at]
        if at in tested:
            continue
        if at in covered:
            if run:
                open_target = False
            # What is asked for may be something with a name: "the highest weight among ...".
            named = named or at not in people
            continue
        if at in used:
            continue
        if text in ("name", "names") and open_target and not run and _names_whom(reading, at):
            reading.clues.append(Clue("name", 1.0, at, target=True))
            run, open_target = True, False
            continue
        if text in STOP:
            # The asked noun phrase ends at a preposition or a verb: "which tests were ...".
            if (run or named) and text not in ("the", "a", "an", "and", "or", "other", "all"):
                open_target = False
            continue
        if text in PATIENT_WORDS and _names_next(reading, at):
            continue
        if is_han(text):
            continue
        negation = text in NEGATIONS
        target = open_target and not negation
        # What is asked for is never weak: "the value", "the date".
        weight = 0.25 if text in SOFT and not (target and text in HEADS) else 1.0
        if target and text in PATIENT_WORDS and reading.patients:
            # "How many children does P1 have" asks for people that no record knows as such.
            weight = 1.0
        reading.clues.append(Clue(text, weight, at, target=target, known=_structural(text)))
        if target:
            run = True
            if text in PATIENT_WORDS:
                reading.asks_patients = not reading.patients
    for at in range(max(start, 0)):
        text = texts[at]
        if is_han(text):
            continue
        if at not in covered and at not in tested and at not in used and text not in STOP:
            reading.clues.append(
                Clue(text, 0.25 if text in SOFT else 1.0, at, known=_structural(text))
            )
    for at, text in enumerate(texts):
        if text in NEGATIONS and text in STOP and at not in covered:
            reading.clues.append(Clue(text, 0.5, at))
    _han_clues(reading, han, covered | tested | used)
    reading.clues.sort(key=lambda c: c.place)


def _asks_by_gender(reading: Reading) -> bool:
    """Whether people are asked for by what they are alone: "how many women are there"."""
    texts = [w.text for w in reading.words]
    named = [i for m in reading.mentions for i in m.words if texts[i] in GENDERS and i < 5]
    asked = [c for c in reading.clues if c.target and c.weight >= 1.0]
    opened = any(t in ASKING or t in ("many", "number", "count") for t in texts[:3])
    return bool(named) and not asked and opened


def _han_clues(reading: Reading, known: frozenset[str], covered: set[int]) -> None:
    """Clues of Chinese words: the reader's words stand one character apart."""
    texts = [w.text for w in reading.words]
    at = 0
    while at < len(texts):
        if at in covered or not is_han(texts[at]):
            at += 1
            continue
        end = at
        while end < len(texts) and end not in covered and is_han(texts[end]):
            end += 1
        for place, piece in pieces("".join(texts[at:end]), known):
            if glue(piece) or piece in STOP:
                continue
            if piece in PATIENT_WORDS:
                if not _names_next(reading, at + place):
                    reading.clues.append(Clue(piece, 0.25, at + place))
                continue
            read = bool(fields(piece)) or piece in known or piece in SOFT
            weight = 0.25 if piece in SOFT and piece not in known else 1.0
            reading.clues.append(Clue(piece, weight, at + place, target=True, known=read))
        at = end
    said = "".join(texts)
    if _HAN_WHO.search(said) and not reading.patients:
        reading.asks_patients = True


def _relative(texts: list[str], at: int, start: int, covered: set[int]) -> bool:
    """Whether "who" only goes on about somebody: "patients who were born before 1950"."""
    if at and texts[at - 1] in PATIENT_WORDS:
        return True
    said = [i for i in range(max(start, 0), at) if i in covered or texts[i] not in STOP]
    return start >= 0 and start < at and bool(said)


def _names_whom(reading: Reading, at: int) -> bool:
    """Whether a name is asked for, and not what bears it: "the name of patient 12"."""
    for i in range(at + 1, min(at + 4, len(reading.words))):
        text = reading.words[i].text
        if text in PATIENT_WORDS or any(m.patient and i in m.words for m in reading.mentions):
            return True
        if text not in ("of", "the", "this", "for"):
            return False
    return False


def _holes(reading: Reading) -> int:
    """Unread words where a question names something: "the dose of X for", "does P take X?"."""
    texts = [w.text for w in reading.words]
    unread = {c.place for c in reading.clues if not c.known}
    patient = {i for m in reading.patients for i in m.words}
    count = 0
    for at in unread:
        before = texts[at - 1] if at else ""
        after = texts[at + 1] if at + 1 < len(texts) else ""
        ends = not after or after in CLOSING or at + 1 in patient or after in PATIENT_WORDS
        count += ends and (before in OPENING or at - 1 in patient or stem(before) in _OPENED)
    return count


def _names_next(reading: Reading, at: int) -> bool:
    """Whether "patient" only introduces the patient that is named next ("patient id 55")."""
    return any(m.patient and 0 < m.first - at <= 3 for m in reading.mentions)


def _masked(reading: Reading, names: Names) -> list[str]:
    """The question with patients, entities and tests as marks: what the memory learns from."""
    marks: dict[int, str] = {}
    skip: set[int] = set()
    for mention in reading.mentions:
        if mention.weak:
            continue
        marks[mention.first] = "<p>" if mention.patient else "<e>"
        skip.update(range(mention.first + 1, mention.last))
    for test in reading.tests:
        inside = [i for i, w in enumerate(reading.words) if test.start <= w.start < test.end]
        for i in inside:
            if reading.words[i].text[0].isdigit():
                marks[i] = "<n>"
    return [marks.get(i, stem(w.text)) for i, w in enumerate(reading.words) if i not in skip]
