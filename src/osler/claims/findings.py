"""Which sentences of a paper tell what it found: not its background, its aim, its methods, what
people think, or what is known from elsewhere.

Where the parts of an abstract are labelled, by heading or in its text, the labels tell. Where they
are not, what stands up to the aim is background; without an aim, what stands before the first
sentence of the authors' own work; a text with neither (a narrative review) has a third of it.
"""

from __future__ import annotations

import re

from osler.claims.conclusion import is_aim, states_nothing
from osler.claims.reading import read
from osler.claims.words import stem, words
from osler.kinds import Document
from osler.text.scripts import listed
from osler.text.sentences import sentences

EARLY = 0.7
"""Up to which share of the sentences an aim is one that closes the background."""
FEW = 4
"""A text of so few sentences without an aim has no background."""
REVIEWED = 1 / 3
"""The share that is background where nothing tells the authors' own work."""

_TOLD = re.compile(
    r"result|finding|conclu|discussion|interpret|implication|significance|outcome|summary|meaning"
    r"|relevance|evidence synthesis|advances|learned|limitation|结果|结论|讨论",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"(?:(?<=^)|(?<=[.。?!] )|(?<=[.。?!])|(?<=\n))"
    r"((?:[A-Z][A-Za-z]+(?: (?:and|&|/|of|the|[A-Za-z]+)){0,3})|[\u4e00-\u9fff]{2,4})\s?[:：]\s"
)
_LABELS = re.compile(
    r"background|introduction|objective|aim|purpose|context|importance|method|design|setting"
    r"|patients|participants|materials?|procedure|intervention|measure|data sources|hypothesis"
    r"|背景|目的|方法|" + _TOLD.pattern,
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:we|our|this (?:\w+ )?(?:study|trial|paper|article|review|work|analysis|survey|report)"
    r"|(?:present|current) (?:study|trial|review|work|analysis)|herein?)\b|本研究|本文|我们",
    re.IGNORECASE,
)
_METHOD = re.compile(
    r"\b(?:was|were) (?:then |also |retrospectively |prospectively |randomly )?(?:conducted|"
    r"performed|carried out|recruited|enrolled|included|randomi[sz]ed|collected|searched|"
    r"interviewed|analy[sz]ed|assigned|invited|asked|extracted|retrieved|used to)\b"
    # What was asked of people, not what they answered.
    r"|\b(?:survey|questionnaires?|interviews?|instrument) (?:comprised|consisted|contained|"
    r"covered|included)\b"
    r"|\b(?:participants|respondents|patients|subjects|they) (?:rated|completed|filled|answered)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:well[- ]known|known (?:to|for|that)|(?:is|are) (?:widely |generally |commonly )?"
    r"(?:believed|thought|considered|assumed|expected|used)"
    r"|(?:previous|prior|earlier) (?:stud\w+|work|research|reports?)"
    r"|previously (?:reported|shown|described|found|published)|in recent years|recent studies"
    r"|(?:some|several|many|other|numerous|various) (?:\w+ )?"
    r"(?:stud\w+|trials|reports|authors|researchers|experts) (?:have|had)"
    # The perfect passive tells what others have found.
    r"|(?:has|have) (?:\w+ ){0,2}been (?:\w+ )?(?:identified|shown|demonstrated|reported|suggested"
    r"|proposed|described|linked|implicated|established|recogni[sz]ed)"
    r"|concerns? (?:that|about|over))\b|众所周知|既往",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    # "Statins should benefit carriers": what ought to be, not what was.
    r"\bshould\b"
    r"|\b(?:needed|required|warranted|necessary|important|essential|crucial) (?:in order )?to\b",
    re.IGNORECASE,
)
_SERVES = re.compile(
    # What a paper is good for is not what it found.
    r"\b(?:provid|offer|lay|laid|form|giv)(?:e|es|ing|s)? "
    r"(?:an? |the |new |some |further |valuable |theoretical |scientific |important |useful )*"
    r"(?:foundation|basis|framework|insights?|"
    r"reference|starting point)s?\b",
    re.IGNORECASE,
)
_THOUGHTS = frozenset(
    stem(word)
    for word in listed(
        "hesitancy hesitant intention willingness willing acceptance refusal perception perceive",
        "attitude belief believe opinion concern fear trust worry hope 犹豫 意愿 态度",
    )
)


def finding_places(claim: str, document: Document, whole: str) -> list[tuple[int, int]]:
    """Places in ``Document.text`` of the abstract's sentences that may tell a finding, in order."""
    offset = len(document.text) - len(document.abstract)
    spans = [(start + offset, end + offset) for start, end in sentences(whole[offset:])]
    asked = {word.stem for word in words(claim)}
    return [
        (start, end)
        for start, end in _own_part(document, whole, offset, spans)
        if tells(whole[start:end], asked)
    ]


def tells(sentence: str, asked: set[str]) -> bool:
    """Whether a sentence, wherever it stands, may tell a finding. What people think is one only
    where the claim speaks of that: ``asked`` are the claim's stems."""
    if is_aim(sentence) or states_nothing(sentence) or read(sentence).future:
        return False
    if any(one.search(sentence) for one in (_METHOD, _ELSEWHERE, _NEEDED, _SERVES)):
        return False
    return not any(word.stem in _THOUGHTS - asked for word in words(sentence))


def _own_part(
    document: Document, whole: str, offset: int, spans: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    labelled = _labelled(document, whole, offset)
    if labelled:
        return [
            span
            for span in spans
            if (part := [label for at, label in labelled if at <= span[0] + 1])
            and _TOLD.search(part[-1])
        ]
    shown = [whole[start:end] for start, end in spans]
    aims = [at for at, one in enumerate(shown) if is_aim(one) and at < EARLY * len(shown)]
    if aims:
        return spans[aims[-1] + 1 :]
    own = next((at for at, one in enumerate(shown) if _OWN.search(one)), None)
    if own is not None and own < EARLY * len(shown):
        return spans[own:]
    return spans if len(spans) <= FEW else spans[int(len(spans) * REVIEWED) :]


def _labelled(document: Document, whole: str, offset: int) -> list[tuple[int, str]]:
    """Where each labelled part begins, and its label; empty where no part tells findings."""
    begins = []
    at = offset
    for section in document.sections:
        if section.text:
            begins.append((at, section.label))
            at += len(section.text) + 1
    if not any(_TOLD.search(label) for _, label in begins):
        begins = [
            (offset + match.start(1), match[1])
            for match in _INLINE.finditer(whole[offset:])
            if _LABELS.search(match[1])
        ]
    return begins if any(_TOLD.search(label) for _, label in begins) else []
