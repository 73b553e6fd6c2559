"""How well the sentence ranker does where its settings are chosen without the held-out abstracts.

The defaults of ``hybrid`` were set on the recipe's own splits, so that its row flatters it. Here
each split chooses anew: among the defaults and each weight of the kernel halved and doubled, by the
accuracy on inner folds of the training abstracts alone. What that choice scores on the held-out
abstracts is an estimate that no held-out abstract has touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from osler.rank.measure import sentence_hits
from osler.rank.pool import Floats, Ints
from osler.rank.sentence_ranker import Abstract
from osler.rank.sentences.hybrid import HybridSentences
from osler.rank.splits import folds, repeated
from osler_papers.recipes.kept import Kept

Progress = Callable[[str], None]
INNER = 3
_WEIGHTS = {"linear": 0.001, "text": 0.25, "vectors": 0.09, "radial": 1.0}
# The defaults first: a tie keeps them.
SETTINGS: tuple[dict[str, float], ...] = (
    _WEIGHTS,
    *({**_WEIGHTS, name: _WEIGHTS[name] * by} for name in _WEIGHTS for by in (0.5, 2.0)),
)


def nested(
    abstracts: Sequence[Abstract], targets: Ints, *, kept: Kept, progress: Progress
) -> tuple[Floats, Counter[int]]:
    """Accuracy of each split with the settings that its training part chose; how often each."""
    values, picked = [], Counter[int]()
    for number, (train, test) in enumerate(repeated(targets), 1):
        progress(f"settings of sentences: split {number} of 15")
        known, held = ([abstracts[row] for row in rows] for rows in (train, test))
        best, value = kept.get(
            f"settings of sentences {number}",
            tuple[int, float],
            partial(_one_split, known, held, targets[train]),
        )
        picked[best] += 1
        values.append(value)
    return np.array(values), picked


def _one_split(known: list[Abstract], held: list[Abstract], targets: Ints) -> tuple[int, float]:
    best = choose(known, targets)
    return best, float(np.mean(sentence_hits(_ranker(best).fit(known), held)))


def choose(abstracts: Sequence[Abstract], targets: Ints) -> int:
    """The number of the settings with the most hits on inner folds."""
    hits = np.zeros(len(SETTINGS))
    for fold in folds(targets, INNER):
        out = set(fold.tolist())
        known = [abstract for row, abstract in enumerate(abstracts) if row not in out]
        held = [abstracts[row] for row in fold]
        for number in range(len(SETTINGS)):
            hits[number] += sum(sentence_hits(_ranker(number).fit(known), held))
    return int(np.argmax(hits))


def _ranker(number: int) -> HybridSentences:
    return HybridSentences(calibrate=False, **SETTINGS[number])  # type: ignore[arg-type]
