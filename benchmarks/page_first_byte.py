"""What the server does before the first byte of each view leaves, in processor time.

    python benchmarks/page_first_byte.py LIBRARY [--settle 20]

Other work on a machine changes the clock and hardly the processor: where `page_paint.py` cannot be
believed, this can. For every view of that benchmark: milliseconds of processor, of all threads and
of the one that answers, until the first byte of the body, on the first visit and as the least of
three later ones; and of all threads until the view is whole. The server runs in this process, for
`--settle` seconds before the first visit: what it loads ahead is then loaded. The library is not
copied: nothing is written.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from page_paint import VIEWS

BAR = 60.0
"""Milliseconds of processor until the first byte: a browser needs its own share of 200."""


class Spent(NamedTuple):
    """Milliseconds of processor until the first byte (all threads, the answering one), and until
    the whole is there."""

    first: float
    answering: float
    whole: float


def scope_of(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": quote(parts.query, safe="=&+%").encode(),
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


async def visited(app: Any, address: str) -> Spent:
    """One visit by a client that stays until the end."""
    asked: list[dict[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]
    first: list[tuple[float, float]] = []
    everybody, own = time.process_time(), time.thread_time()

    async def receive() -> dict[str, Any]:
        if not asked:
            await asyncio.Event().wait()
        return asked.pop()

    async def send(message: dict[str, Any]) -> None:
        if message.get("body") and not first:
            first.append((time.process_time() - everybody, time.thread_time() - own))

    await app(scope_of(address), receive, send)
    whole = time.process_time() - everybody
    return Spent(1000 * first[0][0], 1000 * first[0][1], 1000 * whole)


async def table(library: Path, settle: float) -> list[str]:
    from osler.serve.app import create_app

    app = create_app(library, warm=True)
    over = []
    async with app.router.lifespan_context(app):
        await asyncio.sleep(settle)
        print(f"{'processor ms':18} {'first visit':>22} {'later':>22}")
        print(f"{'':18} " + 2 * f"{'byte':>6} {'own':>6} {'whole':>8} ")
        for name, path in VIEWS.items():
            if path.startswith("/review/"):
                continue  # needs a project, which nobody makes here
            cold = await visited(app, path)
            warm = min([await visited(app, path) for _ in range(3)])
            cells = [
                f"{one.first:6.0f} {one.answering:6.0f} {one.whole:8.0f}" for one in (cold, warm)
            ]
            print(f"{name:18} {' '.join(cells)}", flush=True)
            if max(cold.first, warm.first) > BAR:
                over.append(name)
    return over


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--settle", type=float, default=20.0, help="seconds before the first visit")
    options = parser.parse_args()
    over = asyncio.run(table(options.library, options.settle))
    print(f"over {BAR:.0f} ms of processor: " + (", ".join(over) if over else "none"))


if __name__ == "__main__":
    main()
