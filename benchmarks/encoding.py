"""Encoding abstracts: Osler's runtimes beside sentence-transformers, in one run, as ratios.

    python benchmarks/encoding.py [--texts 2000] [--peer FOLDER] [--rounds 5] [--json FILE]

The abstracts come from ``osler fetch pubmed-sample``, the model from ``osler fetch minilm``.
sentence-transformers is a peer, not a dependency. Put it into a folder of its own and name it:

    pip install --no-deps --target FOLDER sentence-transformers

A round is one slice of the texts by each, in turn, so that a busy machine slows all alike.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from beside import Comparison, Cost, Result, attempt, json_option, show, write
from osler.fetch import fetched
from osler.settings import threads
from osler.text.encoder import load_encoder
from osler.text.model_folder import STATIC, default_name, shipped

Encode = Callable[[list[str]], Any]


def abstracts(count: int) -> list[str]:
    """Title and abstract of the first citations that have one, every third of them."""
    from lxml import etree

    folder = fetched("pubmed-sample")
    if folder is None:
        sys.exit("no abstracts: osler fetch pubmed-sample")
    found: list[str] = []
    with gzip.open(folder / "pubmed21n1298.xml.gz") as stream:
        for _, citation in etree.iterparse(stream, tag="PubmedArticle"):
            title = "".join(citation.find(".//ArticleTitle").itertext())
            parts = ["".join(p.itertext()) for p in citation.iterfind(".//Abstract/AbstractText")]
            if parts:
                found.append(f"{title}\n{' '.join(parts)}")
            citation.clear()
            if len(found) >= 3 * count:
                break
    return found[::3][:count]


def peer(folder: Path | None, model: Path) -> Encode:
    if folder is not None:
        sys.path.insert(0, str(folder))
    import torch
    from sentence_transformers import SentenceTransformer

    # As many as Osler takes, whatever the environment says of OpenMP.
    torch.set_num_threads(threads())
    transformer = SentenceTransformer(str(model), device="cpu")
    return lambda texts: transformer.encode(
        texts, normalize_embeddings=True, show_progress_bar=False
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", type=Path, help="folder that holds sentence-transformers")
    json_option(parser)
    options = parser.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    model = fetched("minilm")
    if model is None:
        sys.exit("no model: osler fetch minilm")
    texts = abstracts(options.texts)
    missing: dict[str, str] = {}
    runners: dict[str, Encode] = {
        "osler minilm onnx": load_encoder("minilm", runtime="onnx").encode
    }
    if found := attempt(
        missing, "osler minilm torch", lambda: load_encoder("minilm", runtime="torch")
    ):
        kind = "bfloat16" if found.runtime.bfloat16 else "float32"
        runners[f"osler minilm torch {kind}"] = found.encode
    # "osler" is what a library takes by itself: our own encoder where its weights are here.
    taken = default_name()
    if taken == "minilm":
        taken = next(name for name in runners if load_encoder("minilm").runtime.name in name)
        runners = {"osler": runners.pop(taken), **runners}
    else:
        runners = {"osler": load_encoder(taken).encode, **runners}
        if (table := shipped(STATIC)) is not None:
            runners["osler static table"] = load_encoder(table).encode
    base = attempt(missing, "sentence-transformers", lambda: peer(options.peer, model))
    if base is not None:
        runners["sentence-transformers"] = base
    names = list(runners)
    costs = {name: Cost(cpu=[], wall=[]) for name in names}
    vectors: dict[str, list[Any]] = {name: [] for name in names}
    for name in names:
        runners[name](texts[:16])
    size = max(1, len(texts) // options.rounds)
    for turn in range(options.rounds):
        part = texts[turn * size : (turn + 1) * size]
        # The order turns, so that no one always runs on a processor that another has warmed.
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            begun, used = time.perf_counter(), time.process_time()
            vectors[name].append(runners[name](part))
            costs[name].wall.append((time.perf_counter() - begun) / len(part))
            costs[name].cpu.append((time.process_time() - used) / len(part))
    first = np.concatenate(vectors[names[-1]])
    # Only where the model is the peer's own do cosines to its vectors mean anything.
    same = [n for n in names if "minilm" in n or n == names[-1] or "minilm" in taken]
    least = {n: float((np.concatenate(vectors[n]) * first).sum(1).min()) for n in same}
    row = Comparison(
        name="encoding",
        title="Encoding",
        task=f"{size * options.rounds:,} titles with abstracts to vectors, {threads()} threads",
        unit="an abstract",
        costs=costs,
        notes={"osler": f"{taken}, what is taken by itself"}
        | {
            name: f"least cosine to the last column's vectors {least[name]:.4f}"
            for name in same
            if name != "osler"
        },
        missing=missing,
        reason="osler-small reads the first 128 word pieces in 8 bits, the peer 256 in 32",
    )
    show(row)
    for name in same:
        print(f"{name:24} least cosine to {names[-1]}: {least[name]:.6f}")
    query = load_encoder()
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        query.encode(["aspirin for the prevention of stroke"])
        times.append(time.perf_counter() - begun)
    short = sorted(times)[25]
    print(f"one short query: p50 {1000 * short:.1f} ms")
    write(
        Result(
            name="encoding",
            comparisons=[row],
            facts={"short query ms": 1000 * short, "least cosine": min(least.values())},
        ),
        options.json,
    )


if __name__ == "__main__":
    main()
