"""The side of a sentence by rules: what the claim states against what the sentence states.

The rules know directions, values, negation, comparison arms and roles. They are one witness beside
the learned heads (``heads.py``); where the two disagree the side is unclear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from osler.claims.align import Alignment, align
from osler.claims.populations import clash
from osler.claims.reading import Cue, Reading, read
from osler.claims.words import Word
from osler.text.scripts import listed

CONTROL = listed(
    "placebo control controls sham untreated usual standard unvaccinated nonsmokers conventional",
    "unexposed comparator 对照 对照组 安慰剂",
)
_PASSIVE = frozenset(["by"])
_FAMILY_WEIGHT = {"signed": 1.0, "difference": 0.9, "relation": 0.7, "plain": 0.5}


class Ruling(msgspec.Struct, frozen=True):
    """``score`` lies between -1 (denies the claim) and 1 (says it); ``none`` is the share of it
    that says "no effect". ``swapped`` and ``population`` say why a text takes no side."""

    score: float
    none: float
    strength: float
    covered: float
    least: float
    swapped: bool
    population: str
    missing: tuple[str, ...]
    opposed: float = 0.0


class Parts(msgspec.Struct, frozen=True):
    """A claim cut at its main cue: content before it, behind it, and behind "than"."""

    cue: Cue
    before: tuple[int, ...]
    behind: tuple[int, ...]
    compared: tuple[int, ...]


def parts(claim: Reading) -> Parts:
    """The main cue of a claim and what stands around it."""
    cue = main_cue(claim)
    content = [at for at, word in enumerate(claim.words) if word.content]
    mark = _comparison(claim.words, cue.at)
    before = tuple(at for at in content if at < cue.at)
    compared = tuple(at for at in content if mark is not None and at > mark)
    behind = tuple(at for at in content if at >= cue.at and at not in compared)
    return Parts(cue, before, behind, compared)


def main_cue(reading: Reading) -> Cue:
    """The cue that makes the claim: a signed one before a difference before a relation, and among
    them one of the clause that asks ("Screening in the elderly: is it useful?")."""
    asking = _asking(reading)
    for begin in dict.fromkeys((asking, 0)):
        for family in ("signed", "difference", "relation"):
            for cue in reading.cues:
                if cue.family == family and cue.at >= begin and not cue.relative:
                    return cue
        if begin:
            rest = [at for at, word in enumerate(reading.words) if word.content and at >= begin]
            if rest:
                return Cue(rest[-1], "plain", 0, 0, any(n >= begin for n in reading.negations))
    content = [at for at, word in enumerate(reading.words) if word.content]
    at = content[-1] if content else 0
    return Cue(at, "plain", 0, 0, bool(reading.negations))


_ASKS = listed("do does did is are was were can could should will would has have may must 是否")


def _asking(reading: Reading) -> int:
    """Where the clause begins that asks; 0 where none does."""
    place = 0
    for at, word in enumerate(reading.words):
        if word.text.lower() in _ASKS and at and reading.words[at - 1].mark:
            place = at
        elif word.text in ":：" and at + 1 < len(reading.words):
            place = at + 1
    return place


@lru_cache(maxsize=8_192)
def ruled(claim: str, sentence: str, context: str = "", *, undenied: bool = False) -> Ruling:
    """The same by text, kept for the next who asks; ``undenied`` takes the claim's "not" away."""
    asked = plain(read(claim)) if undenied else read(claim)
    return rule(asked, read(sentence), context)


def plain(claim: Reading) -> Reading:
    """The claim without its denial."""
    cues = tuple(msgspec.structs.replace(cue, denied=False) for cue in claim.cues)
    return msgspec.structs.replace(claim, cues=cues, negations=())


