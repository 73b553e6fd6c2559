"""Training a network on labelled pairs: three losses added, early stopping on pairs held out by
fact and paper, the best weights kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from osler.grade.grader import Ints, Progress, Targets
from osler.learn.loop import History, fit
from osler.learn.seeds import Rng

Logits = tuple[Tensor, Tensor | None, Tensor | None]
Outputs = Callable[[Sequence[int]], Logits]
"""Rows to the logits of label, RCor and KImp; None for a side task that a method lacks."""
NOISE = 20.0
"""How far a pair's length may seem off when like lengths are put into one batch."""


def joint_loss(logits: Logits, targets: Targets, rows: Sequence[int]) -> Tensor:
    """Section 3.4: L = L_MedL + L_RCor + L_KImp, each a cross-entropy."""
    at = np.asarray(rows)
    total = torch.zeros(())
    for given, wanted in zip(logits, (targets.labels, targets.rcor, targets.kimp), strict=True):
        if given is not None:
            total = total + nn.functional.cross_entropy(given, torch.from_numpy(wanted[at]))
    return total


def train_network(
    learning: nn.Module,
    outputs: Outputs,
    targets: Targets,
    train: Ints,
    dev: Ints,
    *,
    optimiser: Any,
    sizes: Sequence[int],
    batch: int,
    epochs: int,
    patience: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> History:
    """Train what ``learning`` holds on the rows ``train``; stop when the label loss of ``dev`` no
    longer falls. ``sizes`` are the pairs' lengths: like ones share a batch, so that little is
    padding."""
    labels = torch.from_numpy(targets.labels)

    def batches(rng: Rng) -> Iterator[list[int]]:
        noise = rng.normal(0, NOISE, len(sizes))
        order = sorted(train.tolist(), key=lambda row: sizes[row] + noise[row])
        parts = [order[start : start + batch] for start in range(0, len(order), batch)]
        for place in rng.permutation(len(parts)).tolist():
            yield parts[place]

    def evaluate() -> float:
        total = 0.0
        for start in range(0, len(dev), batch):
            rows = dev[start : start + batch].tolist()
            label, _, _ = outputs(rows)
            wanted = labels[torch.as_tensor(rows)]
            total -= float(nn.functional.cross_entropy(label, wanted, reduction="sum"))
        return total / len(dev)

    return fit(
        learning,
        lambda rows: joint_loss(outputs(rows), targets, rows),
        batches,
        optimiser=optimiser,
        epochs=epochs,
        evaluate=evaluate if len(dev) else None,
        patience=patience,
        clip=1.0,
        seed=seed,
        progress=progress,
    )


def softmax(logits: Tensor) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(torch.softmax(logits, dim=1).double().numpy())
