"""What a summariser is: a score for each sentence of a document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Document
from osler.registry import Registry
from osler.retrieve.summaries.sentences import Candidate


class Summariser(ABC):
    """One way of telling which sentences carry a paper; ``redundancy`` is how much a sentence's
    likeness to one already chosen counts against it (0 takes the best scores as they are)."""

    name: ClassVar[str]
    help: ClassVar[str]
    redundancy: float = 0.3

    @abstractmethod
    def scores(self, document: Document, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """A score for each candidate, higher is better."""


summarisers: Registry[Summariser] = Registry(
    "summariser",
    group="osler.summarisers",
    builtin=(
        "osler.retrieve.summaries.unsupervised",
        "osler.retrieve.summaries.bertsum",
    ),
)
