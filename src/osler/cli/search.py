"""``osler search``: one question, or a file of questions to a TREC run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib

if TYPE_CHECKING:
    from osler.kinds import Filter
    from osler.library import Library
    from osler.search import Ranker


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
        k: Annotated[int, typer.Option("-k", help="How many hits.")] = 0,
        method: Annotated[
            str | None,
            typer.Option(
                help="words, vectors, hybrid, concepts ...; the best one ready by default."
            ),
        ] = None,
        fusion: Annotated[
            str | None, typer.Option(help="For hybrid: z-score, min-max or rrf.")
        ] = None,
        bm25: Annotated[
            str | None, typer.Option(help="For words: k1,b other than the engine's 1.2,0.75.")
        ] = None,
        year: Annotated[str | None, typer.Option(help="2019, 2019:2021, 2019: or :2021.")] = None,
        language: Annotated[list[str] | None, typer.Option(help="Such as eng.")] = None,
        journal: Annotated[list[str] | None, typer.Option(help="A journal's full name.")] = None,
        type: Annotated[list[str] | None, typer.Option(help="Publication type: Review.")] = None,
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
        explain: Annotated[bool, typer.Option(help="Show the parts of each score.")] = False,
        evidence: Annotated[bool, typer.Option(help="Find the evidence sentence.")] = True,
        json: Annotated[bool, typer.Option("--json", help="Hits as JSON lines.")] = False,
        output: Annotated[
            str | None, typer.Option("--output", "-o", help="table, json, csv or trec.")
        ] = None,
        queries: Annotated[
            Path | None, typer.Option(help="A file of queries (JSON lines) instead of a text.")
        ] = None,
        run: Annotated[Path | None, typer.Option(help="Where to write the TREC run.")] = None,
    ) -> None:
        """Search papers: hits with evidence, retracted ones marked.

        osler search LIB "statins and muscle pain" --year 2019:2021 --explain
        osler search LIB --queries queries.jsonl --run out.trec -k 1000
        """
        from osler.errors import ChoiceError, InputError
        from osler.library import Library
        from osler.search import rankers

        filter = _filter(
            year=year,
            languages=language,
            journals=journal,
            types=type,
            headings=mesh,
            keywords=keyword,
            has_abstract=has_abstract,
            without_retracted=without_retracted,
            ids=ids,
        )
        style = output or ("json" if json else "table")
        if style not in ("table", "json", "csv", "trec"):
            raise ChoiceError("output", style, ("table", "json", "csv", "trec"))
        chosen: str | Ranker | None = method
        if fusion:
            if method not in (None, "hybrid"):
                raise InputError("--fusion goes with --method hybrid")
            chosen = rankers.resolve("hybrid", fusion=fusion)
        if bm25:
            if method not in (None, "words"):
                raise InputError("--bm25 goes with --method words")
            try:
                k1, b = (float(value) for value in bm25.split(","))
            except ValueError:
                raise InputError(f"{bm25} is no k1,b", cure="--bm25 0.9,0.4") from None
            chosen = rankers.resolve("words", k1=k1, b=b)
        with Library.open(lib) as library:
            if queries is not None:
                _many(library, queries, run, k or 1_000, chosen, filter)
                return
            if not text or not text.strip():
                raise InputError(
                    "there is nothing to search for", cure='osler search LIB "your question"'
                )
            ranking = library.search(
                text, k=k or 10, method=chosen, filter=filter, evidence=evidence, plain=plain
            )
        if style == "json":
            show.json_lines(ranking.hits)
        elif style == "csv":
            from osler.explain.flat import hit_columns, hit_row

            show.csv_rows(hit_columns(), (hit_row(n, h) for n, h in enumerate(ranking.hits, 1)))
        elif style == "trec":
            for rank, hit in enumerate(ranking.hits, 1):
                typer.echo(f"1 Q0 {hit.id} {rank} {hit.score:.6f} osler-{ranking.method}")
        else:
            from osler.explain.terminal import ranking_view

            show.console().print(ranking_view(ranking, explain=explain))
        for note in ranking.notes:
            show.say(f"note: {note}")


def _many(
    library: Library,
    queries: Path,
    run: Path | None,
    k: int,
    method: str | Ranker | None,
    filter: Filter,
) -> None:
    from osler.errors import InputError
    from osler.measures.trec import read_queries, write_run

    if run is None:
        raise InputError("a file of queries needs a place for the run", cure="add --run OUT.trec")
    asked = read_queries(queries)
    with show.progress("searching", len(asked)) as update:
        found = library.search_many(asked, k=k, method=method, filter=filter, progress=update)
    name = method if isinstance(method, str) else (method.name if method else None)
    write_run(run, found, tag=f"osler-{name or library.default_method()}")
    show.say(f"{len(found):,} queries, {sum(map(len, found.values())):,} hits: {run}")


def _filter(**given: Any) -> Filter:
    from osler.errors import InputError
    from osler.kinds import Filter

    years = None
    if given["year"]:
        low, mark, high = given["year"].partition(":")
        try:
            years = (int(low) if low else None, int(high) if high else None)
        except ValueError:
            raise InputError(
                f"{given['year']} is no range of years", cure="--year 2019:2021"
            ) from None
        if not mark:
            years = (years[0], years[0])
    ids = None
    if given["ids"]:
        from osler.files.source import Source

        ids = tuple(line.strip() for _, line in Source(given["ids"]).sure_lines())
    return Filter(
        years=years,
        languages=tuple(given["languages"] or ()),
        journals=tuple(given["journals"] or ()),
        types=tuple(given["types"] or ()),
        headings=tuple(given["headings"] or ()),
        keywords=tuple(given["keywords"] or ()),
        has_abstract=True if given["has_abstract"] else None,
        exclude_retracted=given["without_retracted"],
        ids=ids,
    )
