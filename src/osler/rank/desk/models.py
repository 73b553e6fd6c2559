"""The models that a finished review can be screened again with.

``elas`` is the desk's own; every ranker of papers by its name; and ``asreview``, the default of an
ASReview that is installed beside Osler, whose own code then learns and orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from osler.errors import ChoiceError, NeedsError
from osler.kinds import Document
from osler.rank.desk.screener import Screener
from osler.rank.pool import Pool
from osler.rank.ranker import TopicRanker, rankers
from osler.rank.topic import Topic

OWN = "elas"
PEER = "asreview"
TIMES = 150
"""A ranker that learns all anew does so this often in a review; the desk's own after each paper."""


class Orders(Protocol):
    """What takes marks and says what to read next."""

    def mark(self, marks: Mapping[int, bool]) -> None: ...
    def unmark(self, rows: Sequence[int]) -> None: ...
    def order(self) -> npt.NDArray[np.int64]: ...


class Relearning:
    """Marks and an order, from anything that scores all papers by the marks so far."""

    def __init__(self, papers: int, scores: Callable[[dict[int, bool]], Any]) -> None:
        self._papers = papers
        self._scores = scores
        self._marks: dict[int, bool] = {}

    def mark(self, marks: Mapping[int, bool]) -> None:
        self._marks.update(marks)

    def unmark(self, rows: Sequence[int]) -> None:
        for row in rows:
            del self._marks[row]

    def order(self) -> npt.NDArray[np.int64]:
        """The papers that are not marked, the most promising first, ties by their row."""
        left = np.array([row for row in range(self._papers) if row not in self._marks], dtype=int)
        if not len(left):
            return left
        scores = np.asarray(self._scores(dict(self._marks)))
        return left[np.argsort(-scores[left], kind="stable")]


def model_names() -> list[str]:
    """The names that :func:`model` takes."""
    return [*rankers.names(), PEER]


def model(name: str, texts: Sequence[str]) -> tuple[Orders, int]:
    """A model that has read the papers, and how many papers are read between two learnings."""
    if name == OWN:
        return Screener(texts), 1
    if name == PEER:
        return Relearning(len(texts), _peer(texts)), 1
    if name not in rankers.names():
        raise ChoiceError("model", name, model_names())
    batch = max(1, len(texts) // TIMES)
    return Relearning(len(texts), _ranked(rankers.get(name), texts)), batch


def _ranked(kind: type[TopicRanker], texts: Sequence[str]) -> Callable[[dict[int, bool]], Any]:
    pool = Pool([Document(id=str(row), title=text) for row, text in enumerate(texts)]).warm()
    topic = Topic("included")

    def scores(marks: dict[int, bool]) -> Any:
        ranker = kind()
        if not ranker.learns:
            targets = np.ones(len(pool), dtype=np.int64)
            return ranker.fit(pool, targets, [topic]).scores(pool)[:, 0]
        targets = np.array([int(not relevant) for relevant in marks.values()], dtype=np.int64)
        return ranker.read(pool).fit(pool.take(list(marks)), targets, [topic]).scores(pool)[:, 0]

    return scores


def _peer(texts: Sequence[str]) -> Callable[[dict[int, bool]], Any]:
    """ASReview's default, learned by its own code after every paper."""
    try:
        import pandas
        from asreview.learner import ActiveLearningCycle
        from asreview.models.models import get_ai_config
    except ImportError:
        raise NeedsError(
            "ASReview is not installed beside Osler", cure="pip install asreview"
        ) from None
    cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
    papers = pandas.DataFrame({"title": list(texts), "abstract": [""] * len(texts)})
    features = cycle.transform(papers)

    def scores(marks: dict[int, bool]) -> Any:
        rows = list(marks)
        cycle.fit(features[rows], np.array([int(marks[row]) for row in rows]))
        ranked = cycle.rank(features)
        places = np.empty(len(texts))
        places[np.asarray(ranked, dtype=int)] = -np.arange(len(texts))
        return places

    return scores
