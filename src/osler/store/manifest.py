"""Which files a derived index consists of, with sizes and checksums, and how far it has got."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import xxhash

from osler.store.layout import Count, write_json

_NAME = "manifest.json"


class Manifest:
    """Written after each commit of an index; checked by ``verify``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        return self.folder / _NAME

    @property
    def state(self) -> dict[str, Any]:
        try:
            state = json.loads(self.path.read_text("utf-8"))["state"]
            # How far an index has got is a number, or it is not known.
            msgspec.convert(state.get("applied", 0), Count)
            return dict(state)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Without it an index is caught up from what it holds itself.
            return {}

    def write(self, state: dict[str, Any]) -> None:
        files = {
            path.name: [path.stat().st_size, file_hash(path)]
            for path in sorted(self.folder.iterdir())
            if path.is_file() and _counts(path.name)
        }
        write_json(self.path, {"state": state, "files": files})

    def check(self, what: str) -> Iterator[str]:
        """One line for each file that is missing, cut or changed."""
        try:
            listed = json.loads(self.path.read_text("utf-8"))["files"]
            files = [(str(name), int(size), digest) for name, (size, digest) in listed.items()]
        except FileNotFoundError:
            if self.folder.exists() and any(_counts(p.name) for p in self.folder.iterdir()):
                yield f"{what}: its manifest is missing"
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            yield f"{what}: {_NAME} is damaged"
            return
        for name, size, digest in files:
            path = self.folder / name
            if not path.exists():
                yield f"{what}: {name} is missing"
            elif path.stat().st_size != size:
                yield f"{what}: {name} has {path.stat().st_size} bytes, expected {size}"
            elif file_hash(path) != digest:
                yield f"{what}: {name} is damaged: its checksum does not hold"


def _counts(name: str) -> bool:
    return name != _NAME and not name.startswith(".") and not name.endswith(".lock")


def file_hash(path: Path) -> str:
    digest = xxhash.xxh3_64()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()
