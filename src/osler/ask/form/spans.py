"""A question cut into stretches, each with what it may mean.

Every annotator proposes stretches (a patient's name, a time, a phrase of the lexicon, a concept of
the facts' vocabulary); the cut that explains the question best is taken. What no stretch explains
is left over, and the answer is a refusal that names it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from osler.ask.form.called import POINTERS, pointless
from osler.ask.form.lexicon import (
    Meaning,
    Phrase,
    drug_classes,
    meanings,
    meant,
    other_words,
    stems,
)
from osler.ask.form.people import Named, People
from osler.ask.form.times import Stretch, stretches
from osler.ask.form.tokens import Token, joined, parted, stem, tokens
from osler.ask.form.typing_errors import carries_nothing, corrected, shortened
from osler.ask.form.vocabulary import SMALL, Match, Vocabulary

LONGEST = 8
# What a token is worth under each explanation; a token that nothing explains costs.
_PERSON, _TIME, _CONCEPT, _WORD, _EMPTY, _LEFT = 3.0, 2.5, 1.2, 1.0, 0.9, -1.5


@dataclass
class Span:
    """A stretch of tokens under one explanation."""

    start: int
    end: int
    words: str
    meanings: tuple[Meaning, ...] = ()
    concept: dict[str, Match] = field(default_factory=dict)
    person: Named | None = None
    time: Stretch | None = None
    number: float | None = None
    mark: str = ""
    left: bool = False
    typed: str = ""
    owner: bool = False

    def means(self, tag: str, *values: str) -> bool:
        return any(m.tag == tag and (not values or m.value in values) for m in self.meanings)

    def value(self, tag: str) -> str:
        return next((m.value for m in self.meanings if m.tag == tag), "")

    @property
    def empty(self) -> bool:
        return bool(self.mark) or (
            bool(self.meanings) and all(m.tag in ("empty", "asker") for m in self.meanings)
        )


def cut(
    text: str,
    vocabulary: Vocabulary,
    people: People,
    today: datetime.date,
    instead: Mapping[int, str] | None = None,
) -> tuple[list[Token], list[Span]]:
    """The best cut of a question into spans; the last step corrects single typing errors.
    ``instead`` gives other words for those at some places of the text; with it, even if it is
    empty, things may go by other names that a thesaurus gives them."""
    words = tokens(text)
    near = instead is not None
    if instead:
        words = [_read_as(token, instead.get(token.start)) for token in words]
    spans = _best(text, words, vocabulary, people, today, near=near)
    left = {span.start for span in spans if span.left and joined(words[span.start])}
    if left:
        # "Blood-pressure tablets": what is not known as one word may be two.
        words = [part for at, t in enumerate(words) for part in (parted(t) if at in left else [t])]
        spans = _best(text, words, vocabulary, people, today, near=near)
    typed: dict[int, str] = {}
    for span in spans:
        token = words[span.start]
        right = corrected(token, vocabulary, people) or shortened(token)
        if span.left and right:
            typed[span.start] = right
    if typed:
        fixed = [
            Token(t.text, t.start, t.end, typed.get(i, t.key), t.mark, typed.get(i, t.word))
            for i, t in enumerate(words)
        ]
        # A correction must explain the word, or the word stays unexplained.
        again = _best(text, fixed, vocabulary, people, today, near=near)
        for span in again:
            changed = [typed[i] for i in range(span.start, span.end) if i in typed]
            span.typed = changed[0] if changed else span.typed
        return words, again
    return words, spans


def _read_as(token: Token, word: str | None) -> Token:
    return token if word is None else replace(token, key=stem(word), word=word)


def _best(
    text: str,
    words: Sequence[Token],
    vocabulary: Vocabulary,
    people: People,
    today: datetime.date,
    *,
    near: bool,
) -> list[Span]:
    offered: list[list[tuple[float, Span]]] = [[] for _ in words]
    for score, span in _offers(text, words, vocabulary, people, today, near=near):
        offered[span.start].append((score, span))
    for at, token in enumerate(words):
        said = text[token.start : token.end]
        if token.mark:
            offered[at].append((0.0, Span(at, at + 1, said, mark=token.text)))
        else:
            offered[at].append((_LEFT, Span(at, at + 1, said, left=True)))
    best = [0.0] * (len(words) + 1)
    choice: list[Span | None] = [None] * len(words)
    for at in range(len(words) - 1, -1, -1):
        top = float("-inf")
        for score, span in offered[at]:
            total = score + best[span.end]
            if total > top + 1e-9:
                top, choice[at] = total, span
        best[at] = top
    spans = []
    at = 0
    while at < len(words):
        chosen = choice[at]
        assert chosen is not None
        spans.append(chosen)
        at = chosen.end
    return spans


def _offers(
    text: str,
    words: Sequence[Token],
    vocabulary: Vocabulary,
    people: People,
    today: datetime.date,
    *,
    near: bool,
) -> Iterator[tuple[float, Span]]:
    def said(start: int, end: int) -> str:
        return text[words[start].start : words[end - 1].end]

    for named in people.find(words):
        weight = _PERSON if named.how != "part" else 1.3 if words[named.start].capital else 0.8
        if named.end - named.start == 1 and carries_nothing(words[named.start].word):
            # Somebody's id may be "a"; in a question that is an article.
            weight = 0.5
        span = Span(named.start, named.end, said(named.start, named.end), person=named)
        span.owner = text[words[named.end - 1].end :][:2] in ("'s", "’s")
        yield weight * (named.end - named.start), span
        if named.start and words[named.start - 1].word == "miss":
            # "Miss Lee": before a name the verb is a title.
            title = (Meaning("empty", "-"),)
            yield _WORD + 0.1, Span(named.start - 1, named.start, "Miss", meanings=title)
    for time in stretches(words, today):
        span = Span(time.start, time.end, said(time.start, time.end), time=time)
        yield _TIME * (time.end - time.start), span
    for at in range(len(words)):
        for end in range(at + 1, min(at + 4, len(words)) + 1):
            city = people.cities.get(tuple(t.word for t in words[at:end]))
            if city is not None and (words[at].capital or words[at].chinese):
                place = (Meaning("place", city),)
                yield 1.25 * (end - at), Span(at, end, said(at, end), meanings=place)
    for at, token in enumerate(words):
        if token.number is not None:
            yield 1.0, Span(at, at + 1, token.text, number=token.number)
        for end in range(at + 1, min(at + LONGEST, len(words)) + 1):
            phrase = tuple(t.key for t in words[at:end])
            if known := meant(words[at:end]):
                empty = all(m.tag in ("empty", "asker") for m in known)
                weight = (_EMPTY if empty else _WORD) * len(phrase) + 0.5 * (len(phrase) - 1)
                yield weight, Span(at, end, said(at, end), meanings=known)
            yield from _concept(words, at, end, phrase, vocabulary, said(at, end))
            yield from _treated(words, at, end, vocabulary, said(at, end))
            if near:
                yield from _called(words, at, end, vocabulary, said(at, end))
                if end < len(words):
                    yield from _shared(words, at, end, vocabulary, said(at, end))
            yield from _marked(words, at, end, vocabulary, said(at, end))
        for beginning, meaning in stems():
            if token.key.startswith(beginning):
                yield _WORD, Span(at, at + 1, token.text, meanings=(meaning,))


def _concept(
    words: Sequence[Token], at: int, end: int, phrase: Phrase, vocabulary: Vocabulary, said: str
) -> Iterator[tuple[float, Span]]:
    if (
        any(t.mark or not t.text[:1].isalnum() for t in words[at:end])
        or phrase[0] in SMALL - {"type"}
        or phrase[:2] == ("type", "of")
        or phrase[-1] in SMALL
    ):
        return
    listed = phrase in other_words() or phrase in drug_classes()
    known = meanings()
    bare = [w for w in phrase if w not in SMALL and (w,) not in known and not _digits(w)]
    exact = phrase in vocabulary.full
    if not listed and (phrase in known or any(_unit(w) for w in phrase)) and not exact:
        return
    if phrase in known and not listed:
        return
    if not listed and not bare and not (exact and len(phrase) > 1):
        return
    if not listed and len(phrase) == 1 and len(phrase[0]) < 3:
        return
    match = vocabulary.find(phrase)
    listed = listed or (not match and vocabulary.known(phrase))
    if not match and not listed:
        return
    worth = _EMPTY if match and all(m.loose for m in match.values()) else _CONCEPT
    weight = worth * len(phrase) + 0.5 * (len(phrase) - 1) + (0.3 if listed or exact else 0.0)
    # A term that is known but stands in no record is still understood: nothing is recorded of it.
    yield weight, Span(at, end, said, concept=match, meanings=(Meaning("concept", ""),))


# What drugs are taken "for": a measurement stands for the illness in which it is treated.
_TREATED: dict[Phrase, Phrase] = {
    **dict.fromkeys([("blood", "pressure"), ("bp",), ("pressure",)], ("hypertension",)),
    **dict.fromkeys([("cholesterol",), ("lipid",)], ("hyperlipidemia",)),
    **dict.fromkeys([("blood", "sugar"), ("sugar",), ("glucose",)], ("diabetes",)),
    ("thyroid",): ("hypothyroidism",),
}


def _treated(
    words: Sequence[Token], at: int, end: int, vocabulary: Vocabulary, said: str
) -> Iterator[tuple[float, Span]]:
    """ "Which tablets does she take for her blood pressure?"."""
    illness = _TREATED.get(tuple(t.key for t in words[at:end]))
    before = [t.word for t in words[:at] if t.word not in POINTERS]
    if illness is None or before[-1:] != ["for"] or not any(_of_drugs(t) for t in words):
        return
    match = {k: m for k, m in vocabulary.find(illness).items() if k == "condition"}
    name, meaning = " ".join(illness), (Meaning("concept", ""),)
    yield (_CONCEPT + 1.0) * (end - at), Span(at, end, said, meaning, match, typed=name)


def _of_drugs(token: Token) -> bool:
    return any(m.value.startswith("medication") for m in meanings().get((token.key,), ()))


def _called(
    words: Sequence[Token], at: int, end: int, vocabulary: Vocabulary, said: str
) -> Iterator[tuple[float, Span]]:
    """A thing under a name that only a thesaurus knows: "a broken collarbone", "broke her hip"."""
    if any(t.mark or t.chinese or t.number is not None for t in words[at:end]):
        return
    phrase = pointless(tuple(t.key for t in words[at:end]))
    hurt = end - at == 2 and words[at + 1].key in ("himself", "herself", "themselves")
    whole = bool(phrase) and (words[at].key, words[end - 1].key) == (phrase[0], phrase[-1])
    if hurt:
        phrase = phrase[:1]
    elif not whole or {phrase[0], phrase[-1]} & SMALL:
        return
    if _known(phrase, vocabulary):
        match, name = vocabulary.find(phrase) if len(phrase) < end - at else {}, " ".join(phrase)
    else:
        match, name = vocabulary.near(phrase, hurt=hurt)
    if match:
        weight = _CONCEPT * (end - at) + 0.5 * (len(phrase) - 1)
        meaning = (Meaning("concept", ""),)
        yield weight, Span(at, end, said, concept=match, meanings=meaning, typed=name)


def _shared(
    words: Sequence[Token], at: int, end: int, vocabulary: Vocabulary, said: str
) -> Iterator[tuple[float, Span]]:
    """The half of a pair whose noun stands with the other: "type 1 or type 2 diabetes"."""
    part = tuple(t.key for t in words[at:end])
    whole = part in other_words() or part in vocabulary.full
    if end - at > 2 or whole or any(t.mark for t in words[at:end]):
        return
    # A mark ends what may be shared.
    keys = ["" if t.mark else t.key for t in words]
    pairs = [
        (*part, *keys[last - count : last])
        for last in range(end + 3, len(words) + 1)
        for count in (1, 2)
        if keys[end] in _JOINS and _known(tuple(keys[end + 1 : last]), vocabulary)
    ]
    if keys[at - 1] in _JOINS:
        pairs += [
            phrase
            for first in range(at - 2)
            # "Type 2 diabetes or type 1", "chronic hepatitis B or C".
            for phrase in (
                (*part, keys[at - 2]),
                (*keys[first : first + 2], *part),
                (keys[first], *part),
            )
            if _known(tuple(keys[first : at - 1]), vocabulary)
        ]
    for phrase in pairs:
        if _known(phrase, vocabulary):
            match, meaning = vocabulary.find(phrase), (Meaning("concept", ""),)
            name = " ".join(phrase)
            yield _CONCEPT * len(part), Span(at, end, said, meaning, match, typed=name)
            return


_JOINS = ("or", "and", "&", "/", "and/or")


def _known(phrase: Phrase, vocabulary: Vocabulary) -> bool:
    """Whether the tables or the records know a phrase as it stands."""
    listed = phrase in other_words() or phrase in drug_classes() or phrase in meanings()
    return "" not in phrase and (listed or bool(vocabulary.find(phrase)))


def _marked(
    words: Sequence[Token], at: int, end: int, vocabulary: Vocabulary, said: str
) -> Iterator[tuple[float, Span]]:
    """A whole name with a mark in it: "Chloride, whole blood"."""
    inside = [t for t in words[at:end] if not t.mark]
    if len(inside) == end - at or words[at].mark or words[end - 1].mark:
        return
    phrase = tuple(t.key for t in inside)
    if phrase in vocabulary.full and (match := vocabulary.find(phrase)):
        weight = _CONCEPT * len(phrase) + 0.5 * (len(phrase) - 1) + 0.3
        yield weight, Span(at, end, said, concept=match, meanings=(Meaning("concept", ""),))


def _unit(word: str) -> bool:
    return any(m.tag == "units" for m in meanings().get((word,), ()))


def _digits(word: str) -> bool:
    return word[:1].isdigit()
