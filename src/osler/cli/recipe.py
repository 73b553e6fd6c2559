"""``osler recipe``: list, show and run the experiments that Osler has numbers for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    """Add the commands below ``recipe``."""

    @commands.recipe.command("list")
    def list_command(
        as_json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
    ) -> None:
        """List the recipes."""
        import msgspec

        from osler.cli.columns import columns
        from osler.recipes import load, names
        from osler.registry import PAPERS_CURE, papers_missing

        recipes = [load(name) for name in names()]
        if papers_missing():
            typer.echo(PAPERS_CURE, err=True)
        if as_json:
            for recipe in recipes:
                typer.echo(msgspec.json.encode(recipe).decode())
            return
        rows = [[one.name, one.title, ", ".join(one.data)] for one in recipes]
        typer.echo(columns(["recipe", "title", "data sets"], rows))

    @commands.recipe.command("show")
    def show_command(
        name: Annotated[str, typer.Argument(help="A name that `osler recipe list` gives.")],
        as_json: Annotated[bool, typer.Option("--json", help="JSON.")] = False,
    ) -> None:
        """Show a recipe: what it does, with which data, and which numbers to expect."""
        import msgspec

        from osler.recipes import load

        recipe = load(name)
        typer.echo(msgspec.json.encode(recipe).decode() if as_json else _shown(recipe))

    @commands.recipe.command("run")
    def run_command(
        name: Annotated[str, typer.Argument(help="A name that `osler recipe list` gives.")],
        data: Annotated[Path, typer.Option("--data", help="The folder that holds the data sets.")],
        out: Annotated[Path, typer.Option("--out", help="A folder for all that the run writes.")],
        setting: Annotated[
            list[str] | None,
            typer.Option("--set", help="A setting of the recipe, name=value: seeds=2. Repeatable."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="JSON.")] = False,
    ) -> None:
        """Run a recipe; exit with 1 if a number is outside its tolerance.

        osler recipe run hicapsrkl --data DATA --out OUT --set seeds=2 --set only=hicapsrkl
        """
        import msgspec

        from osler.recipes import run

        outcome = run(
            name,
            data,
            out,
            progress=lambda line: typer.echo(line, err=True),
            settings=setting or [],
        )
        typer.echo(msgspec.json.encode(outcome).decode() if as_json else _outcome(outcome, out))
        if not outcome.within:
            raise typer.Exit(1)


def _shown(recipe: Any) -> str:
    import textwrap

    from osler.cli.columns import columns

    lines = [f"{recipe.name}: {recipe.title}", ""]
    lines += [*textwrap.wrap(recipe.what, 96), ""]
    if recipe.paper:
        lines += [*textwrap.wrap(f"Paper: {recipe.paper}", 96), ""]
    lines += [f"Data:  {folder} ({', '.join(needed)})" for folder, needed in recipe.data.items()]
    lines += [f"Needs: osler[{extra}]" for extra in recipe.extras]
    lines += ["", "Steps"]
    for number, step in enumerate(recipe.steps, 1):
        lines += textwrap.wrap(f"{number}. {step}", 96, subsequent_indent="   ")
    lines += [line for note in recipe.notes for line in ["", *textwrap.wrap(note, 96)]]
    rows = [[one.name, _expected(one), _tolerance(one), one.source] for one in recipe.expected]
    lines += ["", columns(["number", "expected", "tolerance", "from"], rows)]
    return "\n".join(lines)


def _outcome(outcome: Any, out: Path) -> str:
    from osler.cli.columns import columns

    rows = [
        [
            check.expected.name,
            "missing" if check.got is None else f"{check.got:.4f}",
            _expected(check.expected),
            _tolerance(check.expected),
            "yes" if check.within else "NO",
        ]
        for check in outcome.checks
    ]
    lines = [columns(["number", "got", "expected", "tolerance", "within"], rows)]
    named = {check.expected.name for check in outcome.checks}
    others = [[name, f"{value:.4f}"] for name, value in outcome.got.items() if name not in named]
    if others:
        lines += ["", columns(["other numbers", "got"], others)]
    verdict = "all within tolerance" if outcome.within else "NOT all within tolerance"
    lines += ["", f"{outcome.recipe}: {verdict}, {outcome.seconds} s; written to {out}"]
    return "\n".join(lines)


def _expected(one: Any) -> str:
    return {"near": "", "least": "≥ ", "most": "≤ "}[one.bound] + f"{one.value:g}"


def _tolerance(one: Any) -> str:
    return f"{one.tolerance:g}" if one.tolerance else ""
