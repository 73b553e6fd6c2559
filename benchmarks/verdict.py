"""Whether a list answers its question: the verdict against questions whose answer is known.

    python benchmarks/verdict.py --data DIR --libraries DIR --demo LIB --cache FILE [--teach]
    python benchmarks/verdict.py --data DIR --libraries DIR --demo LIB --cache FILE --final

Answerable: a set's questions put to its own library. Unanswerable: the same with every paper that
its judges call relevant left out ("without"), and put to the library of another set ("elsewhere").
Teaching takes PubMedQA and MedQuAD alone (their licences allow weights to ship) and the half of
``verdict_questions.tsv`` that is marked ``develop``; nfcorpus, cystic_fibrosis, cranfield and the
other half only measure. Libraries are built below ``--libraries`` the first time, and what was
looked at is kept in ``--cache``.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from osler import Library
from osler.measures.trec import read_qrels, read_queries
from osler.retrieve.verdict import look, nearest_of
from osler.verbs.search import ranker_of

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src" / "osler" / "retrieve" / "verdict.json"
TAUGHT = ("pubmedqa", "medquad")
PAPERS = ("pubmedqa", "develop")
"""Where false alarms are counted: MedQuAD's answers are cut out of their page, and many do not name
what they are about, as every paper does."""
MEASURED = ("nfcorpus", "cystic_fibrosis", "cranfield")
ENCODER = "osler-small"
MOST = 120
"""Questions of a set, drawn by a seed."""
ANSWER = 3_000
"""Letters of an answer that are taken as its paper: as long as an abstract."""
MEANT = 0.05
"""False alarms that are meant: answerable questions that are told "nothing here"."""
PENALTY = 0.002
WHOLE = 0.9999
NEAR = 0.75
"""Answered is told from here on, unless "nothing" ends later."""
DUMB = ("words", "cosine")


class Row(NamedTuple):
    """One question put to one library."""

    set: str
    kind: str
    answerable: bool
    features: dict[str, float]


def texts_of(name: str, data: Path) -> tuple[dict[str, str], dict[str, str], dict[str, set[str]]]:
    """Papers of a taught set, its questions, and which papers answer each."""
    papers: dict[str, str] = {}
    questions: dict[str, str] = {}
    file = {"pubmedqa": "questions.jsonl.gz", "medquad": "qa.jsonl.gz"}[name]
    with gzip.open(data / name / file, "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    if name == "medquad":
        random.Random(1).shuffle(entries)
    foci: set[str] = set()
    for entry in entries:
        if name == "pubmedqa":
            papers[entry["_id"]] = " ".join([*entry["contexts"], entry["long_answer"]])
        elif entry["focus"].lower() in foci or not entry["answer"].strip() or len(papers) >= 900:
            continue
        else:
            foci.add(entry["focus"].lower())
            papers[entry["_id"]] = entry["answer"][:ANSWER]
        questions[entry["_id"]] = entry["question"]
    return papers, questions, {id: {id} for id in questions}


def questions_of(name: str, data: Path) -> tuple[dict[str, str], dict[str, set[str]]]:
    """The questions of a set and the papers that are relevant to each."""
    if name in TAUGHT:
        _, questions, relevant = texts_of(name, data)
    else:
        questions = read_queries(data / name / "queries.jsonl")
        judged = read_qrels(data / name / "qrels.tsv")
        relevant = {
            id: {paper for paper, grade in judged.get(id, {}).items() if grade > 0}
            for id in questions
        }
    chosen = sorted(id for id in questions if relevant[id])
    random.Random(24).shuffle(chosen)
    return {id: questions[id] for id in chosen[:MOST]}, relevant


def library_of(name: str, data: Path, place: Path) -> Library:
    """The library of a set with vectors and MeSH, built on the first call."""
    if (place / "library.json").exists():
        return Library.open(place)
    library = Library.create(place)
    corpus = data / name / "corpus.jsonl.gz"
    if name in TAUGHT:
        corpus = place.with_suffix(".jsonl.gz")
        papers, _, _ = texts_of(name, data)
        with gzip.open(corpus, "wt", encoding="utf-8") as out:
            for id, text in papers.items():
                out.write(json.dumps({"_id": id, "title": "", "text": text}) + "\n")
    library.add([corpus])
    library.add([data / "mesh" / "descriptors.tsv.gz"], format="mesh")
    library.embed()
    return library


def looked_at(library: Library, text: str, *withouts: set[str]) -> list[dict[str, float]]:
    """The features of a question's list, with some papers taken as not there."""
    ranker, _ = ranker_of(library, None)
    lists = []
    searcher = library.searcher
    request = searcher.request(text, 1_000, None, plain=True)
    with library.truth.snapshot():
        view = searcher.view.for_question(text)
        fused = ranker.rank(request, view)
        rows = fused.rows[fused.order()].tolist()
        nearest = nearest_of(request, view)
        for without in withouts:
            left_out = {row for row, _ in view.documents.numbered(sorted(without)).values()}
            seen = look(text, rows, view, nearest=nearest, without=frozenset(left_out))
            kept = ~np.isin(fused.rows, sorted(left_out))
            words = float(fused.raw["words"][kept].max(initial=0.0))
            lists.append({**seen.features, "words": words})
    return lists


