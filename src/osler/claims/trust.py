"""How far a side that is about to be told can be trusted: a second judge behind the first.

The heads say which side a sentence leans to; they were taught by texts that do speak of their
claim. What a search brings mostly does not, and the heads cannot know. So each side of a searched
paper is weighed once more by what is there at that moment: how the sentence names both ends and in
which order, what stands between, how alike claim, sentence and title are, whether the rules agree.
A logistic regression was taught by sides that people read and called right or wrong
(``benchmarks/stance_told.tsv``); its weights are in ``trust.tsv``, with what they were taught by.
Without the encoder that ships a second column, taught without likeness, decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from osler.claims.align import Alignment, align
from osler.claims.ends import Ends, ends_of
from osler.claims.findings import finding_places
from osler.claims.joining import heads_at, joining, nearest, places_of
from osler.claims.judge import MAX_TEXT
from osler.claims.reading import Reading, read
from osler.claims.rules import Parts, parts, ruled
from osler.claims.trial import Features
from osler.claims.vectors import likeness
from osler.claims.verdict import Stance
from osler.claims.words import Word, words
from osler.kinds import Document
from osler.text.stopwords import FUNCTION_WORDS

_PALE = frozenset(["risk", "effect", "effects", "rate", "level", "levels", "patients"])
"""Words of a claim that a sentence may leave out and still speak of it."""
_LEAST = 3
"""Letters of a word that must be named."""


class Weight(msgspec.Struct, frozen=True):
    """Of one feature: its mean and spread among what taught, and what it counts."""

    mean: float
    spread: float
    weight: float


class Trust(msgspec.Struct, frozen=True):
    """A logistic regression over named features."""

    weights: dict[str, Weight]
    bias: float

    def probability(self, features: Features) -> float:
        total = self.bias + sum(
            one.weight * (features.get(name, 0.0) - one.mean) / one.spread
            for name, one in self.weights.items()
        )
        return 1 / (1 + math.exp(-total))


@lru_cache(maxsize=1)
def tables() -> tuple[Trust, Trust]:
    """The weights with likeness, and those without."""
    return read_tables((files("osler.claims") / "trust.tsv").read_text("utf-8"))


def read_tables(text: str) -> tuple[Trust, Trust]:
    """Two regressions from lines of: which one, name, mean, spread, weight."""
    found: dict[str, dict[str, Weight]] = {"likeness": {}, "words": {}}
    bias = dict.fromkeys(found, 0.0)
    for line in text.splitlines():
        if line and not line.startswith("#"):
            which, name, *numbers = line.split("\t")
            if name == "bias":
                bias[which] = float(numbers[2])
            else:
                found[which][name] = Weight(*map(float, numbers))
    return Trust(found["likeness"], bias["likeness"]), Trust(found["words"], bias["words"])


def trusted(claim: str, document: Document, told: Stance, values: Sequence[float]) -> float:
    """P(the side is right) of what is told of a document. ``values`` is how far each statement of
    the sentence says what the claim says."""
    features = trust_features(claim, document, told, values)
    with_likeness, words_alone = tables()
    return (with_likeness if "likeness" in features else words_alone).probability(features)


def trust_features(
    claim: str, document: Document, told: Stance, values: Sequence[float]
) -> Features:
    """Named features of a side with the sentence that carries it."""
    whole = document.text[:MAX_TEXT]
    sentence = whole[told.start : told.end]
    asked, said = read(claim), read(sentence)
    cut = parts(asked)
    aligned = align(asked.words, said.words, whole)
    sign = 1.0 if told.supports >= told.refutes else -1.0
    title = document.title.strip() or sentence
    own = aligned.matched()
    content = [at for at, word in enumerate(said.words) if word.content]
    features: Features = {
        "purity": max(told.supports, told.refutes) / max(1e-6, told.supports + told.refutes),
        "value least": min((one * sign for one in values), default=0.0),
        "value most": max((one * sign for one in values), default=0.0),
        "rule strength": ruled(claim, sentence, whole).strength,
        "foreign": sum(at not in own for at in content) / max(1, len(said.words)),
        "title": float(told.end <= len(document.text) - len(document.abstract)),
        "aim": float(said.count("aim") > 0),
        "claim signed": float(cut.cue.family == "signed"),
    }
    features |= _named(asked, cut, said.words, words(title))
    features |= _agreeing(claim, document, whole, sign)
    features |= _stated(asked, cut, aligned, said)
    features["title in order"] = features["titled"] * features.get("in order", 0.0)
    near, near_title = likeness(claim, sentence), likeness(claim, title)
    if near is not None and near_title is not None:
        features["likeness"] = near
        features["likeness of title"] = near_title
        features["likeness at best"] = max(near, near_title)
        features["likeness in order"] = near * features.get("in order", 0.0)
    return features


def _named(asked: Reading, cut: Parts, said: Sequence[Word], title: Sequence[Word]) -> Features:
    """How much of the claim sentence and title name, word by word. Not only what names something
    counts: the "falls" of "reduces falls" is read as a direction, and is what is asked about."""
    wanted = [
        word
        for at, word in enumerate(asked.words)
        if at != cut.cue.at and not word.mark and len(word.text) >= _LEAST
        if word.text.lower() not in FUNCTION_WORDS and word.text.lower() not in _PALE
    ]
    unread = [word for word in wanted if not word.content]
    here, there = {word.stem for word in said}, {word.stem for word in title}
    return {
        "named": _share(wanted, here),
        "titled": _share(wanted, there),
        "unread named": _share(unread, here) if unread else 1.0,
        "unread": float(bool(unread)),
    }


def _share(wanted: Sequence[Word], stems: set[str]) -> float:
    return sum(word.stem in stems for word in wanted) / max(1, len(wanted))


def _agreeing(claim: str, document: Document, whole: str, sign: float) -> Features:
    """What the rules say of the other sentences that speak of both ends."""
    rulings = [ruled(claim, whole[a:b], whole) for a, b in finding_places(claim, document, whole)]
    scores = [one.score * sign for one in rulings if one.least > 0]
    return {
        "agree least": min(scores, default=0.0),
        "agree mean": sum(scores) / max(1, len(scores)),
    }


def _stated(asked: Reading, cut: Parts, aligned: Alignment, said: Reading) -> Features:
    """How the sentence states it: which end comes first, how far the statement stands from them,
    and what stands between. Nothing where one end has no place of its own."""
    ends = ends_of(asked, cut)
    features: Features = {"phrases": min(4, len(ends.all)) / 4}
    subject, rest = (places_of(one, aligned) for one in (ends.before, ends.rest[:1]))
    subject, rest = subject - rest or subject, rest - subject or rest
    cues = (joining(ends, aligned, said) if ends.before and ends.rest else []) or said.cues
    # The claim's own verb states too, though it may be none of ours ("treated" for "treats"); what
    # is measured is no verb: "the risk of stroke" states nothing.
    stating = {one.at for one in cues}
    stating |= {
        at
        for at, word in enumerate(said.words)
        if word.stem == ends.verb and not word.has("measure")
    }
    if not (subject and rest and stating):
        return features
    place = min(sorted(stating), key=lambda at: _apart(at, subject, rest))
    first, second = nearest(subject, place), nearest(rest, place)
    low, high = sorted((first, second))
    word, own = said.words[place], asked.words[cut.cue.at]
    matched = aligned.matched()
    return features | {
        "in order": float(first < place < second),
        "in turned order": float(second < place < first),
        "subject first": float(first < second),
        "one place": float(first == second),
        "between": float(low <= place <= high),
        "gap": math.log1p(high - low) / 3,
        "gap to subject": math.log1p(abs(place - first)) / 3,
        "gap to rest": math.log1p(abs(place - second)) / 3,
        "place of subject": first / len(said.words),
        "mentions": min(3, len(heads_at(ends.before, aligned))) / 3,
        "verb between": float(any(_finite(one) for one in said.words[low:high])),
        "others ahead": _others(said, place, matched) / 5,
        "same verb": float(word.stem == own.stem),
        "same kind": float(word.has(*_EVALUATES) == own.has(*_EVALUATES)),
        "relation in order": float(word.has("assoc") and first < place < second),
        "exact": float(_exact(ends, aligned, asked, said)),
        "contrasted": float(
            any(one.text.lower() in _CONTRASTS for one in said.words[max(0, first - 4) : first])
        ),
    }


_EVALUATES = ("good", "bad", "ngood")
_CONTRASTS = frozenset(
    ["contrast", "unlike", "compared", "than", "without", "despite", "adjusting", "adjusted"]
)
_FINITE = frozenset(
    ["is", "are", "was", "were", "has", "have", "may", "can", "could", "did", "not"]
)


def _finite(word: Word) -> bool:
    return word.text.lower() in _FINITE or word.text.lower().endswith("ed")


def _others(said: Reading, place: int, matched: set[int]) -> int:
    """How many other things are named ahead of a place in its clause; five at most."""
    clause = said.clauses[place]
    named = [at for at in range(place) if said.words[at].content and at not in matched]
    return min(5, sum(said.clauses[at] == clause for at in named))


def _exact(ends: Ends, aligned: Alignment, asked: Reading, said: Reading) -> bool:
    """Whether both ends are named by their own words, not by others for them."""
    return all(
        any(said.words[at].stem == asked.words[one.head].stem for at in aligned.places[one.head])
        for one in (*ends.before, *ends.rest[:1])
    )


def _apart(place: int, subject: set[int], rest: set[int]) -> tuple[bool, int]:
    first, second = nearest(subject, place), nearest(rest, place)
    outside = not min(first, second) <= place <= max(first, second)
    return outside, abs(first - place) + abs(second - place)
