"""How far a paper is about a fact, from where its two ends stand: features, masked words.

Each sentence that names both ends is shown with the ends masked (@H, @T) and all other entities
hidden (@x), so that what is learned is how papers word a relation and not which drug does what.
Counts say how much of the paper the two ends are: their sentences, the title, how they compare with
the other entities that the paper names.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from osler.claims.conclusion import is_aim
from osler.claims.words import words
from osler.grade.places import Place
from osler.text.sentences import sentences

Features = dict[str, float]
WINDOW = 6
"""Words kept on either side of the two ends."""
FAR = 40


class Named:
    """A paper with the places of all that it names: id to places in ``text``."""

    def __init__(
        self, text: str, places: Mapping[str, Sequence[Place]], *, title_end: int = 0
    ) -> None:
        self.text = text
        self.places = {id: tuple(sorted(where)) for id, where in places.items() if where}
        self.cut = sentences(text)
        self.starts = [start for start, _ in self.cut]
        self.title_end = title_end
        self.by_sentence = {
            id: {self.number(start) for start, _ in where} for id, where in self.places.items()
        }
        self.most = max((len(where) for where in self.places.values()), default=1)

    def number(self, start: int) -> int:
        """The sentence of a place."""
        return max(0, bisect_right(self.starts, start) - 1)


def fact_features(paper: Named, head: str, tail: str) -> Features:
    """Named features of one fact in one paper; both ends are ids of ``paper.places``."""
    heads, tails = paper.places.get(head, ()), paper.places.get(tail, ())
    features: Features = {"bias": 1.0}
    if not heads or not tails:
        features["end missing"] = 1.0
        return features
    in_heads, in_tails = paper.by_sentence[head], paper.by_sentence[tail]
    both = sorted(in_heads & in_tails)
    number = len(paper.cut)
    titled = {paper.number(0)} if paper.title_end else set()
    gap = min(abs(h - t) for h in in_heads for t in in_tails)
    apart = min(_apart(h, t) for h in heads for t in tails)
    features |= {
        "both": math.log1p(len(both)),
        "any both": float(bool(both)),
        "gap": min(gap, 5) / 5,
        "apart": math.log1p(min(apart, 500)) / 6,
        "heads": math.log1p(len(heads)),
        "tails": math.log1p(len(tails)),
        "head share": len(heads) / paper.most,
        "tail share": len(tails) / paper.most,
        "head rank": 1 / (1 + sum(len(w) > len(heads) for w in paper.places.values())),
        "tail rank": 1 / (1 + sum(len(w) > len(tails) for w in paper.places.values())),
        "head in title": float(bool(titled & in_heads)),
        "tail in title": float(bool(titled & in_tails)),
        "both in title": float(bool(titled & in_heads & in_tails)),
        "head in end": float(any(n >= number - 2 for n in in_heads)),
        "tail in end": float(any(n >= number - 2 for n in in_tails)),
        "both in end": float(any(n >= number - 2 for n in both)),
        "head early": 1 - min(in_heads) / max(1, number),
        "tail early": 1 - min(in_tails) / max(1, number),
        "entities": math.log1p(len(paper.places)) / 3,
        "alone": float(len(paper.places) == 2),
    }
    features["product"] = features["head share"] * features["tail share"]
    features["titles"] = features["head in title"] * features["tail share"]
    for at in both:
        for name, value in _sentence(paper, at, head, tail).items():
            features[name] = max(value, features.get(name, 0.0))
    return features


def _apart(one: Place, other: Place) -> int:
    return max(0, max(one[0], other[0]) - min(one[1], other[1]))


def _sentence(paper: Named, number: int, head: str, tail: str) -> Features:
    """The words around two ends in a sentence, with all entities masked."""
    start, end = paper.cut[number]
    shown = masked(paper, start, end, head, tail)
    pairs = [
        (abs(i - j), i, j)
        for i, a in enumerate(shown)
        if a == "@H"
        for j, b in enumerate(shown)
        if b == "@T"
    ]
    if not pairs:
        return {}
    distance, i, j = min(pairs)
    low, high = min(i, j), max(i, j)
    turn = "ht" if i < j else "th"
    features: Features = {
        f"order {turn}": 1.0,
        "near": 1 - min(distance, FAR) / FAR,
        "between others": min(3, sum(piece == "@x" for piece in shown[low + 1 : high])) / 3,
        "sentence aim": float(is_aim(paper.text[start:end])),
    }
    between = shown[low : high + 1]
    if len(between) > 14:
        between = [*between[:6], *between[-6:]]
    around = [*shown[max(0, low - WINDOW) : low], "|", *shown[high + 1 : high + 1 + WINDOW]]
    for length in (1, 2, 3):
        for at in range(len(between) - length + 1):
            features[f"b:{turn} " + " ".join(between[at : at + length])] = 1.0
    for length in (1, 2):
        for at in range(len(around) - length + 1):
            features["a:" + " ".join(around[at : at + length])] = 1.0
    return features


def masked(paper: Named, start: int, end: int, head: str, tail: str) -> list[str]:
    """The stems of a sentence; the head is @H, the tail @T, every other entity @x."""
    marks: list[tuple[int, int, str]] = []
    for id, where in paper.places.items():
        mark = "@H" if id == head else "@T" if id == tail else "@x"
        marks += [(s, e, mark) for s, e in where if start <= s < end]
    marks.sort(key=lambda one: (one[2] == "@x", one[0]))
    shown: list[str] = []
    for word in words(paper.text[start:end]):
        place = start + word.start
        mark = next((m for s, e, m in marks if s <= place < e), "")
        piece = mark or ("#" if word.text[0].isdigit() else word.stem)
        if not (shown and shown[-1] == piece and piece[0] in "@#"):
            shown.append(piece)
    return shown
