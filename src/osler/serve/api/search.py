"""``/search``: papers for a question."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from osler.search import rankers
from osler.serve.answers import Json, told
from osler.serve.api.params import DEEP, LIMIT, WORDS, Choice
from osler.serve.api.query import parameters, read_query
from osler.serve.desk import Desk
from osler.serve.models import Hits
from osler.settings import MAX_QUERY
from osler.verbs.filters import YEARS, YEARS_HELP, filter_of
from osler.verbs.search import SearchRequest, search

router = APIRouter(tags=["search"])

Values = Annotated[list[str], Field(max_length=20)]
Method = Annotated[str, Choice(rankers)]


class ToSearch(BaseModel):
    """What a search may ask for."""

    q: Annotated[str, Field(min_length=1, max_length=MAX_QUERY.get(), pattern=WORDS)]
    limit: Annotated[int, Field(ge=1, le=LIMIT, description="How many at most.")] = 10
    offset: Annotated[
        int, Field(ge=0, le=DEEP, description="How many to leave out: a later page.")
    ] = 0
    method: Method | None = None
    year: Annotated[str, Field(pattern=YEARS, description=YEARS_HELP)] | None = None
    language: Values = []
    journal: Values = []
    type: Values = []
    design: Values = []
    mesh: Values = []
    keyword: Values = []
    has_abstract: bool = False
    without_retracted: bool = False
    plain: bool = False
    evidence: bool = True
    without_model: bool = False

    @property
    def request(self) -> SearchRequest:
        return SearchRequest(
            text=self.q,
            k=self.limit,
            skip=self.offset,
            method=self.method,
            filter=filter_of(
                year=self.year,
                language=self.language,
                journal=self.journal,
                type=self.type,
                design=self.design,
                mesh=self.mesh,
                keyword=self.keyword,
                has_abstract=self.has_abstract,
                without_retracted=self.without_retracted,
            ),
            plain=self.plain,
            evidence=self.evidence,
            without_model=self.without_model,
        )


@router.get(
    "/search",
    openapi_extra=parameters(ToSearch),
    **told(Hits, 400, 409, about="hits, best first, with their reasons"),
)
async def search_papers(request: Request) -> Json:
    """Search papers. Plain words, or the query language; one that cannot be read is
    a problem that shows the place. ``plain`` takes any text as words."""
    desk: Desk = request.app.state.desk
    asked = read_query(ToSearch, request).request
    brief = asked.method == "words"
    ranking = await desk.run(lambda reader: search(reader, asked), brief=brief)
    return Json(Hits.of(ranking, limit=asked.k, offset=asked.skip, more=True))
