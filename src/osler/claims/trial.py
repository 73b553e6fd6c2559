"""Features of a trial's result: an intervention, a comparator, an outcome, and a sentence.

Words of the two arms and of the outcome are masked, so that the heads learn how results are worded
and not which drugs work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from osler.claims.align import align
from osler.claims.numbers import figures
from osler.claims.reading import Cue, Reading, read, value_of
from osler.claims.rules import CONTROL
from osler.claims.words import Word, words

Features = dict[str, float]
_GROUP = frozenset(["group", "groups", "arm", "arms", "both"])


def trial_features(intervention: str, comparator: str, outcome: str, text: str) -> Features:
    """Named features of one prompt with its sentence."""
    sentence = read(text)
    roles = arm_roles(intervention, comparator, outcome, sentence, text)
    shown = masked(sentence.words, roles)
    features: Features = {"bias": 1.0}
    for name in ngrams(shown, 3):
        features["n:" + name] = 1.0
    prompt = words(outcome)
    value = sum(value_of(word) for word in prompt)
    signed = _signed(sentence, roles, (value > 0) - (value < 0))
    features.update(signed)
    features.update(_figures(text, sentence, roles))
    benefit = signed.get("benefit", 0.0)
    for word in prompt:
        if not word.mark and word.text[0].isalpha():
            features["o:" + word.stem] = 1.0
            if benefit:
                features["b:" + word.stem] = benefit
    features["outcome falls"] = float(any(w.has("down") for w in prompt))
    return features


def arm_roles(
    intervention: str, comparator: str, outcome: str, sentence: Reading, text: str
) -> list[str]:
    """For each word of the sentence: I, C, O, or nothing. What both arms share tells nothing."""
    places = {
        role: align(words(given), sentence.words, text).matched()
        for role, given in (("I", intervention), ("C", comparator), ("O", outcome))
    }
    places["O"] |= _directions(outcome, sentence, places["O"])
    both = places["I"] & places["C"]
    roles = [""] * len(sentence.words)
    for at, word in enumerate(sentence.words):
        lower = word.text.lower()
        if at in places["O"] and at not in places["I"] | places["C"]:
            roles[at] = "O"
        elif at in places["I"] - both:
            roles[at] = "I"
        elif at in places["C"] - both or (lower in CONTROL and at not in places["I"]):
            roles[at] = "C"
        elif lower in ("intervention", "treatment", "treated", "experimental", "active"):
            roles[at] = "I" if at not in both else ""
    return roles


def _directions(outcome: str, sentence: Reading, known: set[int]) -> set[int]:
    """Words of direction that belong to the outcome's name ("reduction in pain"), where they stand
    near the rest of it."""
    own = {w.stem for w in words(outcome) if w.has("up", "down", "good", "bad", "diff")}
    return {
        at
        for at, word in enumerate(sentence.words)
        if word.stem in own and any(abs(at - place) <= 5 for place in known)
    }


def masked(sentence: Sequence[Word], roles: Sequence[str]) -> list[str]:
    """The sentence as stems, with arms and outcome as masks, figures as one mark."""
    shown: list[str] = []
    for word, role in zip(sentence, roles, strict=True):
        if role:
            piece = "@" + role
        elif word.text[0].isdigit():
            piece = "#"
        else:
            piece = word.stem
        if shown and shown[-1] == piece and piece[0] in "@#":
            continue
        shown.append(piece)
    return shown


def ngrams(shown: Sequence[str], most: int) -> Iterator[str]:
    """All runs of one to ``most`` pieces."""
    for length in range(1, most + 1):
        for at in range(len(shown) - length + 1):
            yield " ".join(shown[at : at + length])


def _signed(sentence: Reading, roles: Sequence[str], value: int) -> Features:
    """Directions of the cues, each turned to the intervention's arm. ``value`` says whether the
    outcome is good or bad to have: "better" lowers a bad one."""
    features: Features = {}
    outcomes = [at for at, role in enumerate(roles) if role == "O"]
    nearest, best = 0, 10_000
    for cue in sentence.cues:
        if roles[cue.at] in ("I", "C"):
            continue
        if cue.family == "difference":
            _add(features, "same" if cue.denied else "differs", 1.0)
            continue
        if cue.family != "signed":
            _add(features, "relation denied" if cue.denied else "relation", 1.0)
            continue
        arm = arm_of(cue, sentence.words, roles)
        direction = cue.direction
        evaluates = sentence.words[cue.at].has("good", "bad")
        if roles[cue.at] == "O":
            direction = cue.modifier
        elif evaluates:
            direction = cue.benefit * value
            if not cue.denied:
                _add(features, "benefit", float(cue.benefit * arm))
        if not direction:
            continue
        turned = direction * arm
        name = "denied" if cue.denied else ("up" if turned > 0 else "down")
        _add(features, name, 1.0)
        _add(features, f"{name} {'benefit' if evaluates else 'direction'}", 1.0)
        distance = min((abs(at - cue.at) for at in outcomes), default=999)
        if not cue.denied and distance < best:
            nearest, best = turned, distance
        if cue.denied and distance < 12:
            _add(features, "denied near", 1.0)
    features["nearest"] = float(nearest)
    features["net"] = max(-2.0, min(2.0, features.get("up", 0.0) - features.get("down", 0.0)))
    return features


def arm_of(cue: Cue, sentence: Sequence[Word], roles: Sequence[str]) -> int:
    """1 where the cue is said of the intervention, -1 where of the comparator. The arm that stands
    next behind the cue, before "than", has it ("lower in the X group than ..."); else the last
    one named ahead of it."""
    for at in range(cue.at + 1, min(cue.at + 14, len(sentence))):
        if sentence[at].has("than") or sentence[at].text in ".;":
            break
        if roles[at] in ("I", "C"):
            return 1 if roles[at] == "I" else -1
    for at in range(cue.at - 1, -1, -1):
        if roles[at] in ("I", "C"):
            return 1 if roles[at] == "I" else -1
    mark = next((at for at in range(cue.at, len(sentence)) if sentence[at].has("than")), None)
    if mark is not None:
        for at in range(mark, min(mark + 10, len(sentence))):
            if roles[at] in ("I", "C"):
                return -1 if roles[at] == "I" else 1
    return 1


def _figures(text: str, sentence: Reading, roles: Sequence[str]) -> Features:
    said = figures(text)
    arms = [role for role in roles if role in ("I", "C")]
    order = (1 if arms[0] == "I" else -1) if arms else 1
    return {
        "significant": float(min(2, said.significant)),
        "not significant": float(min(2, said.not_significant)),
        "only not significant": float(said.not_significant > 0 and said.significant == 0),
        "only significant": float(said.significant > 0 and said.not_significant == 0),
        "first larger": float(said.first),
        "intervention larger": float(said.first * order),
        "ratio above": float(said.ratio),
        "arm larger": float(_larger_arm(sentence.words, roles)),
    }


def _larger_arm(sentence: Sequence[Word], roles: Sequence[str]) -> int:
    """1 where the number nearest to the intervention is larger than the one nearest to the
    comparator; spreads, p values and intervals are no numbers of an arm."""
    numbers = [
        (at, float(word.text.rstrip("%").replace(",", ".").replace("·", ".")))
        for at, word in enumerate(sentence)
        if _measures(sentence, at)
    ]
    values = {}
    for arm in ("I", "C"):
        places = [at for at, role in enumerate(roles) if role == arm]
        near = [
            (abs(at - place) + (0 if at > place else 1), value)
            for place in places
            for at, value in numbers
        ]
        if near:
            values[arm] = min(near)[1]
    if len(values) < 2:
        return 0
    return (values["I"] > values["C"]) - (values["I"] < values["C"])


def _measures(sentence: Sequence[Word], at: int) -> bool:
    shown = sentence[at].text.rstrip("%").replace(",", ".").replace("·", ".")
    if not shown[0].isdigit() or shown.count(".") > 1:
        return False
    before = [word.text.lower() for word in sentence[max(0, at - 3) : at]]
    behind = sentence[at + 1].text.lower() if at + 1 < len(sentence) else ""
    if {"p", "ci", "sd", "se", "=", "<", ">", "table", "figure", "fig"} & set(before):
        return False
    return behind not in (
        "months",
        "month",
        "weeks",
        "week",
        "years",
        "year",
        "days",
        "h",
        "mg",
        "ci",
    )


def _add(features: Features, name: str, amount: float) -> None:
    features[name] = features.get(name, 0.0) + amount
