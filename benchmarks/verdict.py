"""Whether a list answers its question: the verdict against questions whose answer is known.

    python benchmarks/verdict.py --data DIR --libraries DIR --demo LIB --cache FILE [--teach]
    python benchmarks/verdict.py --data DIR --libraries DIR --demo LIB --cache FILE --final

Answerable: a set's questions put to its own library. Unanswerable: the same with every paper that
its judges call relevant left out ("without"), and put to the library of another set ("elsewhere").
Teaching takes PubMedQA, MedQuAD, keywords of PubMed citations (their licences allow weights to
ship; see ``verdict_sets``) and the questions of ``verdict_questions.tsv`` that are marked
``develop``; nfcorpus, cystic_fibrosis, cranfield and the other questions only measure. Libraries
are built below ``--libraries`` the first time, and what was looked at is kept in ``--cache``.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from osler import Library
from verdict_sets import HERE, MEASURED, TAUGHT, Row, by_hand, focus, keywords, rows_of

WEIGHTS = HERE.parent / "src" / "osler" / "retrieve" / "verdict.json"
TEACHING = (*TAUGHT, "focus", "keywords", "develop")
PAPERS = ("pubmedqa", "keywords", "develop")
"""Where false alarms are counted: MedQuAD's answers are cut out of their page, and many do not name
what they are about, as every paper does."""
PARTS = ("develop", "final", "further", "held", "fresh")
ENCODER = "osler-small"
MEANT = 0.05
"""False alarms that are meant: answerable questions that are told "nothing here"."""
PENALTY = 0.002
NEAR = 0.75
"""Answered is told from here on, unless "nothing" ends later."""
DUMB = ("words", "cosine")
HEAVY = {"develop": 3.0}
"""What a set weighs beside the others: these questions are put as people put them."""
ROUNDS = 8
"""How often the paper that speaks for a list is chosen anew by what was learned with the last."""
FOLDS = 10


def collected(asked: argparse.Namespace, names: Sequence[str]) -> dict[str, list[Row]]:
    """Rows by set, out of the cache as far as it has them."""
    sets: dict[str, Callable[[str, argparse.Namespace], Iterator[Row]]] = {
        "focus": lambda _, asked: focus(asked),
        "keywords": lambda _, asked: keywords(asked),
        **dict.fromkeys(PARTS, lambda part, asked: by_hand(part, asked.demo)),
    }
    kept: dict[str, list[Any]] = {}
    if asked.cache.exists():
        kept = json.loads(asked.cache.read_text())
    for name in names:
        if name not in kept:
            kept[name] = [list(row) for row in sets.get(name, rows_of)(name, asked)]
            asked.cache.write_text(json.dumps(kept))
            print(f"looked at {name}: {len(kept[name])} lists", file=sys.stderr, flush=True)
    return {name: [Row(*row) for row in kept[name]] for name in names}


FEATURES = {
    "with_vectors": ("lacking", "cosine", "title", "parts"),
    "without_vectors": ("lacking", "title", "parts"),
}
FREE = ("parts",)
"""What may speak for an answer or against one."""


def matrices(rows: Sequence[Row], names: Sequence[str]) -> list[np.ndarray]:
    """One matrix a list, a line a paper. A list without papers has one that lacks everything."""
    return [
        np.array([[paper.get(name, 0.0) for name in names] for paper in row.papers])
        if row.papers
        else np.array([[-9.0 if name == "lacking" else 0.0 for name in names]])
        for row in rows
    ]


def weighed(rows: Sequence[Row]) -> np.ndarray:
    """Each set weighs the same but for some, and answerable as much as not."""
    groups: dict[tuple[str, bool], int] = {}
    for row in rows:
        groups[row.set, row.answerable] = groups.get((row.set, row.answerable), 0) + 1
    weights = np.array([HEAVY.get(row.set, 1.0) / groups[row.set, row.answerable] for row in rows])
    return weights / weights.sum()


def taught(rows: Sequence[Row], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """The weights of the best paper's logistic regression: papers are chosen by the weights, and
    weights learned with these papers, in turn."""
    lists = matrices(rows, names)
    own = 1.0 / (np.vstack(lists).std(axis=0) + 1e-9)
    own[[name in FREE for name in names]] = 0.0
    bias = 0.0
    for _ in range(ROUNDS):
        best = np.array([papers[(papers @ own).argmax()] for papers in lists])
        bias, learned = regression(best, rows, names)
        if np.allclose(learned, own, atol=1e-4):
            break
        own = learned
    return round(bias, 4), {name: round(float(w), 4) for name, w in zip(names, own, strict=True)}


def regression(
    x: np.ndarray, rows: Sequence[Row], names: Sequence[str]
) -> tuple[float, np.ndarray]:
    """Logistic regression on standard scores, L2, weights not negative but for some."""
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
    return float(theta[0] - own @ middle), own


def probabilities(rows: Sequence[Row], bias: float, weights: Mapping[str, float]) -> np.ndarray:
    own = np.array(list(weights.values()))
    score = np.array([bias + (each @ own).max() for each in matrices(rows, list(weights))])
    return 1.0 / (1.0 + np.exp(-np.clip(score, -30, 30)))


def threshold(rows: Sequence[Row], p: np.ndarray) -> float:
    """Below it "nothing" is told: what the meant share of all answerable questions lies below, each
    set weighing as it is taught with."""
    kept = [at for at, row in enumerate(rows) if row.answerable and row.set in PAPERS]
    order = np.argsort(p[kept])
    weights = weighed([rows[at] for at in kept])[order]
    at = int(np.searchsorted(np.cumsum(weights), MEANT))
    return round(float(p[kept][order][at]), 4)


def crossed(rows: Sequence[Row], names: Sequence[str]) -> None:
    """Of the questions by hand that teach, each tenth judged by what the others teach."""
    order = np.random.default_rng(24).permutation(len(rows))
    nothing = np.zeros(len(rows), np.bool_)
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS].tolist())
        rest = [row for at, row in enumerate(rows) if at not in held or row.set not in PARTS]
        bias, weights = taught(rest, names)
        low = threshold(rest, probabilities(rest, bias, weights))
        for at in held:
            nothing[at] = probabilities([rows[at]], bias, weights)[0] < low
    by_hand = [at for at, row in enumerate(rows) if row.set in PARTS]
    report("cross-fitted", [rows[at] for at in by_hand], nothing[by_hand])


def report(title: str, rows: Sequence[Row], nothing: np.ndarray) -> None:
    """How often "nothing" is said, by kind of list."""
    said: dict[str, list[bool]] = {}
    for row, told in zip(rows, nothing, strict=True):
        by_answer = "answerable" if row.answerable else "not"
        kind = by_answer if row.set in PARTS else row.kind
        said.setdefault(f"{row.set} {kind}", []).append(bool(told))
    kinds = (f"{kind} {np.mean(each):.3f} ({len(each)})" for kind, each in said.items())
    print(f"{title:<28} {'  '.join(kinds)}")


def judge(rows: Mapping[str, Sequence[Row]], *, teach: bool) -> int:
    """Teach on the sets that may be taught from, and print what is said of all."""
    teaching = [row for name in TEACHING for row in rows.get(name, ())]
    models = {}
    for title, names in FEATURES.items():
        bias, weights = taught(teaching, names)
        low = threshold(teaching, probabilities(teaching, bias, weights))
        models[title] = {
            "bias": bias,
            "weights": weights,
            "nothing_below": low,
            "answered_from": max(NEAR, low),
        }
        print(title, {name: round(value, 2) for name, value in weights.items()}, "below", low)
        for each in rows.values():
            report(title, each, probabilities(each, bias, weights) < low)
        crossed(teaching, names)
    for name in DUMB:
        low = threshold(teaching, np.array([getattr(row, name) for row in teaching]))
        for each in rows.values():
            report(f"{name} alone", each, np.array([getattr(row, name) for row in each]) < low)
    for each in rows.values():
        report("constant: always nothing", each, np.ones(len(each), np.bool_))
    if teach:
        by = (
            "PubMedQA, MedQuAD, keywords of PubMed citations and the questions of "
            "benchmarks/verdict_questions.tsv that are marked develop"
        )
        shipping = {**models, "encoder": ENCODER, "taught_by": by}
        WEIGHTS.write_text(json.dumps(shipping, indent=1) + "\n")
    return 0


def by_search(demo: Path) -> int:
    """All questions by hand through ``library.search``, as a person asks: what it says, by what the
    questions are for and by when they were written."""
    with (HERE / "verdict_questions.tsv").open(encoding="utf-8") as lines:
        entries = list(csv.DictReader(lines, delimiter="\t"))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    with Library.open(demo) as library:
        for entry in entries:
            verdict = library.search(entry["question"], k=10).verdict
            assert verdict is not None
            for name in (entry["part"], f"written {entry['written']}"):
                group = counts.setdefault((name, entry["answerable"]), {})
                group[verdict.kind] = group.get(verdict.kind, 0) + 1
            wrong = "answered" if entry["answerable"] == "no" else "nothing"
            if verdict.kind == wrong:
                told = f"{verdict.kind} {verdict.probability:.2f} {verdict.text}"
                print(f"  {entry['part']}, answerable {entry['answerable']}: "
                      f"{entry['question']} -> {told}")  # fmt: skip
    for (name, answerable), group in sorted(counts.items()):
        said = ", ".join(f"{kind} {count}" for kind, count in sorted(group.items()))
        print(f"{name:<15} answerable {answerable:<4} {said}")
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
    names = asked.only or [*TEACHING, *MEASURED]
    if asked.final:
        return by_search(asked.demo)
    return judge(collected(asked, names), teach=asked.teach)


if __name__ == "__main__":
    sys.exit(main())
