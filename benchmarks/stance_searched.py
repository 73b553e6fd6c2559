"""Sides that are told of papers which a search brought: how many of the sure ones are right.

    python benchmarks/stance_searched.py --data DIR [--folds 5] [--others 10]

Each question of pubmedqa, and each prompt of evidence_inference as a claim, is asked of its own
paper and of the ``others`` papers nearest to it by BM25, which hardly ever speak of it: a sure side
of one of these is counted as wrong. The heads have seen neither the question nor its paper. Beside
ours stands the dumb row: words of the conclusion, logistic regression, which takes a side always.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import msgspec
import numpy as np

from osler.claims.heads import LinearHead, fit
from osler.claims.paper import paper_stance
from osler.claims.teach import teach
from osler.claims.words import words
from osler.kinds import Document, Section
from osler.text.bm25 import idf, saturated
from stance import SURE, bag, folds, prompts, questions


class Asked(msgspec.Struct, frozen=True):
    """A claim, the place of its own paper, and the side that this takes."""

    claim: str
    paper: int
    side: str
    group: str


def pubmedqa(folder: Path) -> tuple[list[Document], list[Asked]]:
    """The title of such a paper is the question: it is left out."""
    rows = questions(folder)
    papers = [Document(id=one.id, title="", sections=(Section(one.abstract),)) for one in rows]
    sides = {"yes": "supports", "no": "refutes", "maybe": ""}
    return papers, [
        Asked(one.question, at, sides[one.answer], one.id) for at, one in enumerate(rows)
    ]


def trials(folder: Path) -> tuple[list[Document], list[Asked]]:
    """Every other prompt is asked as more, the rest as less."""
    papers: dict[str, Document] = {}
    place = folder / "evidence_inference" / "corpus.jsonl.gz"
    with gzip.open(place, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            papers[row["_id"]] = Document(
                id=row["_id"], title=row["title"], sections=(Section(row["text"]),)
            )
    places = {id: at for at, id in enumerate(papers)}
    asked = []
    for number, one in enumerate(prompts(folder)):
        verb, label = (("increases", "increased"), ("reduces", "decreased"))[number % 2]
        if one.group in places:
            claim = f"{one.intervention} {verb} {one.outcome}"
            side = "supports" if one.label == label else "refutes"
            asked.append(Asked(claim[:1000], places[one.group], side, one.group))
    return list(papers.values()), asked


def nearest(papers: Sequence[Document], asked: Sequence[Asked], most: int) -> list[list[int]]:
    """Places of the papers nearest to each claim, its own not among them."""
    counts = [Counter(w.stem for w in words(one.text) if w.content) for one in papers]
    lengths = np.asarray([sum(one.values()) for one in counts], float)
    holding: dict[str, list[tuple[int, int]]] = {}
    for at, counted in enumerate(counts):
        for stem, count in counted.items():
            holding.setdefault(stem, []).append((at, count))
    found = []
    for one in asked:
        scores = np.zeros(len(papers))
        for stem in {w.stem for w in words(one.claim) if w.content} & holding.keys():
            rare = idf(len(holding[stem]), len(papers))
            for at, count in holding[stem]:
                scores[at] += rare * saturated(count, lengths[at], lengths.mean())
        scores[one.paper] = -1.0
        found.append([int(at) for at in np.argsort(-scores, kind="stable")[:most]])
    return found


class Tally(msgspec.Struct):
    """Sure sides: of the own paper right and wrong, of other papers."""

    right: int = 0
    wrong: int = 0
    others: int = 0

    def count(self, side: str, supports: float, refutes: float, *, own: bool) -> None:
        if max(supports, refutes) < SURE:
            return
        if not own:
            self.others += 1
        elif ("supports" if supports > refutes else "refutes") == side:
            self.right += 1
        else:
            self.wrong += 1

    def show(self, name: str, asked: int, pairs: int) -> None:
        sure = self.right + self.wrong
        right, precision = (self.right / max(1, one) for one in (sure, sure + self.others))
        share = self.others / max(1, pairs - asked)
        print(
            f"{name:44s} own paper: sure in {sure} of {asked}, right {right:.3f}; "
            f"others: sure in {self.others} of {pairs - asked:,} "
            f"({share:.4f}); precision {precision:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--others", type=int, default=10)
    given = parser.parse_args()
    sets = {"pubmedqa": pubmedqa(given.data), "evidence_inference": trials(given.data)}
    near = {name: nearest(*one, given.others) for name, one in sets.items()}
    tallies = {name: (Tally(), Tally()) for name in sets}
    pairs = dict.fromkeys(sets, 0)
    results, asked = prompts(given.data), questions(given.data)
    trial_folds = folds([one.group for one in results], given.folds)
    asked_folds = folds([one.id for one in asked], given.folds)
    for held, kept in zip(trial_folds, asked_folds, strict=True):
        read = [one for at, one in enumerate(asked) if at not in kept]
        heads = teach([one for at, one in enumerate(results) if at not in held], read)
        dumb = fit(
            [bag(one.conclusion) for one in read],
            [one.answer for one in read],
            ("yes", "no", "maybe"),
        )
        groups = {asked[at].id for at in kept} | {results[at].group for at in held}
        for name, (papers, claims) in sets.items():
            for at, one in enumerate(claims):
                if one.group not in groups:
                    continue
                for place in (one.paper, *near[name][at]):
                    own = place == one.paper
                    told = paper_stance(one.claim, papers[place], weights=heads)
                    tallies[name][0].count(one.side, told.supports, told.refutes, own=own)
                    yes, no = _dumb(dumb, papers[place])
                    tallies[name][1].count(one.side, yes, no, own=own)
                    pairs[name] += 1
    for name, (ours, words_alone) in tallies.items():
        words_alone.show(f"{name}: words, logistic regression", len(sets[name][1]), pairs[name])
        ours.show(f"{name}: ours", len(sets[name][1]), pairs[name])


def _dumb(head: LinearHead, paper: Document) -> tuple[float, float]:
    p = head.probabilities(bag(paper.abstract[-600:]))
    return float(p[0]), float(p[1])


if __name__ == "__main__":
    main()
