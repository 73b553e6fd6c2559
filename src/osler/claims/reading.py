"""What a sentence states: cues of a direction, a value or a relation, and whether it denies them.

A cue has a direction (does the thing after it become more or less?) and a benefit (is that good?).
The one follows from the other where the thing is known to be good (survival) or bad (infection):
benefit = direction * value of the thing. So "fewer deaths", "longer survival" and "effective" can
be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from osler.claims.words import Word, words

NEGATION_REACH = 9
"""Words that a negation reaches ahead within its clause."""

OBJECT_REACH = 7
"""Words around a cue among which its object is looked for."""

_SUFFIXES = (
    "itis",
    "oma",
    "osis",
    "emia",
    "pathy",
    "plegia",
    "algia",
    "rrhea",
    "penia",
    "toxicity",
)
_ADVERBS = frozenset(
    [
        "significantly",
        "statistically",
        "markedly",
        "substantially",
        "slightly",
        "clearly",
        "strongly",
        "much",
        "far",
        "even",
        "clinically",
        "a",
        "any",
        "the",
    ]
)


class Cue(msgspec.Struct, frozen=True):
    """One statement. ``direction`` and ``benefit`` are +1, -1, or 0 where unknown; ``family`` is
    ``signed``, ``relation``, ``difference`` or ``plain``."""

    at: int
    family: str
    direction: int
    benefit: int
    denied: bool
    caused: bool = False
    object_at: int = -1
    modifier: int = 0
    relative: bool = False
    equal: bool = False


class Reading(msgspec.Struct, frozen=True):
    """A sentence, its cues, and the clause of each word."""

    words: tuple[Word, ...]
    cues: tuple[Cue, ...]
    clauses: tuple[int, ...]
    negations: tuple[int, ...]

    @property
    def future(self) -> bool:
        """ "Further studies are needed": speaks of work to come, states nothing."""
        for at, word in enumerate(self.words):
            if not word.has("work"):
                continue
            around = self.words[max(0, at - 3) : at + 6]
            announced = any(w.has("future") for w in self.words[max(0, at - 3) : at])
            if announced and any(w.has("needed") for w in self.words):
                return True
            if any(w.has("needed") and not w.has("neg") for w in around):
                return True
        return False

    def count(self, tag: str) -> int:
        return sum(tag in word.tags for word in self.words)

    @property
    def denies(self) -> bool:
        return any(cue.denied for cue in self.cues)


@lru_cache(maxsize=2_048)
def read(text: str) -> Reading:
    """The cues of one sentence."""
    sentence = words(text)
    clauses = _clauses(sentence)
    negations = _negations(sentence)
    cues = [
        cue
        for at in range(len(sentence))
        if (cue := _cue(sentence, clauses, negations, at)) is not None
    ]
    return Reading(sentence, tuple(cues), clauses, tuple(sorted(negations)))


def value_of(word: Word) -> int:
    """+1 for what is good to have, -1 for what is bad, 0 for the rest."""
    if word.has("vgood"):
        return 1
    if word.has("vbad") or (len(word.text) > 6 and word.text.lower().endswith(_SUFFIXES)):
        return -1
    return 0


def _clauses(sentence: Sequence[Word]) -> tuple[int, ...]:
    number, numbers = 0, []
    for word in sentence:
        if word.has("break") or word.text in ";:.()，；：。":
            number += 1
        numbers.append(number)
    return tuple(numbers)


def _negations(sentence: Sequence[Word]) -> set[int]:
    """Places of words that deny, without "not only" and "no longer than" and their like."""
    places = set()
    for at, word in enumerate(sentence):
        following = sentence[at + 1].text.lower() if at + 1 < len(sentence) else ""
        if word.text.lower() == "never" and following.endswith("ers"):
            continue  # "Never smokers" are a group: nothing is denied.
        if word.has("neg") and following not in ("only", "just", "merely", "surprisingly"):
            places.add(at)
        if word.text.lower() in ("rather", "instead") and following in ("than", "of"):
            places.add(at + 1)
    return places


def _denied(sentence: Sequence[Word], clauses: Sequence[int], negations: set[int], at: int) -> bool:
    """Whether a negation reaches a place: ahead of it in its clause, or right behind it."""
    ahead = [
        n
        for n in negations
        if n < at <= n + _reach(sentence, n)
        and (clauses[n] == clauses[at] or _goes_on(sentence, n))
        and not _left_relative(sentence, n, at)
        and not _lacks_a_thing(sentence, n, at)
    ]
    if len(ahead) >= 2 and _double(sentence, ahead):
        return False
    if ahead:
        return True
    behind = [
        n
        for n in negations
        if at < n <= at + 4
        and clauses[n] == clauses[at]
        and (sentence[n].has("neg") and sentence[n].text.lower() in _BEHIND)
    ]
    return bool(behind)


_BEHIND = frozenset(
    [
        "absent",
        "lacking",
        "unlikely",
        "refuted",
        "false",
        "untrue",
        "wrong",
        "incorrect",
        "rejected",
    ]
)


def _weakened(sentence: Sequence[Word], clauses: Sequence[int], at: int) -> bool:
    """ "Of limited value", "poor predictive power", "a low correlation": said to be next to
    nothing."""
    for place in range(max(0, at - 3), at):
        if clauses[place] == clauses[at] and sentence[place].has("weak"):
            return not any(
                w.mark or w.has("than") or (w.content and w.stem not in _POWERS)
                for w in sentence[place + 1 : at]
            )
    behind = [w for w in sentence[at + 1 : at + 4] if not w.mark]
    return len(behind) > 1 and behind[0].stem in _BE and behind[1].has("weak")


_POWERS = frozenset(["abil", "power", "evid", "capac", "predict", "diagnost", "prognost", "clinic"])
_BE = frozenset(["is", "are", "was", "were", "remain", "seem", "appear", "be"])


def _reach(sentence: Sequence[Word], place: int) -> int:
    if sentence[place].text.lower() in ("than", "of", "without", "absence", "lack"):
        return 4
    return NEGATION_REACH


def _goes_on(sentence: Sequence[Word], place: int) -> bool:
    """A negation of a whole clause: "no evidence that", "unlikely that"."""
    return any(word.text.lower() in ("that", "whether") for word in sentence[place + 1 : place + 4])


def _left_relative(sentence: Sequence[Word], place: int, at: int) -> bool:
    """Whether a negation stood in a relative clause that ends before a place: "a deficiency that is
    not treated is associated ..."."""
    if not _in_relative(sentence, place):
        return False
    return any(
        word.text.lower() in ("is", "are", "was", "were", "has", "have", "had", "may", "can")
        for word in sentence[place + 2 : at]
    )


