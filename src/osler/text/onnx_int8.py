"""A BERT encoder as an ONNX graph of 8-bit weights: a quarter of the size, several times the speed.

Every matrix is stored as signed bytes with a scale a column, w = s_j q_ij; what comes in is brought
to bytes as the graph runs (``DynamicQuantizeMatMul``). The table of word pieces has a scale a row.
Norms, attention and GELU stay in 32 bits.

Input: ``ids`` (1, length): one text at a time. What comes in is scaled by its largest value, so
texts that are run together would move each other's vectors; alone, a text needs no mask either, and
a long one fills the processor as well as a batch does. Output: ``hidden``. Norms are written out in
plain nodes: ONNX Runtime's joined one takes four times as long (open the graph with joining off).

A few channels are far larger than the rest (at the marks of a text's beginning and end) and would
take all 256 steps for themselves. After Xiao et al. 2023, "SmoothQuant", such a channel k is
divided by a factor f_k before its product, and row k of the matrix multiplied by it: f_k =
sqrt(m_k / 2 m), at least 1, where m_k is the largest value seen in it and m the median of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.text.bert import Array, Weights
from osler.text.onnx_graph import DOMAIN

Bytes = npt.NDArray[np.int8]


def to_bytes(matrix: Array, axis: int) -> tuple[Bytes, Array]:
    """(q, s) with ``matrix`` about q * s, one scale for all values along ``axis``."""
    scale = np.abs(matrix).max(axis=axis, keepdims=True) / np.float32(127)
    scale = np.maximum(scale, np.float32(1e-12)).astype(np.float32)
    return np.round(matrix / scale).astype(np.int8), scale


def smoothing(largest: Array) -> Array:
    """The factor of each channel, from the largest value seen in it."""
    usual = np.float32(2) * np.median(largest)
    return np.asarray(np.sqrt(np.maximum(np.float32(1), largest / usual)), dtype=np.float32)


class _Graph:
    """Nodes and constants as they are written down."""

    def __init__(self, largest: Mapping[str, Array]) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._largest = largest

    def constant(self, name: str, array: npt.NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(
        self, kind: str, inputs: list[str], *outputs: str, own: bool = False, **options: Any
    ) -> str:
        from onnx import helper

        domain = DOMAIN if own else ""
        self.nodes.append(
            helper.make_node(kind, inputs, list(outputs), domain=domain, name=outputs[0], **options)
        )
        return outputs[0]

    def product(self, x: str, matrix: Array, output: str, bias: Array | None = None) -> str:
        """x @ matrix + bias, in bytes."""
        if x in self._largest:
            factor = smoothing(self._largest[x])
            x = self.node("Mul", [x, self.constant(f"{output}.f", 1 / factor)], f"{output}.in")
            matrix = matrix * factor[:, None]
        small, scale = to_bytes(matrix, axis=0)
        inputs = [x, self.constant(f"{output}.w", small), self.constant(f"{output}.s", scale[0])]
        if bias is not None:
            inputs += ["", self.constant(f"{output}.b", bias)]
        return self.node("DynamicQuantizeMatMul", inputs, output, own=True)

    def norm(self, terms: list[str], weights: tuple[Array, Array], output: str) -> str:
        """The norm of a sum."""
        total = terms[0]
        for number, term in enumerate(terms[1:]):
            total = self.node("Add", [total, term], f"{output}.sum{number}")
        mean = self.node("ReduceMean", [total, "last"], f"{output}.mean")
        centred = self.node("Sub", [total, mean], f"{output}.centred")
        square = self.node("Mul", [centred, centred], f"{output}.square")
        variance = self.node("ReduceMean", [square, "last"], f"{output}.variance")
        above = self.node("Add", [variance, "epsilon"], f"{output}.above")
        deviation = self.node("Sqrt", [above], f"{output}.deviation")
        unit = self.node("Div", [centred, deviation], f"{output}.unit")
        gamma, beta = weights
        scaled = self.node(
            "Mul", [unit, self.constant(f"{output}.gamma", gamma)], f"{output}.scaled"
        )
        return self.node("Add", [scaled, self.constant(f"{output}.beta", beta)], output)


def build_int8(
    weights: Weights,
    layers: int,
    *,
    positions: int | None = None,
    largest: Mapping[str, Array] | None = None,
) -> bytes:
    """The serialised graph of the first ``layers`` layers, for texts of up to ``positions``
    pieces. ``largest`` has the largest values of channels (:func:`measure_channels`)."""
    from onnx import TensorProto, helper

    shape = weights.shape
    graph = _Graph(largest or {})
    graph.constant("last", np.array([-1], np.int64))
    graph.constant("epsilon", np.array(shape.epsilon, np.float32))
    x = _embed(graph, weights, positions)
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        own = f"{name}.attention.self"
        pairs = [weights.linear(f"{own}.{part}") for part in ("query", "key", "value")]
        # One product for all three: what comes in is brought to bytes once.
        joint = graph.product(
            x,
            np.concatenate([matrix for matrix, _ in pairs], axis=1),
            f"joint.{layer}",
            np.concatenate([bias for _, bias in pairs]),
        )
        thirds = [f"{part}.{layer}" for part in ("query", "key", "value")]
        graph.node("Split", [joint], *thirds, axis=2, num_outputs=3)
        mixed = graph.node(
            "MultiHeadAttention", thirds, f"attention.{layer}", own=True, num_heads=shape.heads
        )
        matrix, bias = weights.linear(f"{name}.attention.output.dense")
        out = graph.product(mixed, matrix, f"output.{layer}", bias)
        middle = graph.norm([out, x], weights.norm(f"{name}.attention.output"), f"middle.{layer}")
        matrix, bias = weights.linear(f"{name}.intermediate.dense")
        inner = graph.product(middle, matrix, f"inner.{layer}")
        inputs = [inner, graph.constant(f"inner.{layer}.bias", bias)]
        inner = graph.node("BiasGelu", inputs, f"gelu.{layer}", own=True)
        matrix, bias = weights.linear(f"{name}.output.dense")
        out = graph.product(inner, matrix, f"outer.{layer}", bias)
        last = "hidden" if layer == layers - 1 else f"layer.{layer}"
        x = graph.norm([out, middle], weights.norm(f"{name}.output"), last)
    sizes: list[int | str] = [1, "length"]
    ids = helper.make_tensor_value_info("ids", TensorProto.INT32, sizes)
    hidden = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [*sizes, shape.hidden])
    body = helper.make_graph(graph.nodes, "bert", [ids], [hidden], graph.constants)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(DOMAIN, 1)]
    model = helper.make_model(body, opset_imports=opsets, ir_version=9)
    return bytes(model.SerializeToString())


def _embed(graph: _Graph, weights: Weights, positions: int | None) -> str:
    """Word pieces out of the table of bytes, plus their positions, normed."""
    table, scale = to_bytes(weights.words(), axis=1)
    small = graph.node("Gather", [graph.constant("words", table), "ids"], "word.bytes")
    scales = graph.node("Gather", [graph.constant("words.s", scale), "ids"], "word.scales")
    wide = graph.node("Cast", [small], "word.wide", to=1)
    words = graph.node("Mul", [wide, scales], "word")
    length = graph.node("Shape", ["ids"], "length", start=1, end=2)
    first = graph.constant("first", np.array([0], np.int64))
    axis = graph.constant("axis", np.array([1], np.int64))
    every = graph.constant("positions", weights.positions()[None, :positions])
    places = graph.node("Slice", [every, first, length, axis], "position")
    return graph.norm([words, places], weights.norm("embeddings"), "embeddings")


def measure_channels(graph: bytes, texts: Sequence[Sequence[int]]) -> dict[str, Array]:
    """The largest value of each channel that goes into a product, over texts as ids of pieces."""
    import onnx

    from osler.text.onnx_runtime import silent_onnxruntime

    onnxruntime = silent_onnxruntime()
    model = onnx.load_from_string(graph)
    names = [node.input[0] for node in model.graph.node if node.op_type == "DynamicQuantizeMatMul"]
    del model.graph.output[:]
    for name in names:
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, 1, None))
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    largest: dict[str, Array] = {}
    for ids in texts:
        states = session.run(names, {"ids": np.array([ids], np.int32)})
        for name, state in zip(names, states, strict=True):
            peaks = np.abs(state[0]).max(axis=0)
            largest[name] = np.maximum(largest.get(name, peaks), peaks)
    return largest
