"""Seed 002, section 3.2.1: "denoising was applied to remove highly frequent abbreviations".

The paper does not say which. We read it so: abbreviations that stand in papers whatever their
topic (``Fig.``, ``et al.``, ``i.e.``), which match between any two sentences and so blur ROUGE and
centrality. A fixed list holds those of English scholarly writing; ``frequent_abbreviations`` adds
what a collection itself overuses: short forms with a full stop that occur in at least half of its
documents. Figure, table and citation marks go with them, in English and in Chinese. Acronyms such
as ``CT`` or ``DNA`` are content and stay.

Only what is scored is cleaned. A summary shows sentences as they stand in the paper.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from osler.stopping import check_stopped

_LISTED = (
    "fig. figs. tab. eq. eqs. ref. refs. suppl. sect. no. nos. vol. pp. "
    "e.g. i.e. al. etc. cf. viz. vs. ca. approx. resp. incl. ibid."
)
FREQUENT: frozenset[str] = frozenset(_LISTED.split())

_SHORT = re.compile(r"(?<![\w.])(?:[^\W\d_]\.(?:[^\W\d_]\.)+|[^\W\d_]{1,6}\.)")
# A short form in the middle of a sentence: what follows cannot begin one.
_INSIDE = re.compile(r"(?:[,;:)]|\s+[a-z0-9(\[])")
_CITATION = re.compile(
    r"\[\s*\d{1,3}(?:\s*[-,;\u2013]\s*\d{1,3})*\s*\]"
    r"|\((?:see )?(?:figs?|tables?|eqs?|refs?|box|supplementary [a-z]+)\.?\s*[^()]{0,40}\)"
    r"|\((?:[^()]{0,120}?\bet al\.?,?[^()]{0,80})\)"
    r"|[(\uff08](?:见|如)?[图表]\s*\d{1,3}[^()\uff08\uff09]{0,10}[)\uff09]",
    re.IGNORECASE,
)
_ET_AL = re.compile(r"\bet\s+al\b\.?", re.IGNORECASE)
_EMPTY = re.compile(r"[(\[\uff08]\s*[,;]*\s*[)\]\uff09]")
_BLANKS = re.compile(r"\s+")


def denoise(sentence: str, *, frequent: Collection[str] = FREQUENT) -> str:
    """The sentence without citation marks and frequent abbreviations."""
    text = _CITATION.sub(" ", sentence)
    text = _ET_AL.sub(" ", text)
    text = _SHORT.sub(lambda match: " " if match[0].lower() in frequent else match[0], text)
    text = _EMPTY.sub(" ", text)
    return _BLANKS.sub(" ", text).strip()


def frequent_abbreviations(
    texts: Iterable[str], *, share: float = 0.5, least: int = 3
) -> frozenset[str]:
    """``FREQUENT`` and the short forms that at least ``share`` of the texts use inside a sentence
    (and at least ``least`` texts)."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        check_stopped()
        total += 1
        frequent = {
            match[0].lower() for match in _SHORT.finditer(text) if _INSIDE.match(text, match.end())
        }
        counts.update(frequent)
    bar = max(least, share * total)
    return FREQUENT | {short for short, count in counts.items() if count >= bar}
