"""Milvus Lite inside this process, reached through a socket that only its owner can open.

Started by pymilvus it would listen on a port of the loopback, without a password: every user of
the machine could read and change what is in it. A unix socket in a folder of mode 0700 cannot be
reached by anybody else.
"""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osler.errors import AwayError, DamageError, LockedError, MissingExtra
from osler.store.milvus.place import Place


@dataclass
class _Running:
    """One file's server, and how many connections of this process use it."""

    server: Any
    database: Any
    folder: Path
    users: int = 0

    @property
    def uri(self) -> str:
        return f"unix:{self.folder / 'socket'}"

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self.server.stop(2).wait()
        with contextlib.suppress(Exception):
            self.database.close()
        shutil.rmtree(self.folder, ignore_errors=True)


_running: dict[str, _Running] = {}
_guard = threading.Lock()


def join(place: Place) -> str:
    """The address of the server over a file, started if it is not running yet; ``leave`` gives it
    back."""
    key = str(place.path.resolve())
    with _guard:
        running = _running.get(key)
        if running is None:
            running = _running[key] = _start(place)
        running.users += 1
        return running.uri


def leave(place: Place) -> None:
    """The last one to leave a file closes it."""
    key = str(place.path.resolve())
    with _guard:
        running = _running.get(key)
        if running is None:
            return
        running.users -= 1
        if running.users == 0:
            _running.pop(key).stop()


def _start(place: Place) -> _Running:
    try:
        from milvus_lite.adapter.grpc.server import start_server_in_thread
        from milvus_lite.exceptions import DataDirLockedError
    except ImportError:
        raise MissingExtra("a library on Milvus Lite", "milvus") from None
    # mkdtemp makes it for its owner alone; a socket's path may have some hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="osler-"))
    try:
        server, database, bound = start_server_in_thread(
            str(place.path.absolute()), host="unix", port=folder / "socket"
        )
    except DataDirLockedError:
        shutil.rmtree(folder, ignore_errors=True)
        raise LockedError(
            f"another program has {place.path.name} of Milvus Lite open",
            cure="close it, or run milvus-lite server and name its http address",
        ) from None
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise DamageError(
            f"{place.path.name} cannot be opened by Milvus Lite ({type(error).__name__})",
            cure="name another file, or remove this one and osler rebuild",
        ) from None
    running = _Running(server, database, folder)
    if not bound:
        running.stop()
        raise AwayError(f"Milvus Lite does not start on {place.path.name}", cure="try again")
    return running


@atexit.register
def _stop_all() -> None:
    with _guard:
        for running in _running.values():
            running.stop()
        _running.clear()
