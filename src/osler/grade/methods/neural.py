"""What the neural graders share: an encoder, representations kept, a head trained on them.

``encoder``: None makes a small one and trains it on the pairs themselves; ``"minilm"`` or a folder
takes that encoder, as it is or, with ``tune_layers``, its upper layers trained along for ``tune``
epochs; an encoder object (say, one that was pre-trained) is used as it is. The paper trains all
layers of BERT along, which ``tune_layers`` of their number does; a fixed encoder is read once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from osler.grade.calibrate import grouped_folds, sharpened
from osler.grade.grader import Floats, Grader, Ints, Progress, State, Targets, scale_named
from osler.grade.pair import Pair
from osler.grade.scale import Scale
from osler.learn import needs

LENGTHS = {"medl": 512, "rcor": 256, "kimp": 256}
TUNING_RATE = 5e-5
DEV_FOLDS = 6
"""One part in six of the training pairs is held out to stop by."""


class NeuralGrader(Grader):
    """``lengths`` are the tokens of each view (512, 256, 256 in the paper); ``members`` heads
    with different seeds are averaged."""

    trial: ClassVar[Mapping[str, Any]] = {
        "epochs": 3,
        "tune": 1,
        "lengths": {"medl": 48, "rcor": 32, "kimp": 32},
    }

    def __init__(
        self,
        *,
        encoder: Any = None,
        lengths: Mapping[str, int] | None = None,
        rate: float = 3e-3,
        epochs: int = 30,
        patience: int = 6,
        members: int = 1,
        tune: int = 6,
        tune_layers: int = 0,
    ) -> None:
        needs.torch(f"the grader {self.name}")
        self.lengths = {**LENGTHS, **(lengths or {})}
        self.rate = rate
        self.epochs = epochs
        self.patience = patience
        self.members = members
        self.tune = tune
        self.tune_layers = tune_layers
        self.given = encoder
        self.encoder: Any = None
        self.heads: list[Any] = []
        self.temperature = 1.0

    # -- what a method says of itself ----------------------------------------------------------

    @abstractmethod
    def inputs(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """Arrays, a row a pair, that the head takes."""

    @abstractmethod
    def head(self) -> Any:
        """A new, untrained head (a torch module)."""

    @abstractmethod
    def forward(self, head: Any, inputs: Any) -> tuple[Any, Any, Any]:
        """Logits of label, RCor and KImp; None for a side task that the method lacks."""

    def prepare(self, pairs: Sequence[Pair], rows: Ints) -> None:
        """Learn what inputs need of the training rows; nothing by default."""

    def own_state(self) -> State:
        return {}, {}

    def own_restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        return None

    # -- training ------------------------------------------------------------------------------

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        import torch

        from osler.grade.networks.heads import train_head
        from osler.learn.seeds import seed_everything

        targets = Targets(pairs)
        self.scale = targets.scale
        train, dev = next(iter(grouped_folds(pairs, folds=DEV_FOLDS, seed=seed)), (None, None))
        if train is None or dev is None:
            train, dev = np.arange(len(pairs)), np.zeros(0, dtype=np.int64)
        self.encoder = self._encoder(pairs, seed, progress)
        self.prepare(pairs, train)
        tensors = {name: torch.from_numpy(value) for name, value in self.inputs(pairs).items()}
        self.heads = []
        for member in range(self.members):
            seed_everything(seed + 1_000 * member)
            head = self.head()
            train_head(
                head,
                tensors,
                targets,
                train,
                dev,
                forward=self.forward,
                rate=self.rate,
                epochs=self.epochs,
                patience=self.patience,
                seed=seed + 1_000 * member,
            )
            self.heads.append(head)
        self.temperature = 1.0
        if len(dev) >= 20:
            from osler.grade.calibrate import best_temperature

            held = self._mean({name: value[dev] for name, value in tensors.items()})
            self.temperature = best_temperature(held, targets.labels[dev])
        return self

    def _encoder(self, pairs: Sequence[Pair], seed: int, progress: Progress | None) -> Any:
        if self.given is None:
            from osler.grade.networks.pretrain import train_small

            return train_small(
                pairs, lengths=self.lengths, epochs=self.tune, seed=seed, progress=progress
            )
        if isinstance(self.given, str | Path):
            from osler.grade.networks.hub import HubEncoder
            from osler.grade.networks.pretrain import train_encoder

            encoder = HubEncoder(self.given, tune=self.tune_layers)
            if self.tune_layers:
                train_encoder(
                    encoder,
                    pairs,
                    lengths=self.lengths,
                    epochs=self.tune,
                    rate=TUNING_RATE,
                    seed=seed,
                    progress=progress,
                )
            return encoder
        return self.given

    # -- using ---------------------------------------------------------------------------------

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        import torch

        if not pairs:
            return np.zeros((0, len(self.scale.labels)))
        tensors = {name: torch.from_numpy(value) for name, value in self.inputs(pairs).items()}
        return sharpened(self._mean(tensors), self.temperature)

    def _mean(self, tensors: Mapping[str, Any]) -> Floats:
        import torch

        from osler.grade.networks.heads import softmax

        with torch.no_grad():
            found = [softmax(self.forward(head.eval(), tensors)[0]) for head in self.heads]
        return np.asarray(np.mean(found, axis=0), dtype=np.float64)

    def encoded(self, pairs: Sequence[Pair], which: str) -> Any:
        """R of each pair for one view."""
        from osler.grade.networks.views import view

        return self.encoder.vectors([view(pair, which) for pair in pairs], self.lengths[which])

    # -- keeping -------------------------------------------------------------------------------

    def state(self) -> State:
        tensors: dict[str, Any] = {}
        for number, head in enumerate(self.heads):
            for name, value in head.state_dict().items():
                tensors[f"head{number}.{name}"] = value
        encoder_tensors, encoder_config = self.encoder.state() if self.encoder else ({}, {})
        tensors.update({f"encoder.{name}": value for name, value in encoder_tensors.items()})
        own_tensors, own_config = self.own_state()
        tensors.update({f"own.{name}": value for name, value in own_tensors.items()})
        config = {
            "scale": self.scale.name,
            "lengths": self.lengths,
            "members": len(self.heads),
            "temperature": self.temperature,
            "encoder": encoder_config,
            "own": own_config,
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        import torch

        grader = cls(lengths=config["lengths"], members=config["members"], **_options(config))
        grader.scale = _scale(config)
        grader.temperature = float(config["temperature"])
        grader.encoder = _restored(_below(tensors, "encoder."), config["encoder"])
        grader.own_restore(_below(tensors, "own."), config["own"])
        for number in range(config["members"]):
            head = grader.head()
            state = _below(tensors, f"head{number}.")
            head.load_state_dict(
                {name: torch.from_numpy(np.array(value)) for name, value in state.items()}
            )
            head.eval()
            grader.heads.append(head)
        return grader


def _options(config: Mapping[str, Any]) -> dict[str, Any]:
    return dict(config["own"].get("options", {}))


def _scale(config: Mapping[str, Any]) -> Scale:
    return scale_named(config["scale"])


def _below(tensors: Mapping[str, Any], mark: str) -> dict[str, Any]:
    return {n.removeprefix(mark): value for n, value in tensors.items() if n.startswith(mark)}


def _restored(tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Any:
    kind = config.get("kind")
    if kind == "small":
        from osler.grade.networks.small import SmallEncoder

        return SmallEncoder.restore(tensors, config)
    if kind == "hub":
        from osler.grade.networks.hub import HubEncoder

        return HubEncoder.restore(tensors, config)
    return None
