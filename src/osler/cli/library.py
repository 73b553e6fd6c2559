"""``osler new | add | show | status | verify | rebuild | embed | snapshot``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.default_library import METAVAR
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.bulk.cluster import Cluster
    from osler.library import Library
    from osler.store.ingest import Summary

Lib = Annotated[Path, typer.Argument(help="The library's folder; see osler -h.", metavar=METAVAR)]
NamedLib = Annotated[Path, typer.Argument(help="The library's folder.", metavar="LIBRARY")]
"""Never left out: where one is made, and where something goes for good."""


def register(commands: Commands) -> None:
    """Commands that fill a library, that look at it, that care for it."""
    _making(commands.app)
    _adding(commands.app)
    _looking(commands.app)
    _caring(commands.app)


def _making(app: typer.Typer) -> None:
    @app.command()
    def new(
        lib: NamedLib,
        engine: Annotated[
            str, typer.Option(help="embedded (one folder, no server), or milvus.")
        ] = "embedded",
        uri: Annotated[
            str | None,
            typer.Option(help="Where Milvus is: http://host:19530, or a file that ends in .db."),
        ] = None,
        collection: Annotated[
            str | None, typer.Option(help="What the library's collections in Milvus are called.")
        ] = None,
    ) -> None:
        """Make a new, empty library.

        osler new papers
        osler new papers --engine milvus --uri http://milvus.example:19530
        """
        from osler.library import Library

        Library.create(lib, engine=engine, uri=uri, collection=collection).close()
        show.say(f"{lib} is ready; osler add {lib} FILE reads papers into it")


def _adding(app: typer.Typer) -> None:
    @app.command()
    def add(
        lib: Lib,
        files: Annotated[
            list[Path],
            typer.Argument(help="Files or folders to read; gzip as it is.", metavar="FILES"),
        ],
        format: Annotated[
            str | None,
            typer.Option("--as", help="The format, where it is not recognised by itself."),
        ] = None,
        column: Annotated[
            list[str] | None,
            typer.Option(help="For CSV and TSV: field=column, such as title=Name. Repeatable."),
        ] = None,
        source: Annotated[
            str | None,
            typer.Option(
                help="The source that patient records are of; by default each file or folder is "
                "a source of its own, and nobody in two sources is taken for one person."
            ),
        ] = None,
        join_on: Annotated[
            str | None,
            typer.Option(
                metavar="SYSTEM",
                help="Patients of different sources with the same identifier in this system are "
                "one person, from now on; osler records join takes it back.",
            ),
        ] = None,
        rejects: Annotated[
            Path | None, typer.Option(help="Write rejects and notes here, as JSON lines.")
        ] = None,
        again: Annotated[
            bool, typer.Option(help="Read files again that were read before.")
        ] = False,
        revive: Annotated[
            bool, typer.Option(help="Let these files bring back what was removed.")
        ] = False,
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
        ] = False,
        vectors: Annotated[
            bool | None,
            typer.Option(
                help="Make vectors too, after the words are searchable; the default with --on."
            ),
        ] = None,
        on: Annotated[
            str | None,
            typer.Option(
                metavar="SCHEDULER",
                help="Read, link and embed on Dask: tcp://host:8786, local, or local:4.",
            ),
        ] = None,
    ) -> None:
        """Read papers, terminologies, triples, records or answers into a library.

        A file that was cut off by a kill goes on where it stopped. Records that cannot be read
        are listed and counted; the exit code is then 3.

        osler add LIB pubmed21n1298.xml.gz references.ris
        osler add LIB papers.csv --column title=Name --rejects rejects.jsonl
        osler add LIB export/ --source north --dry-run
        """
        from osler.errors import InputError, NeedsError
        from osler.library import Library

        options: dict[str, object] = {}
        if column:
            pairs = [entry.partition("=") for entry in column]
            if any(not (name and mark and value) for name, mark, value in pairs):
                raise InputError("--column takes field=column, such as title=Name")
            options["columns"] = {name: value for name, _, value in pairs}
            format = format or "columns"  # names that nobody guesses tell no format by themselves
        if source:
            options["source"] = source
        with contextlib.ExitStack() as stack:
            library = stack.enter_context(Library.open(lib))
            cluster = None
            if on is not None:
                from osler.bulk.cluster import Cluster

                cluster = stack.enter_context(Cluster(on))
            with show.progress("reading") as update:
                summary = library.add(
                    list(files),
                    format=format,
                    again=again,
                    revive=revive,
                    progress=lambda name, done: update(done, None),
                    on=cluster,
                    dry_run=dry_run,
                    **options,
                )
            if join_on and not dry_run:
                for note in library.join(join_on).notes:
                    show.say(note)
            _tell(summary, lib, rejects, dry_run=dry_run)
            if (vectors or (on and vectors is None)) and not (summary.failed or dry_run):
                try:
                    _embed(library, on=cluster)
                except NeedsError as needs:
                    if vectors:
                        raise
                    show.say(f"no vectors were made: {needs}")
        for error in summary.failed.values():
            show.say(error)
        if summary.failed:
            raise typer.Exit(2)
        if summary.counts["rejected"]:
            raise typer.Exit(3)


def _looking(app: typer.Typer) -> None:
    @app.command("show")
    def show_document(
        lib: Lib,
        id: Annotated[str, typer.Argument(help="An id, PMID, DOI or PMCID.")],
        json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    ) -> None:
        """Show one document.

        osler show LIB 34091026
        """
        from osler.library import Library

        with Library.open(lib) as library:
            document = library.document(id)
        if json:
            show.json_value(document)
            return
        from osler.explain.terminal import document_text

        show.console().print(document_text(document))

    @app.command()
    def status(
        lib: Lib,
        rejects: Annotated[bool, typer.Option(help="List every rejected record.")] = False,
        notes: Annotated[
            bool, typer.Option(help="List what was merged, replaced or passed over.")
        ] = False,
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    ) -> None:
        """Tell what is in the library: counts, files read, vectors, models; sources of patient
        records and who was joined across them.

        osler status LIB
        osler status LIB --notes
        """
        from osler.library import Library

        with Library.open(lib) as library:
            if rejects:
                show.json_lines(library.rejects())
                return
            if notes:
                show.json_lines(library.ledger.notes())
                return
            state = library.status()
        if json:
            show.json_value(state)
            return
        show.table(
            ["what", "count"],
            [(what, f"{count:,}") for what, count in state["counts"].items()],
            right=["count"],
        )
        if state["encoder"] and state["counts"].get("vectors"):
            show.say(f"vectors by {state['encoder']}")
        for note in state["notes"]:
            show.say(note)
        _whose(state["patients"])
        if state["noted"]:
            show.table(
                ["records that were", "how many", "why"],
                [(one["what"], f"{one['count']:,}", one["reason"]) for one in state["noted"]],
                right=["how many"],
            )
        if state["files"]:
            show.table(
                ["file", "format", "state", "what came of it"],
                [
                    (
                        entry["name"],
                        entry["format"],
                        entry["state"],
                        entry["error"]
                        or ", ".join(f"{n:,} {what}" for what, n in entry["counts"].items()),
                    )
                    for entry in state["files"]
                ],
            )
        if state["models"]:
            show.table(
                ["model", "used", "what it is"],
                [
                    (
                        model["name"],
                        "yes" if model.get("used", True) else "no",
                        (model.get("card") or {}).get("what", "") or model.get("error", ""),
                    )
                    for model in state["models"]
                ],
            )

    @app.command()
    def verify(
        lib: Lib,
        digest: Annotated[
            bool, typer.Option("--digest", help="Print a digest of the content, nothing else.")
        ] = False,
    ) -> None:
        """Check every row and every derived file. Exit code 1 when something is damaged.

        osler verify LIB
        osler verify LIB --digest
        """
        from osler.library import Library

        if digest:
            with Library.open(lib) as library:
                typer.echo(library.digest())
            return
        damaged = Library.verify_folder(lib)
        for line in damaged:
            typer.echo(line)
        if damaged:
            show.say(f"{len(damaged)} damaged; osler rebuild {lib} makes derived files again")
            raise typer.Exit(1)
        show.say("everything holds")


def _caring(app: typer.Typer) -> None:
    @app.command()
    def rebuild(lib: Lib) -> None:
        """Make every derived index again from the truth. Vectors are kept.

        osler rebuild LIB
        """
        from osler.library import Library

        with show.progress("rebuilding") as update:
            Library.rebuild_folder(lib, progress=lambda name, done: update(done, None))
        show.say("rebuilt")

    @app.command()
    def embed(
        lib: Lib,
        limit: Annotated[int | None, typer.Option(help="Stop after so many documents.")] = None,
        encoder: Annotated[
            str | None,
            typer.Option(
                help="From now on this encoder: a fetched one's name, a folder, or default."
            ),
        ] = None,
        on: Annotated[
            str | None,
            typer.Option(metavar="SCHEDULER", help="On Dask: tcp://host:8786, local, or local:4."),
        ] = None,
    ) -> None:
        """Make the vectors that are missing; a killed run goes on where it stopped.

        osler embed LIB
        osler embed LIB --limit 1000
        """
        from osler.library import Library

        with contextlib.ExitStack() as stack:
            library = stack.enter_context(Library.open(lib))
            if encoder is not None:
                library.prefer(encoder)
            cluster = None
            if on is not None:
                from osler.bulk.cluster import Cluster

                cluster = stack.enter_context(Cluster(on))
            _embed(library, limit, cluster)

    @app.command()
    def snapshot(
        lib: Lib, folder: Annotated[Path, typer.Argument(help="A new folder for the copy.")]
    ) -> None:
        """Copy the graph and the documents' concepts, for replicas that search on Milvus.

        osler snapshot LIB graph
        """
        from osler.library import Library

        with Library.open(lib) as library:
            library.snapshot(folder)
        show.say(f"{folder} is ready for osler serve --engine milvus --snapshot {folder}")

    @app.command()
    def settings() -> None:
        """List every setting: its name in the environment, its value, what it does."""
        from osler.settings import shown_settings

        show.table(["variable", "value", "what it sets"], shown_settings())


SHOWN = 20
"""People who were joined that status lists one by one."""


def _whose(held: dict[str, Any]) -> None:
    """Sources of patient records, and the people who were joined across them."""
    if held["sources"]:
        show.table(
            ["source of records", "patients"],
            [(name, f"{count:,}") for name, count in held["sources"].items()],
            right=["patients"],
        )
    if held["joined"]:
        show.table(
            ["one person", "by the ids"],
            [(person, ", ".join(ids)) for person, ids in list(held["joined"].items())[:SHOWN]],
        )
        if len(held["joined"]) > SHOWN:
            show.say(f"... and {len(held['joined']) - SHOWN:,} more: osler records joined LIB")


def _tell(summary: Summary, lib: Path, rejects: Path | None, *, dry_run: bool) -> None:
    """What was read, noted and rejected; the whole list goes to the file ``rejects``."""
    for note in summary.notes:
        show.say(note)
    for name in summary.already:
        show.say(f"{name} was read before; --again reads it once more")
    for remark in summary.remarks[:20]:
        show.say(f"{remark.file} {remark.place}: {remark.what}: {remark.reason}")
    if len(summary.remarks) > 20:
        show.say(f"... and {len(summary.remarks) - 20:,} more; --rejects FILE lists them")
    if summary.sum:
        show.say(f"would be: {summary.sum}" if dry_run else summary.sum)
    if rejects is not None:
        import msgspec

        rejects.write_bytes(
            b"".join(
                msgspec.json.encode(said) + b"\n" for said in (*summary.rejects, *summary.remarks)
            )
        )
    if summary.rejects:
        where = str(rejects) if rejects else f"osler status {lib} --rejects"
        show.say(f"{counted(summary.counts['rejected'], 'record')} rejected: see {where}")


def _embed(library: Library, limit: int | None = None, on: Cluster | None = None) -> None:
    with show.progress("making vectors") as update:
        library.embed(limit=limit, progress=update, on=on)
    coverage = library.coverage()
    show.say(
        f"{coverage.done:,} of {coverage.readable:,} documents have a vector ({coverage.share:.0%})"
    )
