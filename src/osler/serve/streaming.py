"""A search's hits as a file that is sent while it is written: memory holds a part at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from osler.serve.desk import Desk
from osler.serve.reader import Reader
from osler.verbs.export import HitList, batches, checked, head, listed, part, tail
from osler.verbs.formats import MEDIA
from osler.verbs.search import SearchRequest

TOTAL = "Osler-Total"
"""The header that says how many papers follow."""


async def streamed(desk: Desk, asked: SearchRequest, format: str) -> StreamingResponse:
    """All hits; what is wrong with the query is told before the first byte."""
    checked(format)
    hits = await desk.run(lambda reader: listed(reader, asked))
    return StreamingResponse(
        _pieces(desk, asked.text, hits, format),
        media_type=MEDIA[format],
        headers={
            "Content-Disposition": f'attachment; filename="osler-search.{format}"',
            TOTAL: str(len(hits.hits)),
        },
    )


async def _pieces(desk: Desk, query: str, listing: HitList, format: str) -> AsyncIterator[str]:
    yield head(format, query, listing)
    for start, hits in batches(listing):

        def work(
            reader: Reader,
            start: int = start,
            hits: list[tuple[int, str, float]] = hits,
        ) -> str:
            return part(reader, format, listing.method, start, hits)

        yield await desk.run(work)
    yield tail(format)
