"""``osler evaluate``: measure runs against judgements, and compare them with the first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from osler.cli.commands import Commands
from osler.text.counted import counted


def register(commands: Commands) -> None:
    """Add the command to the root."""

    @commands.app.command("evaluate")
    def evaluate_command(
        qrels: Annotated[Path, typer.Argument(help="Judgements: query iteration document grade.")],
        runs: Annotated[list[Path], typer.Argument(help="TREC runs; others against the first.")],
        measures: Annotated[
            list[str] | None,
            typer.Option(
                "--measures", "-m", help="Names as ir-measures has them; several, or with blanks."
            ),
        ] = None,
        per_query: Annotated[bool, typer.Option("--per-query", help="A row a query.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="JSON, with everything.")] = False,
        samples: Annotated[int, typer.Option(help="Samples of the bootstrap.")] = 10_000,
        seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    ) -> None:
        """Measure TREC runs; several are compared with the first, with tests of significance."""
        import msgspec

        from osler.measures.comparison import compare
        from osler.measures.retrieval import DEFAULT
        from osler.measures.trec import read_qrels, read_run

        judged = read_qrels(qrels)
        read = {name: read_run(path) for name, path in zip(_names(runs), runs, strict=True)}
        asked = [name for given in measures or () for name in _split(given)]
        comparison = compare(judged, read, asked or DEFAULT, samples=samples, seed=seed)
        notes = _notes(judged, read)
        if as_json:
            row = msgspec.to_builtins(comparison)
            if not per_query:
                del row["per_query"]
            typer.echo(msgspec.json.encode({**row, "notes": notes}).decode())
            return
        if per_query:
            typer.echo(_per_query(comparison))
            typer.echo()
        typer.echo(_means(comparison))
        if comparison.comparisons:
            typer.echo()
            typer.echo(_comparisons(comparison))
        for note in notes:
            typer.echo(f"note: {note}", err=True)


def _split(given: str) -> list[str]:
    """``"nDCG@10 P@5"`` or ``"nDCG@10,P@5"``; commas and blanks inside parentheses stay."""
    parts, depth = [""], 0
    for character in given:
        depth += (character in "([{") - (character in ")]}")
        if character in ", " and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part]


def _names(paths: list[Path]) -> list[str]:
    """File names without suffix; whole paths where two would be the same."""
    short = [path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name for path in paths]
    if len(set(short)) == len(short):
        return short
    whole = [str(path) for path in paths]
    return [name if whole.count(name) == 1 else f"{name} ({i})" for i, name in enumerate(whole, 1)]


def _notes(judged: Any, runs: Any) -> list[str]:
    notes = []
    for name, run in runs.items():
        missing = len(judged.keys() - run.keys())
        more = len(run.keys() - judged.keys())
        if missing:
            notes.append(f"{name} lacks {missing} of {len(judged)} judged queries: they score zero")
        if more:
            notes.append(f"{name} has {more} queries without judgements: they are not counted")
    return notes


def _means(comparison: Any) -> str:
    from osler.cli.columns import columns

    rows = []
    for name, row in comparison.means.items():
        rows.append([name, *(f"{row[m].value:.4f}" for m in comparison.measures)])
        rows.append(["", *(f"{row[m].low:.4f}-{row[m].high:.4f}" for m in comparison.measures)])
    head = f"means of {counted(comparison.queries, 'query')}, 95 % bootstrap intervals below them"
    return head + "\n" + columns(["run", *comparison.measures], rows)


def _comparisons(comparison: Any) -> str:
    from osler.cli.columns import columns

    rows = [
        [
            one.run,
            one.measure,
            f"{one.difference.mean:+.4f}",
            f"{one.difference.low:+.4f} to {one.difference.high:+.4f}",
            f"{one.wins}/{one.losses}",
            *(_p(p) for p in (one.wilcoxon, one.t, one.bootstrap)),
            *(_p(p) for p in (one.wilcoxon_holm, one.t_holm, one.bootstrap_holm)),
        ]
        for one in comparison.comparisons
    ]
    heads = ["run", "measure", "difference", "95 % interval", "better/worse"]
    heads += ["p Wilcoxon", "p t", "p bootstrap", "Holm: Wilcoxon", "t", "bootstrap"]
    head = f"against {comparison.comparisons[0].base}, two-sided"
    return head + "\n" + columns(heads, rows)


def _per_query(comparison: Any) -> str:
    from osler.cli.columns import columns

    first = next(iter(comparison.per_query.values()))
    queries = list(next(iter(first.values())))
    rows = [
        [query, name, *(f"{table[m][query]:.4f}" for m in comparison.measures)]
        for query in queries
        for name, table in comparison.per_query.items()
    ]
    return columns(["query", "run", *comparison.measures], rows)


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
