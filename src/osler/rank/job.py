"""The verb: a topic, a few labelled papers, all papers in order with their best sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.kinds import Document, EvidenceSentence, Hit, Ranking, Reason
from osler.rank.examples import DRAWN, gather, same_topic
from osler.rank.labels import Label
from osler.rank.pool import Floats, Pool
from osler.rank.ranker import Progress, TopicRanker, rankers
from osler.rank.sentence_ranker import Abstract, SentenceRanker, sentence_rankers
from osler.rank.topic import Topic
from osler.stopping import check_stopped

Encode = Callable[[Sequence[str]], npt.NDArray[Any]]
DEFAULT = "hybrid"
BY_MARKS = "elas"
"""What learns where papers are marked both ways."""
WITHOUT_LABELS = "bm25-extra"
# Fewer chosen sentences than this teach no sentence ranker.
FEW_SENTENCES = 10
# Encoding takes milliseconds a sentence: a paper with more than these is read by its words alone.
MOST_ENCODED = 2_000


def rank_topic(
    pool: Pool,
    topic: Topic,
    labels: Sequence[Label] = (),
    *,
    method: str | TopicRanker = DEFAULT,
    sentences: str | SentenceRanker | None = None,
    encode: Encode | None = None,
    k: int = 20,
    seen: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> Ranking:
    """The ``k`` papers that fit the topic best, with probability, words and sentence.

    Papers that a person marked are left out unless ``seen``. Without a relevant paper among the
    labels the topic's words decide. ``sentences`` is a sentence ranker or its name; None learns one
    where the labels choose enough sentences, and goes by the topic's words elsewhere. ``encode``
    gives vectors to sentences.
    """
    ranker = rankers.resolve(method)
    draw = DRAWN if labels and ranker.learns and ranker.draws else 0
    examples = gather(pool, labels, [topic], draw=draw, seed=seed)
    if draw and not (examples.targets == 0).any():
        # Nothing will be learned, so nothing need be drawn.
        examples = gather(pool, labels, [topic], draw=0, seed=seed)
    notes = list(examples.notes)
    rows, targets = examples.rows, examples.targets
    if ranker.learns and not (targets == 0).any():
        if labels:
            notes.append("no relevant paper is marked: ranked by the topic's words alone")
        ranker = rankers.resolve(WITHOUT_LABELS)
    if ranker.learns:
        ranker.read(pool).fit(pool.take(rows), targets, [topic], progress=progress)
        if ranker.ordinal:
            notes.append(f"scores of {ranker.name} are an order, not probabilities")
        if not getattr(ranker, "calibrated", True):
            notes.append("too few labelled papers to calibrate: read the scores as an order")
    else:
        ranker.fit(pool, np.ones(len(pool), dtype=np.int64), [topic])
    scores = ranker.scores(pool)[:, 0]
    left_out = set() if seen else {int(row) for row in rows[: examples.labelled]}
    top = best_first(pool.ids, scores, k=k, without=left_out)
    finder = sentence_ranker(pool, topic, labels, sentences, encode=encode)
    shown = pool.take(top)
    reasons = ranker.reasons(shown, 0)
    hits = []
    for place, (document, why) in enumerate(zip(shown.documents, reasons, strict=True)):
        check_stopped()
        evidence = best_sentence(finder, document, topic, encode=encode)
        hits.append(_hit(document, float(scores[top[place]]), why, evidence))
    total = len(pool) - len(left_out)
    return Ranking(query=topic.words, hits=hits, method=ranker.name, total=total, notes=notes)


def best_first(
    ids: Sequence[str], scores: Floats, *, k: int | None = None, without: set[int] | None = None
) -> list[int]:
    """Rows by score, the highest first, ties by id."""
    skip = without or set()
    order = sorted(
        (row for row in range(len(ids)) if row not in skip), key=lambda r: (-scores[r], ids[r])
    )
    return order if k is None else order[:k]


def sentence_ranker(
    pool: Pool,
    topic: Topic,
    labels: Sequence[Label],
    choice: str | SentenceRanker | None = None,
    *,
    encode: Encode | None = None,
) -> SentenceRanker:
    """The sentence ranker asked for, trained on the sentences that the labels choose."""
    if isinstance(choice, SentenceRanker):
        return choice
    chosen = labelled_abstracts(pool, topic, labels)
    marked = sum(int(abstract.relevant.sum()) for abstract in chosen)
    if choice is None:
        choice = DEFAULT if marked >= FEW_SENTENCES else WITHOUT_LABELS
    ranker = sentence_rankers.resolve(choice)
    if ranker.learns:
        return ranker.fit(give_vectors(chosen, encode) if ranker.uses_vectors else chosen)
    # A thousand papers tell how rare a word is as well as a million do.
    some = [Abstract(document, topic) for document in pool.documents[:1000]]
    return ranker.fit(some or chosen)


def labelled_abstracts(
    pool: Pool, topic: Topic, labels: Sequence[Label], *, encode: Encode | None = None
) -> list[Abstract]:
    """The papers whose labels choose a sentence, each for the topic that its label names."""
    places = {id: row for row, id in enumerate(pool.ids)}
    chosen: dict[tuple[int, str], list[str]] = {}
    for label in labels:
        if label.relevant and label.sentence and label.document in places:
            of = topic.id if same_topic(label, topic) else label.topic
            chosen.setdefault((places[label.document], of), []).append(label.sentence)
    abstracts = [
        Abstract(pool.documents[row], topic if of == topic.id else Topic(of), relevant=picked)
        for (row, of), picked in chosen.items()
    ]
    return give_vectors(abstracts, encode)


def give_vectors(abstracts: list[Abstract], encode: Encode | None) -> list[Abstract]:
    """Encode every text of some papers at once, each different text once. A book of thousands of
    sentences goes without."""
    short = [abstract for abstract in abstracts if len(abstract) <= MOST_ENCODED]
    if encode is None or not short:
        return abstracts
    different = sorted({text for abstract in short for text in abstract.texts()})
    known = dict(zip(different, np.asarray(encode(different)), strict=True))
    for abstract in short:
        check_stopped()
        abstract.vectors = np.stack([known[text] for text in abstract.texts()])
    return abstracts


def best_sentence(
    ranker: SentenceRanker, document: Document, topic: Topic, *, encode: Encode | None = None
) -> EvidenceSentence | None:
    """The most relevant sentence of a paper; None where none is relevant."""
    abstract = Abstract(document, topic)
    if ranker.uses_vectors:
        give_vectors([abstract], encode)
    number = ranker.best(abstract)
    if number is None:
        return None
    values = ranker.probabilities(abstract)
    score = float((ranker.scores(abstract) if values is None else values)[number])
    if not ranker.learns and score <= 0:
        return None
    start, end = abstract.spans[number]
    return EvidenceSentence(abstract.sentences[number], start, end, round(score, 4))


def _hit(
    document: Document,
    score: float,
    reasons: tuple[Reason, ...],
    evidence: EvidenceSentence | None,
) -> Hit:
    return Hit(
        id=document.id,
        score=score,
        title=document.title,
        retracted=document.retracted,
        published=document.published,
        journal=document.journal,
        reasons=(*reasons, evidence) if evidence is not None else reasons,
    )
