"""Indications that a graph does not hold, found from those that it holds.

    python benchmarks/plausible.py --data DIR [--folds 3]

The graph is Hetionet's subset (it has no edge between compounds and diseases) with the indications
of DrugMechDB, joined by DrugBank's and DOID's ids; one fold of the drugs' indications is taken out,
the others stand in the graph as "treats". For each drug of the fold with an indication that was
taken out, all diseases are ranked. Beside ours: the disease with most known drugs first
(popularity), the most edges first (degree), and the spectral embedding alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from osler.kinds import Entity, Triple
from osler.knowledge.graph import Graph
from osler.knowledge.plausible import Plausible

TREATS = "treats"


def rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        names = next(lines).rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"), strict=False)) for line in lines]


def indications(data: Path, known: set[str]) -> list[tuple[str, str]]:
    """Pairs of Hetionet's ids whose two ends it has."""
    doid: dict[str, str] = {}
    for row in rows(data / "doid" / "terms.tsv.gz"):
        for xref in row["xrefs"].split("|"):
            if xref.startswith("MESH:"):
                doid.setdefault(xref, f"Disease::{row['id']}")
    pairs = set()
    with gzip.open(data / "drugmechdb" / "paths.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            head = f"Compound::{row['drug'].get('drugbank')}"
            tail = doid.get(str(row["disease"].get("mesh")), "")
            if head in known and tail in known:
                pairs.add((head, tail))
    return sorted(pairs)


def folds(pairs: Sequence[tuple[str, str]], number: int) -> list[list[tuple[str, str]]]:
    """By fact: a drug may keep one indication and lose another, as it is with a curator."""
    shuffled = list(pairs)
    random.Random(0).shuffle(shuffled)
    return [shuffled[at::number] for at in range(number)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=3)
    given = parser.parse_args()
    nodes = rows(given.data / "hetionet_subset" / "nodes.tsv.gz")
    entities = [Entity(id=one["id"], name=one["name"], type=one["type"]) for one in nodes]
    triples = [
        Triple(one["head"], one["relation"], one["tail"])
        for one in rows(given.data / "hetionet_subset" / "triples.tsv.gz")
    ]
    pairs = indications(given.data, {one.id for one in entities})
    print(
        f"{len(triples):,} triples, {len(pairs)} indications of {len({h for h, _ in pairs})} drugs"
    )
    places: dict[str, list[float]] = {}
    for held in folds(pairs, given.folds):
        taken = set(held)
        kept = [Triple(h, TREATS, t) for h, t in pairs if (h, t) not in taken]
        graph = Graph.build(entities, [*triples, *kept])
        learned = Plausible(graph, TREATS)
        tails = set(learned.tails.tolist())
        for head in sorted({h for h, _ in held}):
            gold = {graph.number(t) for h, t in held if h == head} & tails
            if not gold:
                continue
            number = graph.number(head)
            ranked = [one.tail for one in learned.suggest(number, most=len(tails))]
            rankings = {
                "popularity: known drugs of the disease": by(
                    ranked, [len(learned.held_by[t]) for t in ranked]
                ),
                "degree: edges of the disease": by(
                    ranked, [int(learned.edges.degrees[t]) for t in ranked]
                ),
                "spectral embedding alone": by(
                    ranked, (learned.vectors[ranked] @ learned.vectors[number]).tolist()
                ),
                "ours: paths, embedding, popularity, learned": ranked,
            }
            for name, order in rankings.items():
                for tail in gold:
                    others = [one for one in order if one not in gold or one == tail]
                    places.setdefault(name, []).append(others.index(tail) / (len(others) - 1))
                    places.setdefault(f"{name} rank", []).append(1 + others.index(tail))
    for name in [one for one in places if not one.endswith(" rank")]:
        rank = np.asarray(places[f"{name} rank"])
        print(
            f"{name:46s} AUC {1 - np.mean(places[name]):.3f}  MRR {(1 / rank).mean():.3f}  "
            f"in the first ten {(rank <= 10).mean():.3f}  ({len(rank)} facts)"
        )


def by(ranked: Sequence[int], worth: Sequence[float]) -> list[int]:
    """Best first; ties as their numbers stand, not as ours has them."""
    pairs = sorted(zip(ranked, worth, strict=True), key=lambda one: (-one[1], one[0]))
    return [one for one, _ in pairs]


if __name__ == "__main__":
    main()
