"""A table of entities' pictures: ``entity`` (a name) or ``id``, and ``file``.

Names are looked up in the graph that a library holds, and the pictures are copied beside it, so
that this reader needs both: ``osler add-images`` gives them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from osler.errors import InputError, StorageError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.files.table import header_of
from osler.kinds import Entity, Reject
from osler.knowledge.images.table import read_rows


@readers.register("images")
class ImagesTable(Reader):
    """One picture a line. Options: ``lookup`` (from a name to ids), ``name`` (from an id to its
    name), ``keep`` (the folder that pictures are copied to), ``folder`` (where they stand)."""

    name = "images"
    help = "pictures of entities as CSV or TSV: entity (or id), file; added by osler add-images"
    gives = "images"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return {"entity", "file"} <= set(header_of(head.text))

    def read(self, source: Source) -> Iterator[Item]:
        lookup, name, keep = (self.options.get(part) for part in ("lookup", "name", "keep"))
        if lookup is None or name is None or keep is None:
            raise InputError(
                f"{source.name} is a table of pictures", cure=f"osler add-images LIB {source.name}"
            )
        folder = self.options.get("folder")
        line = 0
        for item in read_rows(source.path, folder=folder, lookup=lookup):
            line += 1
            if isinstance(item, Reject):
                yield item
                continue
            ids, path, given = item
            known = [(id, name(id)) for id in ids]
            if not all(held for _, held in known):
                reason = "the graph holds no entity of that id"
                yield Reject(source.name, f"row {line}", reason, given[:200])
                continue
            stored = store_picture(path, Path(keep))
            for id, held in known:
                yield Entity(id=id, name=held, images=(stored,))


def store_picture(path: Path, keep: Path) -> str:
    """Copy a picture under a name made of its content, so that it is kept once."""
    try:
        data = path.read_bytes()
        stored = hashlib.sha256(data).hexdigest()[:32] + path.suffix.lower()
        target = keep / stored
        if not target.exists():
            keep.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{stored}.part")
            beside.write_bytes(data)
            beside.replace(target)
    except OSError as error:
        raise StorageError(f"{path.name} cannot be copied: {error.strerror}") from None
    return stored
