"""The order of papers within a grade: beyond the paper.

Candidates for a fact mostly name both entities, so that their grades say little about which to
read first. What tells more: how often a paper names them, saturating as in BM25; whether its title
speaks of this relation; and whether it speaks of another one (nursing, say, where the fact is
about a diagnosis).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.grade.cues import cue_count, group_of, groups
from osler.grade.grader import Floats, Grader
from osler.grade.pair import Pair
from osler.stopping import check_stopped
from osler.text.bm25 import room
from osler.text.scripts import CJK_CHARACTER
from osler.text.tokens import terms

OWN, OTHER = 0.18, 0.03
"""What a cue of the relation in the title counts for, and of another relation against it, where to
be named counts 1: fitted on the 250 training rows of HiCapsRKL's sample, and judged by its
retrieval rows, which have other facts and other papers: ``osler recipe run hicapsrkl``."""
MOST_CUES = 2
VAGUE = ("place", "kind")
"""Groups whose cues say nothing about what a title is about."""
LARGEST = 1.0 + MOST_CUES * OWN


def fine(pairs: Sequence[Pair]) -> Floats:
    """How much each candidate for one fact is about it, 0 to 1."""
    named, own, other = parts(pairs).T
    return np.asarray(np.clip((named + OWN * own - OTHER * other) / LARGEST, 0.0, 1.0), np.float64)


def parts(pairs: Sequence[Pair]) -> Floats:
    """What the order is made of, a row a pair: how much the two entities are named (0 to 1), how
    many cues of the relation the title has, and of how many other kinds of relation."""
    usual = sum(len(pair.text) for pair in pairs) / max(1, len(pairs)) or 1.0
    table = np.zeros((len(pairs), 3))
    for row, pair in enumerate(pairs):
        check_stopped()
        named = _named(pair, usual) / 2
        # A title speaks of the fact's relation only where the fact is named.
        if named > 0:
            own = min(MOST_CUES, cue_count(pair.fact.relation, pair.title))
            table[row] = named, own, other_relations(pair)
    return table


def _named(pair: Pair, usual: float) -> float:
    """How often the two entities are named, each saturating as in BM25 (without an idf: both
    entities count alike), 0 to 2."""
    places = pair.places
    long = room(len(pair.text), usual)
    total = 0.0
    for named_at, keywords in (
        (places.heads, places.head_keywords),
        (places.tails, places.tail_keywords),
    ):
        count = len(named_at) + len(keywords)
        total += count / (count + long)
    return total


def other_relations(pair: Pair) -> int:
    """How many other kinds of relation a title has words of."""
    own = group_of(pair.fact.relation)
    latin = set() if CJK_CHARACTER.search(pair.title) else set(terms(pair.title))
    count = 0
    for name, (_, cues) in groups().items():
        if name != own and name not in VAGUE:
            count += any(
                word in pair.title
                if CJK_CHARACTER.search(word)
                else latin.intersection(terms(word))
                for word in cues
            )
    return count


def ordering(grader: Grader, pairs: Sequence[Pair]) -> Floats:
    """What hits are put in order by."""
    return mixed(grader.with_gains(pairs)[1], fine(pairs), grader.in_order)


def mixed(gains: Floats, finely: Floats, share: float) -> Floats:
    """The expected gain (0 to 1), by its share, and the fine order."""
    return share * gains + (1 - share) * finely
