"""An engine: the embedded one under another name. A real one keeps the protocol ``Engine`` itself;
what matters here is how a kind writes its part of a library's card and opens from it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osler.errors import InputError
from osler.plugins import EmbeddedEngine, Engine, EngineKind, Layout


class ExampleEngine(EmbeddedEngine):
    name = "embedded-example"


class ExampleKind(EngineKind):
    name = "embedded-example"
    help = "the embedded engine under another name (an example of a plug-in)"

    def card(
        self, layout: Layout, *, uri: str | None = None, collection: str | None = None
    ) -> dict[str, str]:
        if uri or collection:
            raise InputError("this engine has no address")
        return {"name": self.name, "made_by": "osler-example"}

    def open(self, layout: Layout, card: Mapping[str, Any]) -> Engine:
        return ExampleEngine(layout)
