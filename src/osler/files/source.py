"""A source of records: a file (gzip read as it is) or a folder, opened with bounds."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from osler.errors import FieldError, FormatError, InputError
from osler.files import encodings
from osler.files.encodings import UTF16
from osler.files.unpack import MAGIC, Unpacked
from osler.settings import MAX_FIELD

HEAD_BYTES = 65_536
BUFFER = 1 << 20
# A line holds a record of several fields, a character up to four bytes.
LINE_FIELDS = 8
BAD_LINE = "not UTF-8 text, or too long for a record"
"""The reason of a reject for a line that ``Source.lines`` gives as None."""


@dataclass(frozen=True)
class Head:
    """What a reader recognises a format by: the name without ``.gz`` and the first unpacked bytes.

    For a folder, ``names`` lists what it holds, three levels deep, as relative POSIX paths.
    """

    name: str
    start: bytes = b""
    names: tuple[str, ...] = ()

    @property
    def is_folder(self) -> bool:
        return bool(self.names)

    @property
    def text(self) -> str:
        if self.start.startswith(UTF16):
            return self.start.decode("utf-16", errors="replace").lstrip("\ufeff")
        return self.start.decode("utf-8", errors="replace").lstrip("\ufeff")

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()


class Source:
    """One file or folder to read from. ``name`` is what rejects and the ledger call it."""

    def __init__(self, path: str | Path, *, name: str | None = None) -> None:
        self.path = Path(path)
        self.name = name or self.path.name
        if not self.path.exists():
            raise InputError(f"there is no file {self.path}")

    @property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    def open(self) -> io.BufferedReader:
        """The bytes, unpacked if they are gzip's whatever the name says."""
        if self.is_folder:
            raise FormatError(
                f"{self.name} is a folder of no known shape", cure="give the files in it"
            )
        try:
            raw = self.path.open("rb")
        except OSError as error:
            raise InputError(f"{self.name} cannot be opened: {error.strerror}") from None
        magic = raw.read(2)
        raw.seek(0)
        if magic != MAGIC:
            return raw
        unpacked = Unpacked(raw, self.name, self.path.stat().st_size)
        return io.BufferedReader(unpacked, buffer_size=BUFFER)

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """Numbered lines as text without NUL, from 1; None for a line that is ``BAD_LINE``.

        A file that is in another encoding than UTF-8 as a whole is read in that one.
        """
        longest = MAX_FIELD.get() * LINE_FIELDS
        encoding = self._encoding()
        with self.open() as packed:
            stream = encodings.utf8_lines(packed) if encoding == "utf-16" else packed
            encoding = "utf-8" if encoding == "utf-16" else encoding
            number = 0
            while line := stream.readline(longest):
                number += 1
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if len(line) >= longest and not line.endswith(b"\n"):
                    while (rest := stream.readline(longest)) and not rest.endswith(b"\n"):
                        pass
                    yield number, None
                    continue
                try:
                    yield number, line.replace(b"\0", b"").decode(encoding).rstrip("\r\n")
                except UnicodeDecodeError:
                    yield number, None

    def _encoding(self) -> str:
        with self.open() as stream:
            try:
                return encodings.encoding_of(stream)
            except FormatError:
                # Cut short: the reading itself comes to that place, and says so.
                return "utf-8"

    def sure_lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, of a file that a person hands to a command: there a bad
        line is an error, since nobody would look at a list of rejects."""
        for number, line in self.lines():
            if line is None:
                raise FieldError(f"{self.name} line {number}: {BAD_LINE}")
            if line.strip():
                yield number, line

    def head(self) -> Head:
        name = self.path.name.removesuffix(".gz")
        if self.is_folder:
            return Head(name, names=tuple(self._names()))
        start = b""
        with self.open() as stream:
            try:
                # A stream cut inside its first block still tells the format by what is whole of it.
                while len(start) < HEAD_BYTES and (data := stream.read1(HEAD_BYTES - len(start))):
                    start += data
            except FormatError:
                pass
        return Head(name, start)

    def _names(self) -> Iterator[str]:
        for depth in ("*", "*/*", "*/*/*"):
            for path in sorted(self.path.glob(depth)):
                if path.is_file():
                    yield path.relative_to(self.path).as_posix()

    def fingerprint(self) -> str:
        """SHA-256 of the packed bytes; of names and contents for a folder."""
        digest = hashlib.sha256()
        paths = (
            sorted(p for p in self.path.rglob("*") if p.is_file())
            if self.is_folder
            else [self.path]
        )
        for path in paths:
            if self.is_folder:
                digest.update(path.relative_to(self.path).as_posix().encode())
            with path.open("rb") as stream:
                while chunk := stream.read(BUFFER):
                    digest.update(chunk)
        return digest.hexdigest()
