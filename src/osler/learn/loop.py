"""The one training loop: seeded batches, early stop on a measure, the best weights restored."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from osler.errors import OslerError
from osler.learn import needs
from osler.learn.seeds import Rng, seed_everything
from osler.stopping import check_stopped

B = TypeVar("B")
logger = logging.getLogger(__name__)


class DivergedError(OslerError):
    """The loss is no longer a number: a step was too long, or an input holds NaN."""

    code = "E000"


@dataclass
class History:
    """What a training went through: mean loss of each epoch, each evaluation with its step."""

    losses: list[float] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    steps: int = 0
    best_step: int | None = None
    stopped_early: bool = False

    @property
    def best(self) -> float | None:
        """The score of the weights that were kept; None where nothing was evaluated."""
        for step, score in self.scores:
            if step == self.best_step:
                return score
        return None


def fit(
    module: Any,
    loss: Callable[[B], Any],
    batches: Callable[[Rng], Iterable[B]],
    *,
    optimiser: Any,
    epochs: int,
    evaluate: Callable[[], float] | None = None,
    every: int | None = None,
    patience: int | None = None,
    clip: float | None = None,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> History:
    """Train ``module`` (a ``torch.nn.Module``) and give back what happened.

    ``loss(batch)`` returns a scalar tensor. ``batches(rng)`` yields one epoch's batches, drawn with
    the generator that it is given (one a training, so epochs differ and trainings repeat).
    ``optimiser`` is a torch optimiser, or a function from the parameters to one. ``evaluate()``
    returns a score, higher is better; it runs in evaluation mode without gradients, after each
    epoch or after each ``every`` steps. With it, the best weights are restored at the end (the
    first of equals), and ``patience`` evaluations without a better score end the training.
    ``clip`` bounds the gradient's norm. Torch's global generator is seeded too, for dropout:
    weights must have been drawn before, under a seed of the caller's.
    """
    torch = needs.torch()
    seed_everything(seed)
    rng = np.random.default_rng(seed)
    parameters = [p for p in module.parameters() if p.requires_grad]
    if callable(optimiser) and not hasattr(optimiser, "zero_grad"):
        optimiser = optimiser(parameters)
    history = History()
    keeper = _Keeper(module, evaluate, patience, history)
    for epoch in range(1, epochs + 1):
        module.train()
        total, count = 0.0, 0
        for batch in batches(rng):
            check_stopped()
            optimiser.zero_grad()
            value = loss(batch)
            number = float(value.detach())
            if not math.isfinite(number):
                raise DivergedError(
                    f"training diverged in epoch {epoch}: the loss is {number}",
                    cure="lower the learning rate, or clip the gradient",
                )
            value.backward()
            if clip is not None:
                torch.nn.utils.clip_grad_norm_(parameters, clip)
            optimiser.step()
            history.steps += 1
            total, count = total + number, count + 1
            if every is not None and history.steps % every == 0 and keeper.look():
                break
        history.losses.append(total / max(count, 1))
        if every is None:
            keeper.look()
        _tell(progress, epoch, epochs, history)
        if history.stopped_early:
            break
    if every is not None and history.steps % every and not history.stopped_early:
        keeper.look()
    keeper.restore()
    module.eval()
    return history


class _Keeper:
    """Evaluates, remembers the best weights, says when patience has run out."""

    def __init__(
        self,
        module: Any,
        evaluate: Callable[[], float] | None,
        patience: int | None,
        history: History,
    ) -> None:
        self.module = module
        self.evaluate = evaluate
        self.patience = patience
        self.history = history
        self.best = -math.inf
        self.weights: dict[str, Any] | None = None
        self.waited = 0

    def look(self) -> bool:
        if self.evaluate is None:
            return False
        torch = needs.torch()
        self.module.eval()
        with torch.no_grad():
            score = float(self.evaluate())
        self.module.train()
        self.history.scores.append((self.history.steps, score))
        if self.weights is None or score > self.best:
            self.best, self.waited = score, 0
            self.history.best_step = self.history.steps
            state = self.module.state_dict()
            self.weights = {name: value.detach().clone() for name, value in state.items()}
        else:
            self.waited += 1
        if self.patience is not None and self.waited >= self.patience:
            self.history.stopped_early = True
        return self.history.stopped_early

    def restore(self) -> None:
        if self.weights is not None:
            self.module.load_state_dict(self.weights)


def _tell(
    progress: Callable[[str], None] | None, epoch: int, epochs: int, history: History
) -> None:
    line = f"epoch {epoch} of {epochs}: loss {history.losses[-1]:.4f}"
    if history.scores:
        line += f", score {history.scores[-1][1]:.4f}"
    logger.debug(line)
    if progress is not None:
        progress(line)
