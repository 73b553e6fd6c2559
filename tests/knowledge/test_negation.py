"""NegEx: what is denied, what only looks so, and where a denial ends."""

from __future__ import annotations

import pytest

from osler.knowledge.negation import negated


@pytest.mark.parametrize(
    ("text", "denied", "kept"),
    [
        ("There was no evidence of metastasis.", ["metastasis"], []),
        ("No sign of metastasis in patients with lung cancer.", ["metastasis"], ["lung cancer"]),
        ("He denies fever, cough or chest pain but has dyspnea.",
         ["fever", "cough", "chest pain"], ["dyspnea"]),
        ("Pneumonia was ruled out. Asthma was present.", ["Pneumonia"], ["Asthma"]),
        ("Not only diabetes was seen.", [], ["diabetes"]),
        ("No increase in asthma.", [], ["asthma"]),
        ("Gram negative sepsis.", [], ["sepsis"]),
        ("Without fever. Cough was severe.", ["fever"], ["Cough"]),
        ("The absence of fever and the cough.", ["fever", "cough"], []),
        ("She was negative for HIV infection.", ["HIV infection"], []),
        ("No one of them had in the whole long course of it asthma.", [], ["asthma"]),
        ("Fever; no cough", ["cough"], ["Fever"]),
        ("NO FEVER", ["FEVER"], []),
        ("患者否认高血压、糖尿病及冠心病，但有发热。", ["高血压", "糖尿病", "冠心病"], ["发热"]),
        ("胸片未见肺炎。有咳嗽。", ["肺炎"], ["咳嗽"]),
        ("无法排除肺炎", [], ["肺炎"]),
        ("不仅有发热", [], ["发热"]),
        ("结核菌素试验阴性", ["结核菌素试验"], []),
        ("无发热，咳嗽明显", ["发热"], ["咳嗽"]),
    ],
)  # fmt: skip
def test_scopes(text: str, denied: list[str], kept: list[str]) -> None:
    spans = sorted((text.index(word), text.index(word) + len(word)) for word in denied + kept)
    marks = {text[a:b]: mark for (a, b), mark in zip(spans, negated(text, spans), strict=True)}
    assert [word for word, mark in marks.items() if mark] == [w for w in marks if w in denied]


def test_no_spans() -> None:
    assert negated("no evidence", []) == []


def test_letter_that_grows_when_made_small() -> None:
    text = "İİİİ no fever"
    start = text.index("fever")
    assert negated(text, [(start, start + 5)]) == [True]
