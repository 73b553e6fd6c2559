"""What of a pair can be counted: where the two entities stand, how near, how much of the subject.

The features name no word of a language but for the cues of relations, so that they hold for
English and Chinese alike. They are what the rule of RCor and KImp, the method ``evidence`` and the
hints of HiCapsRKL look at. No label is among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from osler.grade.cues import OTHER, cue_count, group_of, groups
from osler.grade.pair import Pair
from osler.grade.places import Place, Places, TextNames
from osler.text.chinese import has_jieba, segment
from osler.text.scripts import CJK_CHARACTER
from osler.text.sentences import sentences

Floats = npt.NDArray[np.float64]
_PART = re.compile(
    r"\W{0,2}(?:(目的|背景|objective|aim|background|introduction|purpose)|(方法|资料|method|material)"
    r"|(结果|result|finding)|(结论|conclusion|interpretation))",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"[0-9]")
_STOPS = re.compile(r"[.。!?！？]+")
FAR = 10
ENTITY = ("title", "first", "keywords", "keyword", "last", "count", "early", "word", "length")
"""Of each entity: in the title, the first sentence, any keyword, a keyword by itself, the last
sentence; how often; how early; whether it stands as a word; how long its name is."""


def names() -> list[str]:
    """The features, in the order of their columns."""
    of_entities = [f"{which} {name}" for which in ("head", "tail") for name in ENTITY]
    return [
        *of_entities,
        "coverage least",
        "coverage most",
        "coverage both",
        "title both",
        "first both",
        "last both",
        "sentences both",
        "gap",
        "characters apart",
        "fragment sentences",
        "fragment gap",
        "fragment length",
        "fragment is title",
        "fragment aim",
        "fragment method",
        "fragment result",
        "fragment conclusion",
        "fragment numbers",
        "fragment cues",
        "fragment cues between",
        "title share",
        "title length",
        "subject share",
        "keywords number",
        "head in tail",
        "without abstract",
        *(f"relation {group}" for group in (*groups(), OTHER)),
    ]


def features(pairs: Sequence[Pair]) -> Floats:
    """A row a pair, a column a feature."""
    if not pairs:
        return np.zeros((0, len(names())))
    return np.array([pair.counted for pair in pairs], dtype=np.float64)


def row(pair: Pair) -> list[float]:
    places = pair.places
    title = set(places.title_sentences)
    head = _entity(pair.fact.heads, places, places.heads, places.head_sentences, True, title)
    tail = _entity(pair.fact.tails, places, places.tails, places.tail_sentences, False, title)
    cover_head, cover_tail = sum(head[:3]), sum(tail[:3])
    both = set(places.both)
    near = places.nearest
    last = len(places.sentences) - 1
    counted = len(places.heads) + len(places.tails)
    title_text = pair.title
    in_title = sum(
        end - start for start, end in (*places.heads, *places.tails) if end <= len(title_text)
    )
    values = [
        *head,
        *tail,
        min(cover_head, cover_tail),
        max(cover_head, cover_tail),
        float(cover_head + cover_tail),
        float(bool(both & title)),
        float(places.first in both),
        float(last in both and last not in title),
        math.log1p(len(both)),
        float(min(FAR, near[1] - near[0]) if near else FAR),
        _apart(places),
        *_fragment(pair),
        min(1.0, in_title / max(1, len(title_text))),
        math.log1p(len(title_text)),
        counted / max(1.0, len(pair.text) / 50),
        float(len(pair.keywords)),
        float(_within(pair)),
        float(not pair.abstract.strip()),
    ]
    group = group_of(pair.fact.relation)
    return values + [float(group == name) for name in (*groups(), OTHER)]


def _entity(
    names: Sequence[str],
    places: Places,
    of_entity: Sequence[Place],
    numbers: Sequence[int],
    is_head: bool,
    title: set[int],
) -> list[float]:
    keywords = places.head_keywords if is_head else places.tail_keywords
    folded = {name.casefold() for name in names}
    alone = any(places.keywords[number].casefold() in folded for number in keywords)
    last = len(places.sentences) - 1
    return [
        float(any(number in title for number in numbers)),
        float(places.first in numbers),
        float(bool(keywords)),
        float(alone),
        float(last in numbers and last not in title),
        math.log1p(len(of_entity)),
        1 - of_entity[0][0] / max(1, len(places.text)) if of_entity else 0.0,
        _whole(places, of_entity),
        math.log1p(len(names[0])),
    ]


def _whole(places: Places, of_entity: Sequence[Place]) -> float:
    """The share of places where a Chinese name is cut out as words: 气管 is none in 支气管炎."""
    if not of_entity:
        return 0.0
    if not CJK_CHARACTER.search(places.text[of_entity[0][0] : of_entity[0][1]]) or not has_jieba():
        return 1.0
    right = 0
    for start, end in of_entity[:4]:
        low, high = max(0, start - 8), min(len(places.text), end + 8)
        cuts = {low, high}
        for token in segment(places.text[low:high], by="jieba"):
            cuts.update((low + token.start, low + token.end))
        right += start in cuts and end in cuts
    return right / len(of_entity[:4])


def _apart(places: Places) -> float:
    """The logarithm of the characters between the nearest mentions."""
    best = min(
        (max(t[0] - h[1], h[0] - t[1], 0) for h in places.heads for t in places.tails),
        default=1_000,
    )
    return math.log1p(best)


def _fragment(pair: Pair) -> list[float]:
    """Of the RCor fragment, given or made."""
    from osler.grade.fragments import rcor_text

    text = rcor_text(pair)
    looked = TextNames(text)
    heads, tails = looked.find(pair.fact.heads), looked.find(pair.fact.tails)
    gap, between = float(FAR), ""
    for h in heads:
        for t in tails:
            inside = text[min(h[1], t[1]) : max(h[0], t[0])]
            # Full stops at sentence ends alone: "P<0.05" holds none.
            stops = float(max(0, len(sentences(inside)) - 1)) if _STOPS.search(inside) else 0.0
            if (stops, len(inside)) < (gap, len(between)) or gap == FAR:
                gap, between = stops, inside
    part = _PART.match(text)
    held = [bool(part and part[group]) for group in range(1, 5)]
    return [
        min(FAR, float(len(sentences(text)))),
        min(FAR, gap),
        math.log1p(len(text)),
        float(text.strip(" .。") == pair.title.strip(" .。")),
        *map(float, held),
        len(_NUMBERS.findall(text)) / max(1, len(text)),
        float(min(4, cue_count(pair.fact.relation, text))),
        float(min(3, cue_count(pair.fact.relation, between))),
    ]


def _within(pair: Pair) -> bool:
    head, tail = pair.fact.head.casefold(), pair.fact.tail.casefold()
    return head in tail or tail in head
