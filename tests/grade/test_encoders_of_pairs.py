"""Encoders of text pairs: a Hugging Face folder as it is and tuned, graph embeddings by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from osler import Library
from osler.errors import MissingModel
from osler.grade.grader import graders
from osler.grade.models import load_grader, save_grader
from osler.grade.networks.hub import HubEncoder
from osler.grade.networks.views import alone, only_fact, view
from osler.grade.pair import Pair
from osler.learn.card import Card
from osler.verbs.grade_training import graph_vectors

CARD = Card(name="x", what="y")
LENGTHS = {"medl": 32, "rcor": 24, "kimp": 24}
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "metformin", "diabetes", "patients", ".")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random BERT."""
    from transformers import BertConfig, BertModel

    place = tmp_path_factory.mktemp("bert")
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(place)
    (place / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    (place / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": True}))
    return place


def test_vectors_are_kept(folder: Path, pairs: list[Pair]) -> None:
    encoder = HubEncoder(folder)
    views = [view(pair, "medl") for pair in pairs[:3]]
    first = encoder.vectors(views, 32)
    assert first.shape == (3, 24)
    assert np.array_equal(first, encoder.vectors(views, 32))
    tokens, states = encoder.token_states(views[0], 32)
    assert len(tokens) == len(states) > 0
    assert encoder.vectors([alone(pairs[0]), only_fact(pairs[0])], 32).shape == (2, 24)


def test_upper_layers_learn_and_are_saved(folder: Path, pairs: list[Pair], tmp_path: Path) -> None:
    kind = graders.get("hicapsrkl")
    options = {"encoder": str(folder), "lengths": LENGTHS, "epochs": 2}
    plain = kind(**options).fit(pairs[:20])  # type: ignore[call-arg]
    assert plain.encoder.pooling == "cls"  # type: ignore[attr-defined]
    whole = kind(pooling="mean", **options).fit(pairs[:20])  # type: ignore[call-arg]
    assert not np.allclose(plain.probabilities(pairs[:4]), whole.probabilities(pairs[:4]))
    tuned = kind(tune_layers=1, **options).fit(pairs[:20])  # type: ignore[call-arg]
    assert not tuned.encoder.state()[0].keys() & plain.encoder.state()[0].keys()  # type: ignore[attr-defined]
    assert all("layer.1." in name for name in tuned.encoder.state()[0])  # type: ignore[attr-defined]
    save_grader(tmp_path / "model", tuned, CARD)
    back = load_grader(tmp_path / "model")
    assert np.allclose(back.probabilities(pairs[:4]), tuned.probabilities(pairs[:4]), atol=1e-5)
    assert {heat.view for heat in back.heats(pairs[0])} == {"RCor", "KImp"}


def test_another_encoder_is_refused(folder: Path, pairs: list[Pair]) -> None:
    config = HubEncoder(folder).state()[1]
    with pytest.raises(MissingModel, match="not the one"):
        HubEncoder.restore({}, {**config, "hash": "other"})
    with pytest.raises(MissingModel, match="no encoder folder"):
        HubEncoder(folder / "nothing")


def test_graph_vectors_by_name(graph_library: Library) -> None:
    vectors = graph_vectors(graph_library, "transe", dimension=8, epochs=1)
    assert "metformin" in vectors
    assert "relation treats" in vectors
    assert {len(vector) for vector in vectors.values()} == {8}
