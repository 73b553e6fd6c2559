"""``search``: papers for a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import structs

from osler.errors import ChoiceError, NeedsError
from osler.kinds import Filter, Ranking, Run
from osler.retrieve.languages import LANGUAGES
from osler.search.ordering import SORTS
from osler.search.ranker import SearchRanker, rankers
from osler.verbs import cursor as cursors
from osler.verbs.limits import Count, Skipped, Text, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.learned import LearnedWeights
    from osler.retrieve.view import View

MODEL = "search"
"""Where a library keeps the weights that were learned on it: LIB/models/search."""


class SearchRequest(VerbRequest, frozen=True, kw_only=True):
    """A question, and what its hits must be. ``method`` is a name or a ranker; ``plain`` takes the
    text as words even where it looks like the query language. A query that cannot be read is an
    error, with the place of what is wrong, and never taken as words unasked. ``sort`` is relevance,
    date, journal or citations; ``syntax`` says which language the query is in where its marks do
    not; ``abstract`` gives each hit its abstract; ``cursor`` (``next_cursor``) goes on where a page
    ended, as far as the list goes. ``verdict`` judges whether the list answers (a bare list,
    without evidence, is not judged); ``accept_spelling`` searches for the suggestion where there
    is one. ``project`` orders by that project's marks too, and by nobody else's;
    ``without_marks`` by none."""

    text: Text
    k: Count = 10
    skip: Skipped = 0
    method: str | SearchRanker | None = None
    filter: Filter = Filter()
    evidence: bool = True
    plain: bool = False
    without_model: bool = False
    sort: str = "relevance"
    syntax: str = ""
    abstract: bool = False
    cursor: str = ""
    verdict: bool = True
    accept_spelling: bool = False
    project: str = ""
    without_marks: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sort not in SORTS:
            raise ChoiceError("order", self.sort, SORTS)
        if self.syntax and self.syntax not in LANGUAGES:
            raise ChoiceError("query language", self.syntax, LANGUAGES)

    @property
    def order(self) -> str:
        """The order as searchers take it: nothing where it is by relevance."""
        return "" if self.sort == "relevance" else self.sort


def search(library: Library, request: SearchRequest) -> Ranking:
    """The best k documents, each with its evidence and its reasons."""
    ranker, model = ranker_of(
        library,
        request.method,
        without_model=request.without_model,
        without_marks=request.without_marks or bool(request.project),
    )
    if request.project and not request.without_marks:
        from osler.verbs.marked import marked_by

        ranker = marked_by(library, ranker, request.project)
    searcher = library.searcher
    if request.cursor and cursors.read(request.cursor).seq != last_change(library):
        searcher.view.note(
            "the library has changed since this list was begun: papers may be missing or come twice"
        )
    ranking = searcher.search(
        request.text,
        ranker,
        k=request.k,
        skip=skipped(request),
        filter=request.filter or None,
        evidence=request.evidence,
        plain=request.plain,
        syntax=request.syntax,
        sort=request.order,
        abstract=request.abstract,
        verdict=request.verdict and request.evidence,
    )
    if request.accept_spelling and ranking.suggestion:
        meant = structs.replace(request, text=ranking.suggestion, accept_spelling=False)
        respelled = search(library, meant)
        respelled.notes = [f"searched for {meant.text}, not for {request.text}", *respelled.notes]
        return respelled
    ranking.model = model
    unlinked = request.method is None and library.awaits_linking()
    if unlinked:
        searcher.view.note(
            "ordered without the library's terminology, which this version has not linked to the "
            "papers yet: osler rebuild, or the next add, does it"
        )
    if ranker.needs or unlinked:
        if "vectors" in ranker.needs:
            _note_coverage(library, searcher.view, request.text)
        if "concepts" in ranker.needs and (waiting := library.unlinked()):
            searcher.view.note(f"{waiting:,} documents are not linked yet: the next add does it")
        ranking.notes = searcher.view.notes
    return ranking


def skipped(request: SearchRequest) -> int:
    """How many hits a request leaves out, by number or by cursor."""
    return cursors.read(request.cursor).at if request.cursor else request.skip


def last_change(library: Library) -> int:
    """The last change of the documents: what tells whether a list is the same list."""
    return library.engine.applied()


def next_cursor(library: Library, request: SearchRequest, ranking: Ranking) -> str | None:
    """Where the list goes on after a page; None at its end."""
    if len(ranking.hits) < request.k:
        return None
    at = skipped(request) + len(ranking.hits)
    return cursors.written(cursors.Cursor(at=at, seq=last_change(library)))


def _note_coverage(library: Library, view: View, text: str) -> None:
    """Say by whose vectors a list was made, where not all papers have been read."""
    try:
        coverage = library.coverage()
        if not coverage.waiting:
            return
        counted = library.engine.vector_count
        answering = library.team.answering(text, counted, len(library))
    except NeedsError:
        return  # the encoder is missing, which the ranker has said
    static = library.team.static
    preferred = library.team.preferred.name
    if static is not None and answering.fingerprint == static.fingerprint:
        view.note(
            f"ordered by quick vectors ({static.name}), which all papers have: {preferred} has "
            f"read {coverage.done:,} of {coverage.readable:,} and takes over when hardly any is "
            "left (osler embed)"
        )
    elif library.stand_in():
        view.note(
            f"{coverage.waiting:,} papers wait for {preferred} (osler embed): the likeliest of "
            "them were read for this question"
        )
    elif coverage.done:
        view.note(
            f"vectors cover {coverage.share:.0%} of the documents "
            f"({coverage.done:,} of {coverage.readable:,}); osler embed makes the rest"
        )


def default_method(library: Library) -> str:
    """The best method that a library is ready for."""
    if library.linked():
        return "concepts"
    try:
        if library.team.vectors(library.engine.vector_count) > 0:
            return "hybrid"
    except NeedsError:
        pass
    return "words"


def ranker_of(
    library: Library,
    method: str | SearchRanker | None,
    *,
    without_model: bool = False,
    without_marks: bool = False,
) -> tuple[SearchRanker, str]:
    """The ranker asked for, with the weights that were learned on the library where it can use
    some; and the name of that model, empty without one. ``without_marks`` sets judgements aside
    that the library keeps for everybody."""
    if isinstance(method, SearchRanker):
        return method, ""
    kind = rankers.get(method or default_method(library))
    model = library.models.choose(MODEL, without=without_model) if kind.learns else ""
    options: dict[str, Any] = {"learned": _weights(library)} if model else {}
    if without_marks and kind.takes_marks:
        options["off"] = ("judgements",)
    return kind(**options), model


def _weights(library: Library) -> LearnedWeights:
    from osler.retrieve.learned import LearnedWeights

    folder = library.models.place(MODEL)

    def load() -> LearnedWeights:
        return LearnedWeights.load(folder)

    return library.keep("search weights", library.models.stamp(MODEL), load)


def search_many(
    library: Library,
    queries: Mapping[str, str],
    request: SearchRequest,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """A run over many queries, as a TREC run file holds it; ``request`` says how, for all."""
    ranker, _ = ranker_of(library, request.method, without_model=request.without_model)
    searcher = library.searcher
    run: Run = {}
    for number, (id, text) in enumerate(queries.items(), 1):
        run[id] = searcher.scores(
            text, ranker, k=request.k, filter=request.filter or None, plain=request.plain
        )
        if progress:
            progress(number, len(queries))
    return run
