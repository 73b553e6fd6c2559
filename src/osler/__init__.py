"""Osler reads medical literature, records and knowledge graphs, and answers with evidence."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from osler.claims import stance
    from osler.errors import OslerError
    from osler.kinds import Document, Entity, Filter, Hit, Ranking, Triple
    from osler.library import Library
    from osler.verbs.simulate import simulate

__version__ = "0.1.0"

# Some packages that we stand on report to their makers who uses them. They read these when they are
# first imported, so they are set before any of them can be: nothing here tells anybody anything.
SILENCED = {
    "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime: a device id in the user's cache, and a host
    "HF_HUB_DISABLE_TELEMETRY": "1",  # huggingface_hub, and transformers through it
    "DO_NOT_TRACK": "1",  # whoever keeps to the convention
}
os.environ.update(SILENCED)

# Names are fetched when they are used, so that `import osler` costs next to nothing.
_HOMES = {
    "Library": "osler.library",
    "OslerError": "osler.errors",
    "Document": "osler.kinds",
    "Entity": "osler.kinds",
    "Filter": "osler.kinds",
    "Hit": "osler.kinds",
    "Ranking": "osler.kinds",
    "Triple": "osler.kinds",
    "simulate": "osler.verbs.simulate",
    "stance": "osler.claims",
}

__all__ = [
    "Document",
    "Entity",
    "Filter",
    "Hit",
    "Library",
    "OslerError",
    "Ranking",
    "Triple",
    "__version__",
    "simulate",
    "stance",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'osler' has no attribute {name!r}") from None
    return getattr(import_module(home), name)
