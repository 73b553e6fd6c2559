"""Training for keeps: rankers of many topics, measured, with a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from osler.errors import InputError
from osler.learn.card import Card, Measured, data_hash, versions
from osler.measures.calibration import expected_calibration_error
from osler.measures.intervals import bootstrap_interval
from osler.rank.examples import Examples
from osler.rank.measure import average_precision, sentence_hits
from osler.rank.pool import Floats, Pool
from osler.rank.ranker import Progress, TopicRanker
from osler.rank.sentence_ranker import Abstract, SentenceRanker
from osler.rank.splits import folds
from osler.stopping import check_stopped

FOLDS = 5


def train_ranker(
    make: Callable[[], TopicRanker],
    pool: Pool,
    examples: Examples,
    *,
    progress: Progress | None = None,
) -> tuple[TopicRanker, Card]:
    """A ranker trained on all examples; its card's measures are of papers held out in turn."""
    part = pool.take(examples.rows)
    held = _held_out(make, part, examples)
    ranker = make().fit(part, examples.targets, examples.topics, progress=progress)
    texts = [f"{id} {target}" for id, target in zip(part.ids, examples.targets, strict=True)]
    card = Card(
        name=f"{ranker.name} for {len(examples.topics)} topics",
        what="Ranks papers by relevance to: " + ", ".join(t.words for t in examples.topics) + ".",
        method=ranker.name,
        data=f"{examples.labelled} labelled papers, {examples.drawn} drawn as not relevant",
        data_hash=data_hash([*texts, *part.texts]),
        seed=getattr(ranker, "seed", 0),
        measures=_measures(held, examples),
        versions=versions(),
        intended_use="Ordering papers for a person who reads them; not deciding without one.",
        known_failures=(
            "A topic that means one thing to its labels and another to the library's papers.",
            "Papers without an abstract: only their titles are seen.",
            "Probabilities are those of papers like the labelled ones.",
        ),
    )
    return ranker, card


def train_sentence_ranker(
    make: Callable[[], SentenceRanker],
    abstracts: Sequence[Abstract],
    *,
    progress: Progress | None = None,
) -> tuple[SentenceRanker, Card]:
    """A sentence ranker trained on all papers, measured on papers held out in turn."""
    usable = [a for a in abstracts if len(a) and a.relevant.any()]
    if not usable:
        raise InputError(
            "no label chooses a sentence that stands in its paper",
            cure="add a column 'sentence' to the labels",
        )
    hits: list[float] = []
    if len(usable) >= FOLDS:
        for test in folds(np.zeros(len(usable), dtype=np.int64), FOLDS):
            check_stopped()
            out = set(test.tolist())
            ranker = make().fit([a for i, a in enumerate(usable) if i not in out])
            hits += sentence_hits(ranker, [usable[i] for i in test])
    ranker = make().fit(usable, progress=progress)
    measures: tuple[Measured, ...] = ()
    if hits:
        interval = bootstrap_interval(hits)
        measures = (
            Measured(
                "accuracy",
                interval.value,
                interval.low,
                interval.high,
                f"{len(hits)} held-out papers",
            ),
        )
    card = Card(
        name=f"sentences by {ranker.name}",
        what="Picks the sentence of a paper that is most relevant to a topic.",
        method=ranker.name,
        data=f"{len(usable)} papers with chosen sentences",
        data_hash=data_hash(text for a in usable for text in (a.topic.id, *a.sentences, *a.chosen)),
        seed=getattr(ranker, "seed", 0),
        measures=measures,
        versions=versions(),
        intended_use="Showing a reader where to look first.",
        known_failures=("Papers whose relevant sentence says its topic in other words only.",),
    )
    return ranker, card


def _held_out(make: Callable[[], TopicRanker], pool: Pool, examples: Examples) -> Floats | None:
    """Scores of each paper by a ranker that did not see it; None where papers are too few."""
    smallest = int(np.bincount(examples.targets)[np.unique(examples.targets)].min())
    if smallest < 2 or not make().learns:
        return None
    scores = np.zeros((len(pool), len(examples.topics)))
    every = np.arange(len(pool))
    for test in folds(examples.targets, min(FOLDS, smallest)):
        check_stopped()
        rest = np.setdiff1d(every, test)
        ranker = make().fit(pool.take(rest), examples.targets[rest], examples.topics)
        scores[test] = ranker.scores(pool.take(test))
    return scores


def _measures(scores: Floats | None, examples: Examples) -> tuple[Measured, ...]:
    if scores is None:
        return ()
    on = f"{len(scores)} papers held out in turn"
    values = [
        average_precision(scores[:, number], examples.targets == number)
        for number in range(len(examples.topics))
    ]
    low = high = None
    if len(values) > 1:
        interval = bootstrap_interval(values)
        low, high = interval.low, interval.high
    none = 1 - scores.sum(axis=1, keepdims=True)
    whole = np.concatenate([scores, none], axis=1)
    right = (whole.argmax(axis=1) == examples.targets).astype(float)
    accuracy = bootstrap_interval(right)
    error = expected_calibration_error(np.clip(whole.max(axis=1), 0, 1), right)
    return (
        Measured("mean average precision", float(np.mean(values)), low, high, on),
        Measured("accuracy", accuracy.value, accuracy.low, accuracy.high, on),
        Measured("expected calibration error", float(error), on=on),
    )
