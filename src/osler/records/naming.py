"""The name of the source that a file or folder of records is: part of every patient's identity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osler.files.source import Source

_ENDINGS = (".gz", ".json", ".ndjson", ".tsv", ".csv", ".xml")


def default_name(source: Source) -> str:
    """A file's or folder's own name, without its ending."""
    name = source.path.resolve().name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name or source.name


def source_name(options: Mapping[str, Any], source: Source, collection: str = "") -> str:
    """What a person called the source, else what the ledger calls it; for a reader that is used by
    itself the collection that its format is of, or the file's name."""
    named = options.get("source") or options.get("dataset")
    return str(named or collection or default_name(source))
