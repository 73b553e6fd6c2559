"""What answers a question over a clinical knowledge base, and how answerers are found by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from osler.ask.answer import Answer
from osler.errors import LimitError, QueryError
from osler.records.kb import ClinicalKB
from osler.records.questions import Question
from osler.registry import Registry
from osler.settings import MAX_QUERY


class Answerer(ABC):
    """One method. ``fit`` learns from questions with gold answers; ``ask`` answers one question."""

    name: ClassVar[str]
    help: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    """What training takes beside questions with answers: ``unanswerable`` ones."""
    variants: ClassVar[dict[str, tuple[str, ...]]] = {}
    """The aspects of each of its variants, where it has some: ``variant`` names one."""

    def __init__(self, kb: ClinicalKB) -> None:
        self.kb = kb

    @abstractmethod
    def ask(self, question: str, *, explain: bool = False) -> Answer: ...

    @abstractmethod
    def fit(
        self,
        questions: Sequence[Question],
        *,
        dev: Sequence[Question] = (),
        seed: int = 0,
        progress: Callable[[str], None] | None = None,
    ) -> dict[str, float]:
        """Learn; what was measured on the way comes back by name."""

    @abstractmethod
    def save(self, folder: str | Path, *, measures: dict[str, float] | None = None) -> None: ...

    @abstractmethod
    def load(self, folder: str | Path) -> None: ...


answerers: Registry[Answerer] = Registry(
    "answerer",
    group="osler.answerers",
    builtin=("osler.ask.form.answering", "osler.ask.reader", "osler.ask.aar"),
    papers=True,
)


def checked(question: str) -> str:
    """The question, or a clear error: nothing to read, or more than a question may be."""
    text = question.strip()
    if not any(c.isalnum() for c in text):
        raise QueryError(
            "the question is empty", query=question, place=0, cure="ask something in words"
        )
    if len(text) > MAX_QUERY.get():
        raise LimitError(
            f"the question has {len(text)} characters, the limit is {MAX_QUERY.get()}",
            cure="ask a shorter one, or raise OSLER_MAX_QUERY",
        )
    return text
