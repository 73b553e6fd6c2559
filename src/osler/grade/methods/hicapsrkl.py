"""HiCapsRKL: one encoder for three pairs, capsule routing on two of them, three losses.

Liu et al. 2022, section 3. ``hicapsrkl`` is the method as printed: the encoder, both capsule
routings and three predictions learn together. ``ablation`` takes one component away or adds one
(the seven of Table 4). ``hicapsrkl-ours`` is ours: representations brought to one length, dropout
on them, and counted features (``hints``) beside the texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from osler.errors import ChoiceError
from osler.grade.features import features
from osler.grade.grader import Ints, State, graders
from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair
from osler.kinds import Heat

OURS_DROPOUT = 0.2


@graders.register("hicapsrkl")
class HiCapsRKL(NeuralGrader):
    name = "hicapsrkl"
    help = "HiCapsRKL as printed: capsule routing over RCor and KImp fragments"
    reads = ("medl", "rcor", "kimp")
    normed = False

    def __init__(
        self,
        *,
        ablation: str = "",
        hints: bool = False,
        layers: int = 3,
        iterations: int = 3,
        capsules: int | None = None,
        dropout: float = 0.0,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        from osler.grade.networks.hicaps import ABLATIONS, Parts

        if ablation and ablation not in ABLATIONS:
            raise ChoiceError("ablation", ablation, ABLATIONS)
        self.ablation = ablation
        self.parts = ABLATIONS[ablation] if ablation else Parts()
        self.hints = hints
        self.layers = layers
        self.iterations = iterations
        self.capsules = capsules
        self.dropout = dropout
        self.coding: Any = None

    def prepare(self, pairs: Sequence[Pair], rows: Ints) -> None:
        if self.hints:
            from osler.grade.networks.hints import Coding

            self.coding = Coding.of(features([pairs[row] for row in rows]))

    def beside(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        return {} if self.coding is None else {"hints": self.coding(features(pairs))}

    def head(self) -> Any:
        from osler.grade.networks.hicaps import HiCaps

        return HiCaps(
            self.encoder.dimension,
            len(self.scale.labels),
            parts=self.parts,
            hints=self.coding.width if self.coding is not None else 0,
            layers=self.layers,
            iterations=self.iterations,
            capsules=self.capsules,
            normed=self.normed,
            dropout=self.dropout,
        )

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        label, rcor, kimp = head(_stacked(inputs), inputs.get("hints"))
        return label, rcor, kimp

    def heats(self, pair: Pair) -> tuple[Heat, ...]:
        """Section 5.3: cosine between a caps-representation and each token of its fragment."""
        import torch

        from osler.grade.networks.views import view

        hints = self.beside([pair]).get("hints")
        with torch.no_grad():
            _, rcor, kimp = self.network.represented(
                _stacked(self.read([pair])), None if hints is None else torch.from_numpy(hints)
            )
        heats = []
        for name, which, caps in (("RCor", "rcor", rcor), ("KImp", "kimp", kimp)):
            if caps is None:
                continue
            tokens, states = self.encoder.token_states(view(pair, which), self.lengths[which])
            if not tokens:
                continue
            target = caps[0].numpy()
            norms = np.linalg.norm(states, axis=1) * float(np.linalg.norm(target))
            cosines = states @ target / np.where(norms == 0, 1, norms)
            words = tuple(
                (token.text, round(float(value), 4))
                for token, value in zip(tokens, cosines, strict=True)
            )
            heats.append(Heat(name, words))
        return tuple(heats)

    def own_state(self) -> State:
        options = {
            "ablation": self.ablation,
            "hints": self.hints,
            "layers": self.layers,
            "iterations": self.iterations,
            "capsules": self.capsules,
            "dropout": self.dropout,
        }
        return (self.coding.arrays() if self.coding is not None else {}), {"options": options}

    def own_restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        if self.hints:
            from osler.grade.networks.hints import Coding

            self.coding = Coding.restore(tensors)


@graders.register("hicapsrkl-ours")
class HiCapsOurs(HiCapsRKL):
    """Not in the paper: parts of one length, dropout, hints."""

    name = "hicapsrkl-ours"
    help = "HiCapsRKL with normalised parts, dropout and counted hints; ours"
    normed = True

    def __init__(self, *, hints: bool = True, dropout: float = OURS_DROPOUT, **options: Any):
        super().__init__(hints=hints, dropout=dropout, **options)


def _stacked(inputs: Mapping[str, Any]) -> Any:
    import torch

    return torch.stack([inputs[which] for which in HiCapsRKL.reads], dim=1)
