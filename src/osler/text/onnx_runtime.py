"""The ONNX Runtime way to run an encoder: no torch, float32."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.settings import threads
from osler.text.bert import Array, BertShape, Weights, read_weights
from osler.text.onnx_graph import build, cached, keep

log = logging.getLogger(__name__)


def silent_onnxruntime() -> Any:
    """ONNX Runtime, told not to report to its maker. Nobody else imports it: ``import osler`` has
    set what it reads at its own import, and this holds where a stranger imported it before."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


class OnnxRuntime:
    """Hidden states by ONNX Runtime. ``hidden`` may be called from several threads at once."""

    name = "onnx"
    # Tokens that are run together: more of them fall out of the processor's cache.
    token_budget = 1_536

    def __init__(self, folder: Path, shape: BertShape, *, weights_hash: str, layers: int) -> None:
        onnxruntime = silent_onnxruntime()
        options = onnxruntime.SessionOptions()
        # Cores share the work by batches: threads that meet at the end of every small node wait for
        # each other, and a busy machine makes them wait long.
        self.workers = threads()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3

        def session(model: str | bytes) -> object:
            return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

        path = cached(folder, weights_hash, layers)
        if path.is_file():
            try:
                self._session = session(str(path))
                return
            except Exception as problem:  # onnxruntime's errors have no common parent
                log.warning("%s is damaged (%s): made again", path.name, type(problem).__name__)
        graph = build(Weights(shape, read_weights(folder / "model.safetensors")), layers)
        self._session = session(str(path) if keep(path, graph) else graph)

    def hidden(self, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32]) -> Array:
        """(batch, length, hidden) for right-padded ids."""
        result: Array = self._session.run(["hidden"], {"ids": ids, "mask": mask})[0]  # type: ignore[attr-defined]
        return result
