"""BERT as a cross-encoder (Devlin et al. 2019): fact and paper read at once, one prediction.

MacAvaney et al. 2019 use it so for ranking. ``hints`` adds the counted features that HiCapsRKL may
be given too, so that the two can be compared with and without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from osler.grade.features import features
from osler.grade.grader import Ints, State
from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair


class CrossEncoderGrader(NeuralGrader):
    name = "cross-encoder"
    help = "one encoder over fact and paper (BERT)"

    def __init__(self, *, hints: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.hints = hints
        self.coding: Any = None

    def prepare(self, pairs: Sequence[Pair], rows: Ints) -> None:
        if self.hints:
            from osler.grade.networks.hints import Coding

            self.coding = Coding.of(features([pairs[row] for row in rows]))

    def beside(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        return {} if self.coding is None else {"hints": self.coding(features(pairs))}

    def head(self) -> Any:
        from osler_papers.pairs.cross_encoder import CrossEncoder

        width = self.encoder.dimension + (self.coding.width if self.coding is not None else 0)
        return CrossEncoder(width, len(self.scale.labels), dropout=0.2)

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        import torch

        parts = [inputs[name] for name in ("medl", "hints") if name in inputs]
        return head(torch.cat(parts, dim=1)), None, None

    def own_state(self) -> State:
        tensors = self.coding.arrays() if self.coding is not None else {}
        return tensors, {"options": {"hints": self.hints}}

    def own_restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        if self.hints:
            from osler.grade.networks.hints import Coding

            self.coding = Coding.restore(tensors)
