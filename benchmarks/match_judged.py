"""Answers that experts graded: `match` learned on one part, measured on another.

    python benchmarks/match_judged.py --data DIR [--measure]

DIR/mediqa2019_qa: questions with answers graded 1 to 4; 3 and 4 are right. Weights of the signs of
an answer (`osler.match.signs`, nothing of the order in which the answers came) are learned on the
training part and chosen there by cross-validation over questions; ``--measure`` then looks at the
validation part. Rows beside: the longest answer first, the order given, BM25 over bigrams, the
encoder's cosine alone, the shipped weights (taught by MedQuAD alone), and the untrained default.
Accuracy: right or wrong by the rule of 3 and above. P@1 and MRR: over questions that have a right
answer.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from osler.match.asking import asked_kind, focus
from osler.match.bm25_bigrams import BM25Bigrams
from osler.match.default import Default
from osler.match.matcher import Candidate, Sources
from osler.match.signs import BARE, SignReader
from osler.match.texts import Texts
from osler.text.encoder import load_encoder

Rows = list[dict[str, Any]]
NAMES = BARE


def read(data: Path, part: str) -> Rows:
    with gzip.open(data / "mediqa2019_qa" / f"{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def candidates(row: dict[str, Any]) -> list[Candidate]:
    return [Candidate(a["_id"], a["text"]) for a in row["answers"]]


def right(row: dict[str, Any]) -> np.ndarray:
    return np.array([a["score"] >= 3 for a in row["answers"]])


def measured(rows: Rows, scores: Sequence[np.ndarray], bar: float | None = None) -> str:
    first, reciprocal, correct = [], [], []
    for row, own in zip(rows, scores, strict=True):
        truth = right(row)
        if bar is not None:
            correct += ((own >= bar) == truth).tolist()
        if truth.any():
            order = np.argsort(-own, kind="stable")
            place = int(np.flatnonzero(truth[order])[0])
            first.append(place == 0)
            reciprocal.append(1 / (1 + place))
    accuracy = f"accuracy {np.mean(correct):.3f}, " if correct else ""
    return f"{accuracy}P@1 {np.mean(first):.3f}, MRR {np.mean(reciprocal):.3f} of {len(first)}"


class Learner:
    """A ridge over signs: ``absolute`` as they are, ``relative`` to their list (how many spreads
    above its mean, and which share of the others is below), or ``both``. Ties share their rank, so
    that nothing of the order in which the answers came gets in."""

    FORMS = ("absolute", "both", "relative")

    def __init__(self, c: float, *, form: str) -> None:
        self.c, self.form = c, form

    def matrix(self, signs: np.ndarray) -> np.ndarray:
        spread = np.maximum(signs.std(0), 1e-3)
        scaled = (signs - signs.mean(0)) / spread
        above = (signs[:, None] > signs[None]).mean(1) + 0.5 * (signs[:, None] == signs[None]).mean(
            1
        )
        parts = {"absolute": [signs], "both": [signs, scaled, above], "relative": [scaled, above]}
        return np.hstack(parts[self.form])

    def fit(self, lists: Sequence[np.ndarray], truths: Sequence[np.ndarray]) -> Learner:
        whole = np.vstack([self.matrix(one) for one in lists])
        self.mean, self.spread = whole.mean(0), np.maximum(whole.std(0), 1e-6)
        self.model = LogisticRegression(C=self.c, max_iter=3000)
        self.model.fit((whole - self.mean) / self.spread, np.concatenate(truths))
        return self

    def scores(self, signs: np.ndarray) -> np.ndarray:
        whole = (self.matrix(signs) - self.mean) / self.spread
        return np.asarray(self.model.predict_proba(whole)[:, 1])


def dumb(rows: Rows, texts: Texts, reader: SignReader) -> dict[str, list[np.ndarray]]:
    bigrams = BM25Bigrams(Sources(texts=texts))
    default = Default(Sources(texts=texts, load_encoder=lambda: reader.encoder))

    def each(score: Callable[[dict[str, Any]], Any]) -> list[np.ndarray]:
        return [np.asarray(score(row), float) for row in rows]

    signs = each_signs(rows, reader)
    near = NAMES.index("near")
    head = reader.table.heads["bare encoded"]
    return {
        "longest first": each(lambda r: [len(a["text"]) for a in r["answers"]]),
        "order given": each(lambda r: [-a["system_rank"] for a in r["answers"]]),
        "BM25, bigrams": each(lambda r: bigrams.scores(r["question"], candidates(r))),
        "encoder's cosine": [one[:, near] for one in signs],
        "default, fixed weights": each(lambda r: default.scores(r["question"], candidates(r))),
        "shipped weights (MedQuAD)": [
            np.array([head.probability(dict(zip(NAMES, row, strict=True))) for row in one])
            for one in signs
        ],
    }


def each_signs(rows: Rows, reader: SignReader) -> list[np.ndarray]:
    made = []
    for row in rows:
        signs = reader.read(row["question"], candidates(row))
        made.append(np.array([[one[name] for name in NAMES] for one in signs]))
    return made


def crossed(
    rows: Rows, lists: list[np.ndarray], learner: Learner, group: Callable[[str], str]
) -> list[np.ndarray]:
    """Scores of each question by weights that saw other groups only: other foci, or other kinds of
    question. The second is the nearer to questions that were asked otherwise."""
    groups = [group(row["question"]).lower() for row in rows]
    scores: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for train, test in GroupKFold(min(8, len(set(groups)))).split(rows, groups=groups):
        learner.fit([lists[at] for at in train], [right(rows[at]) for at in train])
        for at in test:
            scores[at] = learner.scores(lists[at])
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--measure", action="store_true", help="Look at the validation part.")
    parser.add_argument("--c", type=float, default=0.03)
    parser.add_argument("--form", default="relative", choices=Learner.FORMS)
    given = parser.parse_args()
    texts = Texts()
    reader = SignReader(texts, encoder=load_encoder())
    train = read(given.data, "train")
    lists = each_signs(train, reader)
    print("training part, by cross-validation over foci, and over kinds of question")
    for form in Learner.FORMS:
        for c in (0.003, 0.01, 0.03, 0.1, 0.3):
            learner = Learner(c, form=form)
            by_focus = measured(train, crossed(train, lists, learner, focus), 0.5)
            by_kind = measured(train, crossed(train, lists, learner, asked_kind), 0.5)
            print(f"  {form}, c {c}: {by_focus}; {by_kind}")
    for name, scores in dumb(train, texts, reader).items():
        print(f"  {name}: {measured(train, scores)}")
    if not given.measure:
        return
    rows = read(given.data, "validation")
    learner = Learner(given.c, form=given.form).fit(lists, [right(row) for row in train])
    print(f"validation part: learned, {given.form}, c {given.c}: ", end="")
    print(measured(rows, [learner.scores(one) for one in each_signs(rows, reader)], 0.5))
    for name, scores in dumb(rows, texts, reader).items():
        print(f"  {name}: {measured(rows, scores)}")


if __name__ == "__main__":
    main()
