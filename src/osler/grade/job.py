"""Grading: pairs in, hits or graded facts out, each with its reasons."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from osler.grade.fragments import evidence_place
from osler.grade.grader import Floats, Grader
from osler.grade.order import fine, mixed
from osler.grade.pair import Fact, Pair
from osler.grade.scale import GRADES, PLAIN
from osler.kinds import Document, EvidenceSentence, GradeReason, Hit, Reason, Triple
from osler.stopping import check_stopped

SECOND_STAGE = 200
"""Candidates that a slow grader looks at, after the rule has put all in order."""


class GradedFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact of the graph as one paper stands to it. ``plain`` says the grade in words,
    ``sentence`` is the paper's own that carries it; ``stance`` is the side that the paper takes,
    with its probabilities, and ``decided`` what a curator said, with name and date."""

    triple: Triple
    head: str
    tail: str
    grade: str
    confidence: float
    calibrated: bool = False
    plain: str
    paper: str = ""
    sentence: EvidenceSentence | None = None
    probabilities: dict[str, float] = {}
    score: float = 0.0
    stance: str = ""
    supports: float = 0.0
    refutes: float = 0.0
    decided: str = ""
    decided_by: str = ""
    decided_on: str = ""


ACCEPTED, REJECTED, UNSURE = "accept", "reject", "unsure"
"""What a curator says of a fact in a paper."""


def shortlist(grader: Grader, pairs: Sequence[Pair], k: int) -> list[int]:
    """The first of two stages: which pairs the grader looks at. The rule is quick and puts all in
    order; a grader that costs more sees the best of them."""
    if len(pairs) <= max(SECOND_STAGE, 2 * k) or grader.name in ("rule", "evidence"):
        return list(range(len(pairs)))
    from osler.grade.methods.rule import Rule

    return best_first(pairs, Rule().scores(pairs))[: max(SECOND_STAGE, 2 * k)]


def best_first(pairs: Sequence[Pair], scores: Floats) -> list[int]:
    """Rows by falling score, ties by the paper's id."""
    return sorted(
        range(len(pairs)), key=lambda row: (-round(float(scores[row]), 9), pairs[row].paper_id)
    )


def grade_papers(
    grader: Grader,
    pairs: Sequence[Pair],
    documents: Sequence[Document],
    *,
    k: int,
    explain: bool = True,
) -> list[Hit]:
    """The best k papers for the one fact of these pairs, best first."""
    if not pairs:
        return []
    kept = shortlist(grader, pairs, k)
    chosen = [pairs[row] for row in kept]
    grades, gains = graded(grader, chosen)
    scores = mixed(gains, fine(chosen), grader.in_order)
    hits = []
    for row in best_first(chosen, scores)[:k]:
        check_stopped()
        pair, document = chosen[row], documents[kept[row]]
        hits.append(
            Hit(
                id=document.id,
                score=round(float(scores[row]), 6),
                title=document.title,
                highlights=_in_title(pair),
                retracted=document.retracted,
                published=document.published,
                journal=document.journal,
                reasons=reasons(grader, pair, grades[row], explain=explain),
            )
        )
    return hits


def grade_facts(
    grader: Grader, pairs: Sequence[Pair], triples: Sequence[Triple], *, k: int
) -> list[GradedFact]:
    """The best k of a paper's facts, best first; ties by the triple."""
    if not pairs:
        return []
    grades, scores = graded(grader, pairs)
    order = sorted(
        range(len(pairs)),
        key=lambda row: (-round(float(scores[row]), 9), msgspec.structs.astuple(triples[row])),
    )
    return [
        graded_fact(grader, pairs[row], triples[row], grades[row], float(scores[row]))
        for row in order[:k]
    ]


def graded(grader: Grader, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Probabilities of H, F, M, I, and the expected gain scaled to 0-1."""
    probabilities, gains = grader.with_gains(pairs)
    return grader.scale.by_grade(probabilities), gains


def graded_fact(
    grader: Grader, pair: Pair, triple: Triple, grades: Floats, score: float
) -> GradedFact:
    best = int(grader.called(grades[None])[0])
    return GradedFact(
        triple=triple,
        head=pair.fact.head,
        tail=pair.fact.tail,
        grade=GRADES[best],
        confidence=round(float(grades[best]), 4),
        calibrated=grader.calibrated,
        plain=PLAIN[GRADES[best]],
        paper=pair.paper_id,
        sentence=evidence(pair, score),
        probabilities=_named(grades),
        score=round(score, 6),
    )


def fact_of_hit(hit: Hit, fact: Fact, triple: Triple) -> GradedFact:
    """A graded paper seen from the fact."""
    grade = next(reason for reason in hit.reasons if isinstance(reason, GradeReason))
    return GradedFact(
        triple=triple,
        head=fact.head,
        tail=fact.tail,
        grade=grade.grade,
        confidence=grade.confidence,
        calibrated=grade.calibrated,
        plain=PLAIN[grade.grade],
        paper=hit.id,
        sentence=hit.evidence,
        probabilities=grade.probabilities,
        score=hit.score,
    )


def reasons(grader: Grader, pair: Pair, grades: Floats, *, explain: bool) -> tuple[Reason, ...]:
    """The grade, the sentence, and with ``explain`` the heat of words."""
    best = int(grader.called(grades[None])[0])
    listed: list[Reason] = [
        GradeReason(
            grade=GRADES[best],
            confidence=round(float(grades[best]), 4),
            probabilities=_named(grades),
            calibrated=grader.calibrated,
        )
    ]
    sentence = evidence(pair, float(grades[best]))
    if sentence is not None:
        listed.append(sentence)
    if explain:
        listed.extend(grader.heats(pair))
    return tuple(listed)


def evidence(pair: Pair, score: float) -> EvidenceSentence | None:
    place = evidence_place(pair)
    if place is None:
        return None
    start, end = place
    return EvidenceSentence(pair.text[start:end], start, end, round(score, 6))


def _named(grades: Floats) -> dict[str, float]:
    return {grade: round(float(p), 4) for grade, p in zip(GRADES, grades, strict=True)}


def _in_title(pair: Pair) -> tuple[tuple[int, int], ...]:
    end = len(pair.title)
    return tuple(sorted({p for p in (*pair.places.heads, *pair.places.tails) if p[1] <= end}))
