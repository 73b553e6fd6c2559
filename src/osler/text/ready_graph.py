"""Ready ONNX graphs of BERT's kind, as other tools export them, and our own in 8 bits.

Inputs are told apart by their names (``input_ids`` or ``ids``, ``attention_mask`` or ``mask``,
``token_type_ids``); the first output is taken. A graph that has no mask takes one text at a time:
its vector then depends on nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.errors import FormatError
from osler.settings import threads
from osler.text.bert import Array

_TYPES: dict[str, type[np.signedinteger[Any]]] = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
}
_IDS = frozenset({"input_ids", "ids"})
_MASK = frozenset({"attention_mask", "mask"})
_SEGMENTS = frozenset({"token_type_ids"})


def open_session(graph: Path, *, fuse: bool, extensions: str | None = None) -> Any:
    """An ONNX Runtime session on one thread: cores share the work by batches.

    ``fuse`` lets the runtime join nodes: exported graphs gain by it; ours are written as they are
    quickest (its joined norm takes four times as long as the plain nodes).
    """
    from osler.text.onnx_runtime import silent_onnxruntime

    onnxruntime = silent_onnxruntime()

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if not fuse:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    if extensions:
        options.register_custom_ops_library(extensions)
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime's errors have no common parent
        raise FormatError(
            f"{graph.parent.name}/{graph.name} cannot be run ({type(problem).__name__})",
            cure="fetch the encoder again",
        ) from None


class ReadyGraph:
    """Hidden states by a graph that somebody wrote. Safe to call from several threads."""

    name = "onnx"

    def __init__(self, graph: Path) -> None:
        self.workers = threads()
        # Ours needs no other session than this one; opening takes most of a cold question's time.
        session = open_session(graph, fuse=False)
        names = {each.name for each in session.get_inputs()}
        unknown = names - _IDS - _MASK - _SEGMENTS
        if unknown or not names & _IDS:
            raise FormatError(
                f"{graph.name} is no graph of an encoder: it asks for {sorted(unknown or names)}"
            )
        self._masked = bool(names & _MASK)
        # Tokens that are run together: more of them fall out of the processor's cache.
        self.token_budget = 1_536 if self._masked else 1
        if self._masked:
            session = open_session(graph, fuse=True)
        self._session = session
        self._inputs = [(each.name, _TYPES[each.type]) for each in session.get_inputs()]
        output = session.get_outputs()[0]
        self._output = output.name
        self.dimension = int(output.shape[-1])

    def hidden(self, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32]) -> Array:
        """(batch, length, hidden) for right-padded ids."""
        if not self._masked and len(ids) > 1:
            raise ValueError("a graph without a mask takes one text at a time")
        feeds = {}
        for name, kind in self._inputs:
            given = ids if name in _IDS else mask if name in _MASK else np.zeros_like(ids)
            feeds[name] = given.astype(kind, copy=False)
        result: Array = self._session.run([self._output], feeds)[0]
        return result