def rule(claim: Reading, sentence: Reading, context: str = "") -> Ruling:
    """What the rules say of one sentence."""
    aligned = align(claim.words, sentence.words, context)
    cut = parts(claim)
    matched = aligned.matched()
    asked = claim.words[cut.cue.at].stem if claim.words else ""
    lacking = deprived(claim.words, cut.before)
    total = none = weight = opposed = 0.0
    for cue in _cues(sentence, cut, matched):
        if cue.equal and cut.compared:
            cue = Cue(cue.at, "difference", 0, 0, not cue.denied, object_at=cue.object_at)
        share = _weight(cue, sentence, matched)
        if cue.denied and _of_control(sentence, cue, aligned.matched(cut.before)):
            share *= 0.1
        if cue.family == "relation" and sentence.words[cue.at].stem != asked:
            share *= 0.6
        value, nothing = agreement(cut.cue, cue)
        if cue.family == "signed" and not cue.denied:
            turn = orientation(cut, aligned, sentence, cue)
            if lacking != deprived(sentence.words, aligned.matched(cut.before)):
                turn = -turn
            if turn < 0:
                value, nothing = agreement(cut.cue, _turned(cue))
        total += share * value
        none += share * nothing
        opposed += share * (value < -0.6 and not nothing)
        weight += share
    names = tuple(claim.words[at].text for at in aligned.missing)
    return Ruling(
        score=total / weight if weight else 0.0,
        none=none / weight if weight else 0.0,
        strength=min(1.0, weight / 2),
        covered=aligned.coverage(),
        least=min(aligned.coverage(cut.before), aligned.coverage((*cut.behind, *cut.compared))),
        swapped=swapped(claim, cut, sentence, aligned),
        population=clash((w.text for w in claim.words), (w.text for w in sentence.words)),
        missing=names,
        opposed=opposed / weight if weight else 0.0,
    )


def deprived(sentence: Sequence[Word], places: Iterable[int]) -> bool:
    """Whether a sentence speaks of the lack of a thing: "vitamin D deficiency", "lack of sleep"."""
    for at in places:
        around = (*sentence[max(0, at - 3) : at], *sentence[at + 1 : at + 3])
        if any(word.has("deprive") for word in around):
            return True
        low = any(word.text.lower() in ("low", "lower") for word in sentence[max(0, at - 2) : at])
        if low and any(w.has("measure") or w.stem in _AMOUNTS for w in sentence[at + 1 : at + 4]):
            return True
    return False


_AMOUNTS = frozenset(["intak", "statu", "diet", "consumpt", "suppli"])


def agreement(claim: Cue, text: Cue) -> tuple[float, float]:
    """How far a text's cue says what the claim's says, and whether it says "no effect"."""
    sign = -1.0 if claim.denied else 1.0
    if claim.family == "plain" or text.family == "plain":
        return (sign * (-1.0 if text.denied else 1.0)) * 0.6, float(text.denied) * 0.6
    if claim.family == "signed" and text.family == "signed":
        same = _same_way(claim, text)
        if text.denied:
            return (-sign if same >= 0 else -0.4 * sign), 1.0
        if same == 0:
            return 0.3 * sign, 0.0
        return (sign * same if same > 0 or not claim.denied else 0.7), 0.0
    if text.denied:
        return -sign, 1.0
    if claim.family == "signed":
        return 0.3 * sign, 0.0
    return 0.8 * sign, 0.0


def _same_way(claim: Cue, text: Cue) -> int:
    if claim.benefit and text.benefit:
        return claim.benefit * text.benefit
    return claim.direction * text.direction


def _turned(cue: Cue) -> Cue:
    return msgspec.structs.replace(cue, direction=-cue.direction, benefit=-cue.benefit)


def _cues(sentence: Reading, cut: Parts, matched: set[int]) -> list[Cue]:
    """The cues that speak to this claim; where a claim has none, its own words are."""
    if cut.cue.family != "plain":
        return list(sentence.cues)
    return [
        Cue(at, "plain", 0, 0, _in_scope(sentence, at))
        for at in sorted(matched)
        if not sentence.words[at].mark
    ] or list(sentence.cues)


def _in_scope(sentence: Reading, at: int) -> bool:
    clause = sentence.clauses[at]
    return any(sentence.clauses[n] == clause and -4 <= at - n <= 9 for n in sentence.negations)


def _weight(cue: Cue, sentence: Reading, matched: set[int]) -> float:
    """Cues near the claim's words weigh more; so do those whose object is the claim's."""
    clause = sentence.clauses[cue.at]
    near = any(sentence.clauses[at] == clause for at in matched)
    weight = (1.0 if near else 0.35) * _FAMILY_WEIGHT[cue.family]
    if cue.object_at in matched or cue.at in matched:
        weight *= 1.6
    if cue.relative:
        weight *= 0.4
    if cue.denied:
        weight *= 1.5
    if sentence.future:
        weight *= 0.2
    return weight


def _of_control(sentence: Reading, cue: Cue, arm: set[int]) -> bool:
    """ "... but was unchanged on placebo": that nothing happened there says nothing against."""
    clause = sentence.clauses[cue.at]
    if any(sentence.clauses[at] == clause for at in arm):
        return False
    for offset, word in enumerate(sentence.words[cue.at + 1 : cue.at + 6]):
        if word.mark or word.has("than", "break"):
            return False
        if word.text.lower() in CONTROL:
            between = sentence.words[cue.at + 1 : cue.at + 1 + offset]
            return any(w.text.lower() in ("in", "with", "on", "among", "for") for w in between)
    return False


