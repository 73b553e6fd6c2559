"""Graph embeddings beside PyKEEN's, on one core: the same triples, the same setting.

    python benchmarks/graph_embeddings.py --data FOLDER [--pykeen PYTHON] [--json FILE]

``FOLDER`` holds ``hetionet_subset``. PyKEEN may live in an environment of its own: ``--pykeen``
names its Python, and this file runs itself there. Both sides get one split, made here, and the same
dimension, epochs, batch, learning rate, optimiser (Adagrad), negatives, margin loss and norm; each
is measured by its own evaluator (filtered, both sides, ties shared). PyKEEN's vectors are also held
to Osler's evaluator, so that a difference of evaluators would show. An epoch is a repeat.

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
from itertools import pairwise
from pathlib import Path

import numpy as np

SETTING = {"dimension": 64, "epochs": 20, "batch": 1024, "lr": 0.1, "negatives": 2, "margin": 1.0}
METHODS = ("transe", "rotate")
TESTED = 2_000


def split(data: Path, seed: int, tested: int) -> dict[str, np.ndarray]:
    from osler.knowledge.embeddings import NumberedTriples

    with gzip.open(data / "hetionet_subset" / "triples.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)
        read = [tuple(line.rstrip("\n").split("\t")[:3]) for line in lines]
    whole = NumberedTriples.of(read)
    train, valid, test = whole.split(valid=0.05, test=0.1, seed=seed)
    picked = np.random.default_rng(seed).permutation(len(test))[:tested]
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
    marks = [(time.process_time(), time.perf_counter())]
    for _ in range(SETTING["epochs"]):
        loss = trainer.epoch()
        marks.append((time.process_time(), time.perf_counter()))
    known = [parts["train"], parts["valid"], parts["rest"]]
    found = link_prediction(trainer.embeddings(), parts["test"], known=known)
    return {
        "mrr": found.mrr,
        "hits": found.hits,
        "costs": costs(marks, len(triples)),
        "last loss": loss,
    }


def costs(marks: list[tuple[float, float]], triples: int) -> dict[str, list[float]]:
    """Seconds a triple in each epoch but the first, which pays for what is made once."""
    steps = list(pairwise(marks))[1:]
    return {
        "cpu": [(b[0] - a[0]) / triples for a, b in steps],
        "wall": [(b[1] - a[1]) / triples for a, b in steps],
    }


def theirs(parts: dict[str, np.ndarray], method: str, seed: int, *, filtered: bool) -> dict:
    import torch
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.losses import MarginRankingLoss
    from pykeen.models import RotatE, TransE
    from pykeen.training import SLCWATrainingLoop
    from pykeen.training.callbacks import TrainingCallback
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
    marks = [(time.process_time(), time.perf_counter())]

    class Clock(TrainingCallback):
        def post_epoch(self, epoch: int, epoch_loss: float, **others: object) -> None:
            marks.append((time.process_time(), time.perf_counter()))

    losses = loop.train(
        triples_factory=factory,
        num_epochs=SETTING["epochs"],
        batch_size=SETTING["batch"],
        use_tqdm=False,
        use_tqdm_batch=False,
        callbacks=Clock(),
    )
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
        "costs": costs(marks, len(parts["train"])),
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
        command += ["--seed", str(seed), "--out", str(out), "--epochs", str(SETTING["epochs"])]
        command += [] if filtered else ["--unfiltered"]
        subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
        with np.load(out, allow_pickle=False) as held:
            found = json.loads(str(held["numbers"]))
            found["entity"], found["relation"] = held["entity"], held["relation"]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", type=Path)
    options.add_argument("--pykeen", default=sys.executable, help="a Python that has PyKEEN")
    options.add_argument("--methods", nargs="*", default=list(METHODS))
    options.add_argument("--epochs", type=int, default=SETTING["epochs"])
    options.add_argument("--tested", type=int, default=TESTED, help="held-out triples to rank")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--unfiltered", action="store_true")
    options.add_argument("--json", type=Path, help="write what was found to this file")
    options.add_argument("--theirs", help=argparse.SUPPRESS)
    options.add_argument("--parts", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    SETTING["epochs"] = chosen.epochs
    if chosen.theirs:
        with np.load(chosen.parts, allow_pickle=False) as held:
            parts = {name: held[name] for name in held.files}
        found = theirs(parts, chosen.theirs, chosen.seed, filtered=False)
        arrays = {name: found.pop(name) for name in ("entity", "relation")}
        np.savez(chosen.out, numbers=np.array(json.dumps(found)), **arrays)
        return
    side_by_side(chosen)


def side_by_side(chosen: argparse.Namespace) -> None:
    import torch

    from beside import Comparison, Cost, Result, Table, show, why_not, write

    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    rows, quality = [], []
    parts = split(chosen.data, chosen.seed, chosen.tested)
    told = (
        f"{len(parts['train']):,} triples of Hetionet's subset, {SETTING['dimension']} dimensions, "
        f"batches of {SETTING['batch']:,}, {SETTING['negatives']} negatives, one thread"
    )
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder) / "parts.npz"
        np.savez(held, **parts)
        for method in chosen.methods:
            own = ours(parts, method, chosen.seed, filtered=not chosen.unfiltered)
            found = {"osler": Cost(**own["costs"])}
            missing: dict[str, str] = {}
            try:
                other = elsewhere(chosen.pykeen, held, method, chosen.seed, filtered=False)
            except subprocess.CalledProcessError as problem:
                missing["PyKEEN"] = (problem.stderr or "").strip().split("\n")[-1] or why_not(
                    problem
                )
            else:
                found["PyKEEN"] = Cost(**other["costs"])
                quality.append(
                    [
                        method,
                        *(f"{side['mrr']:.4f}" for side in (own, other)),
                        f"{judged(parts, method, other):.4f}",
                        *(f"{side['hits'][ten]:.3f}" for side, ten in ((own, 10), (other, "10"))),
                    ]
                )
            rows.append(
                Comparison(
                    name=f"embeddings-{method}",
                    title=f"Graph embeddings, {method}",
                    task=f"an epoch over {told}",
                    unit="a triple",
                    costs=found,
                    notes={
                        "osler": "true triples kept out of the negatives; only touched rows move",
                        "PyKEEN": "unfiltered negatives, its quicker way; dense gradients",
                    },
                    missing=missing,
                )
            )
            show(rows[-1])
    table = Table(
        title=f"Link prediction after {SETTING['epochs']} epochs (filtered, both sides)",
        head=[
            "method",
            "MRR",
            "PyKEEN's MRR",
            "the same by Osler's evaluator",
            "hits@10",
            "PyKEEN's hits@10",
        ],
        rows=quality,
        note=f"{len(parts['test']):,} held-out triples; margin {SETTING['margin']}, "
        f"Adagrad {SETTING['lr']}.",
    )
    for line in quality:
        print("  ".join(line), flush=True)
    write(
        Result(
            name="graph_embeddings",
            comparisons=rows,
            tables=[table],
        ),
        chosen.json,
    )


if __name__ == "__main__":
    main()