def _lacks_a_thing(sentence: Sequence[Word], place: int, at: int) -> bool:
    """Whether what is lacking is a thing, of which the statement is made: "lack of sleep increased
    pain" denies nothing, "lack of effect" does."""
    if sentence[place].text.lower() not in ("lack", "absence"):
        return False
    between = sentence[place + 1 : at]
    return bool(between) and between[0].text.lower() == "of" and any(w.content for w in between)


def _double(sentence: Sequence[Word], places: Sequence[int]) -> bool:
    """ "not without", "cannot be excluded": two that cancel; "neither ... nor", "no ... not" add
    up to one."""
    first, second = places[-2], places[-1]
    pair = (sentence[first].text.lower(), sentence[second].text.lower())
    return pair[0] in ("not", "cannot", "never") and pair[1] not in ("nor", "neither", "no", "not")


def _cue(
    sentence: Sequence[Word], clauses: Sequence[int], negations: set[int], at: int
) -> Cue | None:
    word = sentence[at]
    family, sign, evaluates, denied = _kind(word)
    if not family:
        return None
    if family == "signed" and (_modifies_next(sentence, at) or _modifies_verb(sentence, at)):
        return None
    modifier = _modifier(sentence, clauses, at)
    sign *= modifier or 1
    denied ^= _denied(sentence, clauses, negations, at)
    if not denied and (family != "signed" or evaluates):
        denied = _weakened(sentence, clauses, at)
    value, object_at = _object(sentence, clauses, at)
    relative = _in_relative(sentence, at)
    if family != "signed":
        return Cue(at, family, 0, 0, denied, object_at=object_at, relative=relative)
    way, good = (sign * value, sign) if evaluates else (sign, sign * value)
    caused = word.has("cause")
    equal = _as_as(sentence, at)
    return Cue(at, family, way, good, denied, caused, object_at, modifier, relative, equal)


