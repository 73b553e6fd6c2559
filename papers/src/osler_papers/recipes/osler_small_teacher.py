"""gte-small as a teacher: its weights out of the ready graph that ``osler fetch gte-small`` brings.

The exporter gave its matrices numbers for names, but each product's node still says where it
stands in the network, so every matrix finds its name again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from osler.errors import NeedsError
from osler.fetch import fetched

NAME = "gte-small"


def teacher_folder() -> Path:
    folder = fetched(NAME)
    if folder is None:
        raise NeedsError(f"the recipe needs {NAME}", cure=f"osler fetch {NAME}")
    return folder


def teacher_tensors(graph: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The tensors of an exported BERT under Hugging Face's names."""
    import onnx

    model = onnx.load(str(graph))
    constants = {each.name: each for each in model.graph.initializer}
    tensors = {
        name: onnx.numpy_helper.to_array(each)
        for name, each in constants.items()
        if name.startswith(("embeddings.", "encoder."))
    }
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            place = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
            matrix = onnx.numpy_helper.to_array(constants[node.input[1]])
            tensors[f"{place}.weight"] = np.ascontiguousarray(matrix.T)
    return tensors
