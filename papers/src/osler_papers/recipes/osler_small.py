"""Make osler-small and osler-static, the encoders that ship, and measure them.

Set ``OSLER_THREADS`` to the cores that the teaching may take. It goes on where it stopped when the
recipe is run again with the same ``--out``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import InputError
from osler.learn.needs import torch as need_torch
from osler.measures.comparison import compare
from osler.measures.trec import read_qrels, read_queries
from osler.settings import threads
from osler_papers.recipes.osler_small_export import (
    export_small,
    export_static,
    manifest,
    pieces_alone,
)
from osler_papers.recipes.osler_small_network import tensors_of
from osler_papers.recipes.osler_small_teacher import teacher_folder, teacher_tensors
from osler_papers.recipes.osler_small_texts import Drawer, Sources, read_sources
from osler_papers.recipes.osler_small_training import Lesson, Plan, teach

SETS = ("nfcorpus", "cystic_fibrosis")
ENCODERS = ("osler-static", "osler-small")
METHODS = ("vectors", "hybrid")
DEPTH = 100
CALIBRATING = 32
"""Texts that show how large the channels of the 8-bit graph get."""
FITTING = 20_000
"""Texts whose vectors the static table is fitted to, half of them long."""


def run(
    data: Path, out: Path, *, progress: Callable[[str], None], plan: Plan | None = None
) -> dict[str, float]:
    from tokenizers import Tokenizer

    plan = plan or Plan()
    torch = need_torch("teaching an encoder")
    torch.set_num_threads(threads())
    folder = teacher_folder()
    progress("reading the texts")
    sources = read_sources(seed=plan.seed)
    arrays = teacher_tensors(folder / "model.onnx")
    tensors = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    config = json.loads((folder / "config.json").read_text("utf-8"))
    lesson = Lesson(tensors, plan, heads=config["num_attention_heads"])
    progress(f"teaching for {plan.minutes:g} minutes")
    layers = teach(lesson, sources, tokenizer, out, progress=progress)
    taught = student_tensors(arrays, layers, plan)
    config["num_hidden_layers"] = len(plan.keep)
    progress("writing the 8-bit graph")
    drawer = Drawer(sources, seed=plan.seed + 1)
    half = CALIBRATING // 2
    seen = [drawer.long() for _ in range(half)] + [drawer.short() for _ in range(half)]
    small = out / "osler-small"
    export_small(small, config, taught, folder / "tokenizer.json", seen)
    make_static(out / "osler-static", small, sources, seed=plan.seed + 2, progress=progress)
    for name in ENCODERS:
        text = json.dumps(manifest(out / name), indent=2)
        (out / name / "manifest.json").write_text(text + "\n", "utf-8")
    return measure(data, out, progress=progress)


def student_tensors(
    teacher: dict[str, Any], layers: Any, plan: Plan
) -> dict[str, np.ndarray[Any, Any]]:
    """The whole student: the teacher's table and lowest layers, then what was taught."""
    tensors = {name: array for name, array in teacher.items() if name.startswith("embeddings.")}
    for place, number in enumerate(plan.keep[: plan.shared]):
        prefix = f"encoder.layer.{number}."
        for name, array in teacher.items():
            if name.startswith(prefix):
                tensors[f"encoder.layer.{place}.{name.removeprefix(prefix)}"] = array
    taught = tensors_of(layers, first=plan.shared)
    return tensors | {name: tensor.numpy() for name, tensor in taught.items()}


def make_static(
    folder: Path,
    small: Path,
    sources: Sources,
    *,
    seed: int,
    progress: Callable[[str], None],
    count: int = FITTING,
) -> None:
    """The static table, fitted to osler-small's vectors."""
    from tokenizers import Tokenizer

    from osler.text.encoder import load_encoder

    drawer = Drawer(sources, seed=seed)
    texts = [drawer.long() for _ in range(count // 2)] + [drawer.short() for _ in range(count // 2)]
    progress(f"encoding {len(texts)} texts for the static table")
    vectors = load_encoder(small).encode(texts)
    tokenizer = Tokenizer.from_file(str(small / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)
    pieces = [each.ids for each in tokenizer.encode_batch(texts, add_special_tokens=False)]
    export_static(
        folder,
        pieces,
        vectors,
        small / "tokenizer.json",
        alone=pieces_alone(
            small / "model.onnx",
            tokenizer.get_vocab_size(),
            marks=(_number(tokenizer, "[CLS]"), _number(tokenizer, "[SEP]")),
        ),
        progress=progress,
    )


def measure(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]:
    """nDCG@10 of both encoders on the development sets, by vectors and by hybrid search."""
    from osler.library import Library
    from osler.text.encoder import load_encoder

    numbers: dict[str, float] = {}
    for name in ENCODERS:
        encoder = load_encoder(out / name)
        for set_name in SETS:
            place = out / "libraries" / set_name
            opened = Library.open if place.exists() else Library.create
            with opened(place, encoder=encoder) as library:
                library.add([data / set_name / "corpus.jsonl.gz"])
                progress(f"{name}: reading {set_name}")
                library.embed()
                queries = read_queries(data / set_name / "queries.jsonl")
                runs = {m: library.search_many(queries, k=DEPTH, method=m) for m in METHODS}
            qrels = read_qrels(data / set_name / "qrels.tsv")
            table = compare(qrels, runs, ("nDCG@10",), base="hybrid")
            for method in METHODS:
                key = f"{name} {set_name} {method} nDCG@10"
                numbers[key] = table.means[method]["nDCG@10"].value
    for name in ENCODERS:
        size = sum(path.stat().st_size for path in (out / name).iterdir())
        numbers[f"{name} megabytes"] = size / 1e6
    return numbers


def _number(tokenizer: Any, mark: str) -> int:
    number = tokenizer.token_to_id(mark)
    if number is None:
        raise InputError(f"the tokenizer knows no {mark}")
    return int(number)
