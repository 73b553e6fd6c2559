"""The sentences that a summary can be made of, and when a document needs one."""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from osler.kinds import Document
from osler.retrieve.summaries.denoise import FREQUENT, denoise
from osler.retrieve.summaries.rouge import rouge_tokens
from osler.text.sentences import sentences as spans

INVALID_UP_TO = 3
"""Seed 002, section 3.2: an abstract of three sentences or fewer is invalid."""

# A full text of more sentences than this is a book: the first ones are what is summarised.
MAX_SENTENCES = 2_000
SHORTEST, LONGEST = 6, 120

# Sections that say nothing about a paper's findings. Possessive: a label may be made of blanks.
_APART = re.compile(
    r"\s*+(?:\d++\.?\s*+)?(?:references?|bibliography|acknowledge?ments?|funding|financial support|"
    r"conflicts? of interests?|competing interests?|disclosures?|abbreviations|supplementa\w* .*+|"
    r"supporting information|authors?['’]? contributions?|author information|ethics.*+|"
    r"figures and tables|figure legends?|appendix.*+|pre-publication history|"
    r"data availability.*+|consent.*+|"
    r"参考文献|致谢|利益冲突|基金项目|缩略语)\s*+[:：]?\s*+",
    re.IGNORECASE,
)


class Candidate(msgspec.Struct, frozen=True):
    """A sentence with its place: ``section`` counts the sections of the full text, -1 is the
    document's own text (title and abstract). ``clean`` is what is scored."""

    text: str
    start: int
    end: int
    section: int
    label: str
    clean: str


def valid_abstract(document: Document) -> bool:
    """Whether the abstract has more than three sentences (seed 002, section 3.2)."""
    return len(spans(document.abstract)) > INVALID_UP_TO


def needs_summary(document: Document) -> bool:
    """Whether the document is to be represented by a summary: full text, but no valid abstract."""
    return bool(document.full_text) and not valid_abstract(document)


def body(document: Document, *, frequent: Collection[str] = FREQUENT) -> list[Candidate]:
    """The sentences of the full text. Headings, fragments and sections apart (references, thanks)
    are left out, unless nothing else is there."""
    candidates: list[Candidate] = []
    for number, section in enumerate(document.full_text):
        # A label names the sections that it stands in: "Methods > Study design".
        if any(_APART.fullmatch(part) for part in section.label.split(" > ")):
            continue
        candidates += _candidates(section.text, number, section.label, frequent)
        if len(candidates) >= MAX_SENTENCES:
            break
    return candidates[:MAX_SENTENCES]


def own(document: Document, *, frequent: Collection[str] = FREQUENT) -> list[Candidate]:
    """The sentences of the abstract; offsets count in ``Document.text``."""
    ahead = len(document.title) + 1
    candidates = _candidates(document.abstract, -1, "", frequent)
    return [
        msgspec.structs.replace(one, start=one.start + ahead, end=one.end + ahead)
        for one in candidates
    ]


def _candidates(text: str, section: int, label: str, frequent: Collection[str]) -> list[Candidate]:
    whole, short = [], []
    for start, end in spans(text):
        sentence = text[start:end]
        clean = denoise(sentence, frequent=frequent)
        size = len(rouge_tokens(clean))
        one = Candidate(sentence, start, end, section, label, clean)
        if SHORTEST <= size <= LONGEST:
            whole.append(one)
        elif size and section < 0:
            short.append(one)
    return whole or short
