"""Task 1 of the recipe ``rdoc``: Tables 3, 4 and 6 over fifteen splits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
import numpy as np

from osler.measures.calibration import expected_calibration_error
from osler.rank.measure import average_precision, clustered_map, mean_average_precision
from osler.rank.papers.a_sup_docnade import ASupDocNadeRanker
from osler.rank.papers.bm25_extra import Bm25ExtraRanker
from osler.rank.papers.hybrid import Hybrid
from osler.rank.papers.qar import QarRanker
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.rank.words import Vectors
from osler_papers.rank.svm import SvmRanker
from osler_papers.recipes.kept import Kept
from osler_papers.recipes.rdoc_tables import Row, corrected_t, holds, spread, table

Progress = Callable[[str], None]

# Table 3: classification accuracy, ranking mAP.
PUBLISHED = {
    "SVM": (0.947, 0.992),
    "SVM, reRank #1": (None, 0.992),
    "SVM, reRank #2": (None, 0.992),
    "SVM, reRank #3": (None, 0.992),
    "a-supDocNADE": (0.912, 0.930),
    "a-supDocNADE + FastText": (0.947, 0.949),
    "a-supDocNADE + FastText + word2vec": (0.965, 0.983),
    "a-supDocNADE, reRank #1": (None, 0.985),
    "a-supDocNADE, reRank #2": (None, 0.994),
    "a-supDocNADE, reRank #3": (None, 0.994),
}
BEST_NEURAL = "a-supDocNADE + FastText + word2vec"
EPOCHS = 15


class Split(msgspec.Struct):
    """What came of one split: accuracy, mAP and mAP inside clusters by ranker (a re-ranker has no
    accuracy); of ``hybrid`` the average precision by topic, and how sure and right it was."""

    found: dict[str, tuple[float | None, float, float]] = {}
    by_topic: list[float] = []
    sure: list[float] = []
    right: list[float] = []
    example: list[str] = []


def measure_papers(
    pool: Pool,
    targets: Ints,
    topics: list[Topic],
    vectors: list[Vectors],
    *,
    about: str,
    kept: Kept,
    progress: Progress,
) -> tuple[dict[str, float], list[str]]:
    """``vectors`` stand for fastText and word2vec; ``about`` says which they are."""
    fast, word2vec = vectors
    makers: dict[str, Callable[[], Any]] = {
        "hybrid": Hybrid,
        "SVM": SvmRanker,
        "a-supDocNADE": lambda: ASupDocNadeRanker(epochs=EPOCHS),
        "a-supDocNADE + FastText": lambda: ASupDocNadeRanker(vectors=[fast], epochs=EPOCHS),
        BEST_NEURAL: lambda: ASupDocNadeRanker(vectors=[fast, word2vec], epochs=EPOCHS),
    }
    splits = []
    for number, (train, test) in enumerate(repeated(targets), 1):
        progress(f"abstracts: split {number} of 15")
        splits.append(
            kept.get(
                f"abstracts {number}",
                Split,
                partial(_one_split, makers, pool, targets, topics, fast, train, test),
            )
        )
    found = {name: [split.found[name] for split in splits] for name in splits[0].found}
    by_topic = [split.by_topic for split in splits]
    sure = [value for split in splits for value in split.sure]
    right = [value for split in splits for value in split.right]
    example = next((split.example for split in splits if split.example), [])
    values = {name: np.array(rows, dtype=np.float64) for name, rows in found.items()}
    p = corrected_t(values["hybrid"][:, 0], values["SVM"][:, 0])
    p_map = corrected_t(values["hybrid"][:, 1], values["SVM"][:, 1])
    error = expected_calibration_error(np.array(sure), np.array(right))
    results = {
        "accuracy": float(values["hybrid"][:, 0].mean()),
        "mAP": float(values["hybrid"][:, 1].mean()),
        "mAP inside clusters": float(values["hybrid"][:, 2].mean()),
        "SVM accuracy": float(values["SVM"][:, 0].mean()),
        "SVM mAP": float(values["SVM"][:, 1].mean()),
        "accuracy over SVM p": p,
        "mAP over SVM p": p_map,
        "calibration error": float(error),
        f"{BEST_NEURAL} accuracy": float(values[BEST_NEURAL][:, 0].mean()),
        "Table 3 numbers outside": float(
            sum(_row(name, values[name])[-1].split(", ").count("no") for name in PUBLISHED)
        ),
    }
    lines = [
        "## Table 3: abstracts, held out (mean of 15 splits, its interval; worst and best split)",
        "",
    ]
    lines += table(
        ("method", "accuracy", "paper", "mAP, all held out", "mAP in clusters", "paper", "holds"),
        [_row(name, values[name]) for name in ("hybrid", *PUBLISHED)],
    )
    lines += [
        "",
        f"hybrid over SVM: accuracy p = {p:.4f}, mAP p = {p_map:.4f} (t test corrected for "
        "overlapping splits, Nadeau and Bengio 2003)",
        f"expected calibration error of hybrid: {error:.3f}",
        "",
        "The paper prints one split, the one of three that did best on a part of the test set, and "
        "its mAP is inside predicted clusters: it does not miss an abstract that went to a wrong "
        f"cluster. Word vectors: {about}.",
        "",
        "## Table 6: average precision of hybrid by construct (the paper's are of the test set)",
        "",
    ]
    official = (0.85, 0.92, 1.00, 0.73, 0.78, 0.94, 1.00, 0.63)
    means = np.mean(by_topic, axis=0)
    lines += table(
        ("construct", "hybrid, held out", "paper, test"),
        [
            (topic.words, f"{value:.3f}", f"{paper:.2f}")
            for topic, value, paper in zip(topics, means, official, strict=False)
        ],
    )
    return results, [*lines, "", *example, ""]


def _one_split(
    makers: Mapping[str, Callable[[], Any]],
    pool: Pool,
    targets: Ints,
    topics: list[Topic],
    fast: Vectors,
    train: Ints,
    test: Ints,
) -> Split:
    """Every ranker on one split."""
    known, held, gold = pool.take(train), pool.take(test), targets[test]
    again = _reranked(known, held, topics, fast)
    split = Split()
    for name, make in makers.items():
        scores = make().fit(known, targets[train], topics).scores(held)
        predicted = scores.argmax(axis=1)
        split.found[name] = (
            float((predicted == gold).mean()),
            mean_average_precision(scores, gold),
            clustered_map(scores, predicted, gold),
        )
        if name == "hybrid":
            split.by_topic = [average_precision(scores[:, t], gold == t) for t in _all(topics)]
            split.sure = scores.max(axis=1).tolist()
            split.right = (predicted == gold).astype(float).tolist()
        if name in ("SVM", BEST_NEURAL):
            short = name.split(" ")[0]
            for which, other in again.items():
                # A re-ranker orders what the classifier put into each cluster.
                split.found[f"{short}, {which}"] = (
                    None,
                    _second(scores, other, gold),
                    clustered_map(other, predicted, gold),
                )
        if name == BEST_NEURAL:
            split.example = _example(held, topics, scores, again["reRank #1"], gold)
    return split


def _all(topics: list[Topic]) -> range:
    return range(len(topics))


def _reranked(known: Pool, held: Pool, topics: list[Topic], vectors: Any) -> dict[str, Floats]:
    none = np.zeros(len(known), dtype=np.int64)
    words = Bm25ExtraRanker().fit(known, none, topics).scores(held)
    form = QarRanker(vectors=vectors).fit(known, none, topics).scores(held)
    return {"reRank #1": words, "reRank #2": form, "reRank #3": words + form}


def _second(first: Floats, second: Floats, gold: Ints) -> float:
    """mAP over all: the predicted cluster first, by the re-ranker; then the rest, by the same."""
    own = first.argmax(axis=1)
    scaled = 1 / (1 + np.exp(-second))
    lifted = scaled + (own[:, None] == np.arange(first.shape[1]))
    return mean_average_precision(lifted, gold)


def _row(name: str, rows: Floats) -> Row:
    accuracy, whole, inside = rows[:, 0], rows[:, 1], rows[:, 2]
    published = PUBLISHED.get(name, (None, None))
    held = [holds(own, paper) for paper, own in zip(published, (accuracy, inside), strict=True)]
    return (
        name,
        "" if np.isnan(accuracy).all() else spread(accuracy),
        "" if published[0] is None else f"{published[0]:.3f}",
        spread(whole),
        spread(inside),
        "" if published[1] is None else f"{published[1]:.3f}",
        ", ".join(answer for answer in held if answer),
    )


def _example(
    held: Pool, topics: list[Topic], scores: Floats, again: Floats, gold: Ints
) -> list[str]:
    """As Table 4: a predicted cluster with an intruder, before and after BM25-Extra."""
    own = scores.argmax(axis=1)
    for topic in _all(topics):
        rows = np.flatnonzero(own == topic)
        if len(rows) < 3 or (gold[rows] == topic).all():
            continue
        before = rows[np.argsort(-scores[rows, topic], kind="stable")]
        after = rows[np.argsort(-again[rows, topic], kind="stable")]
        lines = [f"## Table 4: the predicted cluster of {topics[topic].words} (first split)", ""]
        return lines + table(
            ("abstract", "probability", "gold", "after BM25-Extra", "gold"),
            [
                (
                    held.ids[a],
                    f"{scores[a, topic]:.2f}",
                    topics[gold[a]].words,
                    held.ids[b],
                    topics[gold[b]].words,
                )
                for a, b in zip(before, after, strict=True)
            ],
        )
    return []
