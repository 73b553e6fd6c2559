"""What every request passes first: the host that it names, the size of its body, where a form
comes from, the token; and the headers that every answer carries.

Plain ASGI, without a framework: it runs for each request, and must hold for each of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from osler.serve.brake import Brake
from osler.serve.problems import MEDIA, plain_problem
from osler.serve.style import style_source
from osler.serve.wire import LEFT
from osler.settings import SERVE_BODY, SERVE_PARAMETERS

LOOPBACK = ("localhost", "127.0.0.1", "::1")
COOKIE = "osler"
OPEN = ("/static/", "/login", "/favicon.ico")
"""What is shown without a token: how the page looks, and where to give it."""

HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'self'; style-src 'self' {style_source()}; "
        "img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


_SENT = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_OURS = {name for name, _ in _SENT}


class TooLarge(Exception):
    """A body that is larger than the settings allow."""


def host_name(value: str) -> str:
    """The name in a Host header, without its port; empty where it cannot be one."""
    try:
        return (urlsplit(f"//{value}").hostname or "").lower()
    except ValueError:
        return ""


def cookie_of(token: str) -> str:
    """What a browser keeps instead of the token itself."""
    return hmac.new(token.encode(), b"osler page", hashlib.sha256).hexdigest()


class Guard:
    """Wraps an application. ``hosts`` are names beside the loopback's under which it answers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = (),
        token: str | None = None,
        brake: Brake | None = None,
    ):
        self.app = app
        self.hosts = {*LOOPBACK, *(host.lower() for host in hosts)}
        self.token = token
        self.brake = brake or Brake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(reversed(scope["headers"]))
        path = scope["path"]

        received, limit = 0, SERVE_BODY.get()

        async def dressed(message: Message) -> None:
            if received > limit:
                return  # what the application makes of half a body is nobody's concern
            if message["type"] == "http.response.start":
                given = [pair for pair in message["headers"] if pair[0] not in _OURS]
                # Records and questions stay out of every cache; styles and scripts may stay.
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                message["headers"] = given + _SENT
            await send(message)

        refused = self._refusal(scope, headers)
        if refused is not None:
            if refused[0] == 401 and scope["method"] == "GET" and not path.startswith("/api/"):
                await _to_door(dressed, scope)
            else:
                await _answer(dressed, *refused)
            return
        if _number(headers.get(b"content-length", b"0")) > limit:
            await _answer(dressed, 413, f"the body has more than {limit:,} bytes", "E130")
            return

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise TooLarge
            return message

        try:
            await self.app(scope, counted, dressed)
        except TooLarge:
            pass
        except asyncio.CancelledError:
            if LEFT not in scope:
                raise
            return  # the client has left: nobody hears what could be said
        if received > limit:
            received = 0
            await _answer(dressed, 413, f"the body has more than {limit:,} bytes", "E130")

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        method, path = scope["method"], scope["path"]
        host = headers.get(b"host", b"").decode("latin-1")
        if host_name(host) not in self.hosts:
            return 400, "this server does not answer under that name", "E100"
        if method not in ("GET", "HEAD", "OPTIONS") and not _own(headers, host):
            return 403, "a form of another site may not be sent here", "E100"
        if not _welcome(scope, headers):
            return 403, "another site may not ask here; open the page and ask there", "E100"
        if scope["query_string"].count(b"&") >= SERVE_PARAMETERS.get():
            return 413, f"the address has more than {SERVE_PARAMETERS.get()} parameters", "E130"
        if self.token and not path.startswith(OPEN):
            return self._unknown(scope, headers)
        return None

    def _unknown(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        """What is refused to whoever does not show the token. A cookie that we gave is looked at
        first: nobody guesses one, and whoever has one is not kept waiting for another's tries."""
        if self._has_cookie(headers):
            return None
        client = (scope.get("client") or ("",))[0]
        if not headers.get(b"authorization"):
            return 401, "this server wants its token", "E100"
        if self.brake.waits(client):
            return 429, "too many wrong tokens came from there", "E100"
        if self._has_token(headers):
            return None
        self.brake.wrong(client)
        return 401, "this server wants its token", "E100"

    def _has_token(self, headers: dict[bytes, bytes]) -> bool:
        assert self.token is not None
        kind, _, given = headers.get(b"authorization", b"").partition(b" ")
        right = hmac.compare_digest(given.strip(), self.token.encode())
        return kind.lower() == b"bearer" and right

    def _has_cookie(self, headers: dict[bytes, bytes]) -> bool:
        assert self.token is not None
        for pair in headers.get(b"cookie", b"").split(b";"):
            name, _, value = pair.strip().partition(b"=")
            if name == COOKIE.encode():
                return hmac.compare_digest(value, cookie_of(self.token).encode())
        return False


def _own(headers: dict[bytes, bytes], host: str) -> bool:
    """Whether a request that changes something comes from our own page, or from no page at all."""
    site = headers.get(b"sec-fetch-site")
    if site is not None and site not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin.decode("latin-1")).netloc == host
    except ValueError:
        return False


def _welcome(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Whether another site's page may ask for this. A link may lead to a view; what is asked for
    in an address costs work, and a picture or a script of theirs would ask without anybody
    knowing."""
    site = headers.get(b"sec-fetch-site")
    if site is None or site in (b"same-origin", b"none"):
        return True
    led = headers.get(b"sec-fetch-mode") == b"navigate" and not scope["query_string"]
    return led and not scope["path"].startswith("/api/")


def _number(value: bytes) -> int:
    try:
        return int(value)
    except ValueError:
        return 0


async def _answer(send: Send, status: int, detail: str, code: str) -> None:
    cure = ""
    headers = [(b"content-type", MEDIA.encode())]
    if status == 429:
        headers.append((b"retry-after", b"60"))
    if status == 401:
        cure = "send it as a bearer token, or sign in at /login"
        headers.append((b"www-authenticate", b"Bearer"))
    body = msgspec.json.encode(plain_problem(status, code, detail, cure=cure))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _to_door(send: Send, scope: Scope) -> None:
    """A person who lacks the token is shown where to give it."""
    query = scope["query_string"].decode("latin-1")
    here = f"{scope['path']}?{query}" if query else scope["path"]
    onward = f"/login?next={quote(here, safe='')}".encode()
    headers = [(b"location", onward), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
