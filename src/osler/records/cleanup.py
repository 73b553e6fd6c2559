"""Clean-up of annotated phrases, as section 3.1 of the paper does: pronouns and punctuation.

Annotators mark "his hypertension" or "a chest x-ray ." where the entity is the hypertension and
the x-ray. Leading determiners and possessives and stray punctuation go; the words between stay.
"""

from __future__ import annotations

import re

_LEADING = re.compile(
    r"^(?:(?:this|that|these|those|the|a|an|his|her|their|its|my|our|your|any|some|such|s/he)\s+)+",
    re.IGNORECASE,
)
_LEADING_ZH = re.compile(r"^(?:该|此|这个|这种|他的|她的|其)")
_PRONOUN = re.compile(
    r"^(?:he|she|it|they|him|her|his|hers|them|their|theirs|its|this|that|these|those|which|who|whom"
    r"|whose|i|me|my|you|your|we|us|our|himself|herself|itself|themselves|他|她|它|其)$",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s+")
_EDGE = " \t\r\n.,;:!?\"'`|*_=-–—、，。；：！？"


def is_pronoun(text: str) -> bool:
    """Whether the whole phrase only points at something ("it", "which")."""
    return bool(_PRONOUN.match(text.strip(_EDGE)))


def clean(text: str) -> str:
    """The phrase without leading pronouns or determiners and without punctuation around it.

    Brackets stay when they are matched; a phrase that would vanish is returned trimmed only.
    """
    whole = _BLANKS.sub(" ", text).strip()
    result = whole.strip(_EDGE)
    result = _LEADING.sub("", result)
    result = _LEADING_ZH.sub("", result)
    result = result.strip(_EDGE)
    result = _unmatched(result)
    return result or whole


def _unmatched(text: str) -> str:
    for left, right in ("()", "[]", "{}", "（）"):
        if text.count(left) == text.count(right):
            continue
        if text.startswith(left) or text.endswith(left):
            text = text.strip(left).strip(_EDGE)
        if text.endswith(right) or text.startswith(right):
            text = text.strip(right).strip(_EDGE)
    return text
