"""What concepts add to the ranker of papers: `rdoc`'s fifteen splits with MeSH and HPO linked.

    python benchmarks/rank_concepts.py DATA

Needs `osler fetch mesh`, `osler fetch hpo` and the default encoder.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from osler.fetch import fetch
from osler.library import Library
from osler.rank.measure import mean_average_precision
from osler.rank.papers.hybrid import Hybrid
from osler.rank.pool import Ints, Pool
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.text.encoder import load_encoder
from osler_papers.recipes.rdoc import make_pool, read_constructs, read_rows
from osler_papers.recipes.rdoc_tables import corrected_t

FEW = 3


def main(data: Path) -> None:
    names = read_constructs(data / "rdoc" / "constructs.tsv")
    topics = [Topic(name) for name in names]
    rows = read_rows(data / "rdoc" / "train.jsonl.gz")
    targets = np.array([names.index(row["construct"]) for row in rows])
    plain = make_pool(rows, load_encoder().encode)
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        # One abstract is listed under two constructs.
        library.add_documents(list({d.id: d for d in plain.documents}.values()))
        library.add(fetch("mesh") / "mesh_id_label_mappings.tsv")
        library.add(fetch("hpo") / "hp.obo")
        linked = library.concepts(sorted(set(plain.ids)))
    count = np.mean([len(set(found)) for found in linked.values()])
    print(f"{count:.1f} concepts an abstract")
    pools = {
        "without": plain,
        "with": Pool(plain.documents, vectors=plain.vectors, concepts=linked).warm(),
    }
    many = {
        name: np.array([measured(pool, targets, topics, *split) for split in repeated(targets)])
        for name, pool in pools.items()
    }
    for column, measure in enumerate(("accuracy", "mAP")):
        before, after = many["without"][:, column], many["with"][:, column]
        p = corrected_t(after, before)
        print(f"{measure}: {before.mean():.4f} without, {after.mean():.4f} with, p = {p:.2f}")
    rng = np.random.default_rng(0)
    few: dict[str, list[tuple[float, float]]] = {name: [] for name in pools}
    for _ in range(5):
        drawn = [rng.permutation(np.flatnonzero(targets == t))[:FEW] for t in range(len(topics))]
        known = np.concatenate(drawn)
        rest = np.setdiff1d(np.arange(len(targets)), known)
        for name, pool in pools.items():
            few[name].append(measured(pool, targets, topics, known, rest))
    for name, found in few.items():
        accuracy, precision = np.mean(found, axis=0)
        print(f"{FEW} papers a topic, {name}: accuracy {accuracy:.4f}, mAP {precision:.4f}")


def measured(
    pool: Pool, targets: Ints, topics: list[Topic], train: Ints, test: Ints
) -> tuple[float, float]:
    scores = Hybrid().fit(pool.take(train), targets[train], topics).scores(pool.take(test))
    right = float((scores.argmax(axis=1) == targets[test]).mean())
    return right, mean_average_precision(scores, targets[test])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
