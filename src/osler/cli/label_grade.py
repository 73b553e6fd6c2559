"""``osler label grade``: weak labels of a library's papers and graph, and how good they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib

if TYPE_CHECKING:
    from osler.grade.labels.rcor import Clusters
    from osler.grade.pair import Pair


def register(commands: Commands) -> None:
    @commands.label.command("grade")
    def label_grade(
        lib: Lib,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", help="Where the labelled pairs go (TSV).")
        ] = None,
        given: Annotated[
            Path | None,
            typer.Option(help="Label these pairs instead; kappa where they have labels."),
        ] = None,
        limit: Annotated[int, typer.Option(help="Papers to draw from the library.")] = 2_000,
        a_paper: Annotated[int, typer.Option(help="Facts of one paper at most.")] = 20,
        clusters: Annotated[
            Path | None,
            typer.Option(help="The clusters' file: marks in it count, else it is written."),
        ] = None,
        check: Annotated[
            bool, typer.Option("--check", help="Read the clusters' fragments here, one by one.")
        ] = False,
        rcor: Annotated[str, typer.Option(help="rule or clusters.")] = "rule",
        kimp: Annotated[str, typer.Option(help="coverage, frequency or lda.")] = "coverage",
        sample: Annotated[
            Path | None,
            typer.Option(help="Write 25 pairs of each label here, to be labelled by hand."),
        ] = None,
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Build a training set: RCor and KImp labels by themselves, grades by Table 1.

        osler label grade LIB --out pairs.tsv
        osler label grade LIB --clusters clusters.tsv --check
        osler label grade LIB --given marked.tsv
        """
        from osler.errors import ChoiceError, InputError
        from osler.grade.labels.kimp import WAYS
        from osler.grade.labels.weak import A_LABEL, agreement, balanced, table6, weak_labels
        from osler.grade.table import read_pairs
        from osler.grade.table_out import write_pairs
        from osler.library import Library
        from osler.verbs.grade_training import drawn_pairs

        if kimp not in WAYS:
            raise ChoiceError("way to label KImp", kimp, WAYS)
        if rcor not in ("rule", "clusters"):
            raise ChoiceError("way to label RCor", rcor, ("rule", "clusters"))
        if given is not None:
            pairs = read_pairs(given)
        else:
            with Library.open(lib) as library:
                pairs = drawn_pairs(library, limit=limit, a_paper=a_paper, seed=seed)
        if not pairs:
            raise InputError(
                "no paper names two entities that the graph joins",
                cure="add a graph with triples: osler add LIB triples.tsv",
            )
        used = None
        if rcor == "clusters" or clusters is not None or check:
            used = _clusters(pairs, clusters, check=check, seed=seed)
        labelled = weak_labels(pairs, clusters=used, kimp=kimp, seed=seed)  # type: ignore[arg-type]
        table = table6(labelled)
        show.table(
            (*table.grades, "total", "papers", "relations", "facts"),
            [(*table.grades.values(), table.pairs, table.papers, table.relations, table.facts)],
        )
        if any(pair.label is not None for pair in pairs):
            _agreement(agreement(pairs, labelled, seed=seed))
        if out is not None:
            write_pairs(out, labelled)
            show.say(f"{len(labelled):,} labelled pairs: {out}")
        if sample is not None:
            rows = balanced([str(pair.label) for pair in labelled], A_LABEL, seed=seed)
            bare = [labelled[row].labelled(label=None, rcor=None, kimp=None) for row in rows]
            write_pairs(sample, bare)
            show.say(f"{len(bare)} pairs to label by hand (column label): {sample}")


def _clusters(pairs: list[Pair], path: Path | None, *, check: bool, seed: int) -> Clusters:
    from osler.grade.labels.checking import read_checks, write_clusters
    from osler.grade.labels.rcor import Clusters

    clusters = Clusters.of(pairs, seed=seed)
    if path is not None and path.is_file():
        clusters.check(read_checks(path))
    if check:
        _read(clusters)
    if path is not None and (check or not path.is_file()):
        count = write_clusters(path, clusters)
        show.say(f"{count:,} fragments: mark 1 or 0 under describes in {path}")
    good = sum(cluster.describes for cluster in clusters.clusters)
    show.say(f"{good} of {len(clusters.clusters)} clusters describe their relation")
    return clusters


def _read(clusters: Clusters) -> None:
    """One fragment after the other; y, n, or q to stop."""
    for cluster in clusters.clusters:
        if not cluster.samples or cluster.checked:
            continue
        show.say(f"\n{cluster.relation}, cluster {cluster.number} of {cluster.size} fragments")
        marks = []
        for text in cluster.samples:
            show.say(f"  {text[:400]}")
            answer = typer.prompt("  describes the relation? y/n/q", default="y", err=True)
            if answer.strip().lower().startswith("q"):
                return
            marks.append(answer.strip().lower().startswith("y"))
        cluster.checked = marks


def _agreement(agreement: object) -> None:
    from osler.grade.labels.weak import Agreement

    if not isinstance(agreement, Agreement):
        return
    rows = [
        ("RCor", agreement.rcor),
        ("KImp (M-imp and U-imp as one)", agreement.kimp),
        ("grade", agreement.grade),
        ("grade, 25 pairs of each (published: 0.707)", agreement.sampled),
    ]
    show.table(
        ("Cohen's kappa with the given labels", ""),
        [(name, "none given" if value is None else f"{value:.3f}") for name, value in rows],
    )
