from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.text import tokens as module
from osler.text.stopwords import FUNCTION_WORDS, STOPWORDS
from osler.text.tokens import Token, term_spans, terms, tokens

mixed = st.text(
    alphabet=st.one_of(
        st.sampled_from("aAbz09.,'’-_ \n\tαβµμ糖尿病。éßﬁ²½ｶﾞ\u0301"), st.characters(codec="utf-8")
    ),
    max_size=60,
)


def test_words_numbers_and_places() -> None:
    text = "IL-6 rose 1,250.5-fold (p<0.05)."
    found = tokens(text)
    assert [t.text for t in found] == ["IL", "6", "rose", "1,250.5", "fold", "p", "0.05"]
    assert found[0] == Token("IL", 0, 2)


def test_chinese_characters_one_by_one() -> None:
    assert [t.text for t in tokens("２型糖尿病 HbA1c")] == ["２", "型", "糖", "尿", "病", "HbA1c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Treating patients' infections", ["treat", "patient", "infect"]),
        ("Alzheimer's and Alzheimer’s", ["alzheim", "and", "alzheim"]),
        ("TNF-α TNFα TNF-alpha", ["tnf", "alpha"] * 3),
        ("5 µg = 5 μg = 5 ug", ["5", "ug"] * 3),
        ("Sjögren Sjo\u0308gren SJOGREN", ["sjogren"] * 3),
        ("ＣＯＶＩＤ CO₂", ["covid", "co2"]),
        ("1,000 1000", ["1000", "1000"]),
        ("don't", ["dont"]),
        ("糖尿病", ["糖尿", "尿病"]),
        ("糖 a", ["糖", "a"]),
        ("snake_case", ["snake", "case"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_terms_of_stopwords_are_stopwords() -> None:
    assert len(STOPWORDS) == 41
    for word in STOPWORDS:
        assert STOPWORDS.issuperset(terms(word))
    assert FUNCTION_WORDS > STOPWORDS
    assert terms("the risk of stroke", stopwords=False) == ["risk", "stroke"]
    assert terms("中风 the", stopwords=False) == ["中风"]


@given(mixed)
def test_tokens_stand_where_they_say(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert token.text
        assert text[token.start : token.end] == token.text
        assert token.start >= end
        end = token.end


@given(mixed)
def test_spans_give_the_same_terms(text: str) -> None:
    spans = term_spans(text)
    assert [term for term, _, _ in spans] == terms(text)
    assert all(0 <= start < end <= len(text) and term for term, start, end in spans)
    assert all(not any(c.isspace() for c in term) for term, _, _ in spans)


@given(st.text(alphabet="abcdefg XYZ-'", max_size=40))
def test_case_does_not_matter(text: str) -> None:
    assert terms(text.upper().replace("'", " ")) == terms(text.lower().replace("'", " "))


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CACHE_SIZE", 10)
    monkeypatch.setattr(module, "_TERMS", module._Terms())
    assert len(terms(" ".join(f"word{i}" for i in range(50)))) == 50
    assert len(module._TERMS) <= 10
