"""A quote stands on a brief only where the sentence by itself takes the side of its paper."""

from __future__ import annotations

import pytest

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