def _as_as(sentence: Sequence[Word], at: int) -> bool:
    """ "As effective as": good, and no better than the other."""
    before = sentence[at - 1].text.lower() if at else ""
    behind = (word.text.lower() for word in sentence[at + 1 : at + 4])
    return before == "as" and "as" in behind


def _in_relative(sentence: Sequence[Word], at: int) -> bool:
    """ "The virus that causes it": what only says which thing is meant."""
    for place in range(at - 1, max(0, at - 5), -1):
        lower = sentence[place].text.lower()
        if lower in ("that", "which", "who", "whose"):
            before = sentence[place - 1]
            return before.content or (lower != "that" and before.mark) or before.stem in _WHOM
        if sentence[place].mark:
            return False
    return False


_WHOM = frozenset(["those", "patient", "peopl", "person", "individu", "subject", "group"])


def _kind(word: Word) -> tuple[str, int, bool, bool]:
    """Family, sign, whether it evaluates, whether it denies by itself."""
    if word.has("ngood"):
        return "signed", 1, True, True
    if word.has("good"):
        return "signed", 1, True, False
    if word.has("bad"):
        return "signed", -1, True, False
    if word.has("up", "cause"):
        return "signed", 1, False, False
    if word.has("down"):
        return "signed", -1, False, False
    if word.has("same"):
        return "difference", 0, False, True
    if word.has("diff"):
        return "difference", 0, False, False
    if word.has("nassoc"):
        return "relation", 0, False, True
    if word.has("assoc"):
        return "relation", 0, False, False
    return "", 0, False, False


def _modifies_next(sentence: Sequence[Word], at: int) -> bool:
    """ "More effective", "larger reductions", "lower toxicity": the first word turns the second."""
    if not sentence[at].has("up", "down"):
        return False
    for place in range(at + 1, min(at + 3, len(sentence))):
        following = sentence[place]
        if following.mark or following.has("neg", "than") or following.text.lower() in _JOIN:
            return False
        if _kind(following)[0] == "signed":
            return True
        if following.text.lower() not in _ADVERBS:
            return False
    return False


_JOIN = frozenset(["and", "or", "in", "of", "to", "the", "for", "with", "on"])


def _modifies_verb(sentence: Sequence[Word], at: int) -> bool:
    """ "Reduced pain more than": the word before "than" turns the verb that stands ahead."""
    if sentence[at].text.lower() not in ("more", "less", "further", "better"):
        return False
    if at + 1 >= len(sentence) or not sentence[at + 1].has("than"):
        return False
    return any(
        _kind(word)[0] == "signed" and not word.has("neg")
        for word in sentence[max(0, at - NEGATION_REACH) : at]
    )


def _modifier(sentence: Sequence[Word], clauses: Sequence[int], at: int) -> int:
    """-1 where another word turns the cue ("less effective", "reduced it less than"), +1 where it
    only makes it more, 0 where there is none."""
    sign = 0
    for place in range(at - 1, max(-1, at - 4), -1):
        if not _modifies_next(sentence, place):
            if sentence[place].text.lower() in _ADVERBS:
                continue
            break
        sign = (sign or 1) * (-1 if sentence[place].has("down") else 1)
    for place in range(at + 1, min(at + 1 + NEGATION_REACH, len(sentence))):
        if clauses[place] != clauses[at]:
            break
        if _modifies_verb(sentence, place):
            sign = (sign or 1) * (-1 if sentence[place].has("down") else 1)
    return sign


def _object(sentence: Sequence[Word], clauses: Sequence[int], at: int) -> tuple[int, int]:
    """The value of what a cue is about and its place: the nearest thing of a known value ahead in
    the clause, else the nearest behind (a passive, an adjective)."""
    for place in range(at + 1, min(at + 1 + OBJECT_REACH, len(sentence))):
        if clauses[place] != clauses[at]:
            break
        if sentence[place].has("than") and sentence[place - 1].text.lower() != "rather":
            break
        if value := value_of(sentence[place]):
            return value, place
    for place in range(at - 1, max(-1, at - 1 - OBJECT_REACH), -1):
        if clauses[place] != clauses[at]:
            break
        if value := value_of(sentence[place]):
            return value, place
    return 0, -1
