"""Answers that experts graded: `match` learned on one part, measured on another.

    python benchmarks/match_judged.py --data DIR [--measure]

DIR/mediqa2019_qa: questions with answers graded 1 to 4; 3 and 4 are right. Weights of the signs of
an answer (`osler.match.signs`, nothing of the order in which the answers came) are learned on the
training part. The questions to be judged are unlike those: the training part asks "What causes
Flu?", people write letters (270 characters on average in the validation part, which one sees
without any grade). So each held-out question of the training part is asked twice in
cross-validation, as it is and inside a letter of ours, and the form of the learner, its ridge and
whether it learns from letters too are taken by the accuracy inside letters. ``--measure`` then
looks at the validation part with what was taken, and with nothing else.

Rows beside: one word for all answers (right or wrong, what fits the training part), the longest
answer first, the order given, BM25 over bigrams, the encoder's cosine alone, the shipped weights
(taught by MedQuAD and PubMedQA), and the untrained default; where a row has no probability, its
scores are taken as how far above their list's mean they stand, with the bar that parts the training
part best. Accuracy: right or wrong by the
rule of 3 and above. P@1 and MRR: over questions that have a right answer.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from osler.match.asking import focus
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


LETTERS = (
    "{f}. Hello, my name is NAME and I am 45 years old. For some months now I have been reading "
    "about this and nobody could help me so far. {q} Thank you very much for your time, NAME",
    "Question about my mother. She is 71, lives alone and takes tablets for her heart and her "
    "stomach. Last week her doctor spoke of {f}. {q} We would be glad of any information.",
    "{f} - please help. I have had a hard year, lost my job, and now this. I am tired most days "
    "and sleep badly. {q} Can you send me something to read? Best regards",
    "General information. I saw your page but it was of no use to me, I need to know more. {q} My "
    "son is nine and otherwise healthy, he plays football and eats well. PLEASE answer soon",
    "{q} I ask because my husband was told last month that he may have {f}, and we live far away "
    "from any hospital. His father died young. He does not smoke and drinks a beer at weekends.",
    "{f}. {q}",
    "Dear sir or madam, two years ago I had an operation on my knee and since then I have pain at "
    "night, which is another matter. What I would like to know today is about {f}. {q}",
    "Complaint. I wrote to you twice already and got no reply. My wife suffers a lot. {q} She "
    "cannot walk far and has lost six kilos. Where can we turn to with {f}?",
)
"""Letters of ours around a question ``q`` and what it is about, ``f``."""


def in_letter(row: dict[str, Any], at: int) -> dict[str, Any]:
    """A question as somebody might write it; the answers and their grades stay."""
    asked = row["question"]
    about = re.sub(
        r"^(what (is|are|causes)( the (symptoms|treatments|causes) of)?|how to \w+)\s*|\s*\?+\s*$",
        "",
        asked,
        flags=re.IGNORECASE,
    )
    return {**row, "question": LETTERS[at % len(LETTERS)].format(q=asked, f=about)}


def accuracy(rows: Rows, scores: Sequence[np.ndarray], bar: float) -> float:
    return float(
        np.mean(
            np.concatenate(
                [(own >= bar) == right(row) for row, own in zip(rows, scores, strict=True)]
            )
        )
    )


def best_bar(rows: Rows, scores: Sequence[np.ndarray]) -> float:
    """The bar that parts right and wrong best."""
    values = np.unique(np.concatenate(list(scores)))
    bars = [*np.quantile(values, np.linspace(0, 1, 60)), values.max() + 1.0]
    return float(max(bars, key=lambda bar: accuracy(rows, scores, bar)))


def standing(scores: np.ndarray) -> np.ndarray:
    """How far each stands above its list's mean."""
    return np.asarray((scores - scores.mean()) / max(float(scores.std()), 1e-9))


