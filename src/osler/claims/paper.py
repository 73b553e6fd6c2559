"""The side of a whole paper that a search brought: it may be about something else.

A side needs a witness: a sentence (or a title that states a finding) that names both ends of the
claim, states something that joins them, and is no aim, question or plan. Witnesses are judged one
by one, and the abstract as a whole; a paper is as sure as the less sure of the two, and where they
say opposite things it is unclear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from osler.claims.align import align
from osler.claims.ends import Ends, ends_of, lacking
from osler.claims.findings import finding_places, tells
from osler.claims.joining import joined, joining
from osler.claims.judge import MAX_TEXT, check, named_words, stance
from osler.claims.reading import Cue, Reading, read
from osler.claims.rules import agreement, deprived, orientation, parts
from osler.claims.trust import trusted
from osler.claims.verdict import (
    MENTIONS,
    NO_EFFECT,
    NO_SIDE,
    REFUTES,
    SUPPORTS,
    UNCLEAR,
    Stance,
)
from osler.claims.weights import Weights
from osler.claims.words import Word, words
from osler.kinds import Document
from osler.text.scripts import listed

MOST_WITNESSES = 4
NAMED_FROM = 0.6
"""From which probability on a paper that a search brought is told to take a side."""
TRUSTED_FROM = 0.7
"""From which trust on. Of the sides that were read by hand, nine of ten told from here on were
right, each question judged by the others (``benchmarks/stance_told.py``)."""
UNTRUSTED = "too little in the sentence bears out the side that it leans to"
PLAIN_RULE = 0.5
"""How far a statement of a witness must say what the claim says at least: a mere association does
not say which way."""
WEAK = 0.3
"""How far a change says that two things go together."""
HELD_BACK = 0.4
"""What is left of the side of a witness whose statements say less."""
_ALTERNATIVE = re.compile(r"\b(?:but|and|though) not\b", re.IGNORECASE)
""" "Chronic but not acute stress": of one of two."""
NO_WITNESS = "no sentence of the paper says one end of the claim of the other"


def paper_stance(claim: str, document: Document, *, weights: Weights | None = None) -> Stance:
    """What a paper says to a claim. Places count in ``Document.text``. A side that the heads
    lean to is told as far as the second judge trusts it."""
    told = leaning(claim, document, weights=weights)
    if told.stance == UNCLEAR or told.supports + told.refutes <= 0.0:
        return told
    return _told_at(told, trusted(claim, document, told, values_of(claim, document, told)))


def values_of(claim: str, document: Document, told: Stance) -> list[float]:
    """How far each statement of the sentence that carries a side says what the claim says."""
    whole = document.text[:MAX_TEXT]
    return _values(claim, whole[told.start : told.end], whole)


def _told_at(told: Stance, sure: float) -> Stance:
    """The same side, as probable as it can be trusted; named where it can."""
    supporting = told.supports >= told.refutes
    side = told.supports if supporting else told.refutes
    other = told.refutes if supporting else told.supports
    other *= (1 - sure) / max(1e-9, 1 - side)
    supports, refutes = (sure, other) if supporting else (other, sure)
    nothing = told.no_effect / max(1e-9, told.refutes)
    if sure >= TRUSTED_FROM:
        name = SUPPORTS if supporting else NO_EFFECT if nothing >= 0.5 else REFUTES
    else:
        name = MENTIONS if told.stance == MENTIONS else NO_SIDE
    named = told.stance in (SUPPORTS, REFUTES, NO_EFFECT)
    why = (*told.why, UNTRUSTED) if named and name == NO_SIDE else told.why
    supports, refutes = round(supports, 4), round(refutes, 4)
    return msgspec.structs.replace(
        told,
        stance=name,
        supports=supports,
        refutes=refutes,
        neutral=round(1 - supports - refutes, 4),
        no_effect=round(refutes * nothing, 4),
        why=why,
    )


def leaning(claim: str, document: Document, *, weights: Weights | None = None) -> Stance:
    """The side that the heads lean to, before anybody asks whether it can be trusted."""
    whole = document.text[:MAX_TEXT]
    abstract = document.abstract[:MAX_TEXT]
    if not any(character.isalnum() for character in whole):
        return Stance(stance=MENTIONS, supports=0.0, refutes=0.0, neutral=1.0)
    check(claim, whole)
    reading = read(claim)
    ends = ends_of(reading, parts(reading))
    aligned = align(reading.words, words(whole), whole)
    missing = lacking(ends, aligned)
    if missing:
        return _silent(f"the text does not name {named_words(claim, reading, missing)}")
    offset = len(document.text) - len(document.abstract)
    places = _witnesses(claim, ends, document, whole)
    if not places:
        return _silent(NO_WITNESS)
    judged = [
        _moved(_witness(claim, whole[start:end], whole, weights), start) for start, end in places
    ]
    if any(character.isalnum() for character in abstract):
        all_of_it = stance(claim, abstract, context=whole, weights=weights, searched=True)
    else:
        all_of_it = None
    return _together(judged, all_of_it, titled=places[0][0] < offset)


def _witnesses(claim: str, ends: Ends, document: Document, whole: str) -> list[tuple[int, int]]:
    """Places of the sentences that speak to the claim: a title that does, then the last ones
    first, since they conclude."""
    reading = read(claim)
    spans = finding_places(claim, document, whole)[::-1]
    title = document.title.strip()
    if title and _states(title) and tells(title, {word.stem for word in reading.words}):
        begin = whole.find(title)
        spans.insert(0, (begin, begin + len(title)))
    places = []
    for start, end in spans:
        told = read(whole[start:end])
        if ends.compared and not _compares(told):
            continue
        if joined(ends, align(reading.words, told.words, whole), told):
            places.append((start, end))
    return places[:MOST_WITNESSES]


def _witness(claim: str, sentence: str, whole: str, weights: Weights | None) -> Stance:
    """The side of one sentence; where the statements that join the claim's ends do not say it too,
    less of it."""
    told = stance(claim, sentence, context=whole, weights=weights, searched=True)
    if parts(read(claim)).cue.family == "plain":
        return told
    values = _values(claim, sentence, whole)
    least, most = min(values, default=0.0), max(values, default=0.0)
    if told.stance in (REFUTES, NO_EFFECT) and least >= 0:
        return _halved(told, "what is denied is not what the claim says")
    if told.stance in (REFUTES, NO_EFFECT) and _ALTERNATIVE.search(sentence):
        return _halved(told, "what is denied is an alternative")
    if told.stance in (SUPPORTS, REFUTES, NO_EFFECT) and least < 0 < most:
        return _halved(told, "the sentence says opposite things")
    if told.stance == SUPPORTS and least < 0:
        return _halved(told, "the words' direction and the learned side disagree")
    if told.stance == SUPPORTS and most < PLAIN_RULE:
        return _held(told, (1 - told.neutral) * HELD_BACK)
    return told


def _values(claim: str, sentence: str, whole: str) -> list[float]:
    """How far each of the statements that join the ends says what the claim says, from -1 to 1. A
    denial elsewhere in the sentence is of something else; a word that names an end
    ("exacerbations") states nothing, where another does."""
    asked, told = read(claim), read(sentence)
    cut = parts(asked)
    aligned = align(asked.words, told.words, whole)
    statements = joining(ends_of(asked, cut), aligned, told)
    naming = aligned.matched((*cut.before, *cut.behind, *cut.compared))
    # "Those who lacked social support fared worse" speaks for what it does.
    lacked = deprived(asked.words, cut.before) != deprived(told.words, aligned.matched(cut.before))
    values = []
    for cue in [one for one in statements if one.at not in naming] or statements:
        turned = (
            cue.family == "signed"
            and not _measured_elsewhere(told, cue)
            and orientation(cut, aligned, told, cue) < 0
        )
        turned ^= cue.family == "signed" and lacked
        value = agreement(cut.cue, cue)[0]
        value = -value if turned and not cue.denied else value
        own, word = asked.words[cut.cue.at], told.words[cue.at]
        values.append(_of_one_kind(value, cut.cue, own, cue, word))
    return values


def _measured_elsewhere(told: Reading, cue: Cue) -> bool:
    """Whether the only comparison of a sentence is of something else: it stands in another clause,
    or says a size ("larger than 2 cm")."""
    marks = [at for at, word in enumerate(told.words) if word.has("than")]
    here = [
        at
        for at in marks
        if told.clauses[at] == told.clauses[cue.at]
        and not any(word.text[0].isdigit() for word in told.words[at + 1 : at + 2])
    ]
    return bool(marks) and not here


def _of_one_kind(value: float, asked: Cue, own: Word, cue: Cue, word: Word) -> float:
    """What is left of a value where two statements are of different kinds: that something changes
    is not yet an association, and "important" is not the opposite of "increases"."""
    if cue.family != "signed" or cue.denied:
        return value
    if asked.family == "relation":
        return min(value, WEAK)
    kinds = [one.has("good", "bad", "ngood") for one in (own, word)]
    return max(value, 0.0) if kinds[0] != kinds[1] else value


def _compares(told: Reading) -> bool:
    """Whether a sentence compares."""
    return any(w.has("than", "same", "diff") or w.stem in _RANKS for w in told.words)


_RANKS = frozenset(["superior", "inferior"])


def _together(told: Sequence[Stance], whole: Stance | None, *, titled: bool) -> Stance:
    """Witnesses and the whole abstract in one verdict: that of the surest witness, held to what
    the abstract leaves of it."""
    best = max(told, key=lambda one: round(max(one.supports, one.refutes), 4))
    opposite = [one for one in told if _lean(one) * _lean(best) < 0 and one.neutral < 0.4]
    if opposite:
        return _halved(best, "sentences of the paper say opposite things")
    if whole is None:
        return _named(best)
    if _lean(whole) * _lean(best) < 0 and whole.neutral < 0.4:
        return _halved(best, "a sentence and the paper as a whole say opposite things")
    if best is told[0] and titled:
        # Authors put into a title what they found; the abstract may word it otherwise.
        return _named(best)
    return _named(_held(best, min(1 - best.neutral, 1 - whole.neutral)))


def _named(told: Stance) -> Stance:
    """A side is told by name only where it is rather sure."""
    if max(told.supports, told.refutes) >= NAMED_FROM or told.stance in (MENTIONS, UNCLEAR):
        return told
    return msgspec.structs.replace(told, stance=NO_SIDE)


def _lean(told: Stance) -> float:
    return told.supports - told.refutes


def _held(told: Stance, sided: float) -> Stance:
    """The same side with less of it."""
    share = sided / max(1e-9, 1 - told.neutral)
    if share >= 1:
        return told
    supports, refutes = told.supports * share, told.refutes * share
    return msgspec.structs.replace(
        told,
        supports=round(supports, 4),
        refutes=round(refutes, 4),
        no_effect=round(told.no_effect * share, 4),
        neutral=round(1 - supports - refutes, 4),
    )


def _halved(told: Stance, why: str) -> Stance:
    half = _held(told, (1 - told.neutral) / 2)
    return msgspec.structs.replace(half, stance=UNCLEAR, why=(*told.why, why))


def _silent(why: str) -> Stance:
    return Stance(stance=MENTIONS, supports=0.0, refutes=0.0, neutral=1.0, why=(why,))


def _states(title: str) -> bool:
    """A title that says what was found: no question, and a statement that is a verb or has one.
    "Effectiveness of A on B" names a subject."""
    if title.rstrip().endswith("?"):
        return False
    told = read(title)
    verbs = any(word.text.lower() in _FINITE for word in told.words)
    return any(
        cue.denied or (cue.family == "signed" and (verbs or _is_verb(told, cue.at)))
        for cue in told.cues
    )


_FINITE = listed("is are was were has have had may can could might does do did")
_NOUNS_GO_ON = listed("of on in for and or to from by with between among")


def _is_verb(told: Reading, at: int) -> bool:
    """Whether a word is a verb by its ending and what follows: "reduces pain", not "effects of"."""
    if not told.words[at].text.lower().endswith(("s", "ed")) or at == 0:
        return False
    behind = told.words[at + 1 : at + 2]
    return bool(behind) and not behind[0].mark and behind[0].text.lower() not in _NOUNS_GO_ON


def _moved(stance: Stance, by: int) -> Stance:
    return msgspec.structs.replace(stance, start=stance.start + by, end=stance.end + by)
