"""Stance on sets that people labelled, cross-validated by article and by question.

    python benchmarks/stance.py --data DIR [--only trials|asked|claims|pairs] [--folds 5] [--seed 0]

DIR is the folder that holds evidence_inference, pubmedqa and healthver. Beside each of our rows
stand the dumb ones: the largest class, and words counted by logistic regression. No row has seen
the article or question that it judges; healthver teaches only the row that says so.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np

from osler.claims.examples import TRIAL_CLASSES, Prompt, Question
from osler.claims.heads import fit
from osler.claims.judge import stance
from osler.claims.pairs import template_pairs
from osler.claims.recipe import recipe_features
from osler.claims.teach import teach, teach_asked, teach_finder, teach_sided
from osler.claims.trial import ngrams, trial_features
from osler.claims.weights import Weights, shipped
from osler.claims.words import words
from osler.measures.calibration import expected_calibration_error
from osler.measures.classification import precision_recall_f1

LABELS = {
    "significantly increased": "increased",
    "significantly decreased": "decreased",
    "no significant difference": "no difference",
}
SIDES = ("supports", "refutes", "neutral")
SURE = 0.8


def prompts(folder: Path) -> list[Prompt]:
    read = []
    with gzip.open(folder / "evidence_inference" / "prompts.jsonl.gz", "rt", encoding="utf-8") as f:
        for line in f:
            row = json.loads(line)
            if row.get("label"):
                texts = dict.fromkeys(" ".join(one["text"].split()) for one in row["evidence"])
                read.append(
                    Prompt(
                        row["intervention"],
                        row["comparator"],
                        row["outcome"],
                        tuple(text for text in texts if text),
                        LABELS[row["label"]],
                        row["doc"],
                    )
                )
    return read


def questions(folder: Path) -> list[Question]:
    with gzip.open(folder / "pubmedqa" / "questions.jsonl.gz", "rt", encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    return [
        Question(
            row["_id"],
            row["question"],
            tuple(row["contexts"]),
            row["long_answer"],
            row["final_decision"],
        )
        for row in rows
    ]


def folds(groups: Sequence[str], number: int, seed: int = 0) -> list[set[int]]:
    """Rows of each fold; a group is never cut."""
    names = sorted(set(groups))
    random.Random(seed).shuffle(names)
    fold_of = {name: at % number for at, name in enumerate(names)}
    return [
        {row for row, group in enumerate(groups) if fold_of[group] == at} for at in range(number)
    ]


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Probability that a positive stands above a negative, ties for a half."""
    values = np.concatenate([positive, negative])
    order = values.argsort(kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(1, len(values) + 1)
    for value in np.unique(values):
        same = values == value
        ranks[same] = ranks[same].mean()
    n = len(positive)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * len(negative)))


def calibration(probability: Sequence[float], right: Sequence[bool]) -> float:
    return float(expected_calibration_error(np.asarray(probability), np.asarray(right)))


def macro_f1(gold: Sequence[str], guess: Sequence[str]) -> float:
    """Over the classes that occur; a guess of another class is wrong."""
    known = sorted(set(gold))
    return float(np.mean([precision_recall_f1(gold, guess, positive=one).f1 for one in known]))


def row(name: str, **figures: float) -> None:
    print(f"{name:58s}" + "  ".join(f"{key} {value:.3f}" for key, value in figures.items()))


def bag(text: str) -> dict[str, float]:
    """Words and pairs of words, for the dumb row."""
    stems = [word.stem for word in words(text) if not word.mark]
    return {"n:" + name: 1.0 for name in ngrams(stems, 2)} | {"bias": 1.0}


def judge_trials(given: Sequence[Prompt], held: set[int], heads: Weights) -> dict[int, np.ndarray]:
    return {
        at: heads.trial.probabilities(
            trial_features(
                given[at].intervention, given[at].comparator, given[at].outcome, given[at].texts[0]
            )
        )
        for at in held
    }


