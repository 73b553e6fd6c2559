"""Any ranking, moved by the marks of one project: only its own searches are.

A machine that learned the marks scores the best papers. What it adds is a share of the ranking's
own standard deviation, at most :data:`BOUND` of them times the weight; and the weight is what
leaving marks out in turn supports, between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from osler.kinds import Document, Reason
from osler.retrieve.channel import Fused
from osler.retrieve.judgements import BOUND
from osler.retrieve.view import Request, View
from osler.search.ranker import SearchRanker

DEPTH = 200
"""The best papers of a ranking, among which marks may change the order."""

Teach = Callable[[Sequence[str], Mapping[int, bool]], tuple[npt.NDArray[np.float64], float]]
"""Texts and marks by place to a score a text, and a weight from 0 to 1."""


class Marked(SearchRanker):
    """A ranker with the marks of a project: ``marks`` are by id, ``teach`` learns from them."""

    help = "another ranker, moved by the marks of a project"
    name: ClassVar[str]

    def __init__(
        self, base: SearchRanker, project: str, marks: Mapping[str, bool], teach: Teach
    ) -> None:
        self.base = base
        self.project = project
        self.marks = dict(marks)
        self.teach = teach
        self.name = base.name  # type: ignore[misc]
        self.needs = base.needs  # type: ignore[misc]

    def rank(self, request: Request, view: View) -> Fused:
        fused = self.base.rank(request, view)
        best = fused.order()[:DEPTH]
        if not len(best):
            return fused
        numbered = view.documents.numbered(list(self.marks))
        marked = {row: self.marks[id] for id, (row, _) in numbered.items() if id in self.marks}
        rows = list(dict.fromkeys([*fused.rows[best].tolist(), *marked]))
        documents = view.documents.by_rows(rows)
        rows = [row for row in rows if row in documents]
        place = {row: at for at, row in enumerate(rows)}
        texts = [f"{documents[row].title} {documents[row].abstract}" for row in rows]
        by_place = {place[row]: mark for row, mark in marked.items() if row in place}
        scores, weight = self.teach(texts, by_place)
        if not weight:
            view.note(
                f"the {len(marked):,} marks of the project {self.project} play no part: "
                "left out in turn, they do not foretell each other yet"
            )
            return fused
        held = [at for at in best.tolist() if int(fused.rows[at]) in place]
        margins = np.array([scores[place[int(fused.rows[at])]] for at in held])
        spread = float(margins.std())
        standard = (margins - margins.mean()) / spread if spread else np.zeros(len(margins))
        given = np.zeros(len(fused.rows))
        # Where all scores are equal, any order is as good to them.
        unit = float(fused.scores.std()) or 1.0
        given[held] = weight * unit * np.clip(standard, -BOUND, BOUND)
        raw = np.zeros(len(fused.rows))
        raw[held] = margins
        view.note(
            f"ordered with {len(marked):,} marks of the project {self.project} "
            f"(weight {weight:.2f} of 1)"
        )
        return Fused(
            rows=fused.rows,
            seqs=fused.seqs,
            scores=np.round(fused.scores + given, 12),
            raw={**fused.raw, "marks": raw},
            contributed={**fused.contributed, "marks": given},
        )

    def reasons(
        self, request: Request, view: View, rows: Sequence[int], documents: Sequence[Document]
    ) -> list[tuple[Reason, ...]]:
        return self.base.reasons(request, view, rows, documents)
