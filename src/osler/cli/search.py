"""``osler search``: one question, or a file of questions to a TREC run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import Whole, WithoutModel, method_help
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.library import Library
    from osler.search import SearchRanker
    from osler.verbs.search import SearchRequest


def register(commands: Commands) -> None:
    @commands.app.command()
    def search(
        lib: Lib,
        text: Annotated[
            str | None,
            typer.Argument(
                help='The question. Plain words, or the query language: "heart failure" AND '
                "(child* OR mesh:Adolescent) NOT title:mice year:2019:2021"
            ),
        ] = None,
        k: Annotated[
            int,
            typer.Option("-k", help="How many hits.", show_default="10; with --queries 1,000"),
        ] = 0,
        method: Annotated[
            str | None, typer.Option(help=method_help("search", "; the best one ready by default"))
        ] = None,
        fusion: Annotated[
            str | None, typer.Option(help="For hybrid: z-score, min-max or rrf.")
        ] = None,
        bm25: Annotated[
            str | None, typer.Option(help="For words: k1,b other than the engine's 1.2,0.75.")
        ] = None,
        threshold: Annotated[
            int | None, typer.Option(help="For concepts-paper: shared concepts that count (5).")
        ] = None,
        context: Annotated[
            list[str] | None,
            typer.Option(help="For concepts-paper: a concept that every question is about."),
        ] = None,
        year: Annotated[str | None, typer.Option(help="2019, 2019:2021, 2019: or :2021.")] = None,
        language: Annotated[list[str] | None, typer.Option(help="Such as eng.")] = None,
        journal: Annotated[list[str] | None, typer.Option(help="A journal's full name.")] = None,
        type: Annotated[list[str] | None, typer.Option(help="Publication type: Review.")] = None,
        design: Annotated[
            list[str] | None, typer.Option(help="Study design: cohort, randomised trial.")
        ] = None,
        mesh: Annotated[list[str] | None, typer.Option(help="A subject heading.")] = None,
        keyword: Annotated[list[str] | None, typer.Option(help="An author's keyword.")] = None,
        has_abstract: Annotated[bool, typer.Option(help="Only papers with an abstract.")] = False,
        without_retracted: Annotated[
            bool, typer.Option(help="Leave retracted papers out.")
        ] = False,
        ids: Annotated[
            Path | None, typer.Option(help="Only the ids in this file, one a line.")
        ] = None,
        plain: Annotated[
            bool, typer.Option(help="Take the text as words, whatever it looks like.")
        ] = False,
        sort: Annotated[
            str, typer.Option(help="relevance, date, journal or citations.")
        ] = "relevance",
        syntax: Annotated[
            str, typer.Option("--from", help="pubmed, ovid, embase or osler; its marks tell.")
        ] = "",
        abstract: Annotated[bool, typer.Option(help="Give each hit its abstract.")] = False,
        facets: Annotated[
            bool, typer.Option("--facets", help="Count all hits by year, kind, journal, ...")
        ] = False,
        out: Annotated[
            Path | None, typer.Option(help="Write all hits to this file: see --output.")
        ] = None,
        explain: Annotated[bool, typer.Option(help="Show the parts of each score.")] = False,
        evidence: Annotated[bool, typer.Option(help="Find the evidence sentence.")] = True,
        json: Annotated[bool, typer.Option("--json", help="Hits as JSON lines.")] = False,
        output: Annotated[
            str | None,
            typer.Option(
                "--output",
                "-o",
                help="table, json, csv or trec for the best k; all hits: ris, nbib, bib, jsonl "
                "(csv, json and trec too with --out; - is standard output).",
            ),
        ] = None,
        queries: Annotated[
            Path | None, typer.Option(help="A file of queries (JSON lines) instead of a text.")
        ] = None,
        run: Annotated[Path | None, typer.Option(help="Where to write the TREC run.")] = None,
        whole: Whole = False,
        without_model: WithoutModel = False,
        verdict: Annotated[bool, typer.Option(help="Judge whether the list answers.")] = True,
        accept_spelling: Annotated[
            bool, typer.Option("--accept-spelling", help="Search for the suggested spelling.")
        ] = False,
        project: Annotated[
            str, typer.Option(help="Order by the marks of this project too, and by no others.")
        ] = "",
        without_marks: Annotated[
            bool, typer.Option("--without-marks", help="Let no marks play a part.")
        ] = False,
    ) -> None:
        """Search papers: hits with evidence, retracted ones marked.

        osler search LIB "statins and muscle pain" --year 2019:2021 --explain
        osler search LIB "exp asthma/ and child$.ti,ab." --sort date
        osler search LIB "asthma[mh] AND 2021[dp]" --out asthma.ris
        osler search LIB "melatonin" --project insomnia
        osler search LIB --queries queries.jsonl --run out.trec -k 1000
        """
        from osler.errors import ChoiceError, InputError
        from osler.library import Library
        from osler.verbs.filters import filter_of
        from osler.verbs.formats import FORMATS
        from osler.verbs.search import SearchRequest
        from osler.verbs.search import search as run_search

        style = output or (out.suffix[1:] if out else "json" if json else "table")
        if style not in ("table", *FORMATS):
            raise ChoiceError("output", style, ("table", *FORMATS))
        if queries is None and (not text or not text.strip()):
            raise InputError(
                "there is nothing to search for", cure='osler search LIB "your question"'
            )
        request = SearchRequest(
            text=text or "each of them",
            k=k or (10 if queries is None else 1_000),
            method=_enriched(threshold, context, _ranker(method, fusion, bm25)),
            filter=filter_of(
                year=year,
                language=language,
                journal=journal,
                type=type,
                design=design,
                mesh=mesh,
                keyword=keyword,
                has_abstract=has_abstract,
                without_retracted=without_retracted,
                ids=_ids(ids),
            ),
            evidence=evidence,
            plain=plain or queries is not None,
            without_model=without_model,
            sort=sort,
            syntax=syntax,
            abstract=abstract,
            verdict=verdict,
            accept_spelling=accept_spelling,
            project=project,
            without_marks=without_marks,
        )
        with Library.open(lib) as library:
            if queries is not None:
                _many(library, queries, run, request)
                return
            if facets:
                _facets(library, request, json=json)
                return
            if out is not None or style in ("ris", "nbib", "bib", "jsonl"):
                _export(library, request, style, out)
                return
            ranking = run_search(library, request)
        if style == "json":
            show.hits(ranking, whole=whole)
        elif style == "csv":
            from osler.explain.flat import hit_columns, hit_row

            show.csv_table(hit_columns(), (hit_row(n, h) for n, h in enumerate(ranking.hits, 1)))
        elif style == "trec":
            from osler.verbs.formats import run_line

            for rank, hit in enumerate(ranking.hits, 1):
                typer.echo(run_line(hit.id, rank, hit.score, ranking.method), nl=False)
        else:
            from osler.explain.terminal import ranking_view, verdict_view

            if (judged := verdict_view(ranking)) is not None:
                show.console().print(judged)
            by_score = sort == "relevance"
            show.console().print(ranking_view(ranking, explain=explain, scores=by_score))
        show.told(ranking)


def _export(library: Library, request: SearchRequest, format: str, out: Path | None) -> None:
    """All hits to a file, or to standard output."""
    import sys

    from osler.verbs.export import HitList, export

    def told(hits: HitList) -> None:
        for note in hits.notes:
            show.say(note)
        show.say(counted(len(hits.hits), "paper"))

    pieces = export(library, request, format, told=told)
    if out is None or str(out) == "-":
        for piece in pieces:
            sys.stdout.write(piece)
        return
    first = next(pieces)  # a broken query leaves no empty file behind
    with out.open("w", encoding="utf-8", newline="") as stream:
        stream.write(first)
        stream.writelines(pieces)


def _facets(library: Library, request: SearchRequest, *, json: bool) -> None:
    from osler.verbs.facets import facets

    by_filter = facets(library, request)
    if json:
        show.json_value(by_filter)
        return
    rows = [
        (facet.label, value, f"{number:,}")
        for facet in by_filter.facets
        for value, number in facet.values
    ]
    show.table(["filter", "value", "papers"], rows, right=["papers"])
    show.say(counted(by_filter.total, "paper matches", "papers match"))


def _ranker(method: str | None, fusion: str | None, bm25: str | None) -> str | SearchRanker | None:
    """The method with its own options."""
    from osler.errors import InputError

    if not fusion and not bm25:
        return method
    from osler.search import rankers

    if fusion:
        if method not in (None, "hybrid"):
            raise InputError("--fusion goes with --method hybrid")
        if not bm25:
            return rankers.resolve("hybrid", fusion=fusion)
    if method not in (None, "words"):
        raise InputError("--bm25 goes with --method words")
    try:
        k1, b = (float(value) for value in str(bm25).split(","))
    except ValueError:
        raise InputError(f"{bm25} is no k1,b", cure="--bm25 0.9,0.4") from None
    return rankers.resolve("words", k1=k1, b=b)


def _enriched(
    threshold: int | None, context: list[str] | None, chosen: str | SearchRanker | None
) -> str | SearchRanker | None:
    """The paper's method with its threshold and its context, where these are asked for."""
    from osler.errors import InputError

    if threshold is None and not context:
        return chosen
    if chosen not in (None, "concepts-paper"):
        raise InputError("--threshold and --context go with --method concepts-paper")
    from osler.search import rankers
    from osler.search.concepts_paper import THRESHOLD

    given = THRESHOLD if threshold is None else threshold
    return rankers.resolve("concepts-paper", threshold=given, context=context or ())


def _ids(path: Path | None) -> list[str] | None:
    if path is None:
        return None
    from osler.files.source import Source

    return [line.strip() for _, line in Source(path).sure_lines()]


def _many(library: Library, queries: Path, run: Path | None, request: SearchRequest) -> None:
    from osler.errors import InputError
    from osler.measures.trec import read_queries, write_run
    from osler.verbs.search import ranker_of, search_many

    if run is None:
        raise InputError("a file of queries needs a place for the run", cure="add --run OUT.trec")
    asked = read_queries(queries)
    with show.progress("searching", len(asked)) as update:
        scored = search_many(library, asked, request, progress=update)
    ranker, _ = ranker_of(library, request.method, without_model=request.without_model)
    write_run(run, scored, tag=f"osler-{ranker.name}")
    show.say(
        f"{counted(len(scored), 'query')}, {counted(sum(map(len, scored.values())), 'hit')}: {run}"
    )
