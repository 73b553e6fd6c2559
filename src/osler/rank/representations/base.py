"""What a representation is, and how representations are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.rank.pool import Floats
from osler.registry import Registry


class Representation(ABC):
    """Texts as rows of a matrix. ``query`` matters to those that look from a query's side."""

    name: ClassVar[str]
    help: ClassVar[str]

    @abstractmethod
    def fit(self, texts: Sequence[str]) -> Self: ...

    @abstractmethod
    def transform(self, texts: Sequence[str], *, query: str = "") -> Floats: ...

    def query(self, text: str) -> Floats:
        """The vector of a query."""
        return np.asarray(self.transform([text])[0])

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], dict[str, Any]]: ...

    @classmethod
    @abstractmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self: ...


representations: Registry[Representation] = Registry(
    "representation",
    group="osler.representations",
    papers=True,
    builtin=(
        "osler.rank.representations.esr",
        "osler.rank.representations.qar",
    ),
)


def unit(matrix: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(matrix, axis=-1, keepdims=True)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1))
