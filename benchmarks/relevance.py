"""Relevance of papers to facts on bc5cdr: people's labels, cross-validated by paper.

    python benchmarks/relevance.py --data DIR

Pairs are all chemicals with all diseases that one abstract names, the annotated places as places;
a pair is positive where the annotators joined it. Beside ours: the count of sentences with both.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from osler.claims.heads import LinearHead, fit
from osler.grade.about import Features, Named, fact_features
from osler.grade.methods.about import CLASSES, shipped
from stance import auc, folds


def pairs(folder: Path) -> tuple[list[Features], list[bool], list[str]]:
    rows: list[Features] = []
    labels: list[bool] = []
    papers: list[str] = []
    with gzip.open(folder / "bc5cdr" / "abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            places: dict[str, list[tuple[int, int]]] = {}
            types: dict[str, str] = {}
            for mention in paper["mentions"]:
                for id in mention["ids"]:
                    if id != "-1":
                        places.setdefault(id, []).append((mention["start"], mention["end"]))
                        types[id] = mention["type"]
            text = f"{paper['title']} {paper['abstract']}"
            named = Named(text, places, title_end=len(paper["title"]))
            joined = {tuple(pair) for pair in paper["induces"]}
            for head in types:
                for tail in types:
                    if types[head] == "Chemical" and types[tail] == "Disease":
                        rows.append(fact_features(named, head, tail))
                        labels.append((head, tail) in joined)
                        papers.append(paper["pmid"])
    return rows, labels, papers


def average_precision(labels: list[bool], scores: list[float]) -> float:
    """Over thresholds, as trec-like tools do it: ties count as one."""
    gold, given = np.asarray(labels, float), np.asarray(scores)
    total, before, area = gold.sum(), 0.0, 0.0
    for value in np.unique(given)[::-1]:
        above = given >= value
        hits = gold[above].sum()
        area += (hits - before) / total * hits / above.sum()
        before = hits
    return float(area)


def show(name: str, labels: list[bool], scores: list[float]) -> None:
    yes = [s for s, y in zip(scores, labels, strict=True) if y]
    no = [s for s, y in zip(scores, labels, strict=True) if not y]
    print(f"{name:60s} AUC {auc(yes, no):.3f}  AP {average_precision(labels, scores):.3f}")


def told(head: LinearHead, row: Features) -> float:
    return float(head.probabilities(row)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    rows, labels, papers = pairs(given.data)
    print(f"{len(rows):,} pairs of {len(set(papers))} abstracts, {np.mean(labels):.3f} joined")
    show("sentences with both", labels, [row.get("both", 0.0) for row in rows])
    head = shipped()["causes"]
    show("about, the weights that ship", labels, [told(head, row) for row in rows])
    scores = [0.0] * len(rows)
    for held in folds(papers, 5):
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
    show("about, taught by the other papers, 5 folds by paper", labels, scores)


if __name__ == "__main__":
    main()
