"""What is in the library, with models and their cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from osler import __version__
from osler.errors import NeedsError, OslerError
from osler.serve.models import Status
from osler.serve.reader import Reader


def coverage(reader: Reader) -> float | None:
    """The share of documents that have a vector; None without an encoder."""
    try:
        return round(reader.coverage().share, 4)
    except NeedsError:
        return None


def models(reader: Reader) -> list[dict[str, Any]]:
    """Trained models with their cards; a folder in a folder counts too (papers, sentences)."""
    return list(_models(reader.layout.models))


def _models(folder: Path) -> Iterator[dict[str, Any]]:
    from osler.learn.saved import load_card

    for file in sorted(folder.glob("**/model.safetensors")):
        name = file.parent.relative_to(folder).as_posix()
        try:
            yield {"name": name, "card": msgspec.to_builtins(load_card(file.parent))}
        except (OslerError, OSError) as error:
            yield {"name": name, "error": getattr(error, "message", type(error).__name__)}


def rejects(reader: Reader, limit: int) -> list[dict[str, str]]:
    return [msgspec.to_builtins(reject) for reject in islice(reader.rejects(), limit)]


def status(reader: Reader) -> Status:
    found = reader.status()
    return Status(
        version=__version__,
        counts=found["counts"],
        coverage=coverage(reader),
        method=found["method"],
        notes=found["notes"],
        files=found["files"],
        models=models(reader),
        rejects=sum(1 for _ in reader.rejects()),
    )
