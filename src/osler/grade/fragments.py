"""The two text fragments of section 3.1.

RCor: the sentences that hold both entities; where there is none, those from the one of the two
nearest mentions to the other. KImp: title, first sentence of the abstract, keywords; or, by
appendix A.4, those sentences that cover most of the paper's ten likeliest subject words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osler.grade.cues import cue_count
from osler.grade.pair import Pair
from osler.grade.places import Place, Places, TextNames

TOP_WORDS = 10
LONGEST = 6
"""Sentences that a fragment between two mentions may have: beyond, its two ends are kept."""


def rcor_sentences(places: Places) -> list[int]:
    """The numbers of the sentences of the RCor fragment; empty where an entity is missing."""
    if places.both:
        return list(places.both)
    near = places.nearest
    if near is None:
        return []
    low, high = near
    if high - low < LONGEST:
        return list(range(low, high + 1))
    half = LONGEST // 2
    return [*range(low, low + half), *range(high - half + 1, high + 1)]


def rcor_text(pair: Pair) -> str:
    """The RCor fragment: the given one, else made; a paper without both entities gives the
    sentences of the one that it has, else its title."""
    if pair.rcor_text:
        return pair.rcor_text
    places = pair.places
    numbers = rcor_sentences(places)
    if not numbers:
        numbers = [*places.head_sentences, *places.tail_sentences][:1]
    if not numbers:
        return pair.title
    return joined([places.sentence(number) for number in numbers])


def kimp_text(pair: Pair) -> str:
    """The KImp fragment: the given one, else title, first sentence and keywords."""
    if pair.kimp_text:
        return pair.kimp_text
    places = pair.places
    parts = [pair.title]
    if places.first is not None:
        parts.append(places.sentence(places.first))
    if pair.keywords:
        parts.append("%".join(pair.keywords) if _chinese(pair) else ", ".join(pair.keywords))
    return joined([part for part in parts if part.strip()])


def covering(
    places: Places, weights: Mapping[str, float], *, keep: int = 3, top: int = TOP_WORDS
) -> list[int]:
    """Appendix A.4: the sentences that cover most of the paper's ``top`` likeliest words, best
    first, ties by place; ``weights`` are the words' subject probabilities."""
    words = sorted(weights, key=lambda word: (-weights[word], word))[:top]
    covered = []
    for number in range(len(places.sentences)):
        looked = TextNames(places.sentence(number))
        covered.append(sum(bool(looked.find([word])) for word in words))
    order = sorted(range(len(covered)), key=lambda number: (-covered[number], number))
    return [number for number in order[:keep] if covered[number]]


def coverage_by_part(places: Places, weights: Mapping[str, float]) -> dict[str, float]:
    """The statistic of appendix A.4: the share of a paper's top words that stand in its title,
    keywords, first sentence, last sentence, other parts."""
    words = sorted(weights, key=lambda word: (-weights[word], word))[:TOP_WORDS]
    if not words:
        return {}
    title = set(places.title_sentences)
    last = len(places.sentences) - 1
    parts: dict[str, list[str]] = {"title": [], "first": [], "tail": [], "other": []}
    for number in range(len(places.sentences)):
        if number in title:
            part = "title"
        elif number == places.first:
            part = "first"
        else:
            part = "tail" if number == last else "other"
        parts[part].append(places.sentence(number))
    parts["keywords"] = list(places.keywords)
    coverage = {}
    for part, texts in parts.items():
        looked = TextNames("\n".join(texts))
        coverage[part] = sum(bool(looked.find([word])) for word in words) / len(words)
    return coverage


def evidence_place(pair: Pair) -> Place | None:
    """The sentence to show: of the abstract's sentences with both entities the one with most words
    of the relation, the last of equals, for there a paper concludes; else the title's; without
    any, where the nearest mention of the tail stands."""
    places = pair.places
    both = places.both
    title = set(places.title_sentences)
    inside = [number for number in both if number not in title]
    if inside:
        relation = pair.fact.relation
        best = max(inside, key=lambda n: (cue_count(relation, places.sentence(n)), n))
        return places.sentences[best]
    if both:
        return places.sentences[both[0]]
    near = places.nearest
    if near is not None:
        inside = [number for number in near if number not in title] or list(near)
        return places.sentences[inside[-1]]
    alone = [*places.tail_sentences, *places.head_sentences]
    return places.sentences[alone[0]] if alone else None


def joined(parts: Sequence[str]) -> str:
    """Parts of a fragment as one text, each ended by a full stop."""
    ended = [part if part[-1:] in ".。!?！？;；" else f"{part}." for part in parts if part]
    return " ".join(ended)


def _chinese(pair: Pair) -> bool:
    from osler.text.language import language

    return language(pair.text) == "zh"
