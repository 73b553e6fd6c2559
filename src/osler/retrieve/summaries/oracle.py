"""Oracle summaries: the body sentences nearest to the abstract, as labels to train on.

Seed 002, section 3.2.1: body sentences are scored against the abstract's sentences by ROUGE-L, and
the best three get label 1, all others 0. The paper leaves open how a body sentence's scores
against several abstract sentences become one. ``max`` takes the best, ``mean`` the average,
``whole`` scores against the abstract as one text. ``greedy`` is not the paper's but BERTSUM's own
way: add the sentence that most improves the summary's ROUGE-L, again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from osler.errors import ChoiceError
from osler.retrieve.summaries.rouge import rouge_l, rouge_l_summary, rouge_tokens

Pool = Literal["max", "mean", "whole", "greedy"]
TOP = 3


def oracle_scores(
    body: Sequence[str], abstract: Sequence[str], *, pool: Pool = "whole"
) -> NDArray[np.float64]:
    """ROUGE-L F1 of each body sentence against the abstract's sentences."""
    sentences = [rouge_tokens(text) for text in body]
    reference = [rouge_tokens(text) for text in abstract]
    if not reference or not sentences:
        return np.zeros(len(sentences))
    if pool == "whole":
        whole = [token for sentence in reference for token in sentence]
        return np.array([rouge_l(sentence, whole).f1 for sentence in sentences])
    if pool not in ("max", "mean"):
        raise ChoiceError("pooling of oracle scores", pool, ("max", "mean", "whole"))
    table = np.array([[rouge_l(one, other).f1 for other in reference] for one in sentences])
    best: NDArray[np.float64] = table.max(axis=1) if pool == "max" else table.mean(axis=1)
    return best


def oracle_labels(
    body: Sequence[str], abstract: Sequence[str], *, top: int = TOP, pool: Pool = "whole"
) -> NDArray[np.int64]:
    """1 for the ``top`` best body sentences, else 0; of equal ones the earlier."""
    labels = np.zeros(len(body), dtype=np.int64)
    if pool == "greedy":
        labels[_greedy(body, abstract, top)] = 1
        return labels
    scores = oracle_scores(body, abstract, pool=pool)
    for place in np.argsort(-scores, kind="stable")[:top]:
        # A sentence that shares nothing with the abstract is no label, however few there are.
        labels[place] = int(scores[place] > 0)
    return labels


def _greedy(body: Sequence[str], abstract: Sequence[str], top: int) -> list[int]:
    sentences = [rouge_tokens(text) for text in body]
    reference = [rouge_tokens(text) for text in abstract]
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < top:
        gains = {
            place: rouge_l_summary(
                [*(sentences[i] for i in chosen), sentences[place]], reference
            ).f1
            for place in range(len(sentences))
            if place not in chosen
        }
        if not gains:
            break
        place = max(gains, key=lambda i: (gains[i], -i))
        if gains[place] <= best:
            break
        best = gains[place]
        chosen.append(place)
    return chosen