def measured(rows: Rows, scores: Sequence[np.ndarray], bar: float) -> str:
    first, reciprocal = [], []
    for row, own in zip(rows, scores, strict=True):
        truth = right(row)
        if truth.any():
            # A tie goes to the wrong one.
            order = np.lexsort((truth, -own))
            place = int(np.flatnonzero(truth[order])[0])
            first.append(place == 0)
            reciprocal.append(1 / (1 + place))
    return (
        f"accuracy {accuracy(rows, scores, bar):.3f}, P@1 {np.mean(first):.3f}, "
        f"MRR {np.mean(reciprocal):.3f} of {len(first)}"
    )


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
    default = Default(Sources(texts=texts, load_encoder=load_encoder))

    def each(score: Callable[[dict[str, Any]], Any]) -> list[np.ndarray]:
        return [np.asarray(score(row), float) for row in rows]

    signs = each_signs(rows, reader)
    near = NAMES.index("near")
    head = reader.table.heads["bare encoded"]
    rows_beside = {
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
    constant = {"one word for all": [np.zeros(len(row["answers"])) for row in rows]}
    return constant | {name: list(map(standing, own)) for name, own in rows_beside.items()}


def each_signs(rows: Rows, reader: SignReader) -> list[np.ndarray]:
    made = []
    for row in rows:
        signs = reader.read(row["question"], candidates(row))
        made.append(np.array([[one[name] for name in NAMES] for one in signs]))
    return made


@dataclass(frozen=True)
class Choice:
    """How the learner is made: its form and ridge, and whether it sees letters too."""

    form: str
    c: float
    letters: bool


CHOICES = [
    Choice(form, c, letters)
    for form in Learner.FORMS
    for c in (0.01, 0.03, 0.1, 0.3)
    for letters in (False, True)
]


class Task:
    """The training part's signs, of questions as they are and inside letters."""

    def __init__(self, train: Rows, reader: SignReader) -> None:
        self.rows = train
        self.truths = [right(row) for row in train]
        self.plain = each_signs(train, reader)
        # Two letters a question: none is met in one place alone.
        self.lettered = [
            each_signs([in_letter(row, 3 * at + turn) for at, row in enumerate(train)], reader)
            for turn in (0, 5)
        ]

    def fitted(self, choice: Choice, places: Sequence[int]) -> Learner:
        groups = [self.plain, *(self.lettered if choice.letters else ())]
        lists = [group[at] for group in groups for at in places]
        truths = [self.truths[at] for _ in groups for at in places]
        return Learner(choice.c, form=choice.form).fit(lists, truths)

    def crossed(self, choice: Choice) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Scores of each question by weights that saw other foci: as it is, and in a letter."""
        groups = [focus(row["question"]).lower() for row in self.rows]
        plain: list[np.ndarray] = [np.zeros(0)] * len(self.rows)
        lettered = list(plain)
        for train, test in GroupKFold(8).split(self.rows, groups=groups):
            learner = self.fitted(choice, train.tolist())
            for at in test:
                plain[at] = learner.scores(self.plain[at])
                lettered[at] = learner.scores(self.lettered[at % 2][at])
        return plain, lettered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--measure", action="store_true", help="Look at the validation part.")
    given = parser.parse_args()
    texts = Texts()
    reader = SignReader(texts, encoders=[load_encoder()])
    task = Task(read(given.data, "train"), reader)
    print("training part, cross-validated over foci: as asked; inside letters")
    by_choice = {}
    for choice in CHOICES:
        plain, lettered = task.crossed(choice)
        by_choice[choice] = accuracy(task.rows, lettered, 0.5)
        print(f"  {choice}: {measured(task.rows, plain, 0.5)}; "
              f"{measured(task.rows, lettered, 0.5)}")  # fmt: skip
    taken = max(CHOICES, key=lambda choice: by_choice[choice])
    print(f"taken: {taken}")
    beside = dumb(task.rows, texts, reader)
    bars = {name: best_bar(task.rows, scores) for name, scores in beside.items()}
    for name, scores in beside.items():
        print(f"  {name}: {measured(task.rows, scores, bars[name])}")
    if not given.measure:
        return
    rows = read(given.data, "validation")
    learner = task.fitted(taken, range(len(task.rows)))
    print("validation part: learned: ", end="")
    print(measured(rows, [learner.scores(one) for one in each_signs(rows, reader)], 0.5))
    for name, scores in dumb(rows, texts, reader).items():
        print(f"  {name}: {measured(rows, scores, bars[name])}")


if __name__ == "__main__":
    main()
