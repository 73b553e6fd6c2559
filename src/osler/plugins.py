"""The door for those who bring something: what a plug-in is made of.

A class of another package is found by an entry point; ``GROUPS`` lists the groups with what belongs
there. CONTRIBUTING.md says how each kind is added, examples/ has one of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.lazy import lazy

if TYPE_CHECKING:
    from osler.cli.commands import Commands
    from osler.corpus.columns import Columns
    from osler.corpus.fields import too_large
    from osler.files.reader import Reader
    from osler.files.source import BAD_LINE, Head, Source
    from osler.kinds import Document, Entity, Reject, Section, Triple
    from osler.knowledge.embeddings import Method
    from osler.registry import GROUPS
    from osler.retrieve.channel import Candidates, Fused
    from osler.retrieve.view import Request, View
    from osler.search.ranker import SearchRanker
    from osler.serve.desk import Desk
    from osler.serve.page import shown
    from osler.store.embedded import EmbeddedEngine
    from osler.store.engine import Engine
    from osler.store.engine_kind import EngineKind
    from osler.store.layout import Layout
    from osler.store.plain_engine import PlainEngine

_HOMES = {
    "BAD_LINE": "osler.files.source",
    "Candidates": "osler.retrieve.channel",
    "Columns": "osler.corpus.columns",
    "Commands": "osler.cli.commands",
    "Desk": "osler.serve.desk",
    "Document": "osler.kinds",
    "EmbeddedEngine": "osler.store.embedded",
    "Engine": "osler.store.engine",
    "EngineKind": "osler.store.engine_kind",
    "Entity": "osler.kinds",
    "Fused": "osler.retrieve.channel",
    "GROUPS": "osler.registry",
    "Head": "osler.files.source",
    "Layout": "osler.store.layout",
    "Method": "osler.knowledge.embeddings",
    "PlainEngine": "osler.store.plain_engine",
    "Reader": "osler.files.reader",
    "Reject": "osler.kinds",
    "Request": "osler.retrieve.view",
    "SearchRanker": "osler.search.ranker:SearchRanker",
    "Section": "osler.kinds",
    "Source": "osler.files.source",
    "Triple": "osler.kinds",
    "View": "osler.retrieve.view",
    "shown": "osler.serve.page",
    "too_large": "osler.corpus.fields",
}
__all__ = [
    "BAD_LINE",
    "GROUPS",
    "Candidates",
    "Columns",
    "Commands",
    "Desk",
    "Document",
    "EmbeddedEngine",
    "Engine",
    "EngineKind",
    "Entity",
    "Fused",
    "Head",
    "Layout",
    "Method",
    "PlainEngine",
    "Reader",
    "Reject",
    "Request",
    "SearchRanker",
    "Section",
    "Source",
    "Triple",
    "View",
    "shown",
    "too_large",
]
__getattr__ = lazy(__name__, _HOMES)
