"""The verb: a question, candidate answers, all of them in order with the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from osler.errors import InputError, LimitError
from osler.kinds import Hit, Ranking, Reason, ScoreParts
from osler.match.answering import Answering, Judged
from osler.match.matcher import Candidate, Matcher
from osler.match.reasons import mention_reason
from osler.match.texts import checked
from osler.settings import MAX_HITS
from osler.stopping import check_stopped
from osler.text.scripts import CJK_CHARACTER

MOST_ANSWERS = 100_000
"""Candidates that one question may have."""


def match(
    matcher: Matcher,
    question: str,
    candidates: Sequence[Candidate],
    *,
    k: int = 10,
    explain: bool = True,
    answering: Answering | None = None,
    reorder: bool = False,
) -> Ranking:
    """The ``k`` best answers, ties by id; ``Hit.title`` is the answer's text.

    With ``answering`` the first are judged: each tells how probable it is that it answers, and the
    sentence; where none does, ``Ranking.answered`` is false and the first note says why. With
    ``reorder`` those that were judged stand in that order.

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
    stored = all(candidate.question for candidate in candidates)
    # What answers say was taught in English: bare Chinese ones keep the matcher's order.
    reorder = reorder and answering is not None and (stored or not CJK_CHARACTER.search(question))
    ranked = _ranked(matcher, question, candidates, by_matcher=not (reorder and stored))
    judged: list[Judged] = []
    answered: bool | None = None
    if answering is not None:
        if reorder and stored:
            # The pool's words and quick vectors find what is near; the encoder knows what is first.
            near = answering.nearest(question, [candidates[row] for row, _ in ranked])
            ranked = [ranked[at] for at in near]
        judged = answering.judged(question, [candidates[row] for row, _ in ranked])
        if reorder:
            ranked, judged = _reordered(ranked, judged)
        none = answering.none_said(question, judged)
        answered = not none
        notes = [none, *notes] if none else notes
        words_alone = answering.words_alone(question) if stored and candidates else ""
        notes += [words_alone] if words_alone else []
    hits = []
    for place, (row, score) in enumerate(ranked[: min(k, MAX_HITS.get())]):
        check_stopped()
        candidate = candidates[row]
        reasons: list[Reason] = []
        if answering is not None and place < len(judged):
            reasons.append(answering.verdict(judged[place]))
            sentence = answering.sentence(question, candidate.text)
            reasons += [sentence] if sentence is not None else []
        if explain:
            explained = matcher.explain(question, candidate)
            if reorder:
                # The matcher's parts do not make this score: those of the judgement do.
                explained = tuple(one for one in explained if not isinstance(one, ScoreParts))
                if place < len(judged):
                    reasons.append(ScoreParts(judged[place].raw, judged[place].parts))
            reasons += [
                *explained,
                mention_reason(known, question, "question"),
                mention_reason(known, candidate.text, "answer"),
            ]
        hits.append(
            Hit(
                id=candidate.id,
                score=round(score, 6),
                title=candidate.text,
                reasons=tuple(reasons),
            )
        )
    return Ranking(
        query=question,
        hits=hits,
        method=matcher.name,
        total=len(candidates),
        notes=notes,
        answered=answered,
    )


def _ranked(
    matcher: Matcher, question: str, candidates: Sequence[Candidate], *, by_matcher: bool
) -> list[tuple[int, float]]:
    """Rows with scores, best first; a collection's pairs come nearest first as they are."""
    if not by_matcher or not candidates:
        # The judgement of those that are read closely gives the scores.
        return [(row, 0.0) for row in range(len(candidates))]
    scores = matcher.scores(question, candidates)
    rows = sorted(range(len(candidates)), key=lambda row: (-float(scores[row]), candidates[row].id))
    return [(row, float(scores[row])) for row in rows]


def _reordered(
    ranked: list[tuple[int, float]], judged: list[Judged]
) -> tuple[list[tuple[int, float]], list[Judged]]:
    """Those that were judged by their log-odds, which become their scores; the rest behind them."""
    places = sorted(
        range(len(judged)), key=lambda at: (-judged[at].log_odds, judged[at].candidate.id)
    )
    first = [(ranked[at][0], judged[at].log_odds) for at in places]
    last = first[-1][1] if first else 0.0
    rest = [(row, last - 1.0 - at) for at, (row, _) in enumerate(ranked[len(judged) :])]
    return first + rest, [judged[at] for at in places]
