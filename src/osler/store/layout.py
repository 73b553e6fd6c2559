"""Where things stand in a library's folder, and which format it is."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from osler.errors import DamageError, LibraryError, MissingLibrary, StorageError, VersionError

FORMAT = 3
"""Raised by one when an older program could no longer read a new library."""
Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A number in a state file: one that SQLite can hold. Anything else there is damage."""


@dataclass(frozen=True)
class Layout:
    """The files of one library.

    ``truth.sqlite`` is the truth. Everything under ``derived/`` can be made again from it;
    ``vectors.sqlite`` is a cache that costs dear to fill, so ``rebuild`` keeps it.
    """

    root: Path

    @property
    def card(self) -> Path:
        return self.root / "library.json"

    def chosen_encoder(self) -> str:
        """The encoder that was chosen for this library; empty where none was."""
        try:
            return str(json.loads((self.root / "encoder.json").read_text("utf-8"))["name"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def choose_encoder(self, name: str) -> None:
        write_json(self.root / "encoder.json", {"name": name})

    @property
    def name(self) -> str:
        """What people call the library: the name that it was given, else its folder's, or that of
        the folder around it where its own says nothing."""
        try:
            return str(json.loads((self.root / "name.json").read_text("utf-8"))["name"])
        except (OSError, ValueError, KeyError, TypeError):
            whole = self.root.resolve()
            plain = whole.name.casefold() in ("library", "lib")
            return (whole.parent.name if plain else "") or whole.name

    def rename(self, name: str) -> None:
        write_json(self.root / "name.json", {"name": name})

    @property
    def truth(self) -> Path:
        return self.root / "truth.sqlite"

    @property
    def vector_cache(self) -> Path:
        return self.root / "vectors.sqlite"

    @property
    def derived(self) -> Path:
        return self.root / "derived"

    @property
    def words(self) -> Path:
        return self.derived / "words"

    @property
    def passages(self) -> Path:
        return self.derived / "passages"

    @property
    def vectors(self) -> Path:
        return self.derived / "vectors"

    @property
    def knowledge(self) -> Path:
        return self.derived / "knowledge"

    @property
    def pairs(self) -> Path:
        """The index of question-answer pairs."""
        return self.derived / "pairs.safetensors"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def write_lock(self) -> Path:
        return self.root / "write.lock"

    @property
    def embed_lock(self) -> Path:
        return self.root / "embed.lock"

    def create(self, *, engine: dict[str, str]) -> None:
        """Make the folder. The card is written last: a folder without it is no library."""
        if self.card.exists():
            raise LibraryError(f"{self.root} is a library already", cure="osler add reads into it")
        if self.root.exists() and any(self.root.iterdir()):
            raise LibraryError(f"{self.root} is not empty", cure="name a new folder")
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.derived.mkdir(exist_ok=True)
            self.models.mkdir(exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self.root} cannot be written: {error.strerror}") from None

    def write_card(self, *, engine: dict[str, str]) -> None:
        write_json(self.card, {"format": FORMAT, "engine": engine})

    def read_card(self) -> dict[str, Any]:
        """The card, after checking that this program can read the library."""
        if not self.card.exists():
            raise MissingLibrary(
                f"there is no library at {self.root}", cure=f"osler new {self.root}"
            )
        try:
            card: dict[str, Any] = json.loads(self.card.read_text("utf-8"))
            version = int(card["format"])
        except (ValueError, KeyError, TypeError, OverflowError):
            raise DamageError(f"{self.card.name} of the library is damaged") from None
        except OSError as error:
            raise StorageError(f"{self.card} cannot be read: {error.strerror}") from None
        if version > FORMAT:
            raise VersionError(
                f"the library has format {version}, this program reads up to {FORMAT}",
                cure="install a newer osler",
            )
        return card


def write_json(path: Path, value: Any) -> None:
    """Replace a small JSON file as a whole: a reader sees the old one or the new one."""
    write_bytes(path, json.dumps(value, indent=1, sort_keys=True).encode())


def write_bytes(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                with contextlib.suppress(FileNotFoundError):
                    # Rights that somebody gave on purpose outlive a change of the content.
                    os.fchmod(stream.fileno(), stat.S_IMODE(path.stat().st_mode))
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(path)
            # One writer a file, so any other of these was left by one that was killed.
            for left in path.parent.glob(f".{glob.escape(path.name)}.????????"):
                with contextlib.suppress(OSError):
                    left.unlink()
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise StorageError(f"{path.name} cannot be written: {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
