"""Does `match` say "none of these answers that" where nothing does, and only there?

    python benchmarks/match_none.py --data DIR [--part develop|held]

The questions of ``match_none.tsv``, written by hand before the code: 60 that a collection answers
(MedQuAD's sample in DIR/medquad, or the demo's own pairs) and 60 that it does not. Half of each
served to develop; ``held`` is looked at once. Beside it the dumb row: the share of the question's
words in the nearest answer, with the bar that parts the developing half best.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from pathlib import Path

import numpy as np

import osler.demo
from osler.kinds import GradeReason, Pair, Ranking
from osler.match.answering import ANSWERS, Answering
from osler.match.default import Default
from osler.match.job import match
from osler.match.matcher import Sources
from osler.match.pool import FEW, PairPool
from osler.match.signs import SignReader
from osler.match.texts import Texts
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import load_encoder

QUESTIONS = Path(__file__).with_suffix(".tsv")


def medquad(data: Path) -> tuple[list[Pair], dict[str, tuple[str, str]]]:
    """The pairs, and what each is about."""
    pairs, about = [], {}
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            pairs.append(Pair(id=row["_id"], question=row["question"], answer=row["answer"]))
            about[row["_id"]] = (row["focus"].lower(), row["type"])
    return pairs, about


def demo() -> tuple[list[Pair], dict[str, tuple[str, str]]]:
    with (Path(osler.demo.__file__).parent / "answers.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    pairs = [Pair(id=r["id"], question=r["question"], answer=r["answer"]) for r in rows]
    return pairs, {pair.id: (pair.id, "") for pair in pairs}


class Collection:
    def __init__(self, pairs: list[Pair], about: dict[str, tuple[str, str]]) -> None:
        texts = Texts()
        encoder = load_encoder()
        self.about = about
        self.pool = PairPool.of(pairs, texts, encoder=load_encoder("osler-static"))
        self.matcher = Default(Sources(texts=texts, load_encoder=lambda: encoder))
        self.answering = Answering(SignReader(texts, encoder=encoder))

    def ask(self, question: str) -> Ranking:
        found = self.pool.candidates(question, most=FEW)
        return match(self.matcher, question, found, k=5, explain=False, reorder=True,
                     answering=self.answering)  # fmt: skip


def probability(ranking: Ranking) -> float:
    for hit in ranking.hits[:1]:
        for reason in hit.reasons:
            if isinstance(reason, GradeReason):
                return reason.probabilities[ANSWERS]
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", default="develop")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    collections = {"medquad": Collection(*medquad(given.data)), "demo": Collection(*demo())}
    with QUESTIONS.open(encoding="utf-8") as lines:
        rows = [r for r in csv.DictReader(lines, delimiter="\t") if r["part"] == given.part]
    sure, right = [], []
    said: dict[tuple[str, str], list[bool]] = {}
    first: dict[str, list[bool]] = {}
    for row in rows:
        collection = collections[row["collection"]]
        ranking = collection.ask(row["question"])
        chance = probability(ranking)
        top = collection.about[ranking.hits[0].id] if ranking.hits else ("", "")
        answers = row["answered"] == "yes" and top[0] == row["focus"].lower() and (
            not row["type"] or top[1] == row["type"]
        )  # fmt: skip
        sure.append(chance)
        right.append(answers)
        said.setdefault((row["collection"], row["answered"]), []).append(not ranking.answered)
        if row["answered"] == "yes":
            first.setdefault(row["collection"], []).append(answers)
        if given.verbose:
            print(f"{row['answered']:3} {chance:.2f} {'' if answers else 'x'} {row['question']} "
                  f"-> {top} {ranking.notes[:1]}")  # fmt: skip
    for (collection, answered), values in sorted(said.items()):
        print(
            f"{collection}, answered {answered}: none said {np.mean(values):.3f} of {len(values)}"
        )
    none = [v for (_, answered), values in said.items() if answered == "no" for v in values]
    alarms = [v for (_, answered), values in said.items() if answered == "yes" for v in values]
    print(f"none said where nothing answers: {np.mean(none):.3f} (bar 0.90)")
    print(f"false alarms: {np.mean(alarms):.3f} (bar 0.10)")
    print({name: f"first right {np.mean(values):.3f}" for name, values in first.items()})
    print(f"calibration error of the first: {expected_calibration_error(sure, right):.3f} "
          f"(5 bins {expected_calibration_error(sure, right, bins=5):.3f}; bar 0.05)")  # fmt: skip


if __name__ == "__main__":
    main()
