"""The side that a text takes to a claim, with its probability, its sentence and its reasons.

P(supports) = P(the text takes a side) * P(supports | side). The first comes from the head
``about`` and from guards: another subject, another population, roles exchanged, an aim, open
evidence. A question that is asked of one text leaves its subject to the head ``topic``. The second
comes from the heads ``side``, ``answer`` (for questions) and ``trial`` (for claims of more or
less), with the rules as a second witness: where they disagree the side is unclear.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from osler.claims.about import about_features
from osler.claims.align import Alignment, align
from osler.claims.answer import POINTS, answer_features, side_features
from osler.claims.conclusion import conclusion, is_aim, states_nothing
from osler.claims.heads import Floats, softmax
from osler.claims.populations import clash
from osler.claims.reading import Reading, read
from osler.claims.rules import Parts, Ruling, parts, ruled
from osler.claims.trial import trial_features
from osler.claims.vectors import vector_scores
from osler.claims.verdict import (
    MENTIONS,
    NO_EFFECT,
    NO_SIDE,
    REFUTES,
    SUPPORTS,
    UNCLEAR,
    Stance,
)
from osler.claims.weights import Weights, shipped
from osler.claims.words import Word, words
from osler.errors import InputError, LimitError

MAX_CLAIM = 1_000
MAX_TEXT = 100_000
HELD_BACK = 0.25
"""What a guard leaves of the probability that the text takes a side."""
HELD_BACK_ASKED = 0.5
"""The same where the claim is a question."""
ANSWERED = 0.9
"""How often a text of which a question is asked is one that was meant to answer it."""
VECTORS = 0.25
"""What the vectors of a text say to a question counts so much for a claim: that something was
found, they know; which way it went, they hardly do."""
PART = 0.5
"""What is left of it where nothing of the subject is named, before the guards."""
CLEAR_RULE = 0.6
CLEAR_HEAD = 0.7
"""Rules and heads disagree when both are this sure of different sides."""


class _Told(msgspec.Struct, frozen=True):
    """A claim with a text, read once for all that follows."""

    asked: str
    claim: Reading
    cut: Parts
    text: str
    places: tuple[tuple[int, int], ...]
    begin: int
    readings: tuple[Reading, ...]
    rulings: tuple[Ruling, ...]


def stance(
    claim: str,
    text: str,
    *,
    context: str = "",
    weights: Weights | None = None,
    searched: bool = False,
) -> Stance:
    """The side of a text. ``context`` is the whole paper where the text is a part of it;
    ``searched`` says that a search brought it, so that a question may not be answered by it."""
    check(claim, text)
    heads = weights or shipped()
    reading = _read(claim, text, context, heads)
    naming = unnamed(reading, context or text)
    others = held_back(reading, context or text, naming)
    guards, why = (len(naming), len(others)), (*naming, *others)
    sided = _sided(claim, text, context, reading, heads, guards, searched=searched)
    supports, nothing = _side(claim, text, context, reading, heads, searched=searched)
    best = _best(reading, supports)
    start, end = reading.places[best]
    if not why and (silent := states_nothing(reading.text[start:end])):
        why = (silent,)
        sided *= HELD_BACK
    rules = reading.rulings[best].score * reading.rulings[best].covered
    disagree = abs(rules) >= CLEAR_RULE and (
        (rules > 0 and supports < 1 - CLEAR_HEAD) or (rules < 0 and supports > CLEAR_HEAD)
    )
    if disagree:
        why = (*why, "the words' direction and the learned side disagree")
        sided *= HELD_BACK
    return _stance(reading, sided, supports, nothing, best, why, disagree)


def _sided(
    claim: str,
    text: str,
    context: str,
    reading: _Told,
    heads: Weights,
    guards: tuple[int, int],
    *,
    searched: bool,
) -> float:
    """P(the text takes a side), with what the guards leave of it: those of names and the others. A
    question that is asked of one text is asked of one that is thought to answer it: what the text
    does not name is weighed by the head ``topic`` where the text points back to it, and the head
    for answers knows "maybe". A claim may meet any text, and so may a question that was searched
    for."""
    sure = 1.0
    if _asks(reading):
        answers = _answers(claim, text, context, heads, searched=searched)
        sure = float(1 - answers[heads.answer.classes.index("maybe")])
        if not searched:
            own = heads.topic.probabilities(about_features(claim, text, context, heads.finder))
            count = guards[1] if _points_back(reading) else sum(guards)
            return sure * _meant(float(own[0])) * HELD_BACK_ASKED**count
    about = heads.about.probabilities(about_features(claim, text, context, heads.finder))
    sided = float(about[heads.about.classes.index("side")])
    return min(sure, sided) * HELD_BACK ** sum(guards) * _named_share(reading, context or text)


def _points_back(reading: _Told) -> bool:
    """Whether a text speaks of something that was named before it: "this procedure is safe". One
    that does not names all that it speaks of: "cortisol helped" says nothing of cortisone."""
    return any(
        word.text.lower() in POINTS or word.text.lower() == "the"
        for one in reading.readings
        for word in one.words
    )


def _meant(own: float) -> float:
    """P(the text is of the paper that was asked), where this is so in nine of ten cases: the head
    saw one text of another paper for each of its own."""
    odds = ANSWERED / (1 - ANSWERED)
    return own * odds / (own * odds + 1 - own)


def trial_result(
    intervention: str,
    comparator: str,
    outcome: str,
    text: str,
    *,
    weights: Weights | None = None,
) -> dict[str, float]:
    """Probabilities that a text says the outcome increased, decreased or did not differ."""
    check(f"{intervention} {outcome}", text)
    heads = weights or shipped()
    p = heads.trial.probabilities(trial_features(intervention, comparator, outcome, text))
    return dict(zip(heads.trial.classes, map(float, p), strict=True))


def check(claim: str, text: str) -> None:
    """Refuses what is empty or too long."""
    for what, given, most in (("claim", claim, MAX_CLAIM), ("text", text, MAX_TEXT)):
        if not any(character.isalnum() for character in given):
            raise InputError(f"the {what} is empty", cure="a claim is a sentence in words")
        if len(given) > most:
            raise LimitError(f"the {what} has {len(given):,} characters, {most:,} at most")


def _read(claim: str, text: str, context: str, heads: Weights) -> _Told:
    asked = read(claim)
    begin, places = conclusion(text, heads.finder)
    places = places or [(0, len(text))]
    readings = tuple(read(text[start:end]) for start, end in places)
    rulings = tuple(ruled(claim, text[a:b], context or text) for a, b in places)
    return _Told(claim, asked, parts(asked), text, tuple(places), begin, readings, rulings)


def unnamed(reading: _Told, whole: str) -> tuple[str, ...]:
    """What of the claim the text does not name, or names otherwise, in words."""
    everything = words(whole)
    aligned = align(reading.claim.words, everything, whole)
    rest = (*reading.cut.behind, *reading.cut.compared)
    if reading.cut.cue.family == "plain":
        # Such a claim has no verb of ours to cut it at: it is taken as a whole.
        if aligned.places and aligned.coverage() < 1 / 3:
            return (f"the text does not name {named(reading, aligned.missing)}",)
    elif reading.cut.before and aligned.coverage(reading.cut.before) == 0.0:
        return (f"the text does not name {named(reading, reading.cut.before)}",)
    elif rest and aligned.coverage(rest) == 0.0:
        return (f"the text does not name {named(reading, rest)}",)
    if rival := _rival(reading, aligned, everything):
        return () if _letters(reading, aligned) else (rival,)
    return ()


def held_back(reading: _Told, whole: str, naming: Sequence[str]) -> tuple[str, ...]:
    """Why else a text takes no side, in words; ``naming`` is what it does not name."""
    reasons = []
    everything = words(whole)
    letters = _letters(reading, align(reading.claim.words, everything, whole))
    if letters and not naming:
        reasons.append(f"the text does not name {named(reading, (letters[0] - 1, letters[0]))}")
    population = clash(_texts(reading.claim), (word.text for word in everything))
    if population:
        reasons.append(population)
    speaking = [one for one in reading.rulings if one.covered > 0.5]
    if speaking and all(one.swapped for one in speaking):
        reasons.append("the text has cause and effect the other way round")
    if reading.cut.cue.family != "plain" and not any(one.strength for one in reading.rulings):
        reasons.append("the text states nothing of it")
    shown = [reading.text[start:end] for start, end in reading.places[reading.begin :]]
    last = reading.readings[reading.begin :]
    if all(is_aim(one) for one in shown):
        reasons.append("the text says what was asked, not what was found")
    elif all(one.count("insufficient") or one.future for one in last):
        reasons.append("the text says that the evidence is open")
    return tuple(reasons)


def _letters(reading: _Told, aligned: Alignment) -> list[int]:
    """Letters that tell kinds apart and have no counterpart: the D of "vitamin D"."""
    return [at for at in aligned.missing if "letter" in reading.claim.words[at].tags]


def _rival(reading: _Told, aligned: Alignment, everything: Sequence[Word]) -> str:
    """Another word where the claim has one: "heart failure" for "renal failure", "oral" for
    "intravenous", "first stroke" for "recurrent stroke". Empty where any place of the text has
    the claim's own or none."""
    answered = aligned.matched()
    for at in aligned.missing:
        places = aligned.places.get(at + 1, ())
        if not places:
            continue
        rivals = [
            everything[place - 1]
            for place in places
            if place
            and (everything[place - 1].content or everything[place - 1].has("order"))
            and place - 1 not in answered
            and not everything[place - 1].has("vbad", "vgood")
        ]
        if len(rivals) == len(places):
            shown = named(reading, (at, at + 1))
            return f"the text has {rivals[0].text!r} where the claim has {shown}"
    return ""


