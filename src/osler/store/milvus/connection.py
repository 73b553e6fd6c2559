"""A connection to Milvus: time-outs, retries with backoff, and its errors as ours.

A call is tried again, on a new connection and at growing intervals, while the server cannot be
reached or says that it is asked too much; ``OSLER_MILVUS_SECONDS`` bounds all tries together. What
is left is translated: ``AwayError`` where it does not answer, ``RefusedError`` where it will not.
All that is asked can be asked twice.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

from osler.errors import AwayError, MissingExtra, OslerError, RefusedError
from osler.settings import MILVUS_SECONDS, MILVUS_TOKEN
from osler.store.milvus import lite
from osler.store.milvus.place import Place

_PAGE = 2_000
"""Rows that are sent or asked for in one call."""
_CHARACTERS = 8_000_000
"""Characters that are sent in one call: a server takes messages of 64 MB."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0


_NOT_LOADED = 101
"""Milvus's code for a collection that is there and was not loaded."""


class _Unloaded(RefusedError):
    pass


class Connection:
    """One Milvus, connected to when it is first asked something."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._client: Any = None
        self._lite: str | None = None
        self._lock = threading.Lock()

    @property
    def seconds(self) -> float:
        return MILVUS_SECONDS.get()

    def _connected(self, seconds: float) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._connect(seconds)
            return self._client

    def _connect(self, seconds: float) -> Any:
        try:
            from pymilvus import MilvusClient
        except ImportError:
            raise MissingExtra("a library on Milvus", "milvus") from None
        # They print whole requests, which hold what people wrote.
        for name in ("pymilvus", "milvus_lite"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if self.place.is_file and self._lite is None:
            self._lite = lite.join(self.place)
        with self._translated():
            return MilvusClient(
                uri=self._lite or self.place.uri,
                token=MILVUS_TOKEN.get(),
                timeout=seconds,
                # Or a new connection would inherit how long an old one meant to wait.
                grpc_options={"grpc.use_local_subchannel_pool": 1},
            )

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        from grpc import RpcError
        from pymilvus.exceptions import MilvusException

        try:
            yield
        except OslerError:
            raise
        except (MilvusException, RpcError) as error:
            if getattr(error, "code", None) == _NOT_LOADED:
                raise _Unloaded("a collection of Milvus is not loaded") from None
            raise _ours(error, self.place) from None

    def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        """One of pymilvus's methods, within the time-out."""
        end = time.monotonic() + self.seconds
        pause = _FIRST_PAUSE
        while True:
            left = max(end - time.monotonic(), _FIRST_PAUSE)
            try:
                function = getattr(self._connected(left), method)
                with self._translated():
                    return function(*arguments, timeout=left, **options)
            except _Unloaded:
                # A server that was started again has not loaded its collections.
                self.call("load_collection", arguments[0])
                if time.monotonic() > end:
                    raise
            except AwayError:
                if time.monotonic() + pause > end:
                    raise
                self._drop()
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    # -- what every collection is asked ----------------------------------------------------------

    def insert(self, collection: str, rows: list[dict[str, Any]]) -> None:
        """Put rows in; one whose key is there already is replaced, so doing it twice is safe."""
        for batch in _batches(rows):
            self.call("upsert", collection, batch)

    def get(self, collection: str, keys: list[Any], fields: list[str]) -> list[dict[str, Any]]:
        """Rows by primary key, those that are there."""
        entities: list[dict[str, Any]] = []
        for start in range(0, len(keys), _PAGE):
            entities += self.call(
                "get", collection, ids=keys[start : start + _PAGE], output_fields=fields
            )
        return entities

    def query(
        self, collection: str, expression: str, fields: list[str], *, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Rows that an expression lets through, at most ``limit`` where one is given. Read at the
        newest state, since what a writer does next depends on it."""
        options: dict[str, Any] = {"consistency_level": "Strong"}
        if limit is not None:
            options["limit"] = limit
        return list(
            self.call("query", collection, filter=expression, output_fields=fields, **options)
        )

    def pages(
        self, collection: str, expression: str, fields: list[str]
    ) -> Iterator[list[dict[str, Any]]]:
        """All rows that an expression lets through, however many."""
        iterator = self.call(
            "query_iterator",
            collection,
            filter=expression,
            output_fields=fields,
            batch_size=_PAGE,
        )
        try:
            while True:
                with self._translated():
                    page = iterator.next()
                if not page:
                    return
                yield list(page)
        finally:
            iterator.close()

    def count(self, collection: str, expression: str = "") -> int:
        rows = self.query(collection, expression, ["count(*)"])
        return int(rows[0]["count(*)"]) if rows else 0

    def delete(self, collection: str, expression: str) -> None:
        self.call("delete", collection, filter=expression)

    def _drop(self) -> None:
        """Leave a connection that does not work; the next call makes another."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close()

    def close(self) -> None:
        """Let go of the server; the last one to leave a file of Milvus Lite closes it."""
        self._drop()
        if self._lite is not None:
            self._lite = None
            lite.leave(self.place)


def _batches(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Rows in parts that fit into a message; full texts are large."""
    batch: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        own = sum(
            len(value) if isinstance(value, str) else sum(map(len, value))
            for value in (row.get("words", ""), row.get("body", ()))
        )
        if batch and (len(batch) == _PAGE or size + own > _CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += own
    if batch:
        yield batch


_CREDENTIALS = ("auth check failure", "unauthenticated", "permission denied", "invalid token")
_AWAY = ("retry timeout", "fail connecting", "closed channel", "server unavailable")
_AWAY_STATUS = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED")


def _ours(error: Exception, place: Place) -> OslerError:
    """What went wrong, without the request: that may hold what people wrote."""
    where = place.path.name if place.is_file else place.uri
    causes = list(_causes(error))
    if any(
        name in ("UNAUTHENTICATED", "PERMISSION_DENIED") or any(w in text for w in _CREDENTIALS)
        for name, text in causes
    ):
        return RefusedError(
            f"Milvus at {where} does not accept the credentials",
            cure="set OSLER_MILVUS_TOKEN to user:password or an API key",
        )
    if any(name in _AWAY_STATUS or any(w in text for w in _AWAY) for name, text in causes):
        return AwayError(
            f"Milvus at {where} does not answer",
            cure="start it, or try again; the library catches up by itself",
        )
    return RefusedError(f"Milvus at {where} refused a request (code {causes[0][0] or 'unknown'})")


def _causes(error: BaseException | None) -> Iterator[tuple[str, str]]:
    """The code and the text of an error and of those behind it: pymilvus wraps what gRPC says, and
    at times an error in itself."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        code = getattr(error, "code", None)
        status = code() if callable(code) else code
        yield str(getattr(status, "name", status)), str(error).lower()
        error = error.__cause__ or error.__context__
