"""How much each pair of entities and each path says, where no network's attention tells.

A pair of entities weighs as much as the answer's entity is rare: whole where both texts name it,
half where one edge joins the two, a quarter through a third entity. A path weighs its pair's
share, divided among the pair's paths by how few edges the entities on the way have. Weights of
pairs sum to one, and so do those of paths.
"""

from __future__ import annotations

import numpy as np

from osler.kinds import Reason
from osler.match.known import Known
from osler.match.lexicon import Lexicon
from osler.match.reasons import Walk, pair_reasons, path_reasons
from osler.match.walks import walks_of

BY_STEPS = (1.0, 0.5, 0.25, 0.125, 0.0625)


def entity_reasons(
    known: Known, lexicon: Lexicon, question: str, answer: str, *, length: int = 3
) -> tuple[Reason, ...]:
    """Entity pairs and paths between a question and an answer, with weights."""
    walks = walks_of(known, [(question, answer)], length=length)[0]
    pairs: dict[tuple[int, int], float] = {}
    paths: list[tuple[Walk, float]] = []
    for slot in range(len(walks.nodes)):
        weighed: list[tuple[Walk, float]] = []
        for place in range(walks.nodes.shape[1]):
            nodes = tuple(int(node) for node in walks.nodes[slot, place] if node >= 0)
            if not nodes:
                break
            labels = tuple(int(label) for label in walks.labels[slot, place] if label >= 0)
            between = np.log1p(known.degrees[list(nodes[1:-1])]).sum()
            weighed.append(((nodes, labels), 1.0 / (1.0 + float(between))))
        if not weighed:
            continue
        (nodes, labels), _ = weighed[0]
        number = lexicon.numbers.get(str(nodes[-1]))
        rare = float(lexicon.idf[number]) if number is not None else lexicon.rarest
        weight = max(rare, 1e-3) * BY_STEPS[len(labels)]
        pairs[nodes[0], nodes[-1]] = weight
        if labels:
            whole = sum(share for _, share in weighed)
            paths += [(walk, weight * share / whole) for walk, share in weighed]
    total, along = sum(pairs.values()), sum(weight for _, weight in paths)
    return (
        *pair_reasons(known, [(ends, weight / total) for ends, weight in pairs.items()]),
        *path_reasons(known, [(walk, weight / along) for walk, weight in paths]),
    )
