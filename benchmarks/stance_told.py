"""Sides told of papers that a search brought, read by hand: how many are right.

    python benchmarks/stance_told.py LIB [--folds 10] [--times 5] [--teach FILE]

LIB is the demo library, or any with its papers. ``stance_told.tsv`` holds claims and questions of
our own with sentences of papers (PMID and place in title and abstract) and the side that somebody
who read sentence and title says they take. Each row is judged by a regression that saw neither its
question nor its sentence. Beside it stand the dumb rows: all sides that the heads lean to, and
their probability alone. ``--teach`` writes the table that ships (``src/osler/claims/trust.tsv``).
"""

from __future__ import annotations

import argparse
import csv
import os
import random
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from osler import Library
from osler.claims.paper import NAMED_FROM, TRUSTED_FROM, leaning, values_of
from osler.claims.trial import Features
from osler.claims.trust import Trust, Weight, trust_features
from osler.claims.verdict import UNCLEAR
from osler.kinds import Document
from osler.measures.calibration import expected_calibration_error
from stance import auc

ROWS = Path(__file__).with_name("stance_told.tsv")
STRENGTH = 0.01
"""The larger, the less the weights are held back."""
Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]


class Told(msgspec.Struct, frozen=True):
    """One side with what is known of it: whether a person found it right, and whether it is one
    that can be told at all (nothing in the paper contradicts it)."""

    question: str
    sentence: str
    features: Features
    probability: float
    clear: bool
    right: bool


def told_rows(library: Library, file: Path = ROWS) -> tuple[list[Told], int]:
    """The labelled sides, and how many are not leant to any more by the same sentence."""
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    papers = {
        one.ids.get("pmid", one.id): one
        for one in library.documents(sorted({row["pmid"] for row in rows}))
    }
    found = [_told(row, papers[row["pmid"]]) for row in rows if row["pmid"] in papers]
    kept = [one for one in found if one is not None]
    return kept, len(rows) - len(kept)


def _told(row: dict[str, str], paper: Document) -> Told | None:
    lean = leaning(row["question"], paper)
    if lean.start != int(row["start"]) or lean.supports + lean.refutes <= 0.0:
        return None
    values = values_of(row["question"], paper, lean)
    supporting = lean.supports >= lean.refutes
    return Told(
        question=row["question"],
        sentence=f"{row['pmid']}:{row['start']}",
        features=trust_features(row["question"], paper, lean, values),
        probability=max(lean.supports, lean.refutes),
        clear=lean.stance != UNCLEAR,
        right=row["side"] == ("supports" if supporting else "refutes"),
    )


def fit(rows: Sequence[Features], right: Floats, names: Sequence[str], strength: float) -> Trust:
    """Logistic regression on standardised features."""
    matrix = np.asarray([[row.get(name, 0.0) for name in names] for row in rows])
    mean, spread = matrix.mean(0), np.maximum(matrix.std(0), 1e-3)
    scaled = (matrix - mean) / spread

    def loss(flat: Floats) -> tuple[float, Floats]:
        score = scaled @ flat[:-1] + flat[-1]
        error = 1 / (1 + np.exp(-score)) - right
        value = (np.logaddexp(0, score) - right * score).sum() + (
            flat[:-1] ** 2
        ).sum() / 2 / strength
        return float(value), np.append(scaled.T @ error + flat[:-1] / strength, error.sum())

    best = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B").x
    weights = {
        name: Weight(*(round(float(one[at]), 4) for one in (mean, spread, best)))
        for at, name in enumerate(names)
    }
    return Trust(weights, round(float(best[-1]), 4))


def groups(rows: Sequence[Told]) -> list[int]:
    """Rows that share a question or a sentence, directly or over others, stay together."""
    first: dict[str, int] = {}
    own = list(range(len(rows)))

    def root(at: int) -> int:
        while own[at] != at:
            at = own[at]
        return at

    for at, row in enumerate(rows):
        for key in (row.question.lower(), row.sentence):
            own[root(at)] = root(first.setdefault(key, at))
    return [root(at) for at in range(len(rows))]


