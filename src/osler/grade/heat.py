"""Heat of words: what carried a grade, for the views RCor and KImp (section 5.3).

The neural methods give cosines between a caps-representation and each token. The methods that
count give what they count: the names of the two entities, then the relation's cues.
"""

from __future__ import annotations

from collections.abc import Sequence

from osler.grade.cues import cues_of
from osler.grade.fragments import kimp_text, rcor_text
from osler.grade.pair import Pair
from osler.grade.places import TextNames
from osler.kinds import Heat
from osler.stopping import check_stopped
from osler.text.chinese import segment
from osler.text.scripts import CJK_CHARACTER
from osler.text.tokens import Token, terms, tokens

NAME, CUE, OTHER = 1.0, 0.6, 0.05
MOST = 80
"""Words that a heat shows."""
VIEWS = ("RCor", "KImp")


def words_of(text: str, names: Sequence[str] = ()) -> list[Token]:
    """Words to show: Chinese cut with the fact's names kept whole, others as they stand."""
    if CJK_CHARACTER.search(text):
        return segment(text, [name for name in names if CJK_CHARACTER.search(name)])
    return tokens(text)


def counted_heats(pair: Pair) -> tuple[Heat, ...]:
    """Heat by what the features count."""
    return tuple(
        Heat(view, _warm(pair, text, cues=view == "RCor"))
        for view, text in zip(VIEWS, (rcor_text(pair), kimp_text(pair)), strict=True)
        if text
    )


def _warm(pair: Pair, text: str, *, cues: bool) -> tuple[tuple[str, float], ...]:
    names = (*pair.fact.heads, *pair.fact.tails)
    named = TextNames(text).find(names)
    chinese, latin = cues_of(pair.fact.relation)
    warm = []
    for word in words_of(text, names)[:MOST]:
        check_stopped()
        heat = OTHER
        if any(start < word.end and word.start < end for start, end in named):
            heat = NAME
        elif cues and (word.text in chinese or latin.intersection(terms(word.text))):
            heat = CUE
        warm.append((word.text, heat))
    return tuple(warm)
