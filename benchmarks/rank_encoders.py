"""What an encoder is worth to `hybrid`: papers of eight constructs told apart, and their sentences.

    python benchmarks/rank_encoders.py DATA OUT [ENCODER ...]

DATA holds the folder ``rdoc``, OUT keeps vectors. ENCODER is a name, or several joined by + (their
vectors side by side); without any it is the default. Printed are accuracy, mAP and the accuracy of
sentences over the recipe's fifteen splits (seeds from 0), and over fifteen others (seeds from 5).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from osler.rank.measure import mean_average_precision, sentence_hits
from osler.rank.papers.hybrid import Hybrid
from osler.rank.sentences.hybrid import HybridSentences
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.text.encoder import DEFAULT
from osler_papers.recipes import rdoc


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("encoders", nargs="*", default=[DEFAULT])
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    folder = asked.data / "rdoc"
    constructs = rdoc.read_constructs(folder / "constructs.tsv")
    rows = rdoc.read_rows(folder / "train.jsonl.gz")
    topics, targets = [Topic(id) for id in constructs], rdoc.numbers_of(rows, constructs)
    for names in asked.encoders:
        encode = rdoc.cached_encoder(asked.out / "vectors.safetensors", print, names)
        pool = rdoc.make_pool(rows, encode)
        abstracts = rdoc.make_abstracts(rows, topics, encode)
        for first in (0, 5):
            values = []
            for train, test in repeated(targets, first=first):
                ranker = Hybrid().fit(pool.take(train), targets[train], topics)
                scores = ranker.scores(pool.take(test))
                sentences = HybridSentences(calibrate=False).fit([abstracts[row] for row in train])
                values.append(
                    (
                        np.mean(scores.argmax(axis=1) == targets[test]),
                        mean_average_precision(scores, targets[test]),
                        np.mean(sentence_hits(sentences, [abstracts[row] for row in test])),
                    )
                )
            accuracy, precision, right = np.array(values, dtype=np.float64).mean(axis=0)
            print(
                f"{names}, seeds from {first}: accuracy {accuracy:.4f}, mAP {precision:.4f}, "
                f"sentences {right:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