def _named_share(reading: _Told, whole: str) -> float:
    """Less than one where a part of what the claim speaks of has no counterpart."""
    aligned = align(reading.claim.words, words(whole), whole)
    return PART + (1 - PART) * aligned.coverage(reading.cut.before)


def _asks(reading: _Told) -> bool:
    return bool(reading.claim.words) and reading.claim.words[-1].text in "?？"


def _answers(claim: str, text: str, context: str, heads: Weights, *, searched: bool) -> Floats:
    """P(yes), P(no), P(maybe). To a question that is asked of one text the vectors of its sentences
    answer too: the scores of both heads are added. A paper that a search brought takes a side by
    the words of its witnesses alone."""
    scores = heads.answer.scores(answer_features(claim, text, context, heads.finder))
    if not searched:
        scores = scores + vector_scores(claim, text, heads)
    return softmax(scores)


def _side(
    claim: str, text: str, context: str, reading: _Told, heads: Weights, *, searched: bool
) -> tuple[float, float]:
    """P(supports | side), and the share of "no effect" in what refutes. A question is left to the
    heads that were taught by questions: the other two add nothing to it."""
    none = max((one.none for one in reading.rulings[reading.begin :]), default=0.0)
    if _asks(reading):
        answers = _answers(claim, text, context, heads, searched=searched)
        return float(answers[0] / (answers[0] + answers[1])), none
    features = side_features(claim, text, context, heads.finder)
    total, weight = _logit(float(heads.side.probabilities(features)[0])), 1.0
    if not searched:
        yes, no, _ = vector_scores(claim, text, heads)
        total += VECTORS * float(yes - no) * (-1.0 if reading.cut.cue.denied else 1.0)
    result = _trial(claim, reading, heads)
    if result is not None:
        total += 0.5 * _logit(result)
        weight += 0.5
    return _sigmoid(total / weight), none


