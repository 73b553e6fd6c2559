"""Encoding abstracts: Osler's runtimes beside sentence-transformers, in one run, as ratios.

    python benchmarks/encoding.py [--texts 2000] [--peer FOLDER] [--rounds 3]

The abstracts come from ``osler fetch pubmed-sample``, the model from ``osler fetch minilm``.
sentence-transformers is a peer, not a dependency. Put it into a folder of its own and name it:

    pip install --no-deps --target FOLDER sentence-transformers

Rounds are interleaved (one slice of the texts by each, in turn), so that a busy machine slows
everyone alike; a ratio is taken over the sums.
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

from osler.fetch import fetched
from osler.settings import threads
from osler.text.encoder import load_encoder

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


def peer(folder: Path | None, model: Path) -> Encode | None:
    if folder is not None:
        sys.path.insert(0, str(folder))
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        return None
    transformer = SentenceTransformer(str(model), device="cpu")
    return lambda texts: transformer.encode(
        texts, normalize_embeddings=True, show_progress_bar=False
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--peer", type=Path, help="folder that holds sentence-transformers")
    options = parser.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    model = fetched("minilm")
    if model is None:
        sys.exit("no model: osler fetch minilm")
    texts = abstracts(options.texts)
    runners: dict[str, Encode] = {}
    base = peer(options.peer, model)
    if base is None:
        print("sentence-transformers is not here: no ratios (see --help)")
    else:
        runners["sentence-transformers"] = base
    runners["osler onnx"] = load_encoder("minilm", runtime="onnx").encode
    try:
        torch_encoder = load_encoder("minilm", runtime="torch")
    except Exception as problem:
        print(f"torch is not here: {problem}")
    else:
        kind = "bfloat16" if torch_encoder.runtime.bfloat16 else "float32"  # type: ignore[attr-defined]
        runners[f"osler torch {kind}"] = torch_encoder.encode
    default = load_encoder("minilm").runtime
    names = list(runners)
    wall = dict.fromkeys(names, 0.0)
    work = dict.fromkeys(names, 0.0)
    vectors: dict[str, list[Any]] = {name: [] for name in names}
    for name in names:
        runners[name](texts[:4])
    size = max(1, len(texts) // options.rounds)
    for turn, start in enumerate(range(0, len(texts), size)):
        part = texts[start : start + size]
        # The order turns, so that no one always runs on a processor that another has warmed.
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            begun, used = time.perf_counter(), time.process_time()
            vectors[name].append(runners[name](part))
            wall[name] += time.perf_counter() - begun
            work[name] += time.process_time() - used
    print(f"{len(texts)} abstracts, {threads()} threads; by default Osler takes {default.name}")
    first = np.concatenate(vectors[names[0]])
    for name in names:
        cosine = (np.concatenate(vectors[name]) * first).sum(1).min()
        print(
            f"{name:<24} {len(texts) / wall[name]:7.1f} a second"
            f"   {wall[names[0]] / wall[name]:5.2f} x by the clock"
            f"   {work[names[0]] / work[name]:5.2f} x by processor time   least cosine {cosine:.6f}"
        )
    query = load_encoder("minilm", runtime="onnx")
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        query.encode(["aspirin for the prevention of stroke"])
        times.append(time.perf_counter() - begun)
    print(f"one short query (onnx): p50 {1000 * sorted(times)[25]:.1f} ms")


if __name__ == "__main__":
    main()
