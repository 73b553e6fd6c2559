"""What only frames a question is set aside, and what could be of the question is not."""

from __future__ import annotations

import pytest

from osler.ask.form.framing import unframed, without_context
from osler.ask.form.spans import Span

from .by_hand import gaps_of, spans_of


def _only_emptied(before: list[Span], after: list[Span], aside: str) -> None:
    """Of a question's spans those set aside carry nothing now; the others are as they were."""
    assert [s.words for s in before] == [s.words for s in after]
    changed = [new for old, new in zip(before, after, strict=True) if new != old]
    assert all(s.empty and not (s.left or s.concept or s.time) for s in changed)
    assert not any(s.mark or s.person for s in changed)
    assert changed
    assert f" {' '.join(s.words for s in changed)} " in f" {_without_empty(before, aside)} "


def _without_empty(spans: list[Span], aside: str) -> str:
    nothing = {s.words for s in spans if s.empty}
    return " ".join(word for word in aside.split() if word not in nothing)


ASIDE = [
    # A sentence before a question that names somebody by itself.
    ("zork CT . is Ann on aspirin ?", "zork CT"),
    ("CT for gout ! is Ann on aspirin ?", "CT for gout"),
    ("Ann zork CT . is Ann on aspirin ?", "zork CT"),
    # What the one who asks does or plans; a day without figures is no date.
    ("i zork CT , is Ann on aspirin ?", "i zork CT"),
    ("i zork CT today , is Ann on aspirin ?", "i zork CT today"),
    ("before we zork CT , is Ann on aspirin ?", "before we zork CT"),
    ("i zork asthma for Ann , does she takes aspirin ?", "i zork asthma for"),
    # Why it is asked.
    ("given that_she has asthma , is Ann on aspirin ?", "given that she has asthma"),
    ("as she has asthma , is Ann on aspirin ?", "as she has asthma"),
    ("since Ann is zork , is Ann on aspirin ?", "since is zork"),
    # What somebody does meanwhile.
    ("reviewing asthma , is Ann on aspirin ?", "reviewing asthma"),
    ("reviewing asthma now , is Ann on aspirin ?", "reviewing asthma now"),
]


@pytest.mark.parametrize(("text", "aside"), ASIDE)
def test_what_is_told_before_a_question_by_itself(text: str, aside: str) -> None:
    spans = spans_of(text)
    kept, told = without_context(spans, gaps_of(text))
    assert told == [aside]
    _only_emptied(spans, kept, aside)


@pytest.mark.parametrize(
    "text",
    [
        # The question points back.
        "zork CT . is Ann on it ?",
        "zork CT . is Ann on that aspirin ?",
        # It asks nothing by itself.
        "zork CT . is Ann well ?",
        # It stands behind the question.
        "is Ann on aspirin ? zork CT .",
        # One word before a full stop, and a clause before a comma, may be of the question.
        "CT . is Ann on aspirin ?",
        "zork CT , is Ann on aspirin ?",
        # Nothing is told.
        "please , is Ann on aspirin ?",
        # Nobody is named at all.
        "i zork CT , who has asthma ?",
        "zork CT . who has asthma ?",
        # A date, a word that is known not to be understood.
        "i zork 2019 , is Ann on aspirin ?",
        "i only CT , is Ann on aspirin ?",
        # "Before we started it", "before she had it": when, and not why.
        "before we started CT , is Ann on aspirin ?",
        "before we had CT , is Ann on aspirin ?",
        "before we took CT , is Ann on aspirin ?",
        # "As she had it": no state of now; "as asthma is": no subject.
        "as she had asthma , is Ann on aspirin ?",
        "as asthma is zork , is Ann on aspirin ?",
        "as she , is Ann on aspirin ?",
        # What narrows, what says which.
        "excluding asthma , is Ann on aspirin ?",
        "reviewing past asthma , is Ann on aspirin ?",
        "reviewing latest asthma , is Ann on aspirin ?",
        "reviewing asthma for Ann , does she takes aspirin ?",
    ],
)
def test_what_may_be_of_the_question_is_kept(text: str) -> None:
    spans = spans_of(text)
    assert without_context(spans, gaps_of(text)) == (spans, [])


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        # A clause of unknown words, before or behind, by a mark or a dash or before what asks.
        ("zork zilch : when was Ann born ?", "zork zilch"),
        ("Zork zilch : when was Ann born ?", "Zork zilch"),
        ("when was Ann born ? zork zilch .", "zork zilch"),
        ("when was Ann born -- zork zilch", "zork zilch"),
        ("zork -- when was Ann born ?", "zork"),
        ("zork please what does Ann takes ?", "zork please"),
        ("zork please when was Ann born ?", "zork please"),
        ("zork for : is Ann on aspirin ?", "zork for"),
        ("for zork : is Ann on aspirin ?", "for zork"),
        # It names a thing, and the question stands by itself.
        ("zork asthma : is Ann on aspirin ?", "zork asthma"),
        # What somebody is called beside the name.
        ("is my zgran Ann on aspirin ?", "my zgran"),
        ("is the zold zman Ann on aspirin ?", "the zold zman"),
        ("the zold zman Ann has asthma ?", "the zold zman"),
        # What is told of the one patient who is named.
        ("Ann , who died today , takes aspirin ?", "who died today"),
        # What holds the records, at the end or not.
        ("who has asthma in this zset", "in this zset"),
        ("who has asthma in our zset ?", "in our zset"),
        ("what in my zset has asthma", "in my zset"),
        # An order to the one who is asked.
        ("zpull Ann's aspirin", "zpull"),
        ("please zpull the aspirin of Ann", "zpull"),
        (", zpull up aspirin of Ann", "zpull"),
        # A clause of the one who asks.
        ("is Ann on aspirin so i zphone her ?", "so i zphone her"),
        ("is Ann on aspirin because so i zphone her", "because so i zphone her"),
        ("is Ann on aspirin so i zphone and need her . asthma", "so i zphone and need her"),
    ],
)
def test_what_only_frames_a_question(text: str, aside: str) -> None:
    spans = spans_of(text)
    kept, told = unframed(spans, gaps_of(text))
    assert told == [aside]
    _only_emptied(spans, kept, aside)


