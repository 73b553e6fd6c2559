"""Relevance of papers to facts on bc5cdr: people's labels, cross-validated by paper.

    python benchmarks/relevance.py --data DIR

Pairs are all chemicals with all diseases that one abstract names, the annotated places as places;
a pair is positive where the annotators joined it. Beside ours stand a constant, in how many
sentences both stand, BM25 of the paper for the two names, and the n-grams of masked sentences
with title and count (logistic regression, the same folds), each with the gap to ours: a paired
bootstrap over papers. Printed too is how far the weights that ship and those taught here are apart,
which is how sure a grade may be (``SPREAD``).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from osler.claims.heads import LinearHead, fit
from osler.grade.about import Features, Named, fact_features
from osler.grade.methods.about import CLASSES, shipped
from osler.text.bm25 import idf, saturated
from osler.text.tokens import terms
from stance import folds

SAMPLES = 2_000
COUNTED = ("bias", "both", "head in title", "tail in title")
Floats = npt.NDArray[np.float64]


class Pairs(NamedTuple):
    """A row a pair: its features, whether people joined it, its paper, and the two names."""

    features: list[Features]
    labels: list[bool]
    papers: list[str]
    names: list[tuple[str, str]]
    texts: dict[str, str]


def pairs(folder: Path) -> Pairs:
    read = Pairs([], [], [], [], {})
    with gzip.open(folder / "bc5cdr" / "abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            places: dict[str, list[tuple[int, int]]] = {}
            types: dict[str, str] = {}
            text = f"{paper['title']} {paper['abstract']}"
            called: dict[str, Counter[str]] = {}
            for mention in paper["mentions"]:
                for id in mention["ids"]:
                    if id != "-1":
                        places.setdefault(id, []).append((mention["start"], mention["end"]))
                        types[id] = mention["type"]
                        shown = text[mention["start"] : mention["end"]]
                        called.setdefault(id, Counter())[shown] += 1
            read.texts[paper["pmid"]] = text
            named = Named(text, places, title_end=len(paper["title"]))
            joined = {tuple(pair) for pair in paper["induces"]}
            for head in types:
                for tail in types:
                    if types[head] == "Chemical" and types[tail] == "Disease":
                        read.features.append(fact_features(named, head, tail))
                        read.labels.append((head, tail) in joined)
                        read.papers.append(paper["pmid"])
                        commonest = [called[id].most_common(1)[0][0] for id in (head, tail)]
                        read.names.append((commonest[0], commonest[1]))
    return read


def bm25(read: Pairs) -> Floats:
    """The score of the paper for the words of the two names, by the commonest name of each."""
    counts = {pmid: Counter(terms(text)) for pmid, text in read.texts.items()}
    lengths = {pmid: sum(one.values()) for pmid, one in counts.items()}
    usual = sum(lengths.values()) / len(lengths)
    papers = Counter(term for one in counts.values() for term in one)
    scores = []
    for pmid, names in zip(read.papers, read.names, strict=True):
        asked = {term for name in names for term in terms(name)}
        scores.append(
            sum(
                float(idf(papers[term], len(counts)))
                * float(saturated(counts[pmid][term], lengths[pmid], usual))
                for term in asked
            )
        )
    return np.asarray(scores)


def area(labels: npt.NDArray[np.bool_], scores: Floats) -> float:
    """AUC by ranks, ties by half."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    yes = int(labels.sum())
    no = len(labels) - yes
    return float((ranks[labels].sum() - yes * (yes + 1) / 2) / (yes * no)) if yes and no else 0.5


