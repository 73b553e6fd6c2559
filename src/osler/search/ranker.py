"""What a ranker of ``search`` is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from osler.kinds import Document, Reason
from osler.registry import Registry
from osler.retrieve.channel import Fused
from osler.retrieve.view import Request, View


class SearchRanker(ABC):
    """Orders documents for a request. ``help`` is one line for the documentation."""

    name: ClassVar[str]
    help: ClassVar[str]
    learns: ClassVar[bool] = False
    """Whether it takes weights that ``osler train search`` learned, as ``learned``."""
    takes_marks: ClassVar[bool] = False
    """Whether it draws on judgements that the library keeps; ``off=("judgements",)`` ends that."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """What of a library it draws on beside words: ``vectors``, ``concepts``. Where some are still
    to be made, the answer says so."""

    @abstractmethod
    def rank(self, request: Request, view: View) -> Fused:
        """Candidates with their score and what each channel contributed to it."""

    def reasons(
        self, request: Request, view: View, rows: Sequence[int], documents: Sequence[Document]
    ) -> list[tuple[Reason, ...]]:
        """Further reasons for the hits that are shown, beside score parts and evidence."""
        return [() for _ in rows]


rankers: Registry[SearchRanker] = Registry(
    "search method",
    group="osler.search_rankers",
    builtin=(
        "osler.search.words",
        "osler.search.vectors",
        "osler.search.hybrid",
        "osler.search.concepts",
        "osler.search.concepts_paper",
    ),
)
