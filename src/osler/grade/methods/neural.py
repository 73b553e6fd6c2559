"""What the neural graders share: an encoder, a head on it, both trained together.

Section 3.4: "the model fine-tunes the parameters in BERT encoder and updates the parameters in
capsule routing algorithms during the training". ``encoder``: None makes a small one over the pairs'
words and trains it from scratch; ``"minilm"`` or a folder takes that encoder, fixed or with
``tune_layers`` of its upper layers trained along; an encoder object is copied and trained along, or
left as it is with ``joint=False``. A fixed encoder reads each text once.

Each method says with ``reads`` which texts of a pair its encoder reads, so that it is trained on
the form in which it is used. :meth:`NeuralGrader.tuned` goes on training with other pairs: so a
method learns from weak labels first and then from few given ones.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from osler.errors import InputError, MissingModel
from osler.grade.calibrate import best_temperature, grouped_folds, sharpened
from osler.grade.grader import Floats, Grader, Ints, Progress, State, Targets, scale_named
from osler.grade.pair import Pair
from osler.learn import needs

LENGTHS = {"medl": 512, "rcor": 256, "kimp": 256, "paper": 512, "fact": 512}
"""Tokens of each text (appendix A.4)."""
TUNING_RATE = 5e-5
"""Of the layers of an encoder that others have trained."""
FIXED_EPOCHS, FIXED_PATIENCE = 30, 6
"""With a fixed encoder only the head learns, and an epoch costs nearly nothing."""
DEV_FOLDS = 6
"""One part in six of the training pairs is held out to stop by."""
LEAST_FOR_TEMPERATURE = 20
HEAD_WIDTH = 32


class NeuralGrader(Grader):
    """``lengths`` are the tokens of each text (512, 256, 256 in the paper), ``width`` and ``depth``
    those of a small encoder made here, ``pooling`` what of a given one stands for a text: its first
    token's state (``cls``, as in the paper) or the mean."""

    trial: ClassVar[Mapping[str, Any]] = {
        "epochs": 3,
        "width": 24,
        "depth": 1,
        "lengths": {"medl": 48, "rcor": 32, "kimp": 32},
    }
    reads: ClassVar[tuple[str, ...]] = ("medl",)

    def __init__(
        self,
        *,
        encoder: Any = None,
        lengths: Mapping[str, int] | None = None,
        rate: float = 1e-3,
        epochs: int = 12,
        patience: int = 3,
        batch: int = 32,
        joint: bool = True,
        tune_layers: int = 0,
        pooling: str = "cls",
        width: int = 96,
        depth: int = 2,
    ) -> None:
        needs.torch(f"the grader {self.name}")
        self.lengths = {**LENGTHS, **(lengths or {})}
        self.rate = rate
        self.epochs = epochs
        self.patience = patience
        self.batch = batch
        self.tune_layers = tune_layers
        self.joint = tune_layers > 0 if isinstance(encoder, str | Path) else joint
        self.pooling = pooling
        self.width = width
        self.depth = depth
        self.given = encoder
        self.encoder: Any = None
        self.network: Any = None
        self.temperature = 1.0

    @property
    def calibrated(self) -> bool:
        return True

    # -- what a method says of itself ----------------------------------------------------------

    @abstractmethod
    def head(self) -> Any:
        """A new, untrained head (a torch module)."""

    @abstractmethod
    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Logits of label, RCor and KImp; None for a side task that the method lacks. ``inputs``
        has the encoder's representation of each text in ``reads``, and :meth:`beside`'s arrays."""

    def beside(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """Further arrays, a row a pair, that the head takes; none by default."""
        return {}

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
        from osler.learn.seeds import seed_everything

        targets = Targets(pairs)
        self.scale = targets.scale
        seed_everything(seed)
        self.encoder = self._encoder(pairs)
        train, dev = _held(pairs, seed)
        self.prepare(pairs, train)
        self.network = self.head()
        self._learn(pairs, targets, train, dev, seed, progress)
        return self

    def tuned(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        """A copy of this trained grader that has gone on learning from further pairs."""
        targets = Targets(pairs)
        if self.network is None or targets.scale is not self.scale:
            raise InputError(
                "only a trained grader can go on learning, and on labels of its own scale",
                cure=f"its scale is {self.scale.name}: {', '.join(self.scale.labels)}",
            )
        other = copy.deepcopy(self)
        train, dev = _held(pairs, seed)
        other._learn(pairs, targets, train, dev, seed, progress)
        return other

    def _learn(
        self,
        pairs: Sequence[Pair],
        targets: Targets,
        train: Ints,
        dev: Ints,
        seed: int,
        progress: Progress | None,
    ) -> None:
        from torch import nn

        from osler.grade.networks.heads import train_network

        inputs = self._inputs(pairs)
        along = self.joint and self.encoder is not None
        train_network(
            nn.ModuleList([self.network, self.encoder.module]) if along else self.network,
            lambda rows: self.forward(self.network, inputs(rows)),
            targets,
            train,
            dev,
            optimiser=self._optimiser(),
            sizes=[len(pair.text) for pair in pairs],
            batch=self.batch,
            epochs=self.epochs if along else max(self.epochs, FIXED_EPOCHS),
            patience=self.patience if along else max(self.patience, FIXED_PATIENCE),
            seed=seed,
            progress=progress,
        )
        self.temperature = 1.0
        if len(dev) >= LEAST_FOR_TEMPERATURE:
            held = self.probabilities([pairs[row] for row in dev])
            self.temperature = best_temperature(held, targets.labels[dev])

    def _optimiser(self) -> Any:
        import torch

        groups = [{"params": list(self.network.parameters()), "lr": self.rate}]
        if self.joint and self.encoder is not None:
            learning = [p for p in self.encoder.module.parameters() if p.requires_grad]
            rate = TUNING_RATE if isinstance(self.given, str | Path) else self.rate
            groups.append({"params": learning, "lr": rate})
        return torch.optim.AdamW(groups, lr=self.rate, weight_decay=0.01)

    def _inputs(self, pairs: Sequence[Pair]) -> Callable[[Sequence[int]], dict[str, Any]]:
        """From rows to what the head takes: read anew with gradients where the encoder learns."""
        import torch

        from osler.grade.networks.views import view

        beside = {name: torch.from_numpy(value) for name, value in self.beside(pairs).items()}
        if self.encoder is None or not self.joint:
            fixed = {**beside, **self.read(pairs)}
            return lambda rows: {name: value[list(rows)] for name, value in fixed.items()}
        views = {which: [view(pair, which) for pair in pairs] for which in self.reads}

        def read(rows: Sequence[int]) -> dict[str, Any]:
            read = {
                which: self.encoder.pooled([texts[row] for row in rows], self.lengths[which])
                for which, texts in views.items()
            }
            return {**read, **{name: value[list(rows)] for name, value in beside.items()}}

        return read

    def _encoder(self, pairs: Sequence[Pair]) -> Any:
        if self.given is None:
            from osler.grade.networks.small import SmallEncoder

            texts = dict.fromkeys(text for pair in pairs for text in (pair.text, pair.fact.text))
            heads = max(1, self.width // HEAD_WIDTH)
            return SmallEncoder.over(texts, dimension=self.width, layers=self.depth, heads=heads)
        if isinstance(self.given, str | Path):
            from osler.grade.networks.hub import HubEncoder

            return HubEncoder(
                self.given,
                pooling=self.pooling,  # type: ignore[arg-type]
                tune=self.tune_layers,
            )
        return copy.deepcopy(self.given) if self.joint else self.given

    # -- using ---------------------------------------------------------------------------------

    def read(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """The encoder's representations of each text that the method reads, without gradients."""
        import torch

        from osler.grade.networks.views import view

        if self.encoder is None:
            return {}
        return {
            which: torch.from_numpy(
                self.encoder.vectors([view(pair, which) for pair in pairs], self.lengths[which])
            )
            for which in self.reads
        }

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        import torch

        if not pairs:
            return np.zeros((0, len(self.scale.labels)))
        beside = {name: torch.from_numpy(value) for name, value in self.beside(pairs).items()}
        with torch.no_grad():
            logits = self.forward(self.network.eval(), {**beside, **self.read(pairs)})
        return sharpened(self.labelled(logits), self.temperature)

    def labelled(self, logits: tuple[Any, Any, Any]) -> Floats:
        """Probabilities of the labels out of a head's logits."""
        from osler.grade.networks.heads import softmax

        return softmax(logits[0])

    # -- keeping -------------------------------------------------------------------------------

    def state(self) -> State:
        tensors: dict[str, Any] = {
            f"{HEAD}{name}": value for name, value in self.network.state_dict().items()
        }
        encoder_tensors, encoder_config = self.encoder.state() if self.encoder else ({}, {})
        tensors.update({f"encoder.{name}": value for name, value in encoder_tensors.items()})
        own_tensors, own_config = self.own_state()
        tensors.update({f"own.{name}": value for name, value in own_tensors.items()})
        config = {
            "scale": self.scale.name,
            "lengths": self.lengths,
            "temperature": self.temperature,
            "encoder": encoder_config,
            "own": own_config,
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        import torch

        grader = cls(lengths=config["lengths"], **dict(config["own"].get("options", {})))
        grader.scale = scale_named(config["scale"])
        grader.temperature = float(config["temperature"])
        grader.encoder = _restored(_below(tensors, "encoder."), config["encoder"])
        grader.own_restore(_below(tensors, "own."), config["own"])
        grader.network = grader.head()
        state = {name: torch.from_numpy(np.array(v)) for name, v in _below(tensors, HEAD).items()}
        try:
            grader.network.load_state_dict(state)
        except RuntimeError:
            raise MissingModel(
                f"the model of {cls.name} was trained by an older version of this method",
                cure="train it again: osler train grade",
            ) from None
        grader.network.eval()
        return grader


HEAD = "head0."
"""What a head's tensors are called in a saved model."""


def _held(pairs: Sequence[Pair], seed: int) -> tuple[Ints, Ints]:
    """Rows to learn from, and those held out by fact and paper to stop by."""
    for train, dev in grouped_folds(pairs, folds=DEV_FOLDS, seed=seed):
        return train, dev
    return np.arange(len(pairs)), np.zeros(0, dtype=np.int64)


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
