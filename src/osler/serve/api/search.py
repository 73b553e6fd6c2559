"""``/search``: papers for a question."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from osler.retrieve.languages import LANGUAGES
from osler.search import rankers
from osler.search.ordering import SORTS
from osler.serve.answers import Json, told
from osler.serve.api.params import DEEP, LIMIT, WORDS, Choice
from osler.serve.api.query import parameters, read_query
from osler.serve.desk import Desk
from osler.serve.models import Hits
from osler.serve.reader import Reader
from osler.serve.streaming import streamed
from osler.settings import MAX_QUERY
from osler.verbs.facets import Facets, facets
from osler.verbs.filters import YEARS, YEARS_HELP, filter_of
from osler.verbs.formats import FORMATS, MEDIA
from osler.verbs.search import SearchRequest, next_cursor, search, skipped

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
    sort: Annotated[str, Field(pattern=f"^({'|'.join(SORTS)})$", description="The order.")] = (
        "relevance"
    )
    syntax: (
        Annotated[
            str,
            Field(pattern=f"^({'|'.join(LANGUAGES)})$", description="The query's language."),
        ]
        | None
    ) = None
    abstract: Annotated[bool, Field(description="Give each hit its abstract.")] = False
    cursor: Annotated[str, Field(max_length=200, description="Where a page ended: its cursor.")] = (
        ""
    )
    verdict: Annotated[bool, Field(description="Judge whether the list answers.")] = True
    accept_spelling: Annotated[
        bool, Field(description="Search for the suggested spelling where there is one.")
    ] = False
    project: Annotated[
        str, Field(max_length=200, description="Order by this project's marks too.")
    ] = ""
    without_marks: bool = False

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
            sort=self.sort,
            syntax=self.syntax or "",
            abstract=self.abstract,
            cursor=self.cursor,
            verdict=self.verdict,
            accept_spelling=self.accept_spelling,
            project=self.project,
            without_marks=self.without_marks,
        )


@router.get(
    "/search",
    openapi_extra=parameters(ToSearch),
    **told(Hits, 400, 404, 409, about="hits, best first, with their reasons"),
)
async def search_papers(request: Request) -> Json:
    """Search papers. Plain words, or the query language; one that cannot be read is
    a problem that shows the place. ``plain`` takes any text as words."""
    desk: Desk = request.app.state.desk
    asked = read_query(ToSearch, request).request
    brief = asked.method == "words"

    def work(reader: Reader) -> Hits:
        ranking = search(reader, asked)
        page = Hits.of(ranking, limit=asked.k, offset=skipped(asked), more=True)
        page.cursor = next_cursor(reader, asked, ranking)
        return page

    return Json(await desk.run(work, brief=brief))


class ToExport(ToSearch):
    """What an export may ask for: a search, and the format of the file."""

    format: Annotated[str, Field(pattern=f"^({'|'.join(FORMATS)})$")] = "ris"


_file = told(str, 400, 409, about="all hits in a file of the format, sent as it is written")
_file["responses"][200]["content"] = {
    media.partition(";")[0]: {"schema": {} if format == "json" else {"type": "string"}}
    for format, media in MEDIA.items()
}


@router.get("/export", openapi_extra=parameters(ToExport), **_file)
async def export_papers(request: Request) -> Response:
    """All hits of a search as a file: ris, nbib, bib, csv, jsonl, json or trec. ``limit`` and
    ``offset`` play no part; the header Osler-Total says how many papers follow."""
    desk: Desk = request.app.state.desk
    given = read_query(ToExport, request)
    return await streamed(desk, given.request, given.format)


@router.get(
    "/facets",
    openapi_extra=parameters(ToSearch),
    **told(Facets, 400, about="values with how many of all hits have them"),
)
async def count_papers(request: Request) -> Json:
    """How all hits of a search, not the best of them, spread over years, kinds, designs, journals,
    headings and languages."""
    desk: Desk = request.app.state.desk
    asked = read_query(ToSearch, request).request
    return Json(await desk.run(lambda reader: facets(reader, asked)))
