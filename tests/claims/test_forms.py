"""When two stems are forms of one word, and when two names only begin alike."""

from __future__ import annotations

import pytest

from osler.claims import stance
from osler.claims.align import align, alike
from osler.claims.forms import forms_of_one_word
from osler.claims.words import stem, words

NEAR_NAMES = (
    "cortisone cortisol, antibiotic antibody, prednisone prednisolone, arthritis arthrosis,"
    "estradiol estrane, thyroid thyroxin, glycerol glyceride, neurology neuron,"
    "melanoma melanocyte,"
    "carcinoid carcinogen, glucosamine glucosidase, hepatitis hepatoma, protease proteasome,"
    "erythrocyte erythritol, hypercalcemia hypercalciuria, candida candy, chlorine chloroma,"
    "bronchitis bronchus, gingivitis gingiva, cannabis cannabinoid, lecithin lecithinase,"
    "cystinosis cystinuria, sulfide sulfite, lactase lactation, psychosine psychosis,"
    "insulin insulinoma, dopa dopamine, ovariectomy ovary, thrombocyte thromboxane,"
    "enterobius enterocyte, morphine morphinan, digoxin digitoxin, stroke strong"
)
"""Names of different MeSH descriptors, and two words that only begin alike."""

FORMS = (
    "smoking smokers, child children, stenosis stenotic, ischemia ischemic, asthma asthmatic,"
    "prophylaxis prophylactic, perceived perception, prescribe prescription, extend extent,"
    "respond response, compliance compliant, angiogram angiography, cornea corneal, ovary ovarian,"
    "africa african, esophagus esophageal, cerebellum cerebellar, ventricle ventricular,"
    "therapy therapeutic, behavior behaviour, young younger,"
    "thick thicken, leak leakage, psychiatry psychiatrist, reduce reduction, arthritis arthritic,"
    "bronchitis bronchitides, provoke provocation, appendices appendix"
)


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(one, other) for one, other in (pair.split() for pair in table.split(","))]


@pytest.mark.parametrize(("one", "other"), _pairs(NEAR_NAMES))
def test_near_names_are_not_one(one: str, other: str) -> None:
    assert not forms_of_one_word(stem(one), stem(other))
    assert not alike(stem(other), stem(one))


@pytest.mark.parametrize(("one", "other"), _pairs(FORMS))
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert alike(stem(one), stem(other))
    assert alike(stem(other), stem(one))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Four letters in common are enough only where they are all of a stem.
        ("smok", "smoker", True),
        ("smoke", "smokin", False),
        # Three are never enough.
        ("eye", "eyes", False),
        # Six of ten letters in common are a share of .6, six of eleven are not.
        ("abcdefment", "abcdefi", True),
        ("abcdefmentx", "abcdef", False),
    ],
)
def test_how_much_must_be_shared(one: str, other: str, same: bool) -> None:
    assert forms_of_one_word(one, other) is same
    assert forms_of_one_word(other, one) is same


def test_a_near_name_takes_no_side() -> None:
    told = stance("Cortisone reduces mortality", "Cortisol reduced mortality in these patients.")
    assert told.neutral > 0.5
    assert any("Cortisone" in why for why in told.why)


@pytest.mark.parametrize(
    ("claim", "text", "same"),
    [
        ("exercise", "physical activity", True),
        ("physical activity", "exercise", True),
        ("exercise", "physical therapy", False),
        ("exercise", "brain activity", False),
        ("exercise", "activity that is physical", False),
    ],
)
def test_two_words_in_a_row_are_one_name(claim: str, text: str, same: bool) -> None:
    aligned = align(words(claim), words(text))
    assert (aligned.coverage() == 1.0) is same
