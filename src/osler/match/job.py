"""The verb: a question, candidate answers, all of them in order with the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from osler.errors import InputError, LimitError
from osler.kinds import Hit, Ranking, Reason
from osler.match.matcher import Candidate, Floats, Matcher
from osler.match.reasons import mention_reason
from osler.match.texts import checked
from osler.settings import MAX_HITS
from osler.stopping import check_stopped

MOST_ANSWERS = 100_000
"""Candidates that one question may have."""


def match(
    matcher: Matcher,
    question: str,
    candidates: Sequence[Candidate],
    *,
    k: int = 10,
    explain: bool = True,
) -> Ranking:
    """The ``k`` best answers, ties by id; ``Hit.title`` is the answer's text.

    With ``explain`` each hit tells the parts of its score, entity pairs and paths with weights that
    sum to one, and where question and answer name entities.
    """
    question = checked(question)
    if k < 1:
        raise InputError("k is at least 1")
    if len(candidates) > MOST_ANSWERS:
        raise LimitError(
            f"{len(candidates):,} answers are more than {MOST_ANSWERS:,}",
            cure="add them to a library as pairs and match against that",
        )
    notes: list[str] = []
    known = matcher.sources.known
    if known is None or not len(known):
        notes.append("the library holds no graph: nothing is explained by entities or paths")
    elif not known.link(question).spans:
        notes.append("the question names no entity of the graph: words alone decide")
    scores: Sequence[float] | Floats = []
    if candidates:
        scores = matcher.scores(question, candidates)
    order = sorted(
        range(len(candidates)), key=lambda row: (-float(scores[row]), candidates[row].id)
    )
    hits = []
    for row in order[: min(k, MAX_HITS.get())]:
        check_stopped()
        candidate = candidates[row]
        reasons: tuple[Reason, ...] = ()
        if explain:
            reasons = (
                *matcher.explain(question, candidate),
                mention_reason(known, question, "question"),
                mention_reason(known, candidate.text, "answer"),
            )
        hits.append(
            Hit(
                id=candidate.id,
                score=round(float(scores[row]), 6),
                title=candidate.text,
                reasons=reasons,
            )
        )
    return Ranking(
        query=question, hits=hits, method=matcher.name, total=len(candidates), notes=notes
    )
