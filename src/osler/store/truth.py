"""The truth: one SQLite file in WAL mode, whose rows carry sequence numbers and checksums."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import xxhash

from osler.errors import DamageError, InputError, LockedError, OslerError, StorageError
from osler.stopping import check_stopped
from osler.store import marks

_SIGN = 1 << 63
WRITTEN = "the library was written while it was read where nothing can be locked"


def checksum(*parts: bytes | str | int) -> int:
    """A signed 64-bit xxHash over the parts, each closed off so that none can run into the next."""
    if bytes in map(type, parts):
        data = b"\x00".join(
            part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            for part in parts
        )
    else:
        data = "\x00".join(map(str, parts)).encode("utf-8", "surrogatepass")
    value = xxhash.xxh3_64_intdigest(data + b"\x00")
    return value - 2 * _SIGN if value >= _SIGN else value


def holds(expected: object, *parts: bytes | str | int, what: str) -> None:
    """Raises where a row's checksum is not that of its parts."""
    if checksum(*parts) != expected:
        raise DamageError(f"{what} is damaged: its checksum does not hold")


@contextlib.contextmanager
def storage_errors(what: str = "the library") -> Iterator[None]:
    """SQLite's and the system's errors as ours: full, read-only, locked or damaged."""
    try:
        yield
    except OslerError:
        raise
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise LockedError(f"{what} is being written by another program") from None
        if "malformed" in text or "not a database" in text or "no such table" in text:
            raise DamageError(f"{what} is damaged: {text}", cure="osler verify says more") from None
        raise StorageError(f"{what} cannot be written or read: {text}") from None
    except sqlite3.DatabaseError as error:
        raise DamageError(f"{what} is damaged: {error}", cure="osler verify says more") from None
    except OSError as error:
        raise StorageError(f"{what} cannot be written or read: {error.strerror}") from None
    except UnicodeEncodeError:
        raise InputError("a text holds half of a character, which nothing here can hold") from None


