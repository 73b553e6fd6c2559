from __future__ import annotations

import pytest

from osler.text.language import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Aspirin lowers the risk of stroke.", "en"),
        ("Sjögren syndrome with TNF-α blockade", "en"),
        ("阿司匹林可以降低中风的风险。", "zh"),
        ("COVID-19 mRNA vaccine BNT162b2 and SARS-CoV-2疫苗的保护效果研究", "zh"),
        ("A long English abstract that quotes one term, 糖, and goes on in English.", "en"),
        ("", ""),
        ("12.5 (3)", ""),
        ("±5", ""),
        ("Больные сахарным диабетом", ""),
        ("これは日本語のテキストです", ""),
        ("당뇨병 환자", ""),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(text) == expected
