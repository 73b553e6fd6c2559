"""Training an encoder: on labelled or weakly labelled pairs (three tasks, as section 3.4), and
before that on any graded text pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from osler.grade.grader import Progress, Targets
from osler.grade.networks.small import SmallEncoder
from osler.grade.networks.views import VIEWS, View, view
from osler.grade.pair import Fact, Pair
from osler.learn.loop import fit
from osler.learn.seeds import Rng, seed_everything

BATCH = 32
RATE = 1e-3


def train_small(
    pairs: Sequence[Pair],
    *,
    lengths: Mapping[str, int],
    epochs: int = 6,
    seed: int = 0,
    progress: Progress | None = None,
    encoder: SmallEncoder | None = None,
    **options: Any,
) -> SmallEncoder:
    """A small encoder trained on pairs; its vocabulary is theirs where none is given."""
    seed_everything(seed)
    if encoder is None:
        encoder = SmallEncoder.over(vocabulary_texts(pairs), **options)
    train_encoder(encoder, pairs, lengths=lengths, epochs=epochs, seed=seed, progress=progress)
    return encoder


def train_encoder(
    encoder: Any,
    pairs: Sequence[Pair],
    *,
    lengths: Mapping[str, int],
    epochs: int,
    rate: float = RATE,
    seed: int = 0,
    progress: Progress | None = None,
) -> None:
    """Train an encoder (small, or the upper layers of another) with three heads on top: label on
    the paper, RCor and KImp on their fragments."""
    targets = Targets(pairs)
    heads = nn.ModuleDict(
        {
            "medl": nn.Linear(encoder.dimension, len(targets.scale.labels)),
            "rcor": nn.Linear(encoder.dimension, 2),
            "kimp": nn.Linear(encoder.dimension, 3),
        }
    )
    wanted = {
        "medl": torch.from_numpy(targets.labels),
        "rcor": torch.from_numpy(targets.rcor),
        "kimp": torch.from_numpy(targets.kimp),
    }
    views = {which: [view(pair, which) for pair in pairs] for which in VIEWS}

    def loss(rows: list[int]) -> Tensor:
        total = torch.zeros(())
        for which in VIEWS:
            given = encoder.pooled([views[which][row] for row in rows], lengths[which])
            aim = wanted[which][torch.as_tensor(rows)]
            if bool((aim >= 0).any()):
                found = heads[which](given)
                total = total + nn.functional.cross_entropy(found, aim, ignore_index=-1)
        return total

    learning = nn.ModuleList([getattr(encoder, "module", encoder), heads])
    _run(learning, loss, views["medl"], epochs, seed, progress, rate=rate)


def train_graded_texts(
    encoder: SmallEncoder,
    pairs: Sequence[tuple[str, str, int]],
    *,
    length: int = 64,
    epochs: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> SmallEncoder:
    """Go on training on (query, text, grade): any graded text pairs, such as KUAKE-QTR's."""
    seed_everything(seed)
    grades = sorted({grade for _, _, grade in pairs})
    head = nn.Linear(encoder.dimension, len(grades))
    views = [View(text, Fact(query, "", ""), (), ()) for query, text, _ in pairs]
    aims = torch.tensor([grades.index(grade) for _, _, grade in pairs])

    def loss(rows: list[int]) -> Tensor:
        given = encoder.pooled([views[row] for row in rows], length)
        return nn.functional.cross_entropy(head(given), aims[torch.as_tensor(rows)])

    _run(nn.ModuleList([encoder, head]), loss, views, epochs, seed, progress, batch=2 * BATCH)
    return encoder


def vocabulary_texts(pairs: Sequence[Pair]) -> list[str]:
    texts = dict.fromkeys(pair.text for pair in pairs)
    return [*texts, *(pair.fact.text for pair in pairs)]


def _run(
    module: nn.Module,
    loss: Any,
    views: Sequence[View],
    epochs: int,
    seed: int,
    progress: Progress | None,
    *,
    batch: int = BATCH,
    rate: float = RATE,
) -> None:
    lengths = [len(one.text) for one in views]

    def batches(rng: Rng) -> Any:
        # Like lengths together, so that little is padding; batches in random order.
        noise = rng.normal(0, 20, len(lengths))
        order = sorted(range(len(lengths)), key=lambda row: lengths[row] + noise[row])
        parts = [order[start : start + batch] for start in range(0, len(order), batch)]
        for place in rng.permutation(len(parts)).tolist():
            yield parts[place]

    fit(
        module,
        loss,
        batches,
        optimiser=lambda parameters: torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01),
        epochs=epochs,
        clip=1.0,
        seed=seed,
        progress=progress,
    )
    module.eval()
