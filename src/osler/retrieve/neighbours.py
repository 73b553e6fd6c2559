"""What resembles a good document is likely good as well: scores that lean on their neighbours'.

Score regularisation after Diaz (CIKM 2005), over the best of a ranking alone: each document's score
moves towards the mean of those that lie nearest to it, by vectors taken from their common centre,
so that what all of them have in common does not make them alike. A neighbour counts by the square
of its cosine: one that is hardly alike says hardly anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.retrieve.channel import Fused, Rows, Scores
from osler.retrieve.view import View

NEIGHBOURS = "neighbours"
"""The part of a score that tells how far the neighbours moved it."""
BEST = 200
"""Documents of a ranking that lean on one another."""
NEAREST = 12
LEANING = 0.4
"""The neighbours' share in a score. All three lie on a plateau over cystic_fibrosis and the
training questions of nfcorpus; cranfield, which had no say, gains as much."""


def lean(
    scores: Scores,
    vectors: npt.NDArray[Any],
    *,
    nearest: int = NEAREST,
    leaning: float = LEANING,
) -> Scores:
    """How far each score moves: ``leaning`` of the way to the mean of its nearest neighbours'."""
    near = min(nearest, len(scores) - 1)
    if near < 1:
        return np.zeros(len(scores))
    centred = vectors - vectors.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    centred = centred / np.maximum(lengths, 1e-12)
    alike = np.round(centred @ centred.T, 6)
    np.fill_diagonal(alike, -np.inf)
    nearby = np.argpartition(-alike, near - 1, axis=1)[:, :near]
    # Where no neighbour is alike at all, each counts the same.
    weight = np.maximum(np.take_along_axis(alike, nearby, axis=1), 1e-6) ** 2
    mean = (weight * scores[nearby]).sum(axis=1) / weight.sum(axis=1)
    change: Scores = leaning * (mean - scores)
    return change


def moved(rows: Rows, scores: Scores, view: View) -> Scores:
    """How far the best of a ranking move; the others, and those without a vector, stay."""
    best = np.lexsort((rows, -scores))[:BEST]
    asked = rows[best].tolist()
    held, vectors = view.vectors_of(asked)
    at = best[np.fromiter(map(set(held).__contains__, asked), bool, len(asked))]
    result = np.zeros(len(rows))
    result[at] = lean(scores[at], vectors)
    return result


def leant(fused: Fused, view: View) -> Fused:
    """A ranking whose best documents lean on their neighbours."""
    change = moved(fused.rows, fused.scores, view)
    return replace(
        fused,
        scores=np.round(fused.scores + change, 9),
        contributed={**fused.contributed, NEIGHBOURS: change},
    )
