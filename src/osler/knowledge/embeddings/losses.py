"""Losses over the energies of true triples and of their corruptions.

``true`` has a column, ``false`` a column a corruption; both have a row a triple.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from osler.errors import ChoiceError
from osler.learn import needs

Tensor = Any
Loss = Callable[[Tensor, Tensor, float], Tensor]


def margin_loss(true: Tensor, false: Tensor, margin: float) -> Tensor:
    """Eq. 8 of seed 001: max(margin + E(true) - E(false), 0), here the mean over all pairs."""
    return (margin + true - false).clamp_min(0).mean()


def self_adversarial_loss(true: Tensor, false: Tensor, margin: float) -> Tensor:
    """Sun et al. 2019, eq. 5: corruptions that the model believes count more."""
    torch = needs.torch()
    soft = torch.nn.functional.logsigmoid
    weight = torch.softmax(-false.detach(), -1)
    return -(soft(margin - true).mean() + (weight * soft(false - margin)).sum(-1).mean()) / 2


LOSSES: dict[str, Loss] = {"margin": margin_loss, "self-adversarial": self_adversarial_loss}


def loss(name: str) -> Loss:
    if name not in LOSSES:
        raise ChoiceError("loss", name, LOSSES)
    return LOSSES[name]