def _trial(claim: str, reading: _Told, heads: Weights) -> float | None:
    """P(supports | side) of a claim that something makes more or less of something."""
    cue = reading.cut.cue
    if cue.family != "signed" or not reading.cut.before or not reading.cut.behind:
        return None
    word = reading.claim.words[cue.at]
    if not word.has("up", "down") or cue.direction == 0:
        return None
    best = _best(reading, 0.5)
    if not any(one.family in ("signed", "difference") for one in reading.readings[best].cues):
        # No result of a trial: "was associated with" has no arms and no direction.
        return None
    at = {
        name: _span(claim, reading.claim, places)
        for name, places in (
            ("I", reading.cut.before),
            ("O", reading.cut.behind),
            ("C", reading.cut.compared),
        )
    }
    sentence = reading.text[slice(*reading.places[best])]
    more, less, same = heads.trial.probabilities(
        trial_features(at["I"], at["C"], at["O"], sentence)
    )
    holds = float(more if cue.direction > 0 else less)
    # A trial's three outcomes against two sides: without a leaning each side has a half.
    against = float(less if cue.direction > 0 else more) + float(same) / 2
    supports = holds / max(1e-6, holds + against)
    return 1 - supports if cue.denied else supports


def _span(claim: str, reading: Reading, places: Sequence[int]) -> str:
    if not places:
        return ""
    chosen = [reading.words[at] for at in places]
    return claim[min(w.start for w in chosen) : max(w.end for w in chosen)]


