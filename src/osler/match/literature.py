"""Pairs out of papers: the question that a title asks, and the sentence that answers it.

"Does vitamin D prevent fractures? A randomised trial" asks in so many words, "Risk factors for
gout" in fewer. The answer is the sentence of the authors' conclusions that speaks of what the
question is about, quoted as it stands under the paper's id, so that a reader can look it up. A
paper that only announces what it discusses gives no pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from osler.kinds import Document, Pair, Section
from osler.match.asking import focus
from osler.retrieve.evidence import best_sentence
from osler.retrieve.finding import part_of_label
from osler.store.analyser import terms_of_sentence
from osler.text.scripts import CJK_CHARACTER
from osler.text.sentences import sentences
from osler.text.stopwords import STOPWORDS

SHARED = 0.5
"""The share of what a question is about that its answer must name."""
FEWEST = 2
"""Words that a question must be about: "Where are we now?" asks nothing that a sentence answers."""
LAST = 3
"""Sentences at the end of an abstract without labels that are taken for its conclusions."""
LONGEST = 160
"""Characters of a question: nobody asks longer ones."""
_ASKS = re.compile(
    r"(?:^|(?<=[:.–—-] ))(?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|may|"
    r"might|must|what|which|who|whom|whose|when|where|why|how)\b[^?]*\?",
    re.IGNORECASE,
)
_TITLES = (
    (r"(?:the )?(?:impact|influence)s? of (.+? on .+)", "What is the influence of {}?"),
    (r"(?:the )?effects? of (.+? (?:on|in) .+)", "What is the effect of {}?"),
    (r"(?:the )?role of (.+? in .+)", "What is the role of {}?"),
    (r"(?:the )?(?:efficacy|effectiveness)(?: and (?:safety|tolerability))? of "
     r"(.+? (?:in|for|on) .+)", "How effective is {}?"),
    (r"(?:the )?safety(?: and (?:efficacy|effectiveness))? of (.+? (?:in|for) .+)",
     "How safe is {}?"),
    (r"(?:the )?associations? (?:between|of) (.+? (?:and|with) .+)",
     "Is there an association between {}?"),
    (r"(?:the )?(?:prevalence|incidence|frequency) of (?!and)(.+)", "How common is {}?"),
    (r"(?:the )?risk factors? (?:for|of) (.+)", "What are the risk factors for {}?"),
    (r"(?:the )?(?:predictors|determinants) of (.+)", "What predicts {}?"),
    (r"(?:the )?causes of (.+)", "What causes {}?"),
    (r"(?:the )?prevention of (.+)", "How can one prevent {}?"),
    (r"(?:the )?treatment of (.+)", "What is the treatment of {}?"),
    (r"(.+?) (?:versus|vs\.?|compared (?:with|to)) (.+)", "How does {} compare with {}?"),
    (r"(.+?) (?:as|is) (an? .*?(?:predictor|marker|biomarker|risk factor|treatment)\b.*)",
     "Is {} {}?"),
    (r"(.+?) (is|are) associated with (.+)", "{1} {0} associated with {2}?"),
    (r"((?:(?! is | are ).)+?) (reduce|improve|increase|predict|prevent|affect|protect)s (.+)",
     "Does {} {} {}?"),
)  # fmt: skip
"""Titles that ask without a question mark, and what they ask."""
_PATTERNS = tuple((re.compile(f"^{title}$", re.IGNORECASE), asks) for title, asks in _TITLES)
_ANNOUNCES = re.compile(
    r"\b(?:we (?:will |also |here )*(?:aim|discuss|review|summari|describe|present|outline|perform|"
    r"highlight|propose|provide|focus)|"
    r"this (?:article|review|paper|chapter|manuscript|work|study|report|survey) (?:\w+ )?"
    r"(?:aim|discuss|review|summari|describ|present|outlin|highlight|provid|focus|add|help)|"
    r"(?:further|more|future|additional|larger) (?:\w+ ){0,2}"
    r"(?:stud|research|work|trial|investigat)|"
    r"(?:reports?|studies|results) (?:such as|like) (?:this|these|ours)|"
    r"aims? (?:to|was|of)|remains? (?:unknown|unclear|to be)|are (?:discussed|reviewed|presented))",
    re.IGNORECASE,
)
"""Says what the paper does, or what others should do: no answer."""


def asked_title(title: str) -> str:
    """The question that a title asks; empty where it asks none."""
    title = title.strip().strip("[]").rstrip(".").strip()
    asks = _ASKS.search(title)
    if asks is not None:
        question = title[: asks.end()]
        return question[0].upper() + question[1:]
    # What stands after a colon tells how it was studied.
    for pattern, question in _PATTERNS:
        met = pattern.match(title.split(":")[0].strip())
        if met is not None:
            asked = question.format(*met.groups())
            return asked[0].upper() + asked[1:]
    return ""


def _conclusions(document: Document) -> Document | None:
    """The document with nothing but its conclusions."""
    labelled = [s for s in document.sections if part_of_label(s.label) == "conclusion"]
    if labelled:
        return msgspec.structs.replace(document, sections=tuple(labelled))
    if len(document.sections) != 1 or not document.abstract:
        return None
    text = document.abstract
    last = list(sentences(text))[-LAST:]
    return msgspec.structs.replace(document, sections=(Section(text[last[0][0] :]),))


def literature_pairs(
    documents: Iterable[Document], *, about_health: Callable[[str], bool] | None = None
) -> Iterator[Pair]:
    """A pair a paper that asks and answers; its id is the paper's, as a citation. ``about_health``
    says of a question whether it is one for this collection."""
    seen: set[str] = set()
    for document in documents:
        question = asked_title(document.title)
        if not question or len(question) > LONGEST or CJK_CHARACTER.search(question):
            continue
        about = {term for term in terms_of_sentence(focus(question)) if term not in STOPWORDS}
        short = _conclusions(document)
        if document.retracted or len(about) < FEWEST or short is None:
            continue
        if question in seen or (about_health is not None and not about_health(question)):
            continue
        sentence = best_sentence(short, dict.fromkeys(about, 1.0))
        if sentence is None or _ANNOUNCES.search(sentence.text):
            continue
        if sentence.text.endswith("?") or document.title.rstrip(".") in sentence.text:
            continue
        if len(about & set(terms_of_sentence(sentence.text))) < SHARED * len(about):
            continue
        seen.add(question)
        pmid = document.ids.get("pmid", "")
        yield Pair(
            id=f"PMID:{pmid}" if pmid else document.id,
            question=question,
            answer=sentence.text,
            department="literature",
            metadata={"document": document.id, "journal": document.journal,
                      "published": document.published},
        )  # fmt: skip
