"""What each part of match's default adds: Precision and nDCG without it.

    python benchmarks/match_parts.py --data DIR [--set toyhom] [--share 70] [--seed 0]

Works on the training side of the recipe's split alone: no test question is looked at. Lists of a
true and 19 false answers are described by models that learned from the other folds, as the
default's weights are learned; the weights for each fifth of the lists then come from the other
four fifths, once with all parts and once without each. The last column is how many standard
errors the difference in nDCG is away from nothing, by question.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from osler.match.answer_features import ALIGNMENT, COVERED, GRAPH, KINDS
from osler.match.combine import learn
from osler.match.default import CrossFitted, Default
from osler.match.matcher import Sources
from osler.match.splits import split
from osler.match.texts import Texts
from osler_papers.recipes.match_experiment import qa_pairs, read_graph

FIFTHS = 5
FALSE = 19
PARTS = {
    "words": ("words", "words cosine"),
    "bigrams": ("bigrams", "bigrams cosine"),
    "characters, trigrams": ("characters", "characters cosine", "trigrams", "trigrams cosine"),
    "what is asked first (shared pieces)": tuple(f"first {kind}" for kind in KINDS),
    "covered": tuple(f"{kind} covered" for kind in COVERED),
    "length": ("length",),
    "alignment, all three": ALIGNMENT,
    "alignment of what is asked first": ALIGNMENT[1:2],
    "alignment of what is told first": ALIGNMENT[2:],
    "like questions": ("like questions",),
    "entities": GRAPH[:2],
    "near, and by relation": GRAPH[2:],
}


def ranked(made: CrossFitted, without: tuple[str, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Precision and nDCG of each list whose false answers are all there."""
    relations = [n for n in made.names if n not in EVERY] if "near" in without else []
    gone = {*without, *relations}
    kept = [at for at, name in enumerate(made.names) if name not in gone]
    rows = made.rows[:, kept]
    floor = [place for place, at in enumerate(kept) if at in set(made.positive)]
    sizes = np.array(made.sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    part = np.random.default_rng(0).integers(0, FIFTHS, len(sizes))
    first, gain = np.zeros(len(sizes)), np.zeros(len(sizes))
    for number in range(FIFTHS):
        rest = np.flatnonzero(part != number)
        taken = np.concatenate([np.arange(starts[one], starts[one + 1]) for one in rest])
        linear = learn(rows[taken], sizes[rest].tolist(), floor=floor)
        for one in np.flatnonzero(part == number):
            scores = linear.scores(rows[starts[one] : starts[one + 1]])
            above = int((scores[1:] >= scores[0]).sum())
            first[one], gain[one] = above == 0, 1 / np.log2(above + 2)
    whole = sizes == FALSE + 1
    return first[whole], gain[whole]


EVERY = frozenset(name for names in PARTS.values() for name in names)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--set", default="toyhom", choices=("toyhom", "huatuo"))
    asked.add_argument("--share", type=int, default=70)
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known = read_graph([given.data / "kg_zh" / "triples.tsv.gz"], Path(folder), print)
        pairs = qa_pairs(given.data / f"qa_zh_{given.set}" / "qa.jsonl.gz")
        train, _ = split(pairs, given.share / 100, seed=given.seed)
        matcher = Default(Sources(texts=Texts(known.names), known=known), seed=given.seed)
        made = matcher.cross_fitted(train, negatives=FALSE, progress=print)
    precision, ndcg = ranked(made)
    print(
        f"\n{len(ndcg):,} lists of the training side of {given.set}, {FALSE} false answers each\n"
    )
    print("| without | Precision | nDCG | difference in nDCG | standard errors |")
    print("| --- | --- | --- | --- | --- |")
    print(f"| (all parts) | {precision.mean():.4f} | {ndcg.mean():.4f} | | |")
    for name, columns in PARTS.items():
        first, gain = ranked(made, columns)
        lost = gain - ndcg
        away = lost.mean() / max(lost.std() / np.sqrt(len(lost)), 1e-12)
        told = f"{first.mean():.4f} | {gain.mean():.4f} | {lost.mean():+.4f} | {away:+.1f}"
        print(f"| {name} | {told} |")


if __name__ == "__main__":
    main()
