"""``osler link`` shows the entities that a text mentions; ``osler paths`` how two are joined."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.kinds import Mention, Path
    from osler.knowledge.graph import Graph


def register(commands: Commands) -> None:
    @commands.app.command()
    def link(
        lib: Lib,
        text: Annotated[str, typer.Argument(help="The text; - reads standard input.")],
        branch: Annotated[
            list[str] | None, typer.Option(help="Only this branch of a tree: C, F03.")
        ] = None,
        type: Annotated[list[str] | None, typer.Option(help="Only this type: Disease.")] = None,
        terminology: Annotated[
            list[str] | None, typer.Option(help="Only this terminology: MESH, HP.")
        ] = None,
        without: Annotated[
            list[str] | None, typer.Option(help="Not this branch of a tree: D13.444.")
        ] = None,
        steps: Annotated[
            int, typer.Option(min=0, max=20, help="Only what stands as far below its tree's root.")
        ] = 0,
        abbreviations: Annotated[
            bool, typer.Option("--abbreviations", help="The abbreviations that the text defines.")
        ] = False,
        json: Annotated[bool, typer.Option("--json", help="Mentions as JSON lines.")] = False,
    ) -> None:
        """Show the entities that a text mentions, each with its place and rivals.

        osler link LIB "no evidence of breast or ovarian cancer"
        """
        from osler.errors import InputError
        from osler.library import Library

        if text == "-":
            text = sys.stdin.read()
        if not text.strip():
            raise InputError("there is no text to link", cure='osler link LIB "your text"')
        if abbreviations:
            from osler.knowledge.abbreviations import abbreviations as defined

            pairs = defined(text)
            if json:
                show.json_lines({"short": short, "long": long} for short, long in pairs)
            else:
                show.table(("short", "long"), pairs)
            return
        with Library.open(lib) as library:
            graph = library.graph
            if not len(graph):
                raise InputError(
                    "the library holds no terminology", cure="add one: osler add LIB hp.obo"
                )
            linker = library.linker
            if branch or type or terminology or without or steps:
                linker = linker.within(
                    branches=branch or (),
                    types=type or (),
                    terminologies=terminology or (),
                    without=without or (),
                    steps=steps,
                )
            mentions = linker.link(text)
            if json:
                show.json_lines(mentions)
            else:
                columns = ("place", "text", "entity", "name", "score", "", "others")
                rows = [_row(mention, graph) for mention in mentions]
                show.table(columns, rows, right=("score",))
        show.say(counted(len(mentions), "mention"))

    @commands.app.command()
    def paths(
        lib: Lib,
        source: Annotated[list[str], typer.Option("--from", help="An id or a name; several.")],
        target: Annotated[list[str], typer.Option("--to", help="An id or a name; several.")],
        length: Annotated[int, typer.Option(help="Entities on a path, at most (2 to 5).")] = 3,
        hub: Annotated[
            int, typer.Option(help="Do not walk through entities with more edges.")
        ] = 1_000,
        limit: Annotated[int, typer.Option(help="How many paths, shortest first.")] = 50,
        json: Annotated[bool, typer.Option("--json", help="Paths as JSON lines.")] = False,
    ) -> None:
        """Show how entities are joined in the graph: all simple paths, shortest first.

        osler paths LIB --from asthma --to "HP:0012735"
        """
        from osler.knowledge.paths import paths as find
        from osler.library import Library

        with Library.open(lib) as library:
            graph = library.graph
            ends = [
                [id for given in side for id in _ids(graph, given)] for side in (source, target)
            ]
            result = find(graph, ends[0], ends[1], length, hub=hub, limit=limit)
            if json:
                show.json_lines(result.paths)
            else:
                for path in result.paths:
                    typer.echo(_shown(path, graph))
        for note in result.cut:
            show.say(f"note: {note}")
        show.say(counted(len(result), "path"))


def _row(mention: Mention, graph: Graph) -> tuple[object, ...]:
    (best, score), *others = mention.entities
    return (
        f"{mention.start}-{mention.end}",
        mention.text,
        best,
        graph.name(best),
        f"{score:.2f}",
        "negated" if mention.negated else "",
        ", ".join(f"{id} {score:.2f}" for id, score in others[:4]),
    )


def _ids(graph: Graph, given: str) -> list[str]:
    """The entities that an id or a name means."""
    from osler.errors import UnknownId

    if given in graph:
        return [given]
    ids = graph.lookup(given)
    if not ids:
        raise UnknownId(
            f"the graph holds no entity {given[:100]!r}", cure="give an id or one of its names"
        )
    return ids


def _shown(path: Path, graph: Graph) -> str:
    parts = [graph.name(path.start)]
    for step in path.steps:
        arrow = f"<-[{step.relation}]-" if step.inverse else f"-[{step.relation}]->"
        parts += [arrow, graph.name(step.entity)]
    return " ".join(parts)
