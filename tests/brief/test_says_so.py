"""A quote stands on a brief only where the sentence by itself takes the side of its paper."""

from __future__ import annotations

import pytest
from msgspec import structs

from osler.brief.brief import Quote
from osler.brief.parts import told
from osler.kinds import Document, EvidenceSentence, Section
from osler.verbs.brief import says_so

CLAIM = "vitamin D prevents respiratory infections"
SAYS = "Vitamin D prevented respiratory infections in adults."
DENIES = "Vitamin D did not prevent respiratory infections in adults."
AIMS = "We aimed to test whether vitamin D prevents respiratory infections."
BESIDE = "Vitamin D was given every day."


@pytest.mark.parametrize(
    ("sentence", "side", "expected"),
    [
        (SAYS, "supports", True),
        (SAYS, "refutes", False),
        (DENIES, "refutes", True),
        (DENIES, "supports", False),
        (AIMS, "supports", False),
        (BESIDE, "supports", False),
    ],
)
def test_the_sentence_by_itself_takes_the_side(sentence: str, side: str, expected: bool) -> None:
    title = "Vitamin D"
    document = Document(id="1", title=title, sections=(Section(sentence),))
    start = document.text.index(sentence)
    evidence = EvidenceSentence(sentence, start, start + len(sentence), 1.0)
    assert says_so(CLAIM, document, evidence, side) is expected


def test_no_side_of_a_quote_is_certain() -> None:
    quote = Quote(paper="1", title="", text=SAYS, start=0, end=len(SAYS))
    shown = structs.replace(quote, side="supports", probability=0.999)
    assert told(shown) == "supports (99%)"
    assert told(structs.replace(shown, probability=0.72)) == "supports (72%)"
