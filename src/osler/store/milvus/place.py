"""Where a Milvus is: a file of Milvus Lite, or a server's address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from osler.errors import InputError

SERVERS = ("http", "https", "tcp", "unix")
COLLECTION = "osler"
"""What the collections of a library are called unless a name is given."""


@dataclass(frozen=True)
class Place:
    """One Milvus and the name that a library's collections have in it."""

    uri: str
    collection: str = COLLECTION

    def __post_init__(self) -> None:
        name = self.collection
        if not (name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()):
            raise InputError(
                f"{name!r} cannot name collections of Milvus",
                cure="use letters, digits and underscores, a letter first",
            )

    @property
    def is_file(self) -> bool:
        return urlsplit(self.uri).scheme not in SERVERS

    @property
    def path(self) -> Path:
        """The file of Milvus Lite."""
        return Path(self.uri)


def place_of(uri: str, collection: str = COLLECTION, *, root: Path | None = None) -> Place:
    """A place out of what a person wrote. A relative file stands in ``root``, a library's folder,
    or in the working folder."""
    parts = urlsplit(uri)
    if parts.scheme in SERVERS:
        if parts.username or parts.password:
            raise InputError(
                "credentials do not belong in the address, which is kept in the library",
                cure="give them in OSLER_MILVUS_TOKEN as user:password",
            )
        if parts.scheme != "unix" and not parts.hostname:
            raise InputError(f"{uri} names no server", cure="such as http://milvus.example:19530")
        return Place(uri, collection)
    if parts.scheme not in ("", "file"):
        raise InputError(
            f"{uri} is no address of Milvus", cure="an http address, or a file that ends in .db"
        )
    path = Path(parts.path if parts.scheme else uri)
    if path.suffix != ".db":
        raise InputError(
            f"{uri} is no file of Milvus Lite", cure="its name ends in .db, such as milvus.db"
        )
    return Place(str((root or Path.cwd()) / path), collection)


def kept_uri(place: Place, root: Path) -> str:
    """How a library's card names a place: a file inside the library's folder moves with it."""
    if place.is_file:
        path, folder = place.path.resolve(), root.resolve()
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
        return str(path)
    return place.uri
