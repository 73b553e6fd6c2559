"""What a kind of engine is, and how kinds are found by name.

A library's card names its engine. The kind writes that part of the card when a library is made, and
opens the engine from it afterwards; the engine itself keeps the protocol of ``store.engine``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from osler.registry import Registry
from osler.store.engine import Engine
from osler.store.layout import Layout


class EngineKind(ABC):
    """``name`` is what ``osler new --engine`` takes; ``help`` is one line for the documentation."""

    name: ClassVar[str]
    help: ClassVar[str]

    @abstractmethod
    def card(
        self, layout: Layout, *, uri: str | None = None, collection: str | None = None
    ) -> dict[str, str]:
        """What the card of a new library says of its engine; ``name`` among it."""

    @abstractmethod
    def open(self, layout: Layout, card: Mapping[str, Any]) -> Engine:
        """The engine that such a card describes. A ``KeyError`` says that the card is damaged."""


engines: Registry[EngineKind] = Registry(
    "engine", group="osler.engines", builtin=("osler.store.engines",)
)
