"""``osler grade``: papers for a fact, or facts for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import Whole, WithoutModel, method_help

if TYPE_CHECKING:
    from rich.text import Text

    from osler.grade.job import GradedFact
    from osler.kinds import Hit, Ranking
    from osler.library import Library


def register(commands: Commands) -> None:
    @commands.app.command()
    def grade(
        lib: Lib,
        head: Annotated[str | None, typer.Argument(help="The fact's head: a name or id.")] = None,
        relation: Annotated[str | None, typer.Argument(help="Its relation.")] = None,
        tail: Annotated[str | None, typer.Argument(help="Its tail: a name or id.")] = None,
        paper: Annotated[
            str | None, typer.Option(help="A paper's id: the facts that it speaks of.")
        ] = None,
        claim: Annotated[
            str | None, typer.Option(help="A claim in words: who supports it, who refutes it.")
        ] = None,
        k: Annotated[int, typer.Option("-k", help="How many papers, or facts.")] = 10,
        candidates: Annotated[int, typer.Option(help="Papers to grade.")] = 1_000,
        method: Annotated[
            str | None,
            typer.Option(help=method_help("grade", "; the trained one, else rule")),
        ] = None,
        explain: Annotated[bool, typer.Option(help="Show the words that carried it.")] = False,
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
        html: Annotated[Path | None, typer.Option(help="Write the heat maps as a page.")] = None,
        tsv: Annotated[Path | None, typer.Option(help="Write graded facts as TSV.")] = None,
        kgx: Annotated[
            Path | None, typer.Option(help="Write KGX: PREFIX_nodes.tsv and PREFIX_edges.tsv.")
        ] = None,
        rdf: Annotated[Path | None, typer.Option(help="Write RDF as N-Triples.")] = None,
        whole: Whole = False,
        without_model: WithoutModel = False,
    ) -> None:
        """Grade papers for a fact: H highly, F fairly, M marginally relevant, I irrelevant.

        osler grade LIB metformin treats "type 2 diabetes" -k 20
        osler grade LIB --paper 34091026
        osler grade LIB --claim "vitamin D prevents severe COVID-19" -k 50
        """
        from osler.errors import InputError
        from osler.library import Library
        from osler.verbs import grade as verb

        if claim is not None:
            if paper is not None or head:
                raise InputError("give a fact, a paper or a claim, not two of them")
            from osler.cli.claim import show_claim

            with Library.open(lib) as library:
                show_claim(
                    library, claim, k=max(k, 1), as_json=json, whole=whole, without=without_model
                )
            return
        if paper is None and not (head and relation and tail):
            raise InputError(
                "a fact has three parts", cure="osler grade LIB HEAD RELATION TAIL, or --paper ID"
            )
        if paper is not None and head:
            raise InputError("give a fact or a paper, not both")
        with Library.open(lib) as library:
            if paper is not None:
                asked = verb.FactsRequest(
                    paper=paper, k=k, method=method, without_model=without_model
                )
                graded = verb.facts(library, asked)
                _facts(graded, as_json=json)
                if tsv is not None or kgx is not None or rdf is not None:
                    _export(library, verb.sided(library, graded), tsv, kgx, rdf)
                return
            request = verb.GradeRequest(
                head=str(head),
                relation=str(relation),
                tail=str(tail),
                k=k,
                candidates=candidates,
                method=method,
                explain=explain or json or html is not None,
                without_model=without_model,
            )
            ranking = verb.grade(library, request)
            _papers(ranking, as_json=json, whole=whole, explain=explain)
            if html is not None:
                _page(html, ranking)
            if tsv is not None or kgx is not None or rdf is not None:
                _export(library, verb.as_facts(library, request, ranking), tsv, kgx, rdf)


def _papers(ranking: Ranking, *, as_json: bool, whole: bool, explain: bool) -> None:
    show.told(ranking)
    if as_json:
        show.hits(ranking, whole=whole)
        return
    if not ranking.hits:
        show.say("nothing was found")
        return
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    from osler.explain.heat import heat_line
    from osler.kinds import Heat

    grid = Table.grid(padding=(0, 2))
    for column in (1, 1, 6):
        grid.add_column(justify="left", overflow="fold", ratio=None if column == 1 else column)
    for place, hit in enumerate(ranking.hits, 1):
        lines: list[RenderableType] = [_title(hit)]
        if hit.evidence is not None:
            lines.append(Text(hit.evidence.text, style="italic"))
        if explain:
            lines += [heat_line(reason) for reason in hit.reasons if isinstance(reason, Heat)]
        grid.add_row(str(place), _grade(hit), Group(*lines))
    show.console().print(grid)


def _title(hit: Hit) -> Text:
    from rich.text import Text

    title = Text("RETRACTED " if hit.retracted else "", style="bold red")
    title.append(hit.title or "(no title)", style="bold")
    title.append(f"  {hit.id}", style="cyan")
    named = ", ".join(part for part in (hit.journal, hit.published[:4]) if part)
    return title.append(f"  {named}" if named else "", style="default")


def _grade(hit: Hit) -> str:
    from osler.grade.scale import PLAIN
    from osler.kinds import GradeReason
    from osler.text.chance import chance

    for reason in hit.reasons:
        if isinstance(reason, GradeReason):
            sure = f"{chance(reason.confidence)} " if reason.calibrated else ""
            return f"{reason.grade} {sure}{PLAIN[reason.grade]}"
    return ""


def _facts(facts: Sequence[GradedFact], *, as_json: bool) -> None:
    if as_json:
        show.json_lines(facts)
        return
    from osler.text.chance import chance

    if not facts:
        show.say("the paper names no two entities that the graph joins")
        return
    show.table(
        ("grade", "sure", "head", "relation", "tail", "the paper", "sentence"),
        [
            (
                fact.grade,
                chance(fact.confidence) if fact.calibrated else "",
                fact.head,
                fact.triple.relation,
                fact.tail,
                fact.plain,
                fact.sentence.text if fact.sentence else "",
            )
            for fact in facts
        ],
        right=("sure",),
    )


def _page(path: Path, ranking: Ranking) -> None:
    from osler.explain.heat import heat_page
    from osler.kinds import Heat

    blocks = [
        (
            f"{_grade(hit)}: {hit.title} ({hit.id})",
            [reason for reason in hit.reasons if isinstance(reason, Heat)],
        )
        for hit in ranking.hits
    ]
    path.write_text(heat_page(ranking.query, blocks), encoding="utf-8")
    show.say(f"{path} is written")


def _export(
    library: Library,
    facts: Sequence[GradedFact],
    tsv: Path | None,
    kgx: Path | None,
    rdf: Path | None,
) -> None:
    from osler.grade.export import write_kgx, write_rdf, write_tsv

    if tsv is not None:
        show.say(f"{write_tsv(tsv, facts):,} graded facts: {tsv}")
    known = library.knowledge

    def type_of(id: str) -> str:
        return known.graph.type(id) if known is not None and id in known.graph else ""

    def name_of(id: str) -> str:
        return known.graph.name(id) if known is not None and id in known.graph else ""

    rule = "accepted, or supported at 0.80 by a paper that is about it"
    if kgx is not None:
        nodes, edges, count = write_kgx(kgx, facts, type_of=type_of, name_of=name_of)
        show.say(f"{nodes} and {edges}: {count:,} of {len(facts):,} facts ({rule})")
    if rdf is not None:
        show.say(f"{rdf}: {write_rdf(rdf, facts):,} of {len(facts):,} facts ({rule})")
