"""What the two multi-modal methods share: features become vectors beside the structural ones.

Section 3.3.2 of seed 001 (MKHAN): linguistic and visual features of an entity are concatenated and
go through one fully connected layer; the result is e^M. It is kept no longer than one, as the
structural vector is. The paper maps e^S too, without saying how: e^S is learned freely here, so
that a linear map of it would add nothing.

An entity without a picture has zeros in the picture's place; without any feature its e^M is the
layer's bias, one vector for all such entities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osler.errors import InputError
from osler.knowledge.embeddings import maths
from osler.knowledge.embeddings.method import Method, Rows, Tensor


class Modal(Method):
    """A method with the tables ``entity`` (e^S) and, derived, ``modal`` (e^M)."""

    modal = True

    def weights(self, features: int, generator: Any) -> Rows:
        if features < 1:
            raise InputError(
                f"{self.name} learns from pictures or names: there are no features of either",
                cure="give images or texts, or take a method without them, such as transh",
            )
        layer = maths.uniform(features, self.dimension, generator, fan=features)
        return {
            "layer": layer,
            "bias": maths.uniform(1, self.dimension, generator, fan=features)[0],
        }

    def derive(self, entities: Rows, weights: Mapping[str, Tensor]) -> Rows:
        projected = entities["features"] @ weights["layer"] + weights["bias"]
        projected = projected / projected.norm(dim=-1, keepdim=True).clamp_min(1.0)
        return {"entity": entities["entity"], "modal": projected}


def five_energies(head: Rows, tail: Rows, shift: Tensor, plane: Tensor | None, norm: int) -> Tensor:
    """E_S + E_M + E_C + E_SM + E_MS (eqs. 4 to 6); without a plane, those of TransE.

    The projection is linear, so that each energy projects one difference (eqs. 2, 3): that of the
    combined representation is the sum of the structural and the multi-modal one.

    Where E_S and E_M are both zero, E_C is || d_r || and not zero: the three pull against each
    other by a constant a relation, which leaves the order of its triples as it is.
    """

    def length(difference: Tensor) -> Tensor:
        return maths.distance(difference + shift, norm)

    def on(difference: Tensor) -> Tensor:
        return difference if plane is None else maths.onto(difference, plane)

    structural = on(head["entity"] - tail["entity"])
    modal = on(head["modal"] - tail["modal"])
    crossed = on(head["entity"] - tail["modal"])
    # h^M - t^S is what is left of the combined difference: (h^S + h^M) - (t^S + t^M).
    combined = structural + modal
    return (
        length(structural)
        + length(modal)
        + length(combined)
        + length(combined - crossed)
        + length(crossed)
    )
