"""How the sides of papers are counted and put into words."""

from __future__ import annotations

import pytest

from osler.claims.design import DESIGNS
from osler.claims.verdict import (
    MENTIONS,
    NO_EFFECT,
    REFUTES,
    SUPPORTS,
    sideless_in_words,
    sides_in_words,
)
from osler.kinds import Hit, StanceReason
from osler.verbs.stance import balance_of


@pytest.mark.parametrize(
    ("papers", "words"),
    [
        ((0, 0, 0), "0 support it, 0 refute it, 0 found no effect"),
        ((1, 1, 1), "1 supports it, 1 refutes it, 1 found no effect"),
        ((2, 1, 3), "2 support it, 1 refutes it, 3 found no effect"),
        ((1, 4, 1_200), "1 supports it, 4 refute it, 1,200 found no effect"),
    ],
)
def test_the_verb_bends_with_the_number(papers: tuple[int, int, int], words: str) -> None:
    counts = dict(zip((SUPPORTS, REFUTES, NO_EFFECT), papers, strict=True))
    assert sides_in_words(counts) == words


def test_one_paper_takes_no_side_and_two_take_none() -> None:
    assert sideless_in_words(1) == "1 takes no side"
    assert sideless_in_words(2) == "2 take no side"


def hit(id: str, stance: str, *, retracted: bool = False) -> Hit:
    reason = StanceReason(stance, 0.0, 0.0, 1.0, 0.0, (), DESIGNS[0])
    return Hit(id=id, score=0.0, title=id, retracted=retracted, reasons=(reason,))


def test_a_retracted_paper_counts_neither_for_a_side_nor_for_none() -> None:
    balance = balance_of(
        [
            hit("a", SUPPORTS),
            hit("b", MENTIONS),
            hit("c", SUPPORTS, retracted=True),
            hit("d", MENTIONS, retracted=True),
        ]
    )
    assert balance.words == "1 supports it, 0 refute it, 0 found no effect; 1 takes no side"
    assert balance.designs == {DESIGNS[0]: {SUPPORTS: 1, MENTIONS: 1}}


def test_where_nobody_takes_a_side_no_counts_are_told() -> None:
    assert balance_of([hit("a", MENTIONS)]).words == "no paper here takes a side"
