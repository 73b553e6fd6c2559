"""Starting the server: where it listens, and that it stays closed unless it is opened."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from osler.errors import InputError
from osler.serve.wire import BoundedHttp

log = logging.getLogger(__name__)

PORT = 8642
SWITCH = 0.001
"""Seconds after which a thread that works gives way to the one that answers: a page whose view is
being worked on still sends its frame and its styles, in some ten turns."""
SHORTEST = 16
"""Characters that a token has at least."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_address(host: str, token: str | None) -> None:
    """Another address than the loopback without a token is a refusal to start."""
    if token is not None and len(token) < SHORTEST:
        raise InputError(
            f"the token has fewer than {SHORTEST} characters",
            cure="make a long one, such as: openssl rand -hex 24",
        )
    if not is_loopback(host) and token is None:
        raise InputError(
            f"{host} would open the library to other machines",
            cure="stay on 127.0.0.1, or give --token-file FILE",
        )


def read_token(file: Path | None, environment: str | None) -> str | None:
    """The token of a file, else of the environment. It is never an argument: others could see
    it."""
    if file is None:
        return environment or None
    try:
        text = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"the token file {file} cannot be read") from None
    if not text:
        raise InputError(f"the token file {file} is empty")
    return text


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or a clear error."""
    address = host.strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "there is no such port"
        raise InputError(
            f"the server cannot listen on {host}:{port}: {reason.lower()}",
            cure="--port 0 takes a free one",
        ) from None
    return listener


def configured(app: ASGIApp) -> uvicorn.Config:
    """How the server runs an application: without a log of addresses, which hold questions."""
    return uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        http=BoundedHttp,
        timeout_graceful_shutdown=3,
    )


def serve(
    library: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str | None = None,
    hosts: Sequence[str] = (),
    browser: bool = False,
    started: Callable[[str], None] | None = None,
) -> None:
    """Serve a library until somebody stops it. ``started`` is told the address."""
    check_address(host, token)
    from osler.serve.app import create_app

    _more_files()
    sys.setswitchinterval(SWITCH)
    app = create_app(library, hosts=(host.strip("[]"), *hosts), token=token, warm=True)
    bound = listen(host, port)
    number = bound.getsockname()[1]
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    address = f"http://{shown}:{number}/"
    config = configured(app)
    with bound:
        _Server(config, started or _nobody, address, browser=browser).run(sockets=[bound])


def _more_files() -> None:
    """As many open files as the system lets us have: connections are files, and indexes too."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8_192 if hard == resource.RLIM_INFINITY else min(8_192, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _nobody(_: str) -> None:
    return


class _Server(uvicorn.Server):
    """Tells where it is once it answers, not before."""

    def __init__(
        self,
        config: uvicorn.Config,
        tell: Callable[[str], None],
        address: str,
        *,
        browser: bool,
    ) -> None:
        super().__init__(config)
        self._tell, self._address, self._browser = tell, address, browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell(self._address)
            if self._browser:
                threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()
