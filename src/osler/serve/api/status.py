"""``/status``: what is in the library; as events while vectors are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from osler.serve.answers import Json, told
from osler.serve.api.params import At
from osler.serve.desk import Desk
from osler.serve.events import STREAM, event
from osler.verbs.status import Status, coverage, status

router = APIRouter(tags=["status"])

EVERY = 2.0
"""Seconds between two events."""


@router.get("/status", **told(Status))
async def library_status(at: At) -> Json:
    """Counts, files read, models with their cards, coverage of vectors."""
    return Json(await at.run(status))


@router.get("/status/events", responses=STREAM, response_class=StreamingResponse)
async def status_events(at: At) -> StreamingResponse:
    """Server-sent events: ``coverage`` with the share of documents that have a vector, until all
    have one, or no more come for a while."""
    return StreamingResponse(_events(at), media_type="text/event-stream")


async def _events(at: Desk) -> AsyncIterator[bytes]:
    last, still = None, 0
    while still < 5:
        share = await at.run(coverage)
        yield event("coverage", {"share": share})
        if share is None or share >= 1.0:
            break
        still = still + 1 if share == last else 0
        last = share
        await asyncio.sleep(EVERY)
    yield event("done", {"share": last})
