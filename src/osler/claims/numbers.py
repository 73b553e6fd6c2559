"""What the figures of a sentence say: p values, confidence intervals, two arms in numbers."""

from __future__ import annotations

import re

import msgspec

_DECIMAL = r"[-−–]?\s?\d+(?:[.·,]\d+)?"
_P = re.compile(
    r"\b(?:p|P)(?:[-\s]?(?:value|values|trend|interaction))?\s*(?:for trend)?\s*"
    r"([<>=≤≥]|less than|of)?\s*=?\s*([01]?[.·]\d+|1|0)(?!\d)"
)
_NS = re.compile(r"\b(?:n\.?s\.?|NS)\b(?=[\s),;.]|$)")
_CI = re.compile(
    rf"(?:CI|interval|IC)\)?\s*[:=,\[(]*\s*(?:of\s*)?({_DECIMAL})\s*%?\s*(?:to|,|;|-|–|−)\s*({_DECIMAL})"
)
_RATIO = re.compile(r"\b(?:OR|RR|HR|ratio|relative risk|odds|hazard)\b")
_FIGURE = re.compile(rf"(?<![\w.])({_DECIMAL})(?=\s*(?:%|\D))")
_VERSUS = re.compile(
    # Not from within a number: of a thousand digits each would be tried.
    rf"(?<![\w.])({_DECIMAL})\s*(?:%|[a-zA-Zµμ/]{{0,12}})?\s*(?:[(\[±][^()]{{0,40}}[)\]]?)?[^.;()]{{0,60}}?"
    rf"\b(?:vs\.?|versus|compared (?:to|with)|and|than)\s[^.;()]{{0,60}}?({_DECIMAL})"
)
SIGNIFICANT = 0.05


class Figures(msgspec.Struct, frozen=True):
    """``significant`` counts statements of significance, ``not_significant`` of its lack; ``first``
    is +1 where the first of two compared numbers is the larger."""

    significant: int = 0
    not_significant: int = 0
    first: int = 0
    ratio: int = 0


def figures(text: str) -> Figures:
    """The figures of one sentence."""
    significant = missing = 0
    for match in _P.finditer(text):
        value = _number(match[2])
        if value is None or value > 1:
            continue
        if match[1] in (">", "≥") or value > SIGNIFICANT:
            missing += 1
        else:
            significant += 1
    missing += len(_NS.findall(text))
    ratio = 0
    for match in _CI.finditer(text):
        low, high = _number(match[1]), _number(match[2])
        if low is None or high is None or low > high:
            continue
        middle = 1.0 if _RATIO.search(text) and low >= 0 else 0.0
        if low <= middle <= high:
            missing += 1
        else:
            significant += 1
            ratio += 1 if low > middle else -1
    versus = _VERSUS.search(text)
    first = 0
    if versus is not None:
        one, two = _number(versus[1]), _number(versus[2])
        if one is not None and two is not None:
            first = (one > two) - (one < two)
    return Figures(significant, missing, first, ratio)


def _number(shown: str) -> float | None:
    plain = re.sub(r"\s", "", shown).replace("·", ".").replace("−", "-").replace("–", "-")
    try:
        return float(plain.replace(",", "."))
    except ValueError:
        return None
