"""``osler graph``, ``osler add-images``, ``osler images``: a library's graph and its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.train_graph import Encoder, Images
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.knowledge.graph import Graph
    from osler.knowledge.images import EntityImages


def register(commands: Commands) -> None:
    @commands.app.command("graph")
    def graph_command(
        lib: Lib, json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False
    ) -> None:
        """Show what the graph holds: types, relations, entities, triples, images."""
        from osler.library import Library
        from osler.verbs.graph import statistics

        with Library.open(lib) as library:
            counts = statistics(library)
        if json:
            show.json_value(counts)
            return
        total = [(name, f"{count:,}") for name, count in counts.items() if isinstance(count, int)]
        show.table(["what", "count"], total, right=["count"])
        show.table(
            ["type", "entities", "with an image"],
            [
                (name, f"{row['entities']:,}", f"{row['with an image']:,}")
                for name, row in counts["by type"].items()
            ],
            right=["entities", "with an image"],
        )
        show.table(
            ["relation", "triples"],
            [(name, f"{count:,}") for name, count in counts["by relation"].items()],
            right=["triples"],
        )

    @commands.app.command("add-images")
    def add_images_command(
        lib: Lib,
        table: Annotated[
            Path, typer.Argument(help="A CSV or TSV with entity (or id) and file, or its folder.")
        ],
        folder: Annotated[
            Path | None, typer.Option(help="Where the files stand; beside the table by default.")
        ] = None,
    ) -> None:
        """Give entities of the graph their pictures; they are copied into the library.

        Rows that cannot be used are listed and counted; the exit code is then 3.
        """
        from osler.library import Library
        from osler.verbs.graph import add_images

        with Library.open(lib) as library:
            summary = add_images(library, table, folder=folder)
        for error in summary.failed.values():
            show.say(error)
        for reject in summary.rejects[:20]:
            show.say(f"{reject.place}: {reject.id} {reject.reason}")
        rejected = summary.counts["rejected"]
        if rejected > 20:
            show.say(f"... and {rejected - 20:,} more: osler status {lib} --rejects")
        show.say(f"{summary.counts['entities']:,} pictures are new, {rejected:,} rows rejected")
        if summary.failed:
            raise typer.Exit(2)
        if rejected:
            raise typer.Exit(3)

    @commands.app.command("images")
    def images_command(
        lib: Lib,
        entity: Annotated[
            list[str] | None, typer.Option(help="Only this entity, by id or name. Repeatable.")
        ] = None,
        images: Images = None,
        image_encoder: Encoder = "efficientnet-lite0",
        threshold: Annotated[
            float | None, typer.Option(help="Filter above this noise score, whatever the entity.")
        ] = None,
        relative: Annotated[
            float, typer.Option(help="Filter above so many times the entity's median score.")
        ] = 1.3,
        html: Annotated[
            Path | None, typer.Option(help="Write a page that shows the pictures.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
    ) -> None:
        """Show which pictures of entities are kept, which are filtered as noise, with scores.

        osler images LIB --entity 肺炎 --html pictures.html
        """
        from osler.knowledge.images import Images as Pictures
        from osler.knowledge.images import weigh_images
        from osler.library import Library
        from osler.verbs.graph import graph_of, images_of

        with Library.open(lib) as library:
            graph = graph_of(library)
            pictures = images_of(library, images)
            if entity:
                wanted = {id for given in entity for id in _ids(graph, given)}
                pictures = Pictures(
                    {id: files for id, files in pictures.files.items() if id in wanted}
                )
            for reject in pictures.rejects[:20]:
                show.say(f"{reject.place}: {reject.id} {reject.reason}")
            if not len(pictures):
                show.say("no picture: osler add-images LIB TABLE gives entities theirs")
                return
            weighed = weigh_images(pictures, image_encoder, threshold=threshold, relative=relative)
            names = {one.id: graph.name(one.id) if one.id in graph else one.id for one in weighed}
        if html is not None:
            from osler.knowledge.images.page import page

            html.write_text(page(weighed, names), encoding="utf-8")
            show.say(f"written to {html}")
        if json:
            show.json_lines(
                {
                    "id": one.id,
                    "name": names[one.id],
                    "images": [
                        {"file": path.name, "noise": score, "kept": kept, "weight": weight}
                        for path, score, kept, weight in _pictures(one)
                    ],
                }
                for one in weighed
            )
        elif html is None:
            show.table(
                ["entity", "picture", "noise", "weight", ""],
                [
                    (names[one.id], path.name, f"{score:.1f}", f"{weight:.3f}", _verdict(kept))
                    for one in weighed
                    for path, score, kept, weight in _pictures(one)
                ],
                right=["noise", "weight"],
            )
        filtered = sum(not kept for one in weighed for kept in one.noise.kept)
        show.say(
            f"{counted(len(weighed), 'entity')}, {counted(pictures.count, 'picture')}, "
            f"{filtered:,} filtered as noise"
        )


def _ids(graph: Graph, given: str) -> list[str]:
    from osler.errors import UnknownId

    ids = [given] if given in graph else graph.lookup(given)
    if not ids:
        raise UnknownId(f"the graph holds no entity {given[:100]!r}")
    return ids


def _pictures(one: EntityImages) -> list[tuple[Path, float, bool, float]]:
    noise = one.noise
    return list(zip(one.files, noise.scores, noise.kept, noise.weights, strict=True))


def _verdict(kept: bool) -> str:
    return "" if kept else "filtered"