def _comparison(sentence: Sequence[Word], cue_at: int) -> int | None:
    """The place of "than", "versus", "compared with", "superior to"."""
    for at, word in enumerate(sentence):
        before = sentence[at - 1].text.lower() if at else ""
        if word.has("than") and before not in ("rather", "other", "greater", "no"):
            return at
        if word.text.lower() == "to" and at and sentence[at - 1].stem in ("superior", "inferior"):
            return at
    return None


def orientation(cut: Parts, aligned: Alignment, sentence: Reading, cue: Cue) -> int:
    """-1 where the sentence says it of the other arm: "higher in the control group", "B was better
    than A" for a claim on A."""
    mark = _comparison(sentence.words, cue.at)
    arm, other = aligned.matched(cut.before), aligned.matched(cut.compared)
    if cut.compared and mark is not None and _side(arm, mark) <= 0 and _side(other, mark) < 0:
        # "More common in women than in men": the first arm stands behind the cue.
        arm = aligned.matched(cut.behind) - arm - other
    both = arm & other
    arm, other = arm - both, other - both
    if mark is not None and mark <= 1 and not other:
        # "Compared with others, smokers ...": only up to the comma stands what is compared with.
        comma = next((at for at, w in enumerate(sentence.words) if w.text in ",，"), None)
        if comma is not None and any(at > comma for at in arm):
            mark = None
    if mark is not None and (arm or other):
        first, second = _side(arm, mark), _side(other, mark)
        if first > 0 and second <= 0:
            return -1
        if first == 0 and second < 0 and cut.compared:
            return -1
    behind = sentence.words[cue.at + 1 : cue.at + 7]
    for offset, word in enumerate(behind):
        if word.has("than", "break") or word.mark:
            break
        if word.text.lower() in CONTROL and any(
            w.text.lower() in ("in", "with", "for", "among", "on") for w in behind[:offset]
        ):
            claim_on_control = any(sentence.words[at].text.lower() in CONTROL for at in arm)
            return 1 if claim_on_control else -1
    return 1


def _side(places: set[int], mark: int) -> int:
    """-1 before the mark, 1 behind it, 0 on both sides or nowhere."""
    before = any(at < mark for at in places)
    behind = any(at > mark for at in places)
    return int(behind) - int(before)


def swapped(claim: Reading, cut: Parts, sentence: Reading, aligned: Alignment) -> bool:
    """Whether the sentence says it the other way round: what acts in the claim is acted on here.
    Only verbs of cause and change have two roles; an association has none."""
    if cut.compared or cut.cue.family != "signed":
        return False
    agent, patient = _roles(claim.words, cut.cue, cut.before, cut.behind)
    if not agent or not patient:
        return False
    here_agent, here_patient = aligned.matched(agent), aligned.matched(patient)
    both = here_agent & here_patient
    here_agent, here_patient = here_agent - both, here_patient - both
    if not here_agent or not here_patient:
        return False
    verdicts = []
    for cue in sentence.cues:
        if cue.family != "signed":
            continue
        before = tuple(at for at in here_agent | here_patient if at < cue.at)
        behind = tuple(at for at in here_agent | here_patient if at > cue.at)
        acting, acted = _roles(sentence.words, cue, before, behind)
        if acting and acted:
            verdicts.append(set(acting) <= here_patient and set(acted) <= here_agent)
    return bool(verdicts) and all(verdicts)


def _roles(
    sentence: Sequence[Word], cue: Cue, before: Sequence[int], behind: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who acts and who is acted on: turned round in a passive, unknown where the cue is an
    adjective ("higher in ...")."""
    word = sentence[cue.at].text.lower()
    if not word.endswith(("s", "ed", "e", "es", "ing", "ng", "ered", "ces")) and word not in (
        "led",
    ):
        return (), ()
    after = [w.text.lower() for w in sentence[cue.at + 1 : cue.at + 4]]
    if any(w in _PASSIVE for w in after[:2]):
        mark = cue.at + 1 + next(i for i, w in enumerate(after) if w in _PASSIVE)
        return tuple(at for at in behind if at > mark), tuple(before)
    be_before = {w.text.lower() for w in sentence[max(0, cue.at - 3) : cue.at]}
    if be_before & {"was", "were", "is", "are", "been", "be"} and word.endswith("ed"):
        return (), ()
    return tuple(before), tuple(behind)
