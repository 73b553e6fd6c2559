"""The recipe's parts on a tiny teacher: what is taught comes nearer, goes on, and is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from osler.text.bert import Weights, bert_shape, forward, read_config, read_weights
from osler.text.encoder import load_encoder
from osler.text.static_table import bag_of_pieces
from osler_papers.recipes.osler_small import student_tensors
from osler_papers.recipes.osler_small_export import export_small, export_static, fit_table, manifest
from osler_papers.recipes.osler_small_texts import Citation, Drawer, Sources

pytest.importorskip("torch")

from osler_papers.recipes.osler_small_training import CHECKPOINT, LOG, Lesson, Plan, pack, teach

from text.conftest import make_bert  # isort: skip

ABSTRACT = "The risk of stroke in the heart, treated. " * 9
SOURCES = Sources(
    citations=[Citation("aspirin in fever and stroke", ABSTRACT)] * 4,
    kept_back=[Citation("the heart of a risk", ABSTRACT)] * 3,
    names=["aspirin", "stroke"],
    definitions=["fever of the heart"],
)
PLAN = Plan(
    keep=(0, 2), shared=1, minutes=0.03, rate=1e-2, long_texts=2, short_texts=4, save_every=0.5
)


@pytest.fixture
def teacher(tmp_path: Path) -> Path:
    return make_bert(tmp_path / "teacher", layers=3)


def lesson_of(folder: Path, plan: Plan = PLAN) -> Lesson:
    import torch

    tensors = read_weights(folder / "model.safetensors")
    given = {name: torch.from_numpy(array) for name, array in tensors.items()}
    return Lesson(given, plan, heads=4)


def tokenizer_of(folder: Path):  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    return tokenizer


def test_texts_are_the_same_for_the_same_seed() -> None:
    drawn = [[Drawer(SOURCES, seed=s).long() for _ in range(3)] for s in (1, 1)]
    assert drawn[0] == drawn[1]
    assert all(Drawer(SOURCES, seed=s).short() for s in range(30))


def test_a_student_with_all_layers_is_its_teacher(teacher: Path) -> None:
    whole = Plan(keep=(0, 1, 2), shared=1)
    ids, mask = pack([[2, 5, 6, 3], [2, 7, 3]])
    states, vectors, between = lesson_of(teacher, whole).losses(ids, mask, 1.0)
    assert states.item() < 1e-4
    assert abs(vectors.item()) < 1e-3
    assert between.item() < 1e-4


def test_teaching_brings_it_nearer_and_goes_on(teacher: Path, tmp_path: Path) -> None:
    lesson = lesson_of(teacher)
    ids, mask = pack([[2, 5, 6, 9, 7, 3], [2, 10, 8, 3]])
    before = lesson.losses(ids, mask, 0)[0].item()
    short = Sources(
        citations=[Citation("aspirin in fever", "the risk of stroke. " * 16)],
        kept_back=[Citation("aspirin", "of the heart")],
        names=["aspirin", "stroke"],
        definitions=["fever"],
    )
    cutter = _Cutter(tokenizer_of(teacher))
    teach(lesson, short, cutter, tmp_path, progress=lambda line: None)
    after = lesson.losses(ids, mask, 0)[0].item()
    assert after < before
    rows = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert any("kept back" in row for row in rows)
    # Another start takes up where this one ended: nothing is left to do.
    again = lesson_of(teacher)
    assert (tmp_path / CHECKPOINT).is_file()
    teach(again, short, cutter, tmp_path, progress=lambda line: None)
    assert again.losses(ids, mask, 0)[0].item() == pytest.approx(after, abs=1e-3)


class _Cutter:
    """A tokenizer that cuts at the tiny model's own length."""

    def __init__(self, tokenizer) -> None:  # type: ignore[no-untyped-def]
        self._tokenizer = tokenizer

    def enable_truncation(self, length: int) -> None:
        self._tokenizer.enable_truncation(min(length, 40))

    def encode_batch(self, texts: list[str]):  # type: ignore[no-untyped-def]
        return self._tokenizer.encode_batch(texts)


def test_what_is_written_is_the_student(teacher: Path, tmp_path: Path) -> None:
    lesson = lesson_of(teacher)
    tensors = student_tensors(read_weights(teacher / "model.safetensors"), lesson.student, PLAN)
    config = {**read_config(teacher), "num_hidden_layers": 2}
    folder = tmp_path / "small"
    export_small(folder, config, tensors, teacher / "tokenizer.json", ["aspirin treats fever"])
    shape = bert_shape(config)
    assert shape is not None
    ids = np.array([tokenizer_of(teacher).encode("aspirin in fever").ids], np.int32)
    exact = forward(Weights(shape, tensors), ids, np.ones_like(ids), 2)[0].sum(0)
    vector = load_encoder(folder, max_tokens=40).encode(["aspirin in fever"])[0]
    assert float(vector @ exact) / np.linalg.norm(exact) > 0.99
    assert set(manifest(folder)) == {"model.onnx", "tokenizer.json", "encoder.json"}


def test_the_table_is_fitted(teacher: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(0, 1, (20, 6)).astype(np.float32)
    texts = [rng.integers(5, 19, 12).tolist() for _ in range(400)]
    bag = bag_of_pieces(texts, 20)
    vectors = np.asarray(bag @ table, np.float32)
    fitted = fit_table(bag, vectors, ridge=1e-3, steps=40, progress=lambda line: None)
    centred = vectors - vectors.mean(0)
    left = bag @ fitted - centred
    assert np.square(left - left.mean(0)).sum() < 0.01 * np.square(centred).sum()
    export_static(
        tmp_path / "table",
        texts,
        vectors,
        teacher / "tokenizer.json",
        alone=rng.normal(0, 1, (20, 6)).astype(np.float32),
        progress=lambda line: None,
    )
    assert load_encoder(tmp_path / "table").encode(["aspirin"]).shape == (1, 6)