def _best(reading: _Told, supports: float) -> int:
    """The sentence that carries the side: it covers the claim, says something, on that side, and
    stands in the conclusion."""
    side = 1.0 if supports >= 0.5 else -1.0

    def worth(at: int) -> float:
        one = reading.rulings[at]
        value = one.covered + 0.4 * one.least + 0.3 * abs(one.score)
        value += 0.3 * (one.score * side > 0 and supports != 0.5)
        value += 0.25 * (at >= reading.begin) - 0.5 * reading.readings[at].future
        start, end = reading.places[at]
        sentence = reading.text[start:end]
        return value - 0.5 * is_aim(sentence) - 0.5 * bool(states_nothing(sentence))

    return max(range(len(reading.rulings)), key=lambda at: (round(worth(at), 9), at))


def _stance(
    reading: _Told,
    sided: float,
    supports: float,
    nothing: float,
    best: int,
    why: tuple[str, ...],
    disagree: bool,
) -> Stance:
    yes, no = sided * supports, sided * (1 - supports)
    neutral = max(0.0, 1.0 - yes - no)
    if yes > max(no, neutral):
        name = SUPPORTS
    elif no > max(yes, neutral):
        name = NO_EFFECT if nothing >= 0.5 else REFUTES
    elif disagree:
        name = UNCLEAR
    else:
        name = NO_SIDE if reading.rulings[best].covered >= 0.6 else MENTIONS
    start, end = reading.places[best]
    return Stance(
        stance=name,
        supports=round(yes, 4),
        refutes=round(no, 4),
        neutral=round(neutral, 4),
        no_effect=round(no * nothing, 4),
        sentence=reading.text[start:end],
        start=start,
        end=end,
        why=why,
    )


def named(reading: _Told, places: Sequence[int]) -> str:
    return named_words(reading.asked, reading.claim, places)


def named_words(claim: str, reading: Reading, places: Sequence[int]) -> str:
    """Words of a claim as they stand there, neighbours joined."""
    spans: list[list[int]] = []
    for word in (reading.words[at] for at in places):
        if spans and word.start <= spans[-1][1] + 1:
            spans[-1][1] = max(spans[-1][1], word.end)
        else:
            spans.append([word.start, word.end])
    return ", ".join(repr(claim[start:end]) for start, end in spans[:4])


def _texts(reading: Reading) -> list[str]:
    return [word.text for word in reading.words]


def _logit(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))
