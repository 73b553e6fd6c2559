"""HTTP as it comes over the wire, with a limit to the head of a request.

The parser in C is quicker than the one in Python, but reads a head however long it is. This one
counts what has come, and answers 431 when that is more than a body may have.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from osler.settings import SERVE_BODY

_TOO_LONG = b"the address and the headers of the request are too long\n"
_REFUSED = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\n"
    b"connection: close\r\n\r\n%b" % (len(_TOO_LONG), _TOO_LONG)
)
_LONGEST = 60_000
"""Bytes of an address that the parser takes apart. A longer one holds a long question, which
our own limit answers: the parser's only says that something is wrong."""


class BoundedHttp(HttpToolsProtocol):
    """The protocol of one connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limit = SERVE_BODY.get()
        self._in_head = True
        self._head = 0

    def on_headers_complete(self) -> None:
        self._in_head = False
        long = len(self.url) > _LONGEST
        if long:
            self.url, _, query = self.url.partition(b"?")
        super().on_headers_complete()
        if long:
            # The application has been asked to run, and has not begun.
            self.scope["query_string"] = query

    def on_message_complete(self) -> None:
        self._in_head, self._head = True, 0
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if not self._in_head:
            self._head = 0
        elif self._head > self._limit and not self.transport.is_closing():
            self.transport.write(_REFUSED)
            self.transport.close()