def held_out(
    rows: Sequence[Told], names: Sequence[str], number: int, seed: int, strength: float = STRENGTH
) -> Floats:
    """P(right) of each row by the other folds."""
    group = groups(rows)
    order = sorted(set(group))
    random.Random(seed).shuffle(order)
    fold = {name: at % number for at, name in enumerate(order)}
    judged = np.zeros(len(rows))
    for held in range(number):
        seen = [row for row, own in zip(rows, group, strict=True) if fold[own] != held]
        right = np.asarray([row.right for row in seen], float)
        trust = fit([row.features for row in seen], right, names, strength)
        for at, own in enumerate(group):
            if fold[own] == held:
                judged[at] = trust.probability(rows[at].features)
    return judged


def show(name: str, scores: Sequence[Floats], right: Marks, bar: float) -> None:
    """What is told from a bar on: the mean over several ways to cut the folds, and the worst."""
    told = [score >= bar for score in scores]
    shares = [float(right[one].mean()) if one.any() else 0.0 for one in told]
    counts = sum(int(one.sum()) for one in told)
    good = sum(int(right[one].sum()) for one in told)
    area = float(np.mean([auc(list(one[right]), list(one[~right])) for one in scores]))
    print(
        f"{name:36s} auc {area:.3f}  told {counts / len(told):5.1f} of {len(right)}  "
        f"right {good / len(told):5.1f} ({good / max(1, counts):.3f}; at worst {min(shares):.3f})"
    )


def table(trusts: dict[str, Trust], rows: Sequence[Told]) -> str:
    """The file that ships, with its card."""
    lines = [
        "# Weights of the second judge of searched sides (osler.claims.trust), taught by",
        "# python benchmarks/stance_told.py LIB --teach FILE; which also says how good it is.",
        f"# By {len(rows)} sides of PubMed abstracts, claims and questions of our own in English,",
        f"# read by hand: {sum(row.right for row in rows)} right. Logistic regression, strength",
        f"# {STRENGTH}. Columns: which judge, feature, mean, spread, weight.",
    ]
    for which, trust in trusts.items():
        lines.append(f"{which}\tbias\t0\t1\t{trust.bias}")
        lines += [
            f"{which}\t{name}\t{one.mean}\t{one.spread}\t{one.weight}"
            for name, one in sorted(trust.weights.items())
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--times", type=int, default=5, help="how often the folds are cut anew")
    parser.add_argument("--teach", type=Path)
    given = parser.parse_args()
    with Library.open(given.library) as library:
        rows, gone = told_rows(library)
    names = sorted({name for row in rows for name in row.features})
    asked = {
        "likeness": names,
        "words": [name for name in names if not name.startswith("likeness")],
    }
    right = np.asarray([row.right for row in rows])
    clear = np.asarray([row.clear for row in rows])
    alone = np.asarray([row.probability for row in rows])
    number = len({row.question for row in rows})
    print(f"{len(rows)} sides of {number} questions; {gone} are not leant to any more")
    show("all that can be told", [alone[clear]], right[clear], 0.0)
    show("probability of the heads, from .6", [alone[clear]], right[clear], NAMED_FROM)
    show("probability of the heads, from .8", [alone[clear]], right[clear], 0.8)
    for which, chosen in asked.items():
        judged = [held_out(rows, chosen, given.folds, seed)[clear] for seed in range(given.times)]
        for bar in (0.5, 0.6, TRUSTED_FROM, 0.8):
            show(f"second judge, {which}, from {bar}", judged, right[clear], bar)
        error = np.mean([expected_calibration_error(one, right[clear]) for one in judged])
        print(f"{'':36s} calibration {float(error):.3f}")
    if given.teach is not None:
        marks = right.astype(float)
        trusts = {
            which: fit([row.features for row in rows], marks, chosen, STRENGTH)
            for which, chosen in asked.items()
        }
        given.teach.write_text(table(trusts, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
