"""``/search``: papers for a question."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from osler.kinds import Filter
from osler.serve.answers import Json, told
from osler.serve.api.params import DEEP, LIMIT, WORDS
from osler.serve.api.query import parameters, read_query
from osler.serve.desk import Desk
from osler.serve.models import Hits
from osler.serve.verbs.search import Asked, search, years_of
from osler.settings import MAX_QUERY

router = APIRouter(tags=["search"])

Values = Annotated[list[str], Field(max_length=20)]


class ToSearch(BaseModel):
    """What a search may ask for."""

    q: Annotated[str, Field(min_length=1, max_length=MAX_QUERY.get(), pattern=WORDS)]
    limit: Annotated[int, Field(ge=1, le=LIMIT, description="How many at most.")] = 10
    offset: Annotated[
        int, Field(ge=0, le=DEEP, description="How many to leave out: a later page.")
    ] = 0
    method: Literal["words", "vectors", "hybrid", "concepts", "concepts-paper"] | None = None
    year: (
        Annotated[
            str,
            Field(
                pattern=r"^([0-9]{4}(:([0-9]{4})?)?|:[0-9]{4})$",
                description="2019, 2019:2021, 2019: or :2021.",
            ),
        ]
        | None
    ) = None
    language: Values = []
    journal: Values = []
    type: Values = []
    mesh: Values = []
    keyword: Values = []
    has_abstract: bool = False
    without_retracted: bool = False
    plain: bool = False
    evidence: bool = True

    @property
    def asked(self) -> Asked:
        return Asked(
            text=self.q,
            limit=self.limit,
            offset=self.offset,
            method=self.method,
            filter=Filter(
                years=years_of(self.year or ""),
                languages=tuple(self.language),
                journals=tuple(self.journal),
                types=tuple(self.type),
                headings=tuple(self.mesh),
                keywords=tuple(self.keyword),
                has_abstract=True if self.has_abstract else None,
                exclude_retracted=self.without_retracted,
            ),
            plain=self.plain,
            evidence=self.evidence,
        )


@router.get(
    "/search",
    openapi_extra=parameters(ToSearch),
    **told(Hits, 400, 409, about="hits, best first, with their reasons"),
)
async def search_papers(request: Request) -> Json:
    """Search papers. Plain words, or the query language; a query that cannot be read as one is
    taken as words, and a note says so. ``plain`` takes any text as words."""
    desk: Desk = request.app.state.desk
    asked = read_query(ToSearch, request).asked
    brief = asked.method == "words"
    return Json(await desk.run(lambda reader: search(reader, asked), brief=brief))
