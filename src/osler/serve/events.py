"""Server-sent events: long work that says how far it is, then what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from osler.errors import OslerError
from osler.serve.answers import WRONG
from osler.serve.desk import Desk, Lane
from osler.serve.problems import MEDIA, problem_of
from osler.serve.reader import Reader

Say = Callable[[str], None]

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "events: a name, and a JSON value as data",
        "content": {"text/event-stream": {}},
    },
    422: {
        "description": WRONG[422],
        "content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    },
}


def event(name: str, value: Any) -> bytes:
    """One event. JSON has no newlines of its own, so one line of data holds it."""
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(value) + b"\n\n"


async def stream(
    desk: Desk, work: Callable[[Reader, Say], Any], *, lane: Lane
) -> AsyncIterator[bytes]:
    """``progress`` for each line that the work says, then ``done`` or ``problem``."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def say(line: str) -> None:
        loop.call_soon_threadsafe(lines.put_nowait, line)

    running = asyncio.ensure_future(desk.run(lambda reader: work(reader, say), lane=lane))
    running.add_done_callback(lambda _: lines.put_nowait(None))
    try:
        while (line := await lines.get()) is not None:
            yield event("progress", {"text": line})
        yield event("done", running.result())
    except OslerError as error:
        yield event("problem", problem_of(error))
    finally:
        running.cancel()  # whoever listened has left; nothing where it is done
