"""Answers to like questions: what was said to those who asked nearly the same.

The training questions nearest to a question (cosine of their pieces) lend it the words of their
answers, each by the cube of its likeness; a candidate is compared with the whole of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.match.lexicon import Lexicon

NEAREST, POWER = 30, 3


class Neighbours:
    """Training questions and answers as sparse rows of tf-idf weights."""

    def __init__(self, lexicon: Lexicon, columns: Mapping[str, NDArray[Any]]) -> None:
        from scipy import sparse

        self.lexicon = lexicon
        self.columns = dict(columns)
        count = len(columns["offsets"]) - 1
        shape = (count, len(lexicon))
        self.asked = sparse.csr_matrix(
            (columns["weights"], columns["terms"], columns["offsets"]), shape
        )
        self.told = sparse.csr_matrix(
            (columns["answer_weights"], columns["answer_terms"], columns["answer_offsets"]), shape
        )

    @classmethod
    def of(cls, lexicon: Lexicon, pairs: Sequence[Pair]) -> Self:
        columns: dict[str, NDArray[Any]] = {}
        for prefix, texts in (
            ("", [pair.question for pair in pairs]),
            ("answer_", [pair.answer for pair in pairs]),
        ):
            rows = lexicon.rows(texts)
            sizes = np.bincount(rows.owner, minlength=rows.count)
            columns[f"{prefix}offsets"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            columns[f"{prefix}terms"] = rows.ids.astype(np.int32)
            columns[f"{prefix}weights"] = rows.weights.astype(np.float32)
        return cls(lexicon, columns)

    def likeness(self, question: str, answers: Sequence[str]) -> NDArray[np.float64]:
        row = self.lexicon.row(question)
        dense = np.zeros(len(self.lexicon), np.float32)
        dense[row.ids] = row.weights
        near = self.asked @ dense
        # The question itself, where it was trained on, would lend it its own answer.
        near[near > 0.999] = 0.0
        top = np.argsort(-near, kind="stable")[:NEAREST]
        weights = near[top].astype(np.float64) ** POWER
        lent = np.asarray(self.told[top].T @ weights)
        norm = float(np.linalg.norm(lent))
        answer_rows = self.lexicon.rows(answers)
        if not norm:
            return np.zeros(len(answers))
        return answer_rows.summed(lent[answer_rows.ids] / norm * answer_rows.weights)

    def state(self) -> dict[str, Any]:
        return {f"neighbours.{name}": column for name, column in self.columns.items()}

    @classmethod
    def restore(cls, lexicon: Lexicon, tensors: Mapping[str, Any]) -> Self:
        prefix = "neighbours."
        return cls(
            lexicon,
            {
                name.removeprefix(prefix): np.asarray(column)
                for name, column in tensors.items()
                if name.startswith(prefix)
            },
        )
