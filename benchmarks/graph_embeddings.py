"""Graph embeddings beside PyKEEN's, on one core: the same triples, the same setting.

    python benchmarks/graph_embeddings.py --data FOLDER [--pykeen PYTHON] [--out results.json]

``FOLDER`` holds ``hetionet_subset``. PyKEEN may live in an environment of its own: ``--pykeen``
names its Python, and this file runs itself there. Both sides get one split, made here, and the same
dimension, epochs, batch, learning rate, optimiser (Adagrad), negatives, margin loss and norm; each
is measured by its own evaluator (filtered, both sides, ties shared). Osler's vectors and PyKEEN's
are also held to Osler's evaluator, so that a difference of evaluators would show.

Osler filters true triples out of its negatives and PyKEEN, here, does not, which is its quicker
way; ``--unfiltered`` takes the filter off on both sides.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SETTING = {"dimension": 64, "epochs": 20, "batch": 1024, "lr": 0.1, "negatives": 2, "margin": 1.0}
METHODS = ("transe", "rotate")
TESTED = 2_000


def split(data: Path, seed: int) -> dict[str, np.ndarray]:
    from osler.knowledge.embeddings import NumberedTriples

    with gzip.open(data / "hetionet_subset" / "triples.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)
        read = [tuple(line.rstrip("\n").split("\t")[:3]) for line in lines]
    whole = NumberedTriples.of(read)
    train, valid, test = whole.split(valid=0.05, test=0.1, seed=seed)
    picked = np.random.default_rng(seed).permutation(len(test))[:TESTED]
    return {
        "train": train.rows,
        "valid": valid.rows,
        "rest": test.rows,
        "test": test.rows[np.sort(picked)],
        "sizes": np.array([len(whole.entity_ids), len(whole.relation_names)]),
    }


def ours(parts: dict[str, np.ndarray], method: str, seed: int, *, filtered: bool) -> dict:
    from osler.knowledge.embeddings import NumberedTriples, Trainer, models
    from osler.knowledge.embeddings.predicting import link_prediction

    entities, relations = parts["sizes"].tolist()
    ids = [str(number) for number in range(entities)]
    names = [str(number) for number in range(relations)]
    triples = NumberedTriples(ids, names, parts["train"])
    chosen = models.resolve(method, dimension=SETTING["dimension"], norm=2)
    trainer = Trainer(
        triples,
        chosen,
        batch=SETTING["batch"],
        lr=SETTING["lr"],
        margin=SETTING["margin"],
        negatives=SETTING["negatives"],
        filtered=filtered,
        sides="either",
        seed=seed,
    )
    started = time.perf_counter()
    losses = [trainer.epoch() for _ in range(SETTING["epochs"])]
    seconds = time.perf_counter() - started
    known = [parts["train"], parts["valid"], parts["rest"]]
    found = link_prediction(trainer.embeddings(), parts["test"], known=known)
    return {
        "mrr": found.mrr,
        "hits": found.hits,
        "triples a second": len(triples) * SETTING["epochs"] / seconds,
        "seconds": seconds,
        "last loss": losses[-1],
    }


def theirs(parts: dict[str, np.ndarray], method: str, seed: int, *, filtered: bool) -> dict:
    import torch
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.losses import MarginRankingLoss
    from pykeen.models import RotatE, TransE
    from pykeen.training import SLCWATrainingLoop
    from pykeen.triples import CoreTriplesFactory

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    entities, relations = parts["sizes"].tolist()
    factory = CoreTriplesFactory(
        torch.from_numpy(parts["train"]), num_entities=entities, num_relations=relations
    )
    options = {
        "triples_factory": factory,
        "embedding_dim": SETTING["dimension"],
        "random_seed": seed,
        "loss": MarginRankingLoss(margin=SETTING["margin"]),
    }
    model = TransE(scoring_fct_norm=2, **options) if method == "transe" else RotatE(**options)
    loop = SLCWATrainingLoop(
        model=model,
        triples_factory=factory,
        optimizer=torch.optim.Adagrad(model.get_grad_params(), lr=SETTING["lr"]),
        negative_sampler="basic",
        negative_sampler_kwargs={
            "num_negs_per_pos": SETTING["negatives"],
            "filtered": filtered,
        },
    )
    started = time.perf_counter()
    losses = loop.train(
        triples_factory=factory,
        num_epochs=SETTING["epochs"],
        batch_size=SETTING["batch"],
        use_tqdm=False,
        use_tqdm_batch=False,
    )
    seconds = time.perf_counter() - started
    evaluated = RankBasedEvaluator(filtered=True).evaluate(
        model=model,
        mapped_triples=torch.from_numpy(parts["test"]),
        additional_filter_triples=[
            torch.from_numpy(parts[name]) for name in ("train", "valid", "rest")
        ],
        batch_size=32,
        use_tqdm=False,
    )
    entity = model.entity_representations[0]().detach()
    relation = model.relation_representations[0]().detach()
    if entity.is_complex():
        entity = torch.cat([entity.real, entity.imag], -1)
        relation = torch.cat([relation.real, relation.imag], -1)
    return {
        "mrr": float(evaluated.get_metric("both.realistic.inverse_harmonic_mean_rank")),
        "hits": {k: float(evaluated.get_metric(f"both.realistic.hits_at_{k}")) for k in (1, 3, 10)},
        "triples a second": len(parts["train"]) * SETTING["epochs"] / seconds,
        "seconds": seconds,
        "last loss": float(losses[-1]),
        "entity": entity.numpy(),
        "relation": relation.numpy(),
    }


def judged(parts: dict[str, np.ndarray], method: str, found: dict) -> float:
    """PyKEEN's vectors under Osler's evaluator."""
    from osler.knowledge.embeddings import Embeddings, models
    from osler.knowledge.embeddings.predicting import link_prediction

    chosen = models.resolve(method, dimension=SETTING["dimension"], norm=2)
    table = "translation" if method == "transe" else "rotation"
    vectors = Embeddings(
        chosen,
        [str(n) for n in range(len(found["entity"]))],
        [str(n) for n in range(len(found["relation"]))],
        {"entity": np.ascontiguousarray(found["entity"])},
        {table: np.ascontiguousarray(found["relation"])},
    )
    known = [parts["train"], parts["valid"], parts["rest"]]
    return link_prediction(vectors, parts["test"], known=known).mrr


def elsewhere(python: str, parts: Path, method: str, seed: int, *, filtered: bool) -> dict:
    """PyKEEN's side in its own environment."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "theirs.npz"
        command = [python, __file__, "--theirs", method, "--parts", str(parts)]
        command += ["--seed", str(seed), "--out", str(out)]
        subprocess.run([*command, *([] if filtered else ["--unfiltered"])], check=True)
        with np.load(out, allow_pickle=False) as held:
            found = json.loads(str(held["numbers"]))
            found["entity"], found["relation"] = held["entity"], held["relation"]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", type=Path)
    options.add_argument("--pykeen", default=sys.executable, help="a Python that has PyKEEN")
    options.add_argument("--methods", nargs="*", default=list(METHODS))
    options.add_argument("--seeds", nargs="*", type=int, default=[0])
    options.add_argument("--unfiltered", action="store_true")
    options.add_argument("--out", type=Path)
    options.add_argument("--theirs", help=argparse.SUPPRESS)
    options.add_argument("--parts", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.theirs:
        with np.load(chosen.parts, allow_pickle=False) as held:
            parts = {name: held[name] for name in held.files}
        found = theirs(parts, chosen.theirs, chosen.seed, filtered=False)
        arrays = {name: found.pop(name) for name in ("entity", "relation")}
        np.savez(chosen.out, numbers=np.array(json.dumps(found)), **arrays)
        return
    import torch

    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    results = []
    for seed in chosen.seeds:
        parts = split(chosen.data, seed)
        with tempfile.TemporaryDirectory() as folder:
            held = Path(folder) / "parts.npz"
            np.savez(held, **parts)
            for method in chosen.methods:
                own = ours(parts, method, seed, filtered=not chosen.unfiltered)
                other = elsewhere(chosen.pykeen, held, method, seed, filtered=False)
                again = judged(parts, method, other)
                for name in ("entity", "relation"):
                    del other[name]
                ratio = own["triples a second"] / other["triples a second"]
                results.append(
                    {"method": method, "seed": seed, "osler": own, "pykeen": other}
                    | {"pykeen by osler's evaluator": again, "times as quick": ratio}
                )
                print(
                    f"{method:7} seed {seed}  MRR {own['mrr']:.4f}, PyKEEN {other['mrr']:.4f} "
                    f"(by our evaluator {again:.4f}); triples/s {own['triples a second']:,.0f}, "
                    f"PyKEEN {other['triples a second']:,.0f}: {ratio:.1f} times",
                    flush=True,
                )
    if chosen.out:
        chosen.out.write_text(
            json.dumps({"setting": SETTING, "results": results}, indent=1), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
