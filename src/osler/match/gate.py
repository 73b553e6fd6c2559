"""Whether a trained matcher is worth using: it must win where it did not learn.

False answers of the training are drawn at random, and a model that tells those from the true one
may know nothing but likeness. So it is judged by lists that are unlike them: a fifth of the pairs
is held out, and each of their questions stands against the answers that are *nearest* to it by
words. Judgements, where some are given (answers that people graded), are a second judge. A model is
taken if it is above the untrained matcher before every judge, beyond chance (paired bootstrap).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from osler.errors import FieldError, InputError
from osler.files.source import Source
from osler.kinds import Pair
from osler.match.answering import Answering
from osler.match.job import match
from osler.match.matcher import Candidate, Matcher, Sources
from osler.match.pool import PairPool
from osler.match.signs import SignReader
from osler.match.splits import key
from osler.measures.significance import bootstrap
from osler.stopping import check_stopped

NEAR = 10
"""Nearest false answers that stand against a true one."""
LISTS = 200
"""Held-out questions that judge at most: each is asked twice."""
GOOD = 3
"""The grade from which a judged answer is right (of 1 to 4)."""
CHANCE = 0.05


class JudgedList(msgspec.Struct, frozen=True):
    """A question with answers and which of them are right."""

    question: str
    candidates: tuple[Candidate, ...]
    right: frozenset[str]


@dataclass(frozen=True)
class Verdict:
    """How the trained and the untrained matcher did before one judge: P@1 over ``lists``."""

    judge: str
    trained: float
    untrained: float
    p: float
    lists: int

    @property
    def won(self) -> bool:
        return self.trained > self.untrained and self.p < CHANCE

    def __str__(self) -> str:
        return (
            f"{self.judge} ({self.lists} questions): P@1 {self.trained:.3f} trained, "
            f"{self.untrained:.3f} untrained (p = {self.p:.3f})"
        )


class _Answer(msgspec.Struct):
    text: str
    score: float


class _Row(msgspec.Struct):
    question: str
    answers: list[_Answer]


def read_judged(path: Path) -> list[JudgedList]:
    """Graded answers: JSON lines with ``question`` and ``answers``, each with ``text`` and
    ``score`` (1 to 4; 3 and above are right). Questions without a right answer judge nothing."""
    source = Source(path)
    lists = []
    for number, line in source.sure_lines():
        try:
            row = msgspec.json.decode(line, type=_Row)
        except (ValueError, RecursionError):
            raise FieldError(
                f"{source.name} line {number} is no question with graded answers",
                cure='write {"question": ..., "answers": [{"text": ..., "score": 1 to 4}]}',
            ) from None
        some = tuple(Candidate(str(at), a.text) for at, a in enumerate(row.answers))
        right = frozenset(str(at) for at, a in enumerate(row.answers) if a.score >= GOOD)
        if right and len(right) < len(some):
            lists.append(JudgedList(row.question, some, right))
    if not lists:
        raise InputError(f"{source.name} has no question with right and wrong answers")
    return lists


def near_lists(
    held: Sequence[Pair], pairs: Sequence[Pair], sources: Sources, *, most: int = LISTS
) -> list[JudgedList]:
    """Held-out questions, each with its answers and those of other questions nearest to it."""
    pool = PairPool.of(pairs, sources.texts)
    right: dict[str, set[str]] = {}
    for pair in pairs:
        right.setdefault(key(pair.question), set()).add(key(pair.answer))
    lists = []
    for pair in held[:: max(1, len(held) // most)][:most]:
        true = right[key(pair.question)]
        near = pool.candidates(pair.question, most=NEAR + len(true))
        false = [Candidate(one.id, one.text) for one in near if key(one.text) not in true][:NEAR]
        if false:
            whole = (Candidate(pair.id, pair.answer), *false)
            # By id: the true one must not profit from standing first.
            whole = tuple(sorted(whole, key=lambda one: one.id))
            lists.append(JudgedList(pair.question, whole, frozenset({pair.id})))
    return lists


def judge(
    name: str, lists: Sequence[JudgedList], trained: Matcher, untrained: Matcher
) -> Verdict | None:
    """Both before the same lists; None where there is none."""
    if not lists:
        return None
    sources = untrained.sources
    reader = SignReader(sources.texts, known=sources.known, encoders=sources.encoders())
    answering = Answering(reader)
    first: list[float] = []
    second: list[float] = []
    for one in lists:
        check_stopped()
        for matcher, hits in ((trained, first), (untrained, second)):
            plain = matcher is trained
            ranking = match(
                matcher,
                one.question,
                one.candidates,
                k=1,
                explain=False,
                answering=None if plain else answering,
                reorder=not plain,
            )
            hits.append(float(ranking.hits[0].id in one.right))
    if first == second:
        return Verdict(name, float(np.mean(first)), float(np.mean(second)), 1.0, len(lists))
    difference = bootstrap(first, second)
    return Verdict(name, float(np.mean(first)), float(np.mean(second)), difference.p, len(lists))
