"""One writer at a time: a lock that the operating system releases when its holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType

from osler.errors import LockedError, StorageError


class Lock:
    """Held between ``with`` and its end. A second holder gets ``LockedError`` at once."""

    def __init__(self, path: Path, *, what: str) -> None:
        self._path = path
        self._what = what
        self._handle: int | None = None

    def __enter__(self) -> Lock:
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StorageError(f"the library cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            who = f" (process {holder})" if holder.isdigit() else ""
            raise LockedError(
                f"another program{who} is {self._what}", cure="wait for it to end, then try again"
            ) from None
        # Who holds it is a courtesy to the next one: a full disk must not cost the lock itself.
        with contextlib.suppress(OSError):
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        self._handle = handle
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def is_held(path: Path) -> bool:
    """Whether some program holds a lock now. Nothing is written."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False
