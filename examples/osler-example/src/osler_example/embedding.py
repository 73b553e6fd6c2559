"""A graph embedding: DistMult (Yang et al. 2015), a relation weighs each dimension.

E(h, r, t) = - sum_i h_i r_i t_i
"""

from __future__ import annotations

from typing import Any

from osler.plugins import Method

Rows = dict[str, Any]


class DistMult(Method):
    name = "distmult"
    help = "DistMult: a weight a dimension and relation (an example of a plug-in)"

    def entity_tables(self, count: int, generator: Any) -> Rows:
        return {"entity": self._unit(count, generator)}

    def relation_tables(self, count: int, generator: Any) -> Rows:
        return {"weight": self._unit(count, generator)}

    def _unit(self, count: int, generator: Any) -> Any:
        import torch

        rows = torch.empty(count, self.dimension).uniform_(-1, 1, generator=generator)
        return rows / rows.norm(dim=-1, keepdim=True).clamp_min(1e-12)

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Any:
        return -(head["entity"] * relation["weight"] * tail["entity"]).sum(-1)

    def constrain_entities(self, rows: Rows) -> None:
        rows["entity"].div_(rows["entity"].norm(dim=-1, keepdim=True).clamp_min_(1e-12))
