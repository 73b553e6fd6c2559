"""The paper's multi-modal TransH (seed 001, MKHAN, section 3.3.2).

Eq. 2 projects the structural vectors h^S, t^S and the multi-modal ones h^M, t^M on the relation's
hyperplane (|| w_r || = 1); eq. 3 adds the two to the combined ones; eqs. 4 and 5 give five energies

    E_S  = || h_S + d - t_S ||   E_M  = || h_M + d - t_M ||   E_C = || h_C + d - t_C ||
    E_MS = || h_S + d - t_M ||   E_SM = || h_M + d - t_S ||

whose sum is the energy (eq. 6). Head- and tail-centric negatives (eq. 7) and the two margin losses
(eqs. 8, 9) are the trainer's: each true triple stands against corrupted tails and corrupted heads.
E(t, -r, h) of eq. 8 equals E(h, r, t) when -r negates d_r, so that the tail-centric loss needs no
energy of its own.
"""

from __future__ import annotations

from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Rows, Tensor, models
from osler.knowledge.embeddings.mm_transe import five_distances
from osler.knowledge.embeddings.modal import Modal, five_energies
from osler.knowledge.embeddings.transh import TransH
from osler.learn import needs


@models.register("mm-transh")
class MultiModalTransH(Modal, TransH):
    """TransH whose entities have a structural and a multi-modal vector."""

    name = "mm-transh"
    help = "the paper's multi-modal TransH: five energies on the hyperplane"

    def energy(self, head: Rows, relation: Rows, tail: Rows) -> Tensor:
        return five_energies(head, tail, relation["translation"], relation["normal"], self.norm)

    def nearest(self, known: Rows, relation: Rows, entities: Rows, *, tails: bool) -> Tensor:
        torch = needs.torch("graph embeddings")
        sign = 1 if tails else -1
        distances = torch.empty(len(relation["normal"]), len(entities["entity"]))
        normals, which = torch.unique(relation["normal"], dim=0, return_inverse=True)
        for number, normal in enumerate(normals):
            asked = (which == number).nonzero().squeeze(1)
            ends = {name: maths.onto(rows[asked], normal) for name, rows in known.items()}
            every = {name: maths.onto(rows, normal) for name, rows in entities.items()}
            shift = sign * relation["translation"][asked]
            distances[asked] = five_distances(ends, every, shift, self.norm)
        return distances
