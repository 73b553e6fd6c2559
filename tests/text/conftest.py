"""A tiny random BERT folder of our own making, as a Hugging Face model folder looks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = ["aspirin", "stroke", "fever", "heart", "the", "of", "in", "a", "##s", "##ing"]
WORDS += ["treat", "risk", ".", ","]


def make_bert(
    folder: Path, *, kind: str = "bert", layers: int = 2, hidden: int = 32, seed: int = 7
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {word: i for i, word in enumerate([*specials, *WORDS])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "model_type": kind,
        "architectures": ["BertModel" if kind == "bert" else "RobertaModel"],
        "hidden_size": hidden,
        "intermediate_size": 64,
        "num_attention_heads": 4,
        "num_hidden_layers": layers,
        "max_position_embeddings": 40,
        "vocab_size": len(vocabulary),
        "type_vocab_size": 2 if kind == "bert" else 1,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }
    (folder / "config.json").write_text(json.dumps(config))
    rng = np.random.default_rng(seed)

    def random(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.3, shape).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": random(len(vocabulary), hidden),
        "embeddings.position_embeddings.weight": random(40, hidden),
        "embeddings.token_type_embeddings.weight": random(config["type_vocab_size"], hidden),
        "embeddings.LayerNorm.weight": 1 + random(hidden),
        "embeddings.LayerNorm.bias": random(hidden),
    }
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value"):
            tensors[f"{name}.{part}.weight"] = random(hidden, hidden)
            tensors[f"{name}.{part}.bias"] = random(hidden)
        for part, rows, columns in (
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", 64, hidden),
            ("output.dense", hidden, 64),
        ):
            tensors[f"{name}.{part}.weight"] = random(rows, columns)
            tensors[f"{name}.{part}.bias"] = random(rows)
        for part in ("attention.output", "output"):
            tensors[f"{name}.{part}.LayerNorm.weight"] = 1 + random(hidden)
            tensors[f"{name}.{part}.LayerNorm.bias"] = random(hidden)
    save_file(tensors, str(folder / "model.safetensors"), metadata={"format": "pt"})
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return make_bert(tmp_path / "tiny")


@pytest.fixture
def bert_maker() -> Callable[..., Path]:
    return make_bert


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSLER_THREADS", "1")
