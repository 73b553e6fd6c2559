"""The side of a whole paper that a search brought: it may be about something else.

A side needs a witness: a sentence (or a title that states a finding) that names both ends of the
claim, states something that joins them, and is no aim, question or plan. Witnesses are judged one
by one, and the abstract as a whole; a paper is as sure as the less sure of the two, and where they
say opposite things it is unclear.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from osler.claims.align import align
from osler.claims.conclusion import is_aim, states_nothing
from osler.claims.ends import Ends, ends_of, joined, joining, lacking
from osler.claims.judge import MAX_TEXT, check, named_words, stance
from osler.claims.reading import Reading, read
from osler.claims.rules import agreement, orientation, parts, ruled
from osler.claims.verdict import MENTIONS, NO_EFFECT, NO_SIDE, REFUTES, UNCLEAR, Stance
from osler.claims.weights import Weights
from osler.claims.words import words
from osler.kinds import Document
from osler.text.sentences import sentences

MOST_WITNESSES = 4
NAMED_FROM = 0.6
"""From which probability on a paper that a search brought is told to take a side."""
PLAIN_RULE = 0.15
"""What the rules must say of a witness at least, and on its side."""
HELD_BACK = 0.4
"""What is left of the side of a witness of which the rules say nothing."""
NO_WITNESS = "no sentence of the paper says one end of the claim of the other"


def paper_stance(claim: str, document: Document, *, weights: Weights | None = None) -> Stance:
    """What a paper says to a claim. Places count in ``Document.text``."""
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
    places = _witnesses(claim, ends, document.title.strip(), offset, whole)
    if not places:
        return _silent(NO_WITNESS)
    judged = [
        _moved(
            stance(claim, whole[start:end], context=whole, weights=weights, searched=True), start
        )
        for start, end in places
    ]
    if any(character.isalnum() for character in abstract):
        all_of_it = stance(claim, abstract, context=whole, weights=weights, searched=True)
    else:
        all_of_it = None
    return _together(judged, all_of_it, titled=places[0][0] < offset)


def _witnesses(
    claim: str, ends: Ends, title: str, offset: int, whole: str
) -> list[tuple[int, int]]:
    """Places of the sentences that speak to the claim: a title that does, then the last ones
    first, since they conclude. The abstract begins at ``offset``."""
    reading = read(claim)
    spans = [(start + offset, end + offset) for start, end in sentences(whole[offset:])][::-1]
    if title and _states(title):
        begin = whole.find(title)
        spans.insert(0, (begin, begin + len(title)))
    places = []
    for start, end in spans:
        sentence = whole[start:end]
        told = read(sentence)
        if is_aim(sentence) or states_nothing(sentence) or told.future:
            continue
        if ends.compared and not _compares(told):
            continue
        if joined(ends, align(reading.words, told.words, whole), told):
            places.append((start, end))
    return places[:MOST_WITNESSES]


def _witness(claim: str, sentence: str, whole: str, weights: Weights | None) -> Stance:
    """The side of one sentence; where the rules do not see it too, less of it."""
    told = stance(claim, sentence, context=whole, weights=weights, searched=True)
    score = ruled(claim, sentence, whole).score
    if told.stance in (REFUTES, NO_EFFECT) and not _denies(claim, sentence, whole):
        return _halved(told, "what is denied is not what the claim says")
    if score * _lean(told) < 0 and told.stance != UNCLEAR:
        return _halved(told, "the words' direction and the learned side disagree")
    if abs(score) < PLAIN_RULE:
        return _held(told, (1 - told.neutral) * HELD_BACK)
    return told


def _denies(claim: str, sentence: str, whole: str) -> bool:
    """Whether one of the statements that join the ends says the opposite of the claim, or denies
    it. A denial elsewhere in the sentence is of something else."""
    asked, told = read(claim), read(sentence)
    cut = parts(asked)
    aligned = align(asked.words, told.words, whole)
    for cue in joining(ends_of(asked, cut), aligned, told):
        turned = cue.family == "signed" and orientation(cut, aligned, told, cue) < 0
        value = agreement(cut.cue, cue)[0]
        if (-value if turned and not cue.denied else value) < 0:
            return True
    return cut.cue.family == "plain"


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
    """A title that says what was found: a verb of direction, no question, no colon list."""
    return not title.rstrip().endswith("?") and any(
        cue.family == "signed" or cue.denied for cue in read(title).cues
    )


def _moved(stance: Stance, by: int) -> Stance:
    return msgspec.structs.replace(stance, start=stance.start + by, end=stance.end + by)
