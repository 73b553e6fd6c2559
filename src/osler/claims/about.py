"""Features of the question before the side: does a text speak to this claim at all?

What a claim names (its subject, what is said of it, for whom, compared with what) must have a
counterpart in the text. A text on another drug, on children instead of adults, with cause and
effect exchanged, an aim, or "evidence is insufficient" takes no side.
"""

from __future__ import annotations

from collections.abc import Sequence

from osler.claims.align import align
from osler.claims.conclusion import conclusion, is_aim
from osler.claims.heads import LinearHead
from osler.claims.populations import clash
from osler.claims.reading import Reading, read
from osler.claims.rules import Ruling, parts, ruled
from osler.claims.trial import Features
from osler.claims.words import Word, words
from osler.text.scripts import listed

_ANAPHORA = listed("this these it they such both the")


def about_features(
    claim: str, text: str, context: str = "", finder: LinearHead | None = None
) -> Features:
    """Named features of one claim with one passage."""
    asked = read(claim)
    whole = context or text
    begin, places = conclusion(text, finder)
    passages = [text[start:end] for start, end in places] or [text]
    readings = [read(one) for one in passages]
    rulings = [ruled(claim, one, whole) for one in passages]
    features: Features = {"bias": 1.0}
    features.update(_covered(asked, text, rulings))
    features.update(_stated(passages[begin:], readings[begin:], rulings[begin:]))
    features["population"] = float(bool(clash(_texts(asked.words), _texts(words(whole)))))
    features["swapped"] = float(
        any(one.swapped for one in rulings)
        and not any(one.covered > 0.6 and not one.swapped for one in rulings)
    )
    features["sentences"] = min(6, len(passages)) / 6
    return features


def _covered(claim: Reading, text: str, rulings: Sequence[Ruling]) -> Features:
    all_words = words(text)
    aligned = align(claim.words, all_words, text)
    cut = parts(claim)
    missing = [claim.words[at] for at in aligned.missing]
    subject = aligned.coverage(cut.before)
    rest = aligned.coverage((*cut.behind, *cut.compared))
    return {
        "covered": aligned.coverage(),
        "covered squared": aligned.coverage() ** 2,
        "covered by one": max(one.covered for one in rulings),
        "least by one": max(one.least for one in rulings),
        "no subject": float(subject == 0.0),
        "no rest": float(rest == 0.0),
        "least": min(subject, rest),
        "all": float(not missing),
        "missing": min(5, len(missing)) / 5,
        "missing names": min(3, sum(_is_name(word) for word in missing)) / 3,
        "missing letter": float(any("letter" in word.tags for word in missing)),
        "points back": float(
            any(w.text.lower() in _ANAPHORA for w in all_words) and subject == 0.0
        ),
    }


def _is_name(word: Word) -> bool:
    """A word that can hardly be said otherwise: long, or written with a capital or a digit."""
    return len(word.stem) >= 8 or any(c.isdigit() or c.isupper() for c in word.text[1:])


def _stated(
    passages: Sequence[str], readings: Sequence[Reading], rulings: Sequence[Ruling]
) -> Features:
    number = len(passages)
    features = {
        "rule size": max(abs(one.score) for one in rulings),
        "rule strength": max(one.strength for one in rulings),
        "mixed": float(
            max(one.score for one in rulings) > 0.4 and min(one.score for one in rulings) < -0.4
        ),
        "aim": sum(is_aim(one) for one in passages) / number,
        "future": sum(one.future for one in readings) / number,
        "no cue": float(not any(one.cues for one in readings)),
    }
    for tag in ("hedge", "insufficient", "aim", "neg"):
        features[f"# {tag}"] = min(3, sum(one.count(tag) for one in readings)) / 3
    return features


def _texts(sentence: Sequence[Word]) -> list[str]:
    return [word.text for word in sentence]
