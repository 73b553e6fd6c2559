"""What pictures are worth to graph embeddings: mm-transh beside TransH, with intervals over seeds.

    python benchmarks/graph_pictures.py own --out OUT
    python benchmarks/graph_pictures.py strengths --out OUT
    python benchmarks/graph_pictures.py kg_zh --data DIR --out OUT

``own`` is a graph of ours whose pictures decide two of four relations; ``strengths`` draws it anew
with pictures that are right for a part of the findings alone; ``kg_zh`` are the triples of the
Chinese graph that touch an entity with a picture: classified, and their ends ranked. Each seed's
values are kept in OUT, so that a run that was cut short goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from osler.knowledge.embeddings import NumberedTriples, train_embeddings
from osler.knowledge.embeddings.classifying import classify_triples
from osler.knowledge.embeddings.predicting import link_prediction
from osler.knowledge.images import image_features
from osler_papers.recipes.graph_embeddings import CHINESE, OURS, pictured_chinese
from osler_papers.recipes.pictured_graph import PICTURED, pictured_graph
from osler_papers.recipes.rdoc_tables import corrected_t

METHODS = ("transh", "mm-transe", "mm-transh")
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
SHARE = 0.2 / 0.7
"""Test triples to training triples: what the corrected t allows for the overlap of splits."""
RANKED = 300
"""Test triples of kg_zh whose ends are ranked."""
Values = dict[str, float]


def kept(place: Path, make: Callable[[], Values]) -> Values:
    if place.is_file():
        return dict(json.loads(place.read_text("utf-8")))
    values = make()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(values), encoding="utf-8")
    print(f"  {place.stem}: " + ", ".join(f"{n} {v:.4f}" for n, v in values.items()), flush=True)
    return values


def measured(
    triples: NumberedTriples,
    method: str,
    seed: int,
    setting: dict[str, Any],
    *,
    rank: bool = False,
    **features: Any,
) -> Values:
    """One split, one training: the accuracy over relations and over triples; with ``rank`` the
    reciprocal rank of held-out ends."""
    train, valid, test = triples.split(valid=0.1, test=0.2, seed=seed)
    given = features if method.startswith("mm-") else {}
    made = train_embeddings(train, method=method, seed=seed, **setting, **given)
    said = classify_triples(made, valid.rows, test.rows, known=[train.rows], seed=seed)
    values = {"mean of relations": said.mean, "all triples": said.overall}
    values |= {name: value for name, value in said.relations.items() if name in PICTURED}
    if rank:
        picked = np.sort(np.random.default_rng(seed).permutation(len(test))[:RANKED])
        known = [train.rows, valid.rows, test.rows]
        values["MRR"] = link_prediction(made, test.rows[picked], known=known).mrr
    return values


def told(title: str, runs: dict[str, list[Values]], measures: tuple[str, ...]) -> None:
    """A row a method, then mm-transh against TransH by the corrected t over splits."""
    from scipy import stats

    print(f"\n{title}, {len(runs['transh'])} seeds")
    for measure in measures:
        columns = {name: np.array([v[measure] for v in values]) for name, values in runs.items()}
        for name, column in columns.items():
            print(f"  {measure}, {name}: {column.mean():.4f} ({column.min():.4f} to "
                  f"{column.max():.4f})")  # fmt: skip
        gap = columns["mm-transh"] - columns["transh"]
        count = len(gap)
        wide = float(stats.t.ppf(0.975, count - 1) * gap.std(ddof=1) * np.sqrt(1 / count + SHARE))
        p = corrected_t(columns["mm-transh"], columns["transh"], share=SHARE)
        print(f"  {measure}, mm-transh over transh: {gap.mean():+.4f} [{gap.mean() - wide:+.4f}, "
              f"{gap.mean() + wide:+.4f}], p {p:.4f}", flush=True)  # fmt: skip


def of_our_own(out: Path, seeds: int, strength: float = 1.0) -> None:
    known, images = pictured_graph(out / f"pictures-{strength}", findings=300, strength=strength)
    features = image_features(images, "plain")
    triples: NumberedTriples = NumberedTriples.of(known)
    runs = {
        method: [
            kept(
                out / f"own-{strength}-{method}-{seed}.json",
                lambda m=method, s=seed: measured(triples, m, s, OURS, images=features),
            )
            for seed in range(seeds)
        ]
        for method in METHODS
        if strength == 1.0 or method != "mm-transe"
    }
    told(f"pictures right for {strength:.0%} of the findings", runs,
         ("mean of relations", *PICTURED))  # fmt: skip


def kg_zh(data: Path, out: Path, seeds: int) -> None:
    near, _, features, encoder = pictured_chinese(data, lambda line: print(line, flush=True))
    triples: NumberedTriples = NumberedTriples.of(near)
    runs: dict[str, list[Values]] = {"transh": [], "mm-transh": []}
    for seed in range(seeds):
        for method, values in runs.items():
            values.append(
                kept(
                    out / f"kg_zh-{method}-{seed}.json",
                    lambda m=method, s=seed: measured(
                        triples, m, s, CHINESE, rank=True, **features
                    ),
                )
            )
    told(f"kg_zh, {len(triples):,} triples, pictures by {encoder}", runs,
         ("mean of relations", "all triples", "MRR"))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("part", choices=("own", "strengths", "kg_zh"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    if given.part == "own":
        of_our_own(given.out, given.seeds)
    elif given.part == "strengths":
        for strength in STRENGTHS:
            of_our_own(given.out, given.seeds, strength)
    elif given.data is None:
        parser.error("kg_zh needs --data DIR")
    else:
        kg_zh(given.data, given.out, given.seeds)


if __name__ == "__main__":
    main()
