"""RotatE (Sun et al. 2019): a relation turns each complex coordinate of the head into the tail's.

    E(h, r, t) = || h o r - t ||,   |r_i| = 1

Real parts stand in the first half of a row, imaginary ones in the second. ``norm`` 1 adds up the
moduli, as the paper does; 2 takes the Euclidean length.
"""

from __future__ import annotations

import math
from typing import Any

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Method, Rows, Tensor, models
from osler.learn import needs


@models.register("rotate")
class RotatE(Method):
    """A complex vector an entity, a rotation a relation."""

    name = "rotate"
    help = "RotatE: relations turn complex coordinates"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        return {"entity": maths.uniform(count, 2 * self.dimension, generator)}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        torch = needs.torch("graph embeddings")
        phase = torch.empty(count, self.dimension)
        phase.uniform_(0.0, 2 * math.pi, generator=generator)
        return {"rotation": torch.cat([phase.cos(), phase.sin()], -1)}

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        real, imaginary = _turned(head["entity"], relation["rotation"])
        real_tail, imaginary_tail = tail["entity"].chunk(2, -1)
        return self._length(real - real_tail, imaginary - imaginary_tail)

    def _length(self, real: Tensor, imaginary: Tensor) -> Tensor:
        squares = real * real + imaginary * imaginary
        if self.norm == 1:
            return squares.add(1e-12).sqrt().sum(-1)
        return squares.sum(-1).add(1e-12).sqrt()

    def constrain_relations(self, rows: Rows) -> None:
        real, imaginary = rows["rotation"].chunk(2, -1)
        length = (real * real + imaginary * imaginary).sqrt_().clamp_min_(1e-12)
        real.div_(length)
        imaginary.div_(length)

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        torch = needs.torch("graph embeddings")
        # |h o r - t| = |h - t o conj(r)| since r only turns: either way one turned row asks.
        turned = _turned(known["entity"], relation["rotation"], back=not tails)
        asked = torch.cat(turned, -1)
        if self.norm == 2:
            return maths.all_distances(asked, entities["entity"], 2)
        distances = torch.empty(len(asked), len(entities["entity"]))
        for row, one in enumerate(asked):
            gap = entities["entity"] - one
            distances[row] = self._length(*gap.chunk(2, -1))
        return distances


def _turned(entity: Tensor, rotation: Tensor, *, back: bool = False) -> tuple[Tensor, Tensor]:
    real, imaginary = entity.chunk(2, -1)
    cosine, sine = rotation.chunk(2, -1)
    if back:
        sine = -sine
    return real * cosine - imaginary * sine, real * sine + imaginary * cosine