def average_precision(labels: npt.NDArray[np.bool_], scores: Floats) -> float:
    """Over thresholds, as trec-like tools do it: ties count as one."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    gained = np.diff(np.append(0, hits[last]))
    return float((gained * hits[last] / (last + 1)).sum() / max(1, hits[-1]))


def drawn(papers: Sequence[str], seed: int = 0) -> list[npt.NDArray[np.int64]]:
    """Rows of resampled papers."""
    names = sorted(set(papers))
    rows: dict[str, list[int]] = {name: [] for name in names}
    for row, name in enumerate(papers):
        rows[name].append(row)
    held = [np.asarray(rows[name]) for name in names]
    generator = np.random.default_rng(seed)
    return [
        np.concatenate([held[at] for at in generator.integers(0, len(names), len(names))])
        for _ in range(SAMPLES)
    ]


def show(
    name: str,
    labels: npt.NDArray[np.bool_],
    scores: Floats,
    ours: Floats | None,
    samples: Sequence[npt.NDArray[np.int64]],
) -> None:
    line = f"{name:62s} AUC {area(labels, scores):.3f}  AP {average_precision(labels, scores):.3f}"
    for what, measure in (("AUC", area), ("AP", average_precision)) if ours is not None else ():
        assert ours is not None
        gaps = [measure(labels[at], ours[at]) - measure(labels[at], scores[at]) for at in samples]
        low, high = np.quantile(gaps, [0.025, 0.975])
        tail = min(np.mean(np.asarray(gaps) <= 0), np.mean(np.asarray(gaps) >= 0))
        p = min(1.0, 2 * max(float(tail), 1 / len(gaps)))
        line += f"; ours more by {what} {low:.3f} to {high:.3f}, p {p:.3f}"
    print(line)


def told(head: LinearHead, row: Features) -> float:
    return float(head.probabilities(row)[0])


def crossed(rows: Sequence[Features], labels: Sequence[bool], papers: Sequence[str]) -> Floats:
    """Scores of each pair by a head that saw nothing of its paper: five folds."""
    scores = np.zeros(len(rows))
    for held in folds(list(papers), 5):
        seen = [at for at in range(len(rows)) if at not in held]
        own = fit(
            [rows[at] for at in seen],
            [CLASSES[0] if labels[at] else CLASSES[1] for at in seen],
            CLASSES,
            strength=0.1,
            most=20_000,
        )
        for at in held:
            scores[at] = told(own, rows[at])
    return scores


def spread(one: Floats, other: Floats, both: Floats) -> float:
    """How far two are apart in log odds (root mean square): the ``SPREAD`` of ``about``."""
    gaps = np.log(one / (1 - one)) - np.log(other / (1 - other))
    return float(np.sqrt(np.mean(gaps[both > 0] ** 2)))


def prototype(row: Features) -> Features:
    """N-grams of the masked sentences, whether the title has the two, how often both stand."""
    return {
        name: value for name, value in row.items() if name[:2] in ("a:", "b:") or name in COUNTED
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    read = pairs(given.data)
    rows, papers = read.features, read.papers
    labels = np.asarray(read.labels)
    print(f"{len(rows):,} pairs of {len(set(papers))} abstracts, {labels.mean():.3f} joined")
    samples = drawn(papers)
    head = shipped()["causes"]
    own = np.asarray([told(head, row) for row in rows])
    taught = crossed(rows, read.labels, papers)
    both = np.asarray([row.get("both", 0.0) for row in rows])
    print(
        f"log odds of both heads, where a sentence names both ends: {spread(own, taught, both):.2f}"
    )
    grams = crossed([prototype(row) for row in rows], read.labels, papers)
    dumb = (
        ("a constant", np.zeros(len(rows))),
        ("BM25 of the paper for the two names", bm25(read)),
        ("in how many sentences both stand", both),
        ("n-grams of masked sentences, title, count; 5 folds by paper", grams),
    )
    for title, ours in (
        ("about, taught by the other papers, 5 folds by paper", taught),
        ("about, the weights that ship", own),
    ):
        show(title, labels, ours, None, samples)
        for name, scores in dumb:
            show(f"  {name}", labels, scores, ours, samples)


if __name__ == "__main__":
    main()