def private(path: Path) -> None:
    """Make a file for its owner alone, if it is not there: SQLite gives its log the same rights.
    Whoever shares a library on purpose may widen them afterwards; they stay as they are."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


class Truth:
    """The truth file: a read connection for each thread, and one connection that writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._writer: sqlite3.Connection | None = None

    @classmethod
    def create(cls, path: Path) -> Truth:
        """Make the tables in one transaction."""
        script = "".join(
            resources.files("osler.store").joinpath(name).read_text("utf-8")
            for name in ("schema.sql", "facts.sql")
        )
        with storage_errors():
            private(path)
            connection = sqlite3.connect(path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(
                    f"BEGIN;{script}INSERT INTO meta VALUES ('seq', '0');COMMIT;"
                )
            finally:
                connection.close()
        return cls(path)

    # -- reading -------------------------------------------------------------------------------

    def _connect_reader(self) -> sqlite3.Connection:
        uri = self.path.resolve().as_uri()
        self._local.frozen = None
        try:
            connection = self._open(uri)
            connection.execute("SELECT 1 FROM meta LIMIT 1")
        except sqlite3.OperationalError as error:
            if "readonly" not in str(error) and "unable to open" not in str(error):
                raise
            # A read-only medium has no room for WAL's shared memory. Alone and without locks SQLite
            # keeps that in its own, and reads a log that was left beside the file.
            self._local.frozen = self._files()
            left = self._log.exists() and self._log.stat().st_size > 0
            how = "mode=ro&vfs=unix-none" if left else "immutable=1"
            connection = self._open(f"{uri}?{how}", alone=left)
            connection.execute("SELECT 1 FROM meta LIMIT 1")
        return connection

    def _files(self) -> tuple[object, ...]:
        """Changes when somebody writes: for readers who cannot take part in SQLite's locks."""
        # Shared memory is written to by readers as well: only whether it is there counts.
        stamp: list[object] = [self.path.with_name(f"{self.path.name}-shm").exists()]
        for path in (self.path, self._log):
            try:
                state = path.stat()
                stamp.append((state.st_size, state.st_mtime_ns, state.st_ino))
            except OSError:
                stamp.append(None)
        return tuple(stamp)

    @property
    def _log(self) -> Path:
        return self.path.with_name(f"{self.path.name}-wal")

    def _thawed(self) -> bool:
        """Whether this thread reads without locks, and somebody has written since."""
        frozen = getattr(self._local, "frozen", None)
        return frozen is not None and frozen != self._files()

    def _open(self, uri: str, *, alone: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA query_only = 1")
        connection.execute("PRAGMA cell_size_check = 1")
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.execute("PRAGMA mmap_size = 268435456")
        return connection

    @property
    def reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None and not connection.in_transaction and self._thawed():
            # Perhaps the one who writes has made room for locks by now.
            with self._guard:
                self._opened.remove(connection)
            connection.close()
            connection = None
        if connection is None:
            with storage_errors():
                connection = self._connect_reader()
            self._local.connection = connection
            with self._guard:
                self._opened.append(connection)
        return connection

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """One state of the truth for as long as the block lasts, whatever a writer does."""
        connection = self.reader
        if connection.in_transaction:  # already inside a wider snapshot
            yield connection
            return
        check_stopped()
        with storage_errors():
            connection.execute("BEGIN")
            try:
                yield connection
            except sqlite3.DatabaseError:
                if self._thawed():
                    raise LockedError(WRITTEN, cure="try again") from None
                raise
            finally:
                connection.execute("ROLLBACK")
        if self._thawed():
            # Pages of two states may have been read: better no answer than one of both.
            raise LockedError(WRITTEN, cure="try again")

    def seq(self, connection: sqlite3.Connection | None = None) -> int:
        """The last sequence number given."""
        with storage_errors():
            return self.seq_of(connection or self.reader)

    def state(self) -> tuple[object, ...]:
        """Changes with whatever is written, a row that is taken out included, which leaves no
        number behind."""
        return (self.seq(), *self._files())

    @staticmethod
    def seq_of(connection: sqlite3.Connection) -> int:
        row = connection.execute("SELECT value FROM meta WHERE key = 'seq'").fetchone()
        return _number(row)

    # -- writing -------------------------------------------------------------------------------

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. The caller holds the writer's lock."""
        with storage_errors():
            if self._writer is None:
                # The lock sees to it that one thread at a time is here.
                self._writer = sqlite3.connect(
                    self.path, isolation_level=None, check_same_thread=False
                )
                self._writer.execute("PRAGMA busy_timeout = 10000")
                # FULL, not NORMAL: a derived index must never know of a number that the truth lost.
                self._writer.execute("PRAGMA synchronous = FULL")
                self._writer.execute("PRAGMA cache_size = -65536")
                # What is taken out leaves no bytes behind in freed pages.
                self._writer.execute("PRAGMA secure_delete = ON")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def clear_log(self) -> bool:
        """Bring the log of changes into the file and empty it: it holds what pages were before.
        False where a reader still needs it; it is emptied when the last one leaves."""
        with storage_errors():
            if self._writer is None:
                with self.transaction():
                    pass
            assert self._writer is not None
            (busy, _, _) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    @staticmethod
    def take(connection: sqlite3.Connection, count: int) -> int:
        """The first of ``count`` new sequence numbers."""
        last = Truth.seq_of(connection)
        if not count:
            # A mark under a number that was given out before would make a stranger of its owner.
            return last + 1
        if last < highest(connection):
            # A number given twice would be passed over by every derived index.
            raise DamageError("the library's sequence number is damaged: it has fallen behind")
        connection.execute("UPDATE meta SET value = ? WHERE key = 'seq'", (str(last + count),))
        marks.leave(connection, last + count, before=last)
        return last + 1

    def mark(self, seq: int) -> str | None:
        """The mark that a number was given out under; None where it never was."""
        with self.snapshot() as connection:
            return marks.mark_at(connection, seq, self.seq_of(connection))

    def leap(self, beyond: int) -> None:
        """Begin a new epoch: numbers up to ``beyond``, which something derived from another state
        of the truth knows, are never given out again. A document takes a number at least, so that
        no row of it can be higher."""
        with self.transaction() as connection:
            count = max(1, beyond - self.seq_of(connection))
            self.take(connection, count)
            marks.note_row(connection, beyond)

    def close(self) -> None:
        with self._guard:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
        self._local = threading.local()
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _number(row: tuple[str] | None) -> int:
    if row is None or not str(row[0]).isdecimal():
        raise DamageError("the library's sequence number is damaged")
    return int(row[0])


def highest(connection: sqlite3.Connection) -> int:
    """The highest sequence number that stands in a row; each table's is the end of an index."""
    tables = ["documents", "entities", "triples"]
    # A library of an older format can be looked over before it is brought up.
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
        tables.append("facts")
    last = [connection.execute(f"SELECT max(seq) FROM {table}").fetchone()[0] for table in tables]
    return max(int(seq or 0) for seq in last)
