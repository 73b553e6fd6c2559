"""Which of the papers that were retrieved for a topic are about it? ``about`` beside dumb rows.

    python benchmarks/rank_retrieved.py DATA OUT [--only rdoc|clusters|judged] [--repeats 3]
                                        [--splits 15] [--first-seed 0] [--encoder minilm]

DATA is the folder that holds all sets, OUT keeps vectors. First the part of the recipe ``rdoc``
that asks this of the eight constructs, alone; then its part over the task's own clusters, whose
labels are away (``clusters``); their order is written to OUT/task1.trec. Then topics of other sets
whose near misses *people* judged: questions of the Cystic Fibrosis set, MeSH classes of OHSUMED,
questions of NFCorpus, and systematic reviews of the screening set. A ranker gets at most 33
relevant papers of a topic, other topics' as other topics, and papers of the PubMed sample as
background; then it ranks a cluster of held-out relevant papers with one near miss to four: what
BM25 finds for the topic's words and is not judged relevant (of a review: what its reviewers
excluded). Printed are mAP, mAP above a random order, and a paired t test over topics.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.stats import ttest_rel

from osler.files.source import Source
from osler.kinds import Document, Section
from osler.rank.measure import average_precision
from osler.rank.papers.about import About
from osler.rank.pool import Pool, joined
from osler.rank.topic import Topic
from osler.text.tokens import terms
from osler_papers.rank.svm import SvmRanker
from osler_papers.recipes import rdoc
from osler_papers.recipes.rdoc_clusters import measure_clusters
from osler_papers.recipes.rdoc_retrieved import (
    DUMB,
    OURS,
    Words,
    background_of,
    measure_retrieved,
    pubmed_sample,
    queries,
    read_set,
    retrieved,
)

TAUGHT, MOST, NEAR, DRAWS = 33, 70, 40, 4
NEIGHBOURS = 5
BACKGROUND = 450


class Judged(msgspec.Struct):
    """A topic: its words, its relevant papers and its near misses."""

    words: str
    relevant: list[Document]
    near: list[Document]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for _, line in Source(path).lines() if line]


def by_question(
    documents: list[Document],
    asked: Sequence[tuple[str, set[str]]],
    *,
    least: int,
    rng: np.random.Generator,
) -> list[Judged]:
    """Topics of questions with the ids of what is relevant to them."""
    words = Words([Document(id=d.id, title="", sections=(Section(d.text),)) for d in documents])
    place = {document.id: row for row, document in enumerate(documents)}
    topics = []
    for question, ids in asked:
        own = [place[id] for id in sorted(ids) if id in place]
        if len(own) < least:
            continue
        found = words.near_misses(set(terms(question)), most=NEAR + len(own))
        near = [row for row in found if documents[row].id not in ids][:NEAR]
        picked = rng.permutation(own)[:MOST]
        topics.append(
            Judged(question, [documents[r] for r in picked], [documents[r] for r in near])
        )
    return topics


def qrels(path: Path, least: int) -> dict[str, set[str]]:
    held: dict[str, set[str]] = {}
    for _, line in Source(path).lines():
        cells = (line or "").split()
        if len(cells) == 4 and cells[3].isdigit() and int(cells[3]) >= least:
            held.setdefault(cells[0], set()).add(cells[2])
    return held


def cystic_fibrosis(data: Path, rng: np.random.Generator) -> list[Judged]:
    name = "cystic_fibrosis"
    documents = read_set(data / name / "corpus.jsonl.gz", name)
    relevant = qrels(data / name / "qrels.tsv", 3)
    asked = [
        (q["text"], {f"{name} {id}" for id in relevant.get(str(q["_id"]), ())})
        for q in lines_of(data / name / "queries.jsonl")
    ]
    return by_question(documents, asked, least=25, rng=rng)


def nfcorpus(data: Path, rng: np.random.Generator) -> list[Judged]:
    name = "nfcorpus"
    documents = read_set(data / name / "corpus.jsonl.gz", name)
    relevant = qrels(data / name / "qrels.train.tsv.gz", 1)
    asked = [
        (q["text"], {f"{name} {id}" for id in relevant.get(q["_id"], ())})
        for q in lines_of(data / name / "queries.train.jsonl")
        if 40 <= len(relevant.get(q["_id"], ())) <= 200
    ]
    some = [asked[row] for row in rng.permutation(len(asked))[:24]]
    return by_question(documents, some, least=40, rng=rng)


def ohsumed(data: Path, rng: np.random.Generator) -> list[Judged]:
    name = "ohsumed_cat"
    documents = read_set(data / name / "docs.jsonl.gz", name)
    held: dict[str, set[str]] = {}
    for row in lines_of(data / name / "docs.jsonl.gz"):
        for label in row["labels"]:
            held.setdefault(label, set()).add(f"{name} {row['_id']}")
    classes = [line.split("\t") for _, line in Source(data / name / "classes.tsv").lines() if line]
    asked = [(cells[1], held.get(cells[0], set())) for cells in classes[1:]]
    return [t for t in by_question(documents, asked, least=60, rng=rng) if len(t.near) >= 15]


def screening(data: Path, rng: np.random.Generator) -> list[Judged]:
    topics = []
    for path in sorted((data / "screening").glob("*.csv.gz")):
        kinds: dict[str, list[Document]] = {"0": [], "1": []}
        with gzip.open(path) as packed:
            table = csv.DictReader(io.TextIOWrapper(packed, encoding="utf-8"))
            for number, row in enumerate(table):
                document = Document(
                    id=f"{path.name} {number}",
                    title=row["title"],
                    sections=(Section(row["abstract"]),),
                )
                kinds.setdefault(row["label_included"], []).append(document)
        picked = {kind: rng.permutation(len(own)) for kind, own in kinds.items()}
        included = [kinds["1"][row] for row in picked["1"][:110]]
        excluded = [kinds["0"][row] for row in picked["0"][:60]]
        if len(included) >= 25:
            topics.append(Judged(path.name.split(".")[0], included, excluded))
    return topics


FAMILIES: dict[str, Callable[[Path, np.random.Generator], list[Judged]]] = {
    "cystic_fibrosis": cystic_fibrosis,
    "ohsumed_cat": ohsumed,
    "nfcorpus": nfcorpus,
    "screening": screening,
}


def units(vectors: Any) -> Any:
    wide = np.asarray(vectors, dtype=np.float64)
    return wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12)


def measured(topics: list[Judged], background: Pool, encode: Any, repeats: int) -> dict[str, Any]:
    """By method, the average precision of each topic over repeats and draws."""

    def pool_of(documents: Sequence[Document]) -> Pool:
        return Pool(documents, vectors=encode([d.text for d in documents])).warm()

    relevant = [pool_of(topic.relevant) for topic in topics]
    near = [pool_of(topic.near) for topic in topics]
    named = [Topic(topic.words) for topic in topics]
    values: dict[str, list[list[float]]] = {}
    for repeat in range(repeats):
        rng = np.random.default_rng(repeat)
        orders = [rng.permutation(len(pool)) for pool in relevant]
        taught = [min(TAUGHT, len(order) // 2) for order in orders]
        parts = [p.take(o[:n]) for p, o, n in zip(relevant, orders, taught, strict=True)]
        known = parts[0]
        for part in parts[1:]:
            known = joined(known, part)
        targets = np.repeat(np.arange(len(topics)), taught)
        none = np.full(len(background), len(topics), dtype=np.int64)
        svm = SvmRanker().fit(known, targets, named)
        ours = About().fit(joined(known, background), np.concatenate([targets, none]), named)
        taught_ids = set(known.ids)
        for number in range(len(topics)):
            held = relevant[number].take(orders[number][taught[number] :])
            others = near[number].take(
                [row for row, id in enumerate(near[number].ids) if id not in taught_ids]
            )
            whole = joined(held, others)
            vectors, own = units(whole.vectors), units(parts[number].vectors)
            scored = {
                "centroid": vectors @ own.mean(axis=0),
                "neighbours": np.sort(vectors @ own.T, axis=1)[:, -NEIGHBOURS:].mean(axis=1),
                "SVM": svm.scores(whole)[:, number],
                OURS: ours.scores(whole)[:, number],
                "random": rng.random(len(whole)),
            }
            for _ in range(DRAWS):
                drawn = rng.choice(len(others), min(max(2, round(len(held) / 4)), len(others)),
                                   replace=False)  # fmt: skip
                rows = rng.permutation([*range(len(held)), *(len(held) + drawn)])
                for name, scores in scored.items():
                    by_topic = values.setdefault(name, [[] for _ in topics])
                    by_topic[number].append(
                        average_precision(np.asarray(scores)[rows], rows < len(held))
                    )
    return {name: np.array([np.mean(row) for row in rows]) for name, rows in values.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", choices=("rdoc", "clusters", "judged"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--splits", type=int, default=15)
    parser.add_argument("--first-seed", type=int, default=0, help="5 and more: other splits")
    parser.add_argument("--encoder", default="", help="an encoder by name; left open the default")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    encode = rdoc.cached_encoder(asked.out / "vectors.safetensors", print, asked.encoder)
    if asked.only != "judged":
        folder = asked.data / "rdoc"
        constructs = rdoc.read_constructs(folder / "constructs.tsv")
        rows = rdoc.read_rows(folder / "train.jsonl.gz")
        topics = [Topic(id) for id in constructs]
        targets = rdoc.numbers_of(rows, constructs)
        pool = rdoc.make_pool(rows, encode)
        sources = retrieved(asked.data, queries(pool, targets, topics), encode)
        if asked.only != "clusters":
            _, lines = measure_retrieved(
                pool, targets, topics, sources, encode,
                progress=lambda text: None, splits=asked.splits, first=asked.first_seed,
            )  # fmt: skip
            print("\n".join(lines), flush=True)
        if asked.only != "rdoc":
            tests = [
                rdoc.read_rows(folder / f"{name}_test.jsonl.gz") for name in ("task1", "task2")
            ]
            first, second = (
                (rdoc.make_pool(test, encode), rdoc.numbers_of(test, constructs)) for test in tests
            )
            none = background_of(sources)
            _, lines = measure_clusters(pool, targets, topics, none, first, second, encode)
            print("\n".join(lines), flush=True)
            rdoc.predict_papers(
                asked.out / "task1.trec", pool, targets, topics, none, tests[0], encode
            )
    if asked.only not in ("rdoc", "clusters"):
        sample = pubmed_sample()
        drawn = np.random.default_rng(0).permutation(len(sample))[:BACKGROUND]
        documents = [sample[row] for row in drawn]
        background = Pool(documents, vectors=encode([d.text for d in documents])).warm()
        for name, make in FAMILIES.items():
            judged = make(asked.data, np.random.default_rng(7))
            found = measured(judged, background, encode, asked.repeats)
            chance = found["random"].mean()
            told = ", ".join(
                f"{m} {v.mean():.4f} ({v.mean() - chance:+.4f})" for m, v in found.items()
            )
            p = ", ".join(f"{m} {ttest_rel(found[OURS], found[m]).pvalue:.4f}" for m in DUMB)
            print(f"{name}, {len(judged)} topics: {told}; p of {OURS} over {p}", flush=True)


if __name__ == "__main__":
    main()
