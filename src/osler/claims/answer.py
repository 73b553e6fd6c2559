"""Features of a claim or question with a passage: its conclusion, an abstract, a sentence.

What the rules say of each sentence is gathered; the passage's own words, with the claim's masked,
are counted. Words of direction are turned to the claim's sign, so that one weight serves "reduces"
and "increases".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.claims.align import align
from osler.claims.conclusion import conclusion
from osler.claims.heads import LinearHead
from osler.claims.numbers import figures
from osler.claims.reading import Reading, read
from osler.claims.rules import Ruling, main_cue, parts, plain, ruled
from osler.claims.trial import Features, ngrams
from osler.text.scripts import listed

COVERS = 0.6
POINTS = listed(
    "this these it they such therefore thus hence our we both its their those however",
    "本 此 因此 故",
)
COUNTED = ("neg", "same", "diff", "hedge", "insufficient", "aim", "up", "down", "good", "bad")


def answer_features(
    claim: str, text: str, context: str = "", finder: LinearHead | None = None
) -> Features:
    """Named features of one claim with one passage: those of its conclusion, and what the rules say
    of the rest."""
    asked = read(claim)
    sign = -1.0 if main_cue(asked).denied else 1.0
    features = _passage(claim, text, context, finder, undenied=False)
    return {name: sign * v if name[:2] == "n:" else v for name, v in features.items()}


def _passage(
    claim: str, text: str, context: str, finder: LinearHead | None, *, undenied: bool
) -> Features:
    asked = plain(read(claim)) if undenied else read(claim)
    whole = context or text
    begin, places = conclusion(text, finder)
    shown = [text[start:end] for start, end in places] or [text]
    readings = [read(one) for one in shown]
    rulings = [ruled(claim, one, whole, undenied=undenied) for one in shown]
    kept = speaking(readings, rulings, begin)
    last, rest = [readings[at] for at in kept], rulings[:begin]
    features: Features = {"bias": 1.0}
    features.update(_claim(asked))
    features.update(_rules([rulings[at] for at in kept]))
    features.update(_last(asked, last))
    if rest:
        features["rest"] = 1.0
        features.update({f"rest {name}": value for name, value in _rules(rest).items()})
    said = figures(text)
    features["not significant"] = float(min(2, said.not_significant))
    features["significant"] = float(min(2, said.significant))
    for number, reading in enumerate(last):
        weight = 1.0 if number == len(last) - 1 else 0.7
        for name in ngrams(masked_claim(asked, reading, whole), 3):
            key = "n:" + name
            features[key] = max(weight, features.get(key, 0.0))
    return features


def side_features(
    claim: str, text: str, context: str = "", finder: LinearHead | None = None
) -> Features:
    """The same for the head that tells supports from refutes: a denied claim has the features of
    the plain one with the other sign, so that what holds for one holds for the other."""
    asked = read(claim)
    turned = -1.0 if main_cue(asked).denied else 1.0
    features = _passage(claim, text, context, finder, undenied=True)
    return {
        name: turned * value
        for name, value in features.items()
        if not name.startswith(("q:", "claim asks"))
    }


def speaking(readings: Sequence[Reading], rulings: Sequence[Ruling], begin: int) -> list[int]:
    """The sentences of a conclusion that speak to the claim. One that shares no word with it and
    points back to nothing ("Costs were not studied.") is left out where another covers it."""
    numbers = range(begin, len(readings))
    covered = max(rulings[at].covered for at in numbers)
    if covered < COVERS:
        return list(numbers)
    kept = [
        at
        for at in numbers
        if rulings[at].covered > 0.0 or any(w.text.lower() in POINTS for w in readings[at].words)
    ]
    return kept or list(numbers)


def masked_claim(claim: Reading, sentence: Reading, context: str) -> list[str]:
    """The stems of a sentence; the claim's subject is @S, what it says it of is @T."""
    aligned = align(claim.words, sentence.words, context)
    cut = parts(claim)
    subject = aligned.matched(cut.before)
    rest = aligned.matched((*cut.behind, *cut.compared))
    shown: list[str] = []
    for at, word in enumerate(sentence.words):
        if at in rest:
            piece = "@T"
        elif at in subject:
            piece = "@S"
        elif word.text[0].isdigit():
            piece = "#"
        else:
            piece = word.stem
        if not (shown and shown[-1] == piece and piece[0] in "@#"):
            shown.append(piece)
    return shown


def _claim(claim: Reading) -> Features:
    cut = parts(claim)
    features = {
        f"claim {cut.cue.family}": 1.0,
        "claim denied": float(cut.cue.denied),
        "claim compares": float(bool(cut.compared)),
        "claim asks": float(claim.words[-1].text in "?？" if claim.words else 0.0),
        "claim good": float(cut.cue.benefit > 0),
        "claim bad": float(cut.cue.benefit < 0),
    }
    for word in claim.words:
        if not word.mark and not word.content and word.text[0].isalpha():
            features["q:" + word.stem] = 1.0
    return features


def _rules(rulings: Sequence[Ruling]) -> Features:
    scores = np.asarray([one.score for one in rulings])
    cover = np.asarray([one.covered for one in rulings])
    near = scores * (0.2 + cover)
    best = int(np.argmax(cover + 0.01 * np.arange(len(rulings))))
    return {
        "rule mean": float(near.mean()),
        "rule most": float(near.max()),
        "rule least": float(near.min()),
        "rule best": float(scores[best]),
        "rule first": float(scores[0]),
        "rule last": float(scores[-1]),
        "none best": rulings[best].none,
        "none last": rulings[-1].none,
        "none mean": float(np.mean([one.none for one in rulings])),
        "opposed": float(np.mean([one.opposed for one in rulings])),
        "covered": float(cover.max()),
        "covered mean": float(cover.mean()),
        "swapped": float(any(one.swapped for one in rulings)),
        "population": float(all(bool(one.population) for one in rulings)),
    }


def _last(claim: Reading, readings: Sequence[Reading]) -> Features:
    features: Features = {}
    for tag in COUNTED:
        counts = [reading.count(tag) for reading in readings]
        features[f"# {tag}"] = float(min(3, sum(counts))) / 3
        features[f"# {tag} last"] = float(min(2, counts[-1])) / 2
    denied = [sum(cue.denied for cue in reading.cues) for reading in readings]
    features["denied"] = float(min(3, sum(denied))) / 3
    features["any denied"] = float(any(denied))
    features["first denied"] = float(bool(denied[0]))
    features["future"] = float(sum(reading.future for reading in readings))
    features["weak"] = float(min(3, sum(reading.count("weak") for reading in readings))) / 3
    features["sentences"] = min(5, len(readings)) / 5
    return features
