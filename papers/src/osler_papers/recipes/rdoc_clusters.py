"""The task's own clusters, measured without their labels, for the recipe ``rdoc``.

Which of the 999 test abstracts are relevant is not in the set. But the abstracts of the second task
are *given* as relevant to their construct, were retrieved for it like those of the first, and teach
no ranker here. So each is set among the unlabelled cluster of its construct: how large a share of
the cluster does a ranker put below it? Where these abstracts are like the cluster's relevant ones,
and those are a share r of it, the mean is r/2 + (1 - r) A, with A the AUC of relevant abstracts
over others. So two rankers stand as their A do, and what lies between them is 1 / (1 - r) times as
large there: five times where four of five are relevant. (Positive and unlabelled: Elkan and Noto
2008.) The mean cannot exceed 1 - r/2 then. Here it does: the abstracts of the second task are more
typical than the relevant ones at large, so this favours rankers that go by what is typical, and is
one measure beside others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.rank.papers.about import About
from osler.rank.papers.hybrid import Hybrid
from osler.rank.pool import Floats, Ints, Pool, joined
from osler.rank.topic import Topic
from osler_papers.rank.svm import SvmRanker
from osler_papers.recipes.rdoc_retrieved import DEFINITIONS, DUMB, OURS, scored
from osler_papers.recipes.rdoc_tables import table

EIGHT_WAY = "hybrid, eight-way"


def placed(own: Floats, cluster: Floats) -> Floats:
    """For each of ``own`` the share of the cluster that is below it; a tie counts half."""
    below = (own[:, None] > cluster[None, :]).mean(axis=1)
    return np.asarray(below + 0.5 * (own[:, None] == cluster[None, :]).mean(axis=1))


def gap(first: Sequence[Floats], second: Sequence[Floats]) -> tuple[float, float]:
    """By how much the first is above the second, mean of topics, and its two-sided p.

    Each sequence has the places of a topic's abstracts, the same ones in both. Topics count alike
    and are taken as given: the error is that of drawing other relevant abstracts of each.
    """
    from scipy.stats import norm

    gaps = [one - two for one, two in zip(first, second, strict=True)]
    mean = float(np.mean([own.mean() for own in gaps]))
    variance = sum(float(own.var(ddof=1)) / len(own) for own in gaps) / len(gaps) ** 2
    if variance == 0:
        return mean, 1.0 if mean == 0 else 0.0
    return mean, float(2 * norm.sf(abs(mean) / math.sqrt(variance)))


def measure_clusters(
    pool: Pool,
    targets: Ints,
    topics: list[Topic],
    background: Pool,
    clusters: tuple[Pool, Ints],
    relevant: tuple[Pool, Ints],
    encode: Any,
) -> tuple[dict[str, float], list[str]]:
    """``clusters`` and ``relevant`` are abstracts with the number of their construct."""
    described = encode([DEFINITIONS.get(topic.id, topic.words) for topic in topics])
    none = np.full(len(background), len(topics), dtype=np.int64)
    ours = About().fit(joined(pool, background), np.concatenate([targets, none]), topics)
    svm = SvmRanker().fit(pool, targets, topics)
    eight = Hybrid().fit(pool, targets, topics)
    places: dict[str, list[Floats]] = {}
    for number in range(len(topics)):
        own, rest = (part.take(np.flatnonzero(of == number)) for part, of in (relevant, clusters))
        whole = joined(own, rest)
        by_method = scored(whole, pool, targets, number, described, svm, ours)
        by_method[EIGHT_WAY] = eight.scores(whole)[:, number]
        for name, scores in by_method.items():
            places.setdefault(name, []).append(placed(scores[: len(own)], scores[len(own) :]))
    return _told(places, topics, (ours.near, ours.alike))


def _told(
    places: dict[str, list[Floats]], topics: list[Topic], breadths: tuple[int, int]
) -> tuple[dict[str, float], list[str]]:
    means = {name: [float(own.mean()) for own in rows] for name, rows in places.items()}
    over = {name: gap(places[OURS], rows) for name, rows in places.items() if name != OURS}
    rows = [
        (
            name,
            f"{np.mean(means[name]):.3f}",
            f"{over[name][0]:+.3f} (p = {over[name][1]:.3f})" if name in over else "",
            *(f"{value:.2f}" for value in means[name]),
        )
        for name in sorted(means, key=lambda name: -float(np.mean(means[name])))
    ]
    counts = ", ".join("all" if breadth == 0 else str(breadth) for breadth in breadths)
    lines = [
        "## The task's clusters: share of a construct's test abstracts below one that is relevant",
        "",
        *table(("method", "mean", f"{OURS} is above by", *(t.words for t in topics)), rows),
        "",
        "A random order has 0.5. Most of a cluster is relevant, so gaps are small. The relevant "
        "abstracts are those of task 2, which teach nothing here. "
        f"Nearest papers that {OURS} chose to count (vectors, words): {counts}.",
        "",
    ]
    results = {f"cluster place, {name}": float(np.mean(row)) for name, row in means.items()}
    results |= {f"cluster place over {name} p": over[name][1] for name in DUMB}
    return results, lines
