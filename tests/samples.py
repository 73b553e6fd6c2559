"""Small documents of our own, and an encoder that needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from osler.kinds import Document, Heading, Section


class TrigramEncoder:
    """Hashed character trigrams: near texts get near vectors, without any model."""

    dimension = 64
    fingerprint = "trigrams-64"
    languages = frozenset({"en"})
    max_tokens = 256

    def __init__(self) -> None:
        self.encoded = 0

    def reads(self, text: str) -> bool:
        return text.isascii()

    def encode(self, texts: Sequence[str], **options: object) -> np.ndarray:
        self.encoded += len(texts)
        matrix = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            padded = f"  {text.lower()}  "
            for i in range(len(padded) - 2):
                digest = hashlib.md5(padded[i : i + 3].encode()).digest()
                matrix[row, digest[0] % self.dimension] += 1 if digest[1] % 2 else -1
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix / np.where(norms == 0, 1, norms)


def paper(id: str, title: str = "", text: str = "", **more: object) -> Document:
    sections = (Section(text),) if text else ()
    return Document(id=id, title=title, sections=sections, **more)  # type: ignore[arg-type]


PAPERS = (
    paper(
        "1",
        "Statins and muscle pain",
        "We asked whether statins cause muscle pain. In 200 adults, pain was no more frequent "
        "with a statin than with placebo. Muscle enzymes did not change.",
        published="2020-03",
        journal="Journal of Lipids",
        language="eng",
        keywords=("statins", "myalgia"),
        headings=(Heading("Myalgia", "MESH:D063806", True), Heading("Adult", "MESH:D000328")),
        types=("Randomized Controlled Trial",),
        ids={"pmid": "1", "doi": "10.1000/statins"},
    ),
    paper(
        "2",
        "Asthma in children living near busy roads",
        "Traffic was counted for a year. Children near busy roads had more asthma attacks. "
        "Inhaled steroids were used more often.",
        published="2021-06-01",
        journal="Air and Health",
        language="eng",
        headings=(Heading("Asthma", "MESH:D001249", True), Heading("Child", "MESH:D002648")),
        types=("Observational Study",),
        ids={"pmid": "2"},
    ),
    paper(
        "3",
        "A review of asthma treatment in adults",
        "Inhaled steroids remain the first choice. Biologics help in severe asthma.",
        published="2019",
        journal="Air and Health",
        language="eng",
        types=("Review",),
        retracted=True,
        ids={"pmid": "3"},
    ),
    paper(
        "4",
        "肺癌患者的化疗",
        "本研究观察了肺癌患者的化疗效果。结果显示生存期延长。",
        language="chi",
    ),
    paper("5", "A title without an abstract", published="1998", language="eng"),
)