def show_trials(given: Sequence[Prompt], told: dict[int, np.ndarray], name: str) -> None:
    gold = [one.label for one in given]
    guess = [TRIAL_CLASSES[int(told[at].argmax())] for at in range(len(given))]
    lean = [float(told[at][0] - told[at][1]) for at in range(len(given))]
    up = [lean[at] for at, label in enumerate(gold) if label == "increased"]
    down = [lean[at] for at, label in enumerate(gold) if label == "decreased"]
    wrong = [told[at][0] >= SURE for at, label in enumerate(gold) if label != "increased"]
    wrong += [told[at][1] >= SURE for at, label in enumerate(gold) if label != "decreased"]
    row(
        name,
        macro_f1=macro_f1(gold, guess),
        auc=auc(up, down),
        wrong_way_at_80=float(np.mean(wrong)),
        calibration=calibration(
            [told[at].max() for at in range(len(given))],
            [g == t for g, t in zip(guess, gold, strict=True)],
        ),
    )


def show_sides(name: str, gold: Sequence[str], told: Sequence[tuple[float, float, float]]) -> None:
    """Figures of judged claims: ``gold`` is supports, refutes or neutral."""
    guess = [SIDES[int(np.argmax(one))] for one in told]
    lean = [one[0] - one[1] for one in told]
    good = [lean[at] for at, side in enumerate(gold) if side == "supports"]
    bad = [lean[at] for at, side in enumerate(gold) if side == "refutes"]
    refuted = [told[at][0] >= SURE for at, side in enumerate(gold) if side == "refutes"]
    opposite = [told[at][1] >= SURE for at, side in enumerate(gold) if side == "supports"]
    undecided = [guess[at] == "neutral" for at, side in enumerate(gold) if side == "neutral"]
    row(
        name,
        macro_f1=macro_f1(list(gold), guess),
        auc=auc(good, bad),
        refuted_as_supported_at_80=float(np.mean(refuted)),
        supported_as_refuted_at_80=float(np.mean(opposite)),
        neutral_right=float(np.mean(undecided)) if undecided else 0.0,
        calibration=calibration(
            [max(one) for one in told], [g == t for g, t in zip(guess, gold, strict=True)]
        ),
    )


def sides(claim: str, text: str, heads: Weights) -> tuple[float, float, float]:
    one = stance(claim, text, weights=heads)
    return one.supports, one.refutes, one.neutral


def trials(folder: Path, number: int) -> None:
    """evidence_inference by article: the heads that it teaches taught anew for each fold."""
    given, asked = prompts(folder), questions(folder)
    told: dict[int, np.ndarray] = {}
    dumb: dict[int, np.ndarray] = {}
    as_claims: list[tuple[str, tuple[float, float, float]]] = []
    for held in folds([one.group for one in given], number):
        seen = [one for at, one in enumerate(given) if at not in held]
        heads = teach_sided(shipped(), seen, asked)
        told |= judge_trials(given, held, heads)
        counted = fit(
            [bag(one.texts[0]) for one in seen], [one.label for one in seen], TRIAL_CLASSES
        )
        dumb |= {at: counted.probabilities(bag(given[at].texts[0])) for at in held}
        for at in sorted(held):
            one = given[at]
            for verb, label in (("increases", "increased"), ("reduces", "decreased")):
                claim = f"{one.intervention} {verb} {one.outcome}"
                if one.comparator:
                    claim += f" compared with {one.comparator}"
                gold = "supports" if one.label == label else "refutes"
                as_claims.append((gold, sides(claim[:1000], one.texts[0], heads)))
    none = {at: np.asarray([0.0, 0.0, 1.0]) for at in range(len(given))}
    show_trials(given, none, "trials: largest class")
    show_trials(given, dumb, "trials: words of the sentence, logistic regression")
    show_trials(given, told, "trials: ours, prompt and sentence given")
    show_sides(
        "trials: ours, as claims of more or of less",
        [g for g, _ in as_claims],
        [p for _, p in as_claims],
    )


