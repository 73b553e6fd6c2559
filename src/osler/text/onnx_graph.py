"""A BERT encoder as an ONNX graph, written node by node from the weights.

No exporter and no torch: the ``onnx`` package only. The nodes are ONNX Runtime's fused ones
(``com.microsoft``): embedding with its norm, attention over heads, norm with its residual, GELU
with its bias. Input: ``ids`` and ``mask`` (batch, length); output: ``hidden``.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from osler.text.bert import Array, Weights

# Part of the cached graph's name: raise it when the nodes change.
BUILDER = 1
DOMAIN = "com.microsoft"


def build(weights: Weights, layers: int) -> bytes:
    """The serialised graph of the first ``layers`` layers."""
    from onnx import TensorProto, helper, numpy_helper

    shape = weights.shape
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(name: str, array: Array) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(kind: str, inputs: list[str], output: str, **options: Any) -> str:
        domain = "" if kind == "MatMul" else DOMAIN
        nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **options))
        return output

    def norm(x: str, residual: str, bias: Array, name: str, output: str) -> str:
        gamma, beta = weights.norm(name)
        inputs = [
            x,
            residual,
            constant(f"{output}.gamma", gamma),
            constant(f"{output}.beta", beta),
            constant(f"{output}.bias", bias),
        ]
        return node("SkipLayerNormalization", inputs, output, epsilon=shape.epsilon)

    gamma, beta = weights.norm("embeddings")
    inputs = [
        "ids",
        "",
        constant("words", weights.words()),
        constant("positions", weights.positions()),
    ]
    inputs += ["", constant("embeddings.gamma", gamma), constant("embeddings.beta", beta)]
    x = "hidden" if layers == 0 else "embeddings"
    # The second output (a mask index) must be named, but nothing reads it.
    nodes.append(
        helper.make_node(
            "EmbedLayerNormalization", inputs, [x, "unused"], domain=DOMAIN, epsilon=shape.epsilon
        )
    )
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        parts, biases = [], []
        for part in ("query", "key", "value"):
            matrix, bias = weights.linear(f"{name}.attention.self.{part}")
            biases.append(bias)
            parts.append(
                node("MatMul", [x, constant(f"{part}.{layer}.w", matrix)], f"{part}.{layer}")
            )
        bias_name = constant(f"attention.{layer}.bias", np.concatenate(biases))
        mixed = node(
            "MultiHeadAttention",
            [*parts, bias_name, "mask"],
            f"attention.{layer}",
            num_heads=shape.heads,
        )
        matrix, bias = weights.linear(f"{name}.attention.output.dense")
        out = node("MatMul", [mixed, constant(f"output.{layer}.w", matrix)], f"output.{layer}")
        middle = norm(out, x, bias, f"{name}.attention.output", f"middle.{layer}")
        matrix, bias = weights.linear(f"{name}.intermediate.dense")
        inner = node("MatMul", [middle, constant(f"inner.{layer}.w", matrix)], f"inner.{layer}")
        inner = node("BiasGelu", [inner, constant(f"inner.{layer}.bias", bias)], f"gelu.{layer}")
        matrix, bias = weights.linear(f"{name}.output.dense")
        out = node("MatMul", [inner, constant(f"outer.{layer}.w", matrix)], f"outer.{layer}")
        last = "hidden" if layer == layers - 1 else f"layer.{layer}"
        x = norm(out, middle, bias, f"{name}.output", last)
    ids = helper.make_tensor_value_info("ids", TensorProto.INT32, ["batch", "length"])
    mask = helper.make_tensor_value_info("mask", TensorProto.INT32, ["batch", "length"])
    hidden = helper.make_tensor_value_info(
        "hidden", TensorProto.FLOAT, ["batch", "length", shape.hidden]
    )
    graph = helper.make_graph(nodes, "bert", [ids, mask], [hidden], constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    return bytes(model.SerializeToString())


def cached(folder: Path, weights_hash: str, layers: int) -> Path:
    """Where the graph of these weights is kept: beside the model."""
    return folder / f"osler-{BUILDER}-{weights_hash[:16]}-{layers}.onnx"


def keep(path: Path, graph: bytes) -> bool:
    """Write the graph whole or not at all; False where the folder cannot be written."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=".osler-", dir=path.parent)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(graph)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        return False
    return True
