"""Claims with passages: a head taught by the claims of other questions."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from osler.claims.heads import fit
from osler.claims.judge import MAX_CLAIM, stance
from osler.claims.own import SIDES, Features, Floats, fit_own
from osler.claims.words import words
from osler.measures.classification import precision_recall_f1
from osler.text.encoder import load_encoder

FOLDS = 5
SEEDS = (0, 1, 2)
SURE = 0.8


def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]:
    with (data / "healthver" / "pairs.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    pairs = [(row["claim"].strip()[:MAX_CLAIM], row["evidence"]) for row in rows]
    gold = [row["label"].lower() for row in rows]
    questions = [row["question"] for row in rows]
    progress(f"{len(rows):,} pairs, {len(set(questions))} questions")
    told = [stance(*pair) for pair in pairs]
    judged = {
        "largest class": [np.asarray([[0.0, 0.0, 1.0]] * len(rows))],
        "shipped": [np.asarray([[one.supports, one.refutes, one.neutral] for one in told])],
        "words": words_alone(pairs, gold, questions),
    }
    features = Features(load_encoder())
    matrix = features.rows(pairs)
    progress("features are there")
    judged["taught"] = taught(matrix, gold, questions, features.blocks)
    results: dict[str, float] = {}
    lines_out = ["| row | macro-F1 | AUC of supports over refutes | refuted as supported at .8 |"]
    lines_out.append("| --- | --- | --- | --- |")
    for name, runs in judged.items():
        figures = np.mean([measured(gold, one) for one in runs], axis=0)
        named = ("macro-F1", "AUC", "refuted as supported at .8")
        results |= {f"{name} {what}": float(v) for what, v in zip(named, figures, strict=True)}
        lines_out.append("| " + " | ".join([name, *(f"{v:.3f}" for v in figures)]) + " |")
    (out / "report.md").write_text("\n".join(lines_out) + "\n", encoding="utf-8")
    return results


def folds(groups: Sequence[str], seed: int) -> list[NDArray[np.bool_]]:
    """For each fold a mask of its rows; a group is never cut."""
    names = sorted(set(groups))
    random.Random(seed).shuffle(names)  # noqa: S311 - how folds are cut is no secret
    number = {name: at % FOLDS for at, name in enumerate(names)}
    return [np.asarray([number[group] == at for group in groups]) for at in range(FOLDS)]


def taught(
    matrix: Floats, gold: Sequence[str], questions: Sequence[str], blocks: Sequence[int]
) -> list[Floats]:
    """Probabilities of each pair from a head that saw none of its question, once a seed."""
    labels = np.asarray(gold)
    runs = []
    for seed in SEEDS:
        judged = np.zeros((len(gold), len(SIDES)))
        for held in folds(questions, seed):
            head = fit_own(matrix[~held], labels[~held].tolist(), blocks)
            judged[held] = head.probabilities(matrix[held])
        runs.append(judged)
    return runs


def words_alone(
    pairs: Sequence[tuple[str, str]], gold: Sequence[str], questions: Sequence[str]
) -> list[Floats]:
    """The dumb row: words of both counted."""
    bags = [
        {f"{who}:{word.stem}": 1.0 for who, text in zip("ct", pair, strict=True)
         for word in words(text) if not word.mark} | {"bias": 1.0}
        for pair in pairs
    ]  # fmt: skip
    judged = np.zeros((len(gold), len(SIDES)))
    for held in folds(questions, SEEDS[0]):
        seen, kept = np.flatnonzero(~held).tolist(), np.flatnonzero(held).tolist()
        head = fit(
            [bags[at] for at in seen],
            [gold[at] for at in seen],
            SIDES,
            strength=0.03,
            balanced=1.0,
        )
        judged[kept] = [head.probabilities(bags[at]) for at in kept]
    return [judged]


def measured(gold: Sequence[str], judged: Floats) -> tuple[float, float, float]:
    """Macro-F1, AUC of supports over refutes, share of refuted told as supported surely."""
    guess = [SIDES[int(p.argmax())] for p in judged]
    known = [one for one, count in Counter(gold).items() if count]
    f1 = np.mean([precision_recall_f1(gold, guess, positive=one).f1 for one in known])
    lean = judged[:, 0] - judged[:, 1]
    labels = np.asarray(gold)
    good, bad = lean[labels == "supports"], lean[labels == "refutes"]
    above = (good[:, None] > bad).mean() + 0.5 * (good[:, None] == bad).mean()
    wrong = (judged[labels == "refutes", 0] >= SURE).mean()
    return float(f1), float(above), float(wrong)
