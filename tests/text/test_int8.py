from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from osler.text.bert import Weights, bert_shape, forward, read_config, read_weights
from osler.text.encoder import load_encoder
from osler.text.onnx_int8 import build_int8, measure_channels, smoothing, to_bytes
from osler.text.ready_graph import ReadyGraph

IDS = [2, 5, 6, 9, 7, 3]


def weights_of(folder: Path) -> Weights:
    shape = bert_shape(read_config(folder))
    assert shape is not None
    return Weights(shape, read_weights(folder / "model.safetensors"))


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return (one * other).sum(-1) / lengths


def test_bytes_by_hand() -> None:
    matrix = np.array([[1.27, -2.0], [-0.635, 0.5]], np.float32)
    small, scale = to_bytes(matrix, axis=0)
    np.testing.assert_allclose(scale, [[0.01, 2 / 127]], rtol=1e-6)
    assert small.tolist() == [[127, -127], [-64, 32]]
    np.testing.assert_allclose(small * scale, matrix, atol=0.01)


def test_smoothing_by_hand() -> None:
    # The median is 1, twice that is usual: 8 is four times the usual, its root is 2.
    factors = smoothing(np.array([1, 1, 0.5, 8, 1], np.float32))
    assert factors.tolist() == [1, 1, 1, 2, 1]


def test_the_graph_is_near_the_numpy_pass(tiny: Path, tmp_path: Path) -> None:
    weights = weights_of(tiny)
    ids = np.array([IDS], np.int32)
    exact = forward(weights, ids, np.ones_like(ids), 2)
    (tmp_path / "g.onnx").write_bytes(build_int8(weights, 2, positions=16))
    got = ReadyGraph(tmp_path / "g.onnx").hidden(ids, np.ones_like(ids))
    assert got.shape == exact.shape
    assert cosines(got, exact).min() > 0.99
    assert not np.array_equal(got, exact)


def test_measured_channels_help(tmp_path: Path, bert_maker: Callable[..., Path]) -> None:
    """One channel that is fifty times as large as the rest, as real models have them."""
    folder = bert_maker(tmp_path / "model")
    shape = bert_shape(read_config(folder))
    assert shape is not None
    tensors = read_weights(folder / "model.safetensors")
    tensors["encoder.layer.0.attention.output.LayerNorm.bias"][3] = 50
    weights = Weights(shape, tensors)
    ids = np.array([IDS], np.int32)
    exact = forward(weights, ids, np.ones_like(ids), 2)
    plain = build_int8(weights, 2)
    largest = measure_channels(plain, [IDS])
    assert largest["middle.0"][3] > 40
    errors = []
    for number, graph in enumerate((plain, build_int8(weights, 2, largest=largest))):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(graph)
        got = ReadyGraph(path).hidden(ids, np.ones_like(ids))
        errors.append(float(np.abs(got - exact).mean()))
    assert errors[1] < errors[0]


def test_a_ready_graph_is_an_encoder(tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ready"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(build_int8(weights_of(tiny), 2, positions=16))
    (folder / "tokenizer.json").write_bytes((tiny / "tokenizer.json").read_bytes())
    (folder / "encoder.json").write_text(
        '{"graph": "model.onnx", "max_tokens": 16, "query_prefix": "risk of ", "languages": ["en"]}'
    )
    encoder = load_encoder(folder)
    assert encoder.name == "ready"
    texts = ["aspirin treats fever", "stroke", "the heart " * 30]
    vectors = encoder.encode(texts)
    # A vector does not depend on what else is encoded.
    for text, vector in zip(texts, vectors, strict=True):
        assert np.array_equal(encoder.encode([text])[0], vector)
    np.testing.assert_allclose(
        encoder.encode_questions(["stroke"]), encoder.encode(["risk of stroke"]), atol=1e-6
    )
    assert not np.allclose(encoder.encode_questions(["stroke"])[0], vectors[1])
    pieces, states = encoder.token_vectors(["aspirin fever"])[0]
    assert pieces == ["aspirin", "fever"]
    assert states.shape == (2, 32)
