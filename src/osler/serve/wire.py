"""HTTP as it comes over the wire, bounded in size and in time.

The parser in C is quicker than the one in Python, but reads a head however long it is, and what
follows a body in chunks without end; and it waits for ever. Here what has come is counted, a head,
a body and a reader that takes nothing have so many seconds, and where too many connections are
open the one that has been idle longest makes room. When a client leaves, the task that answers it
is cancelled: nobody would hear the answer.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from osler.settings import SERVE_BODY, SERVE_CONNECTIONS, SERVE_PATIENCE

LEFT = "osler.left"
"""In the scope of a request whose client has left."""


def _refusal(status: bytes, text: bytes) -> bytes:
    return (
        b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
        b"connection: close\r\n\r\n%b" % (status, len(text), text)
    )


_TOO_LONG = _refusal(
    b"431 Request Header Fields Too Large",
    b"the address and the headers of the request are too long\n",
)
_TOO_SLOW = _refusal(b"408 Request Timeout", b"the request took too long to come\n")
_TOO_MANY = _refusal(b"503 Service Unavailable", b"too many connections are open\n")
_LONGEST = 60_000
"""Bytes of an address that the parser takes apart. A longer one holds a long question, which
our own limit answers: the parser's only says that something is wrong."""
_AROUND = 65_536
"""Bytes beside the body that may follow a head: sizes of chunks, trailers."""
_AROUND_EACH = 8
"""And so many more for each byte of the body: a chunk of one byte has six around it."""


class BoundedHttp(HttpToolsProtocol):
    """The protocol of one connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limit = SERVE_BODY.get()
        self._patience = SERVE_PATIENCE.get()
        self._in_head = True
        self._head = 0
        self._after_head = 0
        self._body = 0
        self._timer: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._answering: asyncio.Task[None] | None = None
        self._since = 0.0

    # -- a connection ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self._wait()
        if len(self.connections) > SERVE_CONNECTIONS.get():
            self._make_room()

    def _make_room(self) -> None:
        """Close the connection that has been idle longest; this one where all are busy."""
        idle = [one for one in self.connections if isinstance(one, BoundedHttp) and one.idle]
        others = [one for one in idle if one is not self]
        if others:
            min(others, key=lambda one: one._since).transport.close()
        else:
            self._refuse(_TOO_MANY)

    @property
    def idle(self) -> bool:
        """Whether no request of the connection is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._timer, self._stuck):
            if timer is not None:
                timer.cancel()
        self._timer = self._stuck = None
        if self._answering is not None and not self.idle:
            self.cycle.scope[LEFT] = True  # type: ignore[literal-required]
            self._answering.cancel()
        self.pipeline.clear()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        before = set(self.tasks)
        super()._start_asgi_task(cycle, app)
        (self._answering,) = self.tasks - before

    # -- time --------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """From now on a head, or the rest of a body, has so many seconds to come."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(self._patience, self._too_slow)

    def _came(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        # A body that does not come is met by an answer that may have begun: then it just ends.
        begun = self.cycle is not None and self.cycle.response_started and not self.idle
        if begun:
            self.transport.close()
        else:
            self._refuse(_TOO_SLOW)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.call_later(self._patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    # -- size --------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._after_head = self._body = 0
        long = len(self.url) > _LONGEST
        if long:
            self.url, _, query = self.url.partition(b"?")
        super().on_headers_complete()
        self._wait()
        if long:
            # The application has been asked to run, and has not begun.
            self.scope["query_string"] = query

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head, self._head = True, 0
        self._came()
        self._since = self.loop.time()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        in_head = self._in_head
        if in_head:
            self._head += len(data)
        else:
            self._after_head += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        around = self._after_head - self._body
        if not self._in_head:
            self._head = 0
            if not in_head and around > _AROUND + _AROUND_EACH * self._body:
                self._refuse(_TOO_LONG)
        elif self._head > self._limit:
            self._refuse(_TOO_LONG)

    def _refuse(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()
