"""Abbreviations that a text defines, in forms that the plain algorithm misses."""

from __future__ import annotations

import pytest

from osler.knowledge.abbreviations import abbreviations, definitions


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Users of proton pump inhibitors (PPIs) were asked.", ("PPIs", "proton pump inhibitors")),
        ("We gave 2,6-diaminopurine (DAP) daily.", ("DAP", "2,6-diaminopurine")),
        ("the vessels (blood-brain barrier, BBB) leak", ("BBB", "blood-brain barrier")),
        ("superoxide dismutase (EC 1.15.1.1; SOD) fell", ("SOD", "superoxide dismutase")),
        ("The amino acid (aa) sequence", ("aa", "amino acid")),
        ("a dose of phosphorus (P) in soil", ("P", "phosphorus")),
        ("ataxia telangiectasia (AT) is rare", ("AT", "ataxia telangiectasia")),
    ],
)
def test_pairs(text: str, pair: tuple[str, str]) -> None:
    assert abbreviations(text) == [pair]
    (one,) = definitions(text)
    assert text[one.long_start : one.long_end] == one.long
    assert text[one.short_start : one.short_start + len(one.short)] == one.short


@pytest.mark.parametrize(
    "text", ["as shown (in table 2)", "patients (n = 20) came", "a value (see there)"]
)
def test_no_pairs(text: str) -> None:
    assert abbreviations(text) == []
