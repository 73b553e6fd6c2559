"""Commands that the papers' package adds: ``osler records simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.records.command("simulate")
    def simulate_records(
        out: Annotated[Path, typer.Option(help="The folder to write to.")],
        seed: Annotated[int, typer.Option(help="The same seed writes the same records.")] = 0,
        scale: Annotated[float, typer.Option(help="1 is the paper's number of patients.")] = 1.0,
        topic: Annotated[list[str] | None, typer.Option(help="Only this topic; several.")] = None,
    ) -> None:
        """Write records of nobody in the formats of the seven tasks.

        osler records simulate --out records/
        """
        from osler_papers.simulator import TOPICS, WRITERS, simulate

        written = simulate(out, seed=seed, scale=scale, topics=tuple(topic) if topic else TOPICS)
        rows = [(name, str(path), WRITERS[name][2]) for name, path in written.items()]
        show.table(("topic", "written", "read it with --as"), rows)
