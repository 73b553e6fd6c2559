"""Schwartz-Hearst: definitions that are there, and brackets that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.knowledge.abbreviations import definitions


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("ataxia telangiectasia (AT) is", "AT", "ataxia telangiectasia"),
        ("ataxia-telangiectasia (AT) is", "AT", "ataxia-telangiectasia"),
        ("the heat shock protein (HSP) family", "HSP", "heat shock protein"),
        ("hereditary nonpolyposis colorectal cancer (HNPCC)", "HNPCC",
         "hereditary nonpolyposis colorectal cancer"),
        ("glucose-6-phosphate dehydrogenase (G6PD)", "G6PD", "glucose-6-phosphate dehydrogenase"),
        ("von Hippel-Lindau (VHL) disease", "VHL", "von Hippel-Lindau"),
        ("First. Breast cancer (BC; common) is", "BC", "Breast cancer"),
        ("AT (ataxia telangiectasia) is", "AT", "ataxia telangiectasia"),
        ("慢性阻塞性肺疾病 chronic obstructive pulmonary disease (COPD)", "COPD",
         "chronic obstructive pulmonary disease"),
    ],
)  # fmt: skip
def test_found(text: str, short: str, long: str) -> None:
    (one,) = definitions(text)
    assert (one.short, one.long) == (short, long)
    assert text[one.short_start : one.short_start + len(short)] == short
    assert text[one.long_start : one.long_end] == long


@pytest.mark.parametrize(
    "text",
    ["patients (n = 12) were", "a rise (P < 0.05)", "see below (Figure 2)", "yeast (SC)",
     "no bracket", "(AT)", "proteins (see text)", "cancer (1)"],
)  # fmt: skip
def test_not_found(text: str) -> None:
    assert definitions(text) == []


@given(st.text(alphabet="AaTt -(),;.[]1ß", max_size=60))
def test_places_hold(text: str) -> None:
    for one in definitions(text):
        assert text[one.long_start : one.long_end] == one.long
        assert text[one.short_start : one.short_start + len(one.short)] == one.short
