"""Training what stands on fixed representations: early stopping on pairs held out by fact and
paper, the best weights kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from osler.grade.grader import Ints, Targets
from osler.learn.batches import shuffled
from osler.learn.loop import fit

Inputs = Mapping[str, Tensor]
EPOCHS, PATIENCE = 30, 6


def side_loss(given: Tensor | None, wanted: Tensor) -> Tensor:
    """Cross-entropy over rows that have a target (-1 has none)."""
    if given is None or not bool((wanted >= 0).any()):
        return torch.zeros(())
    return nn.functional.cross_entropy(given, wanted, ignore_index=-1)


def train_head(
    module: nn.Module,
    inputs: Inputs,
    targets: Targets,
    train: Ints,
    dev: Ints,
    *,
    forward: Callable[[nn.Module, Inputs], tuple[Tensor, Tensor | None, Tensor | None]],
    rate: float = 2e-3,
    decay: float = 1e-2,
    batch: int = 64,
    epochs: int = EPOCHS,
    patience: int = PATIENCE,
    seed: int = 0,
) -> None:
    """Train ``module`` on rows ``train``; stop when the label loss of ``dev`` no longer falls.

    The loss is the sum of the three predictions' cross-entropies (section 3.4), as far as
    ``forward`` gives them.
    """
    labels = torch.from_numpy(targets.labels)
    rcor = torch.from_numpy(targets.rcor)
    kimp = torch.from_numpy(targets.kimp)

    def picked(rows: Any) -> Inputs:
        return {name: value[rows] for name, value in inputs.items()}

    def loss(rows: list[int]) -> Tensor:
        at = torch.as_tensor(rows)
        label, of_rcor, of_kimp = forward(module, picked(at))
        total = nn.functional.cross_entropy(label, labels[at])
        return total + side_loss(of_rcor, rcor[at]) + side_loss(of_kimp, kimp[at])

    held = torch.from_numpy(dev)

    def evaluate() -> float:
        label, _, _ = forward(module, picked(held))
        return -float(nn.functional.cross_entropy(label, labels[held]))

    fit(
        module,
        loss,
        shuffled(train.tolist(), batch),
        optimiser=lambda parameters: torch.optim.AdamW(parameters, lr=rate, weight_decay=decay),
        epochs=epochs,
        evaluate=evaluate if len(dev) else None,
        patience=patience,
        clip=1.0,
        seed=seed,
    )


def softmax(logits: Tensor) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(torch.softmax(logits, dim=1).double().numpy())
