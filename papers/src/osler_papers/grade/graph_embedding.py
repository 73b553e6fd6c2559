"""MedL + TransE, TransH, TransD, RotatE: the fact by its graph embedding, the paper by an encoder.

Appendix A.3: the knowledge representation is head, relation and tail side by side; both
representations are fused in the last layer. An entity or relation that the graph has not gets
zeros, and a mark that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from osler.errors import InputError
from osler.grade.grader import State
from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair


class GraphEmbeddingGrader(NeuralGrader):
    """``vectors`` maps names of entities and (after ``relation ``) relations to rows."""

    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})
    reads = ("paper",)

    def __init__(self, *, vectors: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.vectors = dict(vectors or {})

    @property
    def size(self) -> int:
        """The width of a graph embedding."""
        first = next(iter(self.vectors.values()), None)
        if first is None:
            raise InputError(
                f"{self.name} needs graph embeddings",
                cure="train some: osler.knowledge.embeddings.named_vectors",
            )
        return len(first)

    def knowledge(self, pair: Pair) -> Any:
        rows, known = [], []
        for name in (pair.fact.head, f"relation {pair.fact.relation}", pair.fact.tail):
            found = self.vectors.get(name)
            known.append(float(found is not None))
            rows.append(np.zeros(self.size) if found is None else np.asarray(found))
        return np.concatenate([*rows, known]).astype(np.float32)

    def beside(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        return {"knowledge": np.stack([self.knowledge(pair) for pair in pairs])}

    def head(self) -> Any:
        from torch import nn

        from osler_papers.pairs.cross_encoder import CrossEncoder

        width = self.encoder.dimension
        return nn.ModuleDict(
            {
                "fact": nn.Linear(3 * self.size + 3, width),
                "out": CrossEncoder(2 * width, len(self.scale.labels), dropout=0.2),
            }
        )

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        import torch

        fact = torch.tanh(head["fact"](inputs["knowledge"]))
        return head["out"](torch.cat([inputs["paper"], fact], dim=1)), None, None

    def own_state(self) -> State:
        names = sorted(self.vectors)
        matrix = np.array([self.vectors[name] for name in names], dtype=np.float32)
        return {"vectors": matrix}, {"names": names}

    def own_restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        self.vectors = dict(zip(config["names"], np.asarray(tensors["vectors"]), strict=True))


class MedLTransE(GraphEmbeddingGrader):
    """MedL + TransE."""

    name = "medl-transe"
    help = "the paper by an encoder, the fact by TransE"
    embedding = "transe"


class MedLTransH(GraphEmbeddingGrader):
    """MedL + TransH."""

    name = "medl-transh"
    help = "the paper by an encoder, the fact by TransH"
    embedding = "transh"


class MedLTransD(GraphEmbeddingGrader):
    """MedL + TransD."""

    name = "medl-transd"
    help = "the paper by an encoder, the fact by TransD"
    embedding = "transd"


class MedLRotatE(GraphEmbeddingGrader):
    """MedL + RotatE."""

    name = "medl-rotate"
    help = "the paper by an encoder, the fact by RotatE"
    embedding = "rotate"