def questions_asked(folder: Path, number: int, seed: int) -> None:
    """pubmedqa by question. The finder and the heads for questions are taught by the other folds;
    no other head has a say in a question that is asked of one text."""
    asked = questions(folder)
    answers: dict[str, dict[int, tuple[float, float, float]]] = {"conclusion": {}, "abstract": {}}
    dumb: dict[int, tuple[float, float, float]] = {}
    gold_sides = {"yes": "supports", "no": "refutes", "maybe": "neutral"}
    for kept in folds([one.id for one in asked], number, seed):
        read = [one for at, one in enumerate(asked) if at not in kept]
        placed = msgspec.structs.replace(shipped(), finder=teach_finder(read))
        heads = teach_asked(placed, read)
        yes_no = fit(
            [bag(one.conclusion) for one in read],
            [one.answer for one in read],
            ("yes", "no", "maybe"),
        )
        for at in kept:
            question = asked[at]
            answers["conclusion"][at] = sides(question.question, question.conclusion, heads)
            answers["abstract"][at] = sides(question.question, question.abstract, heads)
            p = yes_no.probabilities(bag(question.conclusion))
            dumb[at] = (float(p[0]), float(p[1]), float(p[2]))
    gold = [gold_sides[one.answer] for one in asked]
    order = range(len(asked))
    show_sides("questions: largest class", gold, [(1.0, 0.0, 0.0)] * len(asked))
    show_sides(
        "questions: words of the conclusion, logistic regression",
        gold,
        [dumb[at] for at in order],
    )
    for name, judged in answers.items():
        show_sides(f"questions: ours, {name}", gold, [judged[at] for at in order])


def claims(folder: Path, number: int) -> None:
    """healthver by question: the weights that ship, and a recipe that is taught by it."""
    with (folder / "healthver" / "pairs.csv").open(encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    gold = [one["label"].lower() for one in rows]
    heads = shipped()
    show_sides("claims: largest class", gold, [(0.0, 0.0, 1.0)] * len(rows))
    show_sides(
        "claims: weights that ship",
        gold,
        [sides(one["claim"].strip()[:1000], one["evidence"], heads) for one in rows],
    )
    features = [recipe_features(one["claim"].strip(), one["evidence"]) for one in rows]
    bags = [
        bag(one["evidence"]) | {"c:" + k[2:]: v for k, v in bag(one["claim"]).items()}
        for one in rows
    ]
    for name, chosen in (("words of both", bags), ("recipe", features)):
        told: dict[int, tuple[float, float, float]] = {}
        for held in folds([one["question"] for one in rows], number):
            seen = [at for at in range(len(rows)) if at not in held]
            head = fit(
                [chosen[at] for at in seen],
                [gold[at] for at in seen],
                SIDES,
                strength=0.03,
                balanced=0.7,
            )
            for at in held:
                p = head.probabilities(chosen[at])
                told[at] = (float(p[0]), float(p[1]), float(p[2]))
        show_sides(
            f"claims: {name}, taught by other questions",
            gold,
            [told[at] for at in range(len(rows))],
        )


def pairs() -> None:
    """Minimal pairs made by template: one word or clause turns the side."""
    right = total = neutral = 0
    for claim, text, side in template_pairs():
        one = stance(claim, text)
        total += 1
        right += ("supports" if one.supports > one.refutes else "refutes") == side
        neutral += one.neutral > max(one.supports, one.refutes)
    print(
        f"minimal pairs by template: side right in {right} of {total} ({right / total:.3f}), "
        f"told neutral {neutral}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="which folds of questions")
    parser.add_argument("--only", choices=("trials", "asked", "claims", "pairs"))
    parser.add_argument("--teach", type=Path, help="write the weights that ship, and leave")
    parser.add_argument(
        "--asked",
        action="store_true",
        help="with --teach: only the heads for questions anew, the others as they ship",
    )
    given = parser.parse_args()
    if given.teach is not None:
        if given.asked:
            weights = teach_asked(shipped(), questions(given.data))
        else:
            weights = teach(prompts(given.data), questions(given.data))
        given.teach.write_bytes(msgspec.json.encode(weights))
        print(f"{given.teach}: {given.teach.stat().st_size:,} bytes")
        return
    if given.only in (None, "pairs"):
        pairs()
    if given.only in (None, "claims"):
        claims(given.data, given.folds)
    if given.only in (None, "asked"):
        questions_asked(given.data, given.folds, given.seed)
    if given.only in (None, "trials"):
        trials(given.data, given.folds)


if __name__ == "__main__":
    main()
