"""What keeps a row of Chaudhary et al. 2019 from its published number: one thing varied at a time.

    python benchmarks/rank_rows.py DATA

DATA is the folder of the recipe ``rdoc``, whose fifteen splits these are. Each line is a mean,
where one more split is expected, and the best of the splits. Takes half an hour on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.rank.measure import clustered_map, sentence_hits
from osler.rank.networks.sentence import SupervisedSentence
from osler.rank.papers.a_sup_docnade import ASupDocNadeRanker
from osler.rank.papers.qar import QarRanker
from osler.rank.pool import Ints, Pool
from osler.rank.sentence_ranker import Abstract, SentenceRanker
from osler.rank.sentences.siamese import SiameseSentences
from osler.rank.sentences.supervised import Likeness, SupervisedSentences, likeness
from osler.rank.sentences.unsupervised import UnsupervisedOne, UnsupervisedTwo
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.rank.words import fasttext_vectors
from osler_papers.rank.svm import SvmRanker
from osler_papers.recipes.rdoc import make_abstracts, make_pool, read_constructs, read_rows
from osler_papers.recipes.rdoc_tables import spread
from osler_papers.recipes.rdoc_words import first_vectors, second_vectors

ROUNDS = (1, 2, 3, 5, 8)


def main(data: Path) -> None:
    folder = data / "rdoc"
    names = read_constructs(folder / "constructs.tsv")
    topics = [Topic(name) for name in names]
    train = read_rows(folder / "train.jsonl.gz")
    targets = np.array([names.index(row["construct"]) for row in train])
    more = [row for n in ("task1", "task2") for row in read_rows(folder / f"{n}_test.jsonl.gz")]
    texts = [f"{row['title']}\n{row['abstract']}" for row in (*train, *more)]
    texts = list(dict.fromkeys([*texts, *(topic.words for topic in topics)]))
    vectors: dict[str, Any] = {"fastText of the set": fasttext_vectors(texts, dimension=300)}
    for make in (second_vectors, first_vectors):
        kind, name = make(texts, progress=print)
        vectors[name] = kind
    abstracts = make_abstracts(train, topics, None)
    unsupervised(abstracts, targets, vectors)
    supervised(abstracts, targets, kind)
    papers(make_pool(train, None), targets, topics, vectors)


def unsupervised(abstracts: list[Abstract], targets: Ints, vectors: dict[str, Any]) -> None:
    print("\nversions 1 and 2 (published 0.701, 0.526), by word vectors and weight of BM25-Extra")
    for name, kind in vectors.items():
        for scale in ("raw", "share", "none"):
            for version in (UnsupervisedOne, UnsupervisedTwo):
                values = []
                for train, test in repeated(targets):
                    ranker = version(vectors=kind, scale="raw" if scale == "raw" else "share")
                    ranker.fit([abstracts[row] for row in train])
                    if scale == "none":
                        ranker.bm25.table = lambda _, texts: np.zeros((len(texts), 5))
                    values.append(accuracy(ranker, [abstracts[row] for row in test]))
                say(f"version {version.version}, {name}, BM25-Extra {scale}", values)


def supervised(abstracts: list[Abstract], targets: Ints, vectors: Any) -> None:
    print("\nthe supervised ranker (published 0.772 with beta 0, 0.737 with beta 1)")
    values: dict[str, list[float]] = {}
    for train, test in repeated(targets):
        known, held = [abstracts[row] for row in train], [abstracts[row] for row in test]
        usable = [abstract for abstract in known if len(abstract) and abstract.relevant.any()]
        shared = likeness(lambda: SiameseSentences(vectors=vectors), known)
        values.setdefault("siamese alone", []).append(accuracy(shared.siamese, held))
        seen = Likeness(shared.siamese, [shared.siamese.scores(a) for a in usable])
        for beta in (0.0, 1.0):
            made = {
                f"{rounds} rounds of G": SupervisedSentences(
                    beta=beta, likeness=shared, rounds=rounds
                )
                for rounds in ROUNDS
            }
            made["G as drawn"] = SupervisedSentences(beta=beta, likeness=shared, rounds=0)
            made["likeness of sentences that the siamese saw"] = SupervisedSentences(
                beta=beta, likeness=seen
            )
            found = {name: accuracy(r.fit(known), held) for name, r in made.items()}
            found["rounds chosen on the held-out split itself"] = max(
                found[f"{rounds} rounds of G"] for rounds in ROUNDS
            )
            found["inputs as they are, no least squares"] = plain(beta, shared, known, held)
            for name, value in found.items():
                values.setdefault(f"beta {beta:.0f}, {name}", []).append(value)
    for name, row in values.items():
        say(name, row)


def plain(beta: float, shared: Likeness, known: list[Abstract], held: list[Abstract]) -> float:
    """The ranker without its scaled inputs and its least squares."""
    kept = SupervisedSentence.scale, SupervisedSentence.solve
    SupervisedSentence.scale = SupervisedSentence.solve = lambda *_: None
    try:
        return accuracy(SupervisedSentences(beta=beta, likeness=shared).fit(known), held)
    finally:
        SupervisedSentence.scale, SupervisedSentence.solve = kept


def papers(pool: Pool, targets: Ints, topics: list[Topic], vectors: dict[str, Any]) -> None:
    print("\na-supDocNADE: accuracy (published 0.912 without vectors, 0.947, 0.965 with two)")
    print("re-ranked by QAR: mAP inside clusters (published 0.992 after SVM, 0.994)")
    first, second, third = vectors
    closeness = {
        f"by QAR, {name}": QarRanker(vectors=kind).fit(pool, targets, topics).scores(pool)
        for name, kind in vectors.items()
    }
    for names in (None, (), (first,), (third,), (first, second), (third, second)):
        values: list[float] = []
        again: dict[str, list[float]] = {name: [] for name in (*closeness, "in no order")}
        for train, test in repeated(targets):
            ranker: Any = SvmRanker()
            if names is not None:
                ranker = ASupDocNadeRanker(vectors=[vectors[name] for name in names], epochs=15)
            ranker.fit(pool.take(train), targets[train], topics)
            predicted = ranker.scores(pool.take(test)).argmax(axis=1)
            values.append(float((predicted == targets[test]).mean()))
            for name, scores in closeness.items():
                again[name].append(clustered_map(scores[test], predicted, targets[test]))
            again["in no order"].append(no_order(predicted, targets[test], len(topics)))
        say("SVM" if names is None else f"a-supDocNADE, {' and '.join(names) or 'none'}", values)
        for name, row in again.items():
            say(f"    re-ranked {name}", row)


def no_order(predicted: Ints, gold: Ints, topics: int) -> float:
    """What mAP inside clusters is worth: that of clusters shuffled, the mean of 50 times."""
    rng = np.random.default_rng(0)
    drawn = (rng.random((len(gold), topics)) for _ in range(50))
    return float(np.mean([clustered_map(scores, predicted, gold) for scores in drawn]))


def accuracy(ranker: SentenceRanker, abstracts: Sequence[Abstract]) -> float:
    return float(np.mean(sentence_hits(ranker, abstracts)))


def say(name: str, values: Sequence[float]) -> None:
    print(f"{name}: {spread(np.array(values))}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