def rows_of(name: str, asked: argparse.Namespace) -> Iterator[Row]:
    """A set's questions, put to its own library and to those of the others."""
    questions, relevant = questions_of(name, asked.data)
    others = [other for other in (TAUGHT if name in TAUGHT else MEASURED) if other != name]
    with library_of(name, asked.data, asked.libraries / name) as library:
        for id, text in questions.items():
            own, without = looked_at(library, text, set(), relevant[id])
            yield Row(name, "own", True, own)
            yield Row(name, "without", False, without)
    for other in others:
        with library_of(other, asked.data, asked.libraries / other) as library:
            for text in list(questions.values())[: MOST // 2]:
                yield Row(name, "elsewhere", False, *looked_at(library, text, set()))


def by_hand(part: str, demo: Path) -> Iterator[Row]:
    """The questions written by hand, put to the demo library; ids have no need of a model."""
    with (HERE / "verdict_questions.tsv").open(encoding="utf-8") as lines:
        entries = [
            entry
            for entry in csv.DictReader(lines, delimiter="\t")
            if entry["part"] == part and entry["kind"] != "id"
        ]
    with Library.open(demo) as library:
        for entry in entries:
            (features,) = looked_at(library, entry["question"], set())
            yield Row(part, entry["question"], entry["answerable"] == "yes", features)


def collected(asked: argparse.Namespace, names: Sequence[str]) -> dict[str, list[Row]]:
    """Rows by set, out of the cache as far as it has them."""
    kept: dict[str, list[Any]] = {}
    if asked.cache.exists():
        kept = json.loads(asked.cache.read_text())
    for name in names:
        if name not in kept:
            hand = name in ("develop", "final")
            rows = by_hand(name, asked.demo) if hand else rows_of(name, asked)
            kept[name] = [list(row) for row in rows]
            asked.cache.write_text(json.dumps(kept))
            print(f"looked at {name}: {len(kept[name])} lists", file=sys.stderr, flush=True)
    return {name: [Row(*row) for row in kept[name]] for name in names}


VECTORS = ("cosine",)
FREE = ("parts",)
"""What may speak for an answer or against one."""


def names_of(rows: Sequence[Row], vectors: bool) -> list[str]:
    named = [name for name in rows[0].features if name != "words"]
    return [name for name in named if vectors or name not in VECTORS]


def matrix(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    return np.array([[row.features.get(name, 0.0) for name in names] for row in rows])


def weighed(rows: Sequence[Row]) -> np.ndarray:
    """Each set weighs the same, and answerable as much as not."""
    groups: dict[tuple[str, bool], int] = {}
    for row in rows:
        groups[row.set, row.answerable] = groups.get((row.set, row.answerable), 0) + 1
    weights = np.array([1.0 / groups[row.set, row.answerable] for row in rows])
    return weights / weights.sum()


def taught(rows: Sequence[Row], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """Logistic regression on standard scores, L2, weights not negative but for some."""
    x = matrix(rows, names)
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    scaled = (x - middle) / spread
    side = np.array([1.0 if row.answerable else -1.0 for row in rows])
    weights = weighed(rows)

    def loss(theta: np.ndarray) -> float:
        margins = side * (theta[0] + scaled @ theta[1:])
        return float(weights @ np.logaddexp(0, -margins) + PENALTY * (theta[1:] ** 2).sum())

    bounds = [(None, None), *((None if name in FREE else 0.0, None) for name in names)]
    theta = minimize(loss, np.zeros(len(names) + 1), bounds=bounds, method="L-BFGS-B").x
    own = theta[1:] / spread
    bias = float(theta[0] - own @ middle)
    return round(bias, 4), {name: round(float(w), 4) for name, w in zip(names, own, strict=True)}


def probabilities(rows: Sequence[Row], bias: float, weights: Mapping[str, float]) -> np.ndarray:
    score = bias + matrix(rows, list(weights)) @ np.array(list(weights.values()))
    return 1.0 / (1.0 + np.exp(-np.clip(score, -30, 30)))


def threshold(rows: Sequence[Row], p: np.ndarray) -> float:
    """Below it "nothing" is told: what the meant share of all answerable questions lies below, each
    set weighing the same. Where one paper holds every part, it is never told."""
    kept = [at for at, row in enumerate(rows) if row.answerable and row.set in PAPERS]
    listed = np.where(lacking([rows[at] for at in kept]), p[kept], np.inf)
    order = np.argsort(listed)
    weights = weighed([rows[at] for at in kept])[order]
    at = int(np.searchsorted(np.cumsum(weights), MEANT))
    return round(float(listed[order][at]), 4)


def lacking(rows: Sequence[Row]) -> np.ndarray:
    """Whether every paper lacks a part of the question."""
    return np.array([row.features["best"] < WHOLE for row in rows])


def report(title: str, rows: Sequence[Row], nothing: np.ndarray) -> None:
    """How often "nothing" is said, by kind of list."""
    said: dict[str, list[bool]] = {}
    for row, told in zip(rows, nothing, strict=True):
        by_answer = "answerable" if row.answerable else "not"
        kind = by_answer if row.set in ("develop", "final") else row.kind
        said.setdefault(f"{row.set} {kind}", []).append(bool(told))
    kinds = (f"{kind} {np.mean(each):.3f} ({len(each)})" for kind, each in said.items())
    print(f"{title:<28} {'  '.join(kinds)}")


def judge(rows: Mapping[str, Sequence[Row]], *, teach: bool) -> int:
    """Teach on the sets that may be taught from, and print what is said of all."""
    teaching = [row for name in (*TAUGHT, "develop") for row in rows.get(name, ())]
    models = {}
    for title, vectors in (("with_vectors", True), ("without_vectors", False)):
        bias, weights = taught(teaching, names_of(teaching, vectors))
        p = probabilities(teaching, bias, weights)
        low = threshold(teaching, p)
        models[title] = {
            "bias": bias,
            "weights": weights,
            "nothing_below": low,
            "answered_from": max(NEAR, low),
        }
        print(title, {name: round(value, 2) for name, value in weights.items()}, "below", low)
        for each in rows.values():
            report(title, each, (probabilities(each, bias, weights) < low) & lacking(each))
    for name in DUMB:
        low = threshold(teaching, matrix(teaching, [name])[:, 0])
        for each in rows.values():
            report(f"{name} alone", each, matrix(each, [name])[:, 0] < low)
    for each in rows.values():
        report("constant: always nothing", each, np.ones(len(each), np.bool_))
    if teach:
        by = "PubMedQA, MedQuAD and the developing half of benchmarks/verdict_questions.tsv"
        shipping = {**models, "encoder": ENCODER, "taught_by": by}
        WEIGHTS.write_text(json.dumps(shipping, indent=1) + "\n")
    return 0


def by_search(demo: Path) -> int:
    """All questions by hand through ``library.search``, as a person asks: what it says, by half."""
    with (HERE / "verdict_questions.tsv").open(encoding="utf-8") as lines:
        entries = list(csv.DictReader(lines, delimiter="\t"))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    with Library.open(demo) as library:
        for entry in entries:
            verdict = library.search(entry["question"], k=10).verdict
            assert verdict is not None
            group = counts.setdefault((entry["part"], entry["answerable"]), {})
            group[verdict.kind] = group.get(verdict.kind, 0) + 1
            wrong = "answered" if entry["answerable"] == "no" else "nothing"
            if verdict.kind == wrong:
                told = f"{verdict.kind} {verdict.probability:.2f} {verdict.text}"
                print(f"  {entry['part']}, answerable {entry['answerable']}: "
                      f"{entry['question']} -> {told}")  # fmt: skip
    for (part, answerable), group in counts.items():
        said = ", ".join(f"{kind} {count}" for kind, count in sorted(group.items()))
        print(f"{part:<8} answerable {answerable:<4} {said}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--demo", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--teach", action="store_true", help="write the weights that ship")
    parser.add_argument("--only", action="append", help="these sets alone")
    parser.add_argument(
        "--final", action="store_true", help="ask the demo library all questions by hand"
    )
    asked = parser.parse_args()
    asked.libraries.mkdir(parents=True, exist_ok=True)
    names = asked.only or [*TAUGHT, "develop", *MEASURED]
    if asked.final:
        return by_search(asked.demo)
    return judge(collected(asked, names), teach=asked.teach)


if __name__ == "__main__":
    sys.exit(main())
