"""Tools for assistants that read what a library keeps: saved searches, probable duplicates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from pydantic import Field

from osler.serve.reader import Reader
from osler.verbs.duplicates import DuplicatesRequest, duplicates
from osler.verbs.review import alerts

MOST = 200
"""Ids and records that an answer lists; how many there are is told."""

Answer = dict[str, Any]
Run = Callable[[Callable[[Reader], Answer]], Awaitable[Answer]]


def register(tool: Callable[..., Any], run: Run, notice: str) -> None:
    """Add the tools to a server."""

    @tool
    async def saved_search(
        name: Annotated[str, Field(description="A saved search; empty lists them.")] = "",
    ) -> Answer:
        """A search that the library keeps: date, query as typed and as run, counts, the ids that it
        found, and what is new since. Without a name, the searches there are."""

        def work(reader: Reader) -> Answer:
            if not name:
                saved = [msgspec.to_builtins(each) for each in reader.decisions.saved()]
                for each in saved:
                    each.pop("ids", None)
                return {"searches": saved, "notice": notice}
            answer: Answer = msgspec.to_builtins(reader.decisions.saved_search(name))
            (alert,) = alerts(reader, name)
            answer["ids"] = answer.get("ids", [])[:MOST]
            return {**answer, "now": alert.now, "new": alert.new[:MOST], "notice": notice}

        return dict(await run(work))

    @tool
    async def duplicate_records() -> Answer:
        """Records that are probably the same paper: group, id and probability. Nothing is
        merged."""

        def work(reader: Reader) -> Answer:
            listed = duplicates(reader, DuplicatesRequest())
            return {
                "records": msgspec.to_builtins(listed.records[:MOST]),
                "count": len(listed.records),
                "set_apart": listed.set_apart,
                "notice": notice,
            }

        return dict(await run(work))