@pytest.mark.parametrize(
    "text",
    [
        # No word is unknown, or it may be a name.
        "for asthma : is Ann on aspirin ?",
        "zork Zilch : when was Ann born ?",
        "J : when was Ann born ?",
        # The clause says which or when, or the question needs it.
        "for zork asthma : is Ann on aspirin ?",
        "zork past asthma : is Ann on aspirin ?",
        "zork asthma 2019 : is Ann on aspirin ?",
        "zork asthma : is Ann on it ?",
        "zork asthma : is she on aspirin ?",
        # The word that asks does not open a clause.
        "zork what does Ann takes ?",
        "is zork please what Ann takes ?",
        "what zork please what Ann takes ?",
        "zork please date Ann born ?",
        # Three unknown words, one with a capital, none; part of a name.
        "is my zone ztwo zthree Ann on aspirin ?",
        "is my Zgran Ann on aspirin ?",
        "is my Ann on aspirin ?",
        "is zgran Ann on aspirin ?",
        # Two who bear the name; nothing behind it.
        "Lees , who died today , takes aspirin ?",
        "Ann , who died today ?",
        "Ann , aspirin died today , takes aspirin ?",
        # No word of ours; a word that is known; no place.
        "who has asthma in the zset",
        "who has asthma in this asthma",
        "who has asthma has this zset",
        # No order.
        "zpull Ann aspirin",
        "zpull aspirin of Ann",
        "show the aspirin of Ann",
        "zpull",
        # No clause of its own, nothing unknown in it, or a thing of the question.
        "is Ann on aspirin i zphone her ?",
        "is Ann on aspirin so i her ?",
        "is Ann on aspirin so i zphone asthma ?",
        "i zphone her because",
    ],
)
def test_what_may_ask_is_not_set_aside(text: str) -> None:
    spans = spans_of(text)
    assert unframed(spans, gaps_of(text)) == (spans, [])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("count zbouts of sinusitis", ["zbouts"]),
        ("please count zbouts of sinusitis", ["zbouts"]),
        # The word behind the count is known, none is counted, "of" is no link, or nothing follows.
        ("count please of sinusitis", []),
        ("show zbouts of sinusitis", []),
        ("count zbouts for sinusitis", []),
        ("count zbouts of Ann", []),
    ],
)
def test_what_is_counted_by_an_unknown_word_is_times(text: str, counted: list[str]) -> None:
    kept, aside = unframed(spans_of(text), gaps_of(text))
    assert aside == []
    assert [s.words for s in kept if s.means("ask", "times") and not s.left] == counted
