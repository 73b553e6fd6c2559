"""A folder as a power cut leaves it, rebuilt from the log of a run under ``faults.c``.

A kill keeps what was written, synced or not. A power cut does not: bytes that no ``fsync`` of
their file followed may be gone, and so may a new name in a folder that was not synced. Three disks
are drawn, each as unkind as some real one:

``names``  names are kept in order (a journal does that), bytes that were not synced are gone;
``none``   names are gone too, unless their folder was synced;
``some``   as ``names``, but each write since the last sync is there or not, by the toss of a coin.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

KINDS = ("names", "none", "some")


class Point(NamedTuple):
    """One call: what it did, where, at which offset, with which bytes (or to which path)."""

    what: str
    path: str
    offset: int
    data: bytes


def read_log(path: Path) -> Iterator[Point]:
    data = path.read_bytes()
    at = 0
    while at < len(data):
        what = chr(data[at])
        offset, length = struct.unpack_from("<QI", data, at + 1)
        at += 13
        name = data[at : at + length].decode()
        at += length
        (size,) = struct.unpack_from("<Q", data, at)
        at += 8
        yield Point(what, name, offset, data[at : at + size])
        at += size


class File:
    def __init__(self, synced: bytes | None = None) -> None:
        self.now = bytearray(synced or b"")
        self.synced = synced or b""
        self.pending: list[tuple[int, bytes]] = []
        """Since the last sync: (offset, bytes), or (-1, size) for a cut."""

    def write(self, offset: int, data: bytes) -> None:
        _put(self.now, offset, data)
        self.pending.append((offset, data))

    def cut(self, size: int) -> None:
        _cut(self.now, size)
        self.pending.append((-1, size.to_bytes(8, "little")))

    def sync(self) -> None:
        self.synced = bytes(self.now)
        self.pending.clear()

    def some(self, rng: random.Random) -> bytes:
        """What is synced, and each later write by chance, torn at a sector by chance."""
        out = bytearray(self.synced)
        for offset, data in self.pending:
            if rng.random() < 0.5:
                continue
            if offset < 0:
                _cut(out, int.from_bytes(data, "little"))
                continue
            if rng.random() < 0.3:
                data = data[: 512 * rng.randint(0, len(data) // 512)]
            _put(out, offset, data)
        return bytes(out)


def _put(held: bytearray, offset: int, data: bytes) -> None:
    if len(held) < offset:
        held.extend(bytes(offset - len(held)))
    held[offset : offset + len(data)] = data


def _cut(held: bytearray, size: int) -> None:
    del held[size:]
    held.extend(bytes(size - len(held)))


class Folder:
    def __init__(self) -> None:
        self.now: dict[str, File | Folder] = {}
        self.synced: dict[str, File | Folder] = {}


class Disk:
    """The folder at the start, all of it synced, and what the calls make of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.top = self._load(root)

    def _load(self, path: Path) -> Folder:
        folder = Folder()
        for child in sorted(path.iterdir()):
            folder.now[child.name] = (
                self._load(child) if child.is_dir() else File(child.read_bytes())
            )
        folder.synced = dict(folder.now)
        return folder

    def _find(self, path: str) -> File | Folder | None:
        node: File | Folder | None = self.top
        for part in Path(path).relative_to(self.root).parts:
            node = node.now.get(part) if isinstance(node, Folder) else None
        return node

    def _above(self, path: str) -> tuple[Folder, str] | None:
        if Path(path) == self.root:
            return None
        above = self._find(str(Path(path).parent))
        return (above, Path(path).name) if isinstance(above, Folder) else None

    def apply(self, point: Point) -> None:
        # A file that was unlinked while open is still written to: it has no name to find it by.
        place, node = self._above(point.path), self._find(point.path)
        if point.what == "c" and place:
            place[0].now[place[1]] = File()
        elif point.what == "m" and place:
            place[0].now[place[1]] = Folder()
        elif point.what in "ud" and place:
            place[0].now.pop(place[1], None)
        elif point.what == "r" and place and node is not None:
            target = self._above(point.data.decode())
            assert target is not None
            del place[0].now[place[1]]
            target[0].now[target[1]] = node
        elif point.what == "w" and isinstance(node, File):
            node.write(point.offset, point.data)
        elif point.what == "t" and isinstance(node, File):
            node.cut(point.offset)
        elif point.what == "s":
            if isinstance(node, File):
                node.sync()
                if place and place[1].startswith(".tmp"):
                    self._persist(place[0], place[1], node)
            elif isinstance(node, Folder):
                node.synced = dict(node.now)

    @staticmethod
    def _persist(folder: Folder, name: str, node: File) -> None:
        """tantivy renames a small file as soon as it is synced, by a system call that does not pass
        through the C library; which name it takes is told by what it holds."""
        del folder.now[name]
        folder.now[".managed.json" if node.synced[:1] == b"[" else "meta.json"] = node

    def after_a_power_cut(self, target: Path, kind: str, seed: int) -> None:
        """Write what is left to a folder that is not there yet."""
        self._leave(self.top, target, kind, random.Random(seed))

    def _leave(self, folder: Folder, target: Path, kind: str, rng: random.Random) -> None:
        target.mkdir(parents=True)
        for name, node in (folder.synced if kind == "none" else folder.now).items():
            if isinstance(node, Folder):
                self._leave(node, target / name, kind, rng)
            else:
                left = node.some(rng) if kind == "some" else node.synced
                (target / name).write_bytes(left)
