"""The default on Chinese pairs with and without a Chinese encoder (osler fetch bge-small-zh).

    python benchmarks/match_chinese.py --data DIR --out OUT --set huatuo [--encoder] [--seeds 0]

The splits and lists are those of the recipes `mkhan-toyhom` and `mkhan-huatuo` (70 % of the pairs
teach; 5 and 19 false answers). Told are the Precision of cross-fitted lists of the training side
(19 false answers), which is what one may choose by, then Precision and nDCG of the test questions.
Beside it stands the encoder's cosine alone. A run that was told is kept in OUT and read again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from osler.match.default import Default
from osler.match.measure import NDCG, PRECISION, means, measured, run_of
from osler.match.splits import CandidateList
from osler.text.encoder import Encoder, load_encoder
from osler_papers.recipes.match_experiment import FALSE, Experiment, chinese

SHARE = 70


def alone(encoder: Encoder, lists: list[CandidateList]) -> dict[str, float]:
    """The cosine alone; a tie counts against the true answer."""
    texts = list(
        dict.fromkeys(t for one in lists for t in (one.question, *(c.text for c in one.candidates)))
    )
    vectors = dict(zip(texts, np.asarray(encoder.encode(texts)), strict=True))
    ranks = []
    for one in lists:
        scores = {c.id: float(vectors[c.text] @ vectors[one.question]) for c in one.candidates}
        ranks.append(1 + sum(s >= scores[one.true] for i, s in scores.items() if i != one.true))
    return {PRECISION: float(np.mean(np.array(ranks) == 1)),
            NDCG: float(np.mean(1 / np.log2(1 + np.array(ranks))))}  # fmt: skip


def by_default(made: Experiment, seed: int) -> dict[str, float]:
    sources, train, lists = made._prepared(SHARE, seed)
    matcher = Default(sources, seed=seed).fit(train, progress=made.progress)
    values = dict(matcher.measures)
    for false in FALSE:
        own = means(measured(lists[false], run_of(matcher, lists[false])))
        values |= {f"{name}, F={false}": own[name] for name in (PRECISION, NDCG)}
    return values


def tell(title: str, values: Mapping[str, float]) -> None:
    print(f"{title}: " + ", ".join(f"{name} {value:.4f}" for name, value in values.items()),
          flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", default="huatuo", choices=("toyhom", "huatuo"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--encoder", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    made = chinese(given.set, given.data, given.out, lambda line: print(line, flush=True))
    encoder = load_encoder("bge-small-zh") if given.encoder else None
    made.load_encoder = lambda: encoder
    for seed in given.seeds:
        title = f"{given.set}, seed {seed}, {'with' if encoder else 'without'} the encoder"
        kept = given.out / f"{given.set}-{seed}{'-encoder' if encoder else ''}.json"
        if not kept.is_file():
            started = time.process_time()
            kept.write_text(json.dumps(by_default(made, seed)), encoding="utf-8")
            print(f"{time.process_time() - started:.0f} s of processor", flush=True)
        tell(title, json.loads(kept.read_text("utf-8")))
        if encoder is not None:
            _, _, lists = made._prepared(SHARE, seed)
            for false in FALSE:
                tell(f"  encoder alone, F={false}", alone(encoder, lists[false]))


if __name__ == "__main__":
    main()
