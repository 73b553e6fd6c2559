"""``/searches`` and ``/alerts``: searches that are kept, and what is new since."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path
from pydantic import Field, StringConstraints

from osler.serve.answers import Json, told
from osler.serve.api.params import WORDS, At, Body, LongText
from osler.serve.reader import Reader
from osler.settings import MAX_NAME
from osler.store.decisions import SavedSearch
from osler.verbs.filters import YEARS, filter_of
from osler.verbs.review import Alert, alerts

router = APIRouter(tags=["saved searches"])

SavedName = Annotated[str, Path(max_length=MAX_NAME.get(), description="A saved search's name.")]
Language = Annotated[str, Field(pattern="^(pubmed|ovid|embase|osler)$")]


class ToSave(Body):
    """A query and the name to keep it under; ``syntax`` is its language, where its marks do not
    tell."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME.get(), pattern=WORDS)]
    q: LongText
    year: Annotated[str, Field(pattern=YEARS)] | None = None
    language: Annotated[list[str], Field(max_length=20)] = []
    type: Annotated[list[str], Field(max_length=20)] = []
    syntax: Language | None = None


class SavedSearches(msgspec.Struct, kw_only=True):
    """Saved searches in the order in which they were saved, without the ids that they found."""

    searches: list[SavedSearch]


class Alerts(msgspec.Struct, kw_only=True):
    alerts: list[Alert]


@router.get("/searches", **told(SavedSearches))
async def list_searches(at: At) -> Json:
    """Saved searches: date, query as typed and as run, counts."""
    saved = await at.run(lambda reader: reader.decisions.saved())
    return Json(SavedSearches(searches=[msgspec.structs.replace(s, ids=[]) for s in saved]))


@router.post("/searches", **told(SavedSearch, 400, 423))
async def save_search(at: At, body: ToSave) -> Json:
    """Run a query and keep what it finds; a name that is taken is refused."""
    filter = filter_of(year=body.year, language=body.language, type=body.type)

    def work(reader: Reader) -> SavedSearch:
        return reader.save_search(body.name, body.q, filter=filter, syntax=body.syntax or "")

    return Json(await at.run(work, lane="write"))


@router.get("/searches/{name}", **told(SavedSearch, 404))
async def one_search(at: At, name: SavedName) -> Json:
    """A saved search with the ids that it found."""
    return Json(await at.run(lambda reader: reader.decisions.saved_search(name)))


@router.get("/alerts", **told(Alerts, 400, 404))
async def list_alerts(at: At, name: Annotated[str, Field(max_length=MAX_NAME.get())] = "") -> Json:
    """Saved searches (or the one named) run again: what is new since each was saved."""
    return Json(Alerts(alerts=await at.run(lambda reader: alerts(reader, name))))


@router.post("/searches/{name}/remove", **told(SavedSearch, 404, 423))
async def remove_search(at: At, name: SavedName) -> Json:
    """Take a saved search out; it is told once more as it was."""
    return Json(await at.run(lambda reader: reader.remove_search(name), lane="write"))
