"""Texts cut at blanks: the same tokens as uncut, and nothing that denies or is charged missed."""

from __future__ import annotations

import pytest

from osler.knowledge import pieces
from osler.knowledge.negation import _phrases, negated, suspected
from osler.knowledge.normalise import normal, split_tokens
from osler.knowledge.pieces import Pieces

THE = -2
TEXTS = [
    "",
    " ",
    "Asthma",
    "The BRCA-1 gene (BRCA1),  the patient's  and the\tother.\nNo fever\u2014no \u03b1-cells.",
    "Na+ and Ca(2+) in 5-10% of cells, beta- and COVID-19.",
    "\u60a3\u8005\u5426\u8ba4\u53d1\u70ed and  cough -no- l'no the-the",
]


class Numbers(dict[str, int]):
    """A number for every form; one of them is left out of readings."""

    def __missing__(self, token: str) -> int:
        return self.setdefault(token, THE if normal(token) == "the" else len(self))


@pytest.mark.parametrize("text", TEXTS)
def test_cut_at_blanks_a_text_has_the_tokens_that_it_has_uncut(text: str) -> None:
    numbers = Numbers()
    tokens, places = split_tokens(text)
    whole = [
        (numbers[token], places[2 * at], places[2 * at + 1])
        for at, token in enumerate(tokens)
        if normal(token) != "the"
    ]
    held = Pieces(numbers, THE)
    for _ in range(2):  # once met, once remembered
        reading = held.cut(text).reading
        assert list(zip(reading.numbers, reading.starts, reading.ends, strict=True)) == whole


@pytest.mark.parametrize(
    ("text", "charge"),
    [("Ca(2+) channels", True), ("the Na+, too", True), ("C+ and 5-HT", False), ("", False)],
)
def test_a_charge_is_told(text: str, charge: bool) -> None:
    assert Pieces(Numbers(), THE).cut(text).charge is charge


def test_few_pieces_are_remembered_and_no_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST", 3)
    held = Pieces(Numbers(), THE)
    held.cut("a b c d " + "e" * (pieces.LONGEST + 1))
    assert list(held) == ["d"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_trigger_makes_its_text_suspect(language: str) -> None:
    """What is passed over unread must hold no trigger."""
    for kind in ("before", "after"):
        for phrase in _phrases(language, kind):
            before, after = f"{phrase} asthma", f"asthma {phrase}"
            denied = [
                *negated(before, [(len(phrase) + 1, len(before))], None),
                *negated(after, [(0, 6)], None),
            ]
            cut = Pieces(Numbers(), THE).cut
            assert denied == [
                *negated(before, [(len(phrase) + 1, len(before))], cut(before).suspects),
                *negated(after, [(0, 6)], cut(after).suspects),
            ]
            # A few phrases count only where another word of the sentence is a seed.
            assert suspected(before) or not any(denied)


@pytest.mark.parametrize("word", ["novel", "notable", "freedom", "rule", "failure", "normal"])
def test_a_word_that_begins_like_a_trigger_denies_nothing(word: str) -> None:
    text = f"A {word} asthma, and no fever."
    spans = [(text.index("asthma"), text.index(",")), (text.index("fever"), len(text) - 1)]
    assert negated(text, spans) == [False, True]
    assert negated(text, spans, Pieces(Numbers(), THE).cut(text).suspects) == [False, True]
