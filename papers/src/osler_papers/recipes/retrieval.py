"""The steps that retrieval recipes share: build a library, search every query, compare the runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from osler.errors import InputError
from osler.measures.comparison import Evaluation, compare
from osler.measures.trec import read_qrels, read_queries, read_run, write_run

METHODS = ("words", "vectors", "hybrid")
MEASURES = ("nDCG@10", "P@10", "R@100", "AP")
DEPTH = 1_000


def run_methods(
    library: Any,
    queries: Path,
    qrels: Path,
    out: Path,
    *,
    methods: Sequence[str] = METHODS,
    measures: Sequence[str] = MEASURES,
    best: str = "hybrid",
    progress: Callable[[str], None],
) -> dict[str, float]:
    """Search all queries by each method, write runs and tables to ``out``, return the numbers.

    The runs that are measured are those on disk, so anyone can measure them again. ``best`` is
    compared with each other method, with Holm's correction.
    """
    asked = read_queries(queries)
    judged = read_qrels(qrels)
    runs = {}
    for method in methods:
        progress(f"searching {len(asked)} queries by {method}")
        path = out / f"{method}.trec"
        write_run(path, library.search_many(asked, k=DEPTH, method=method), tag=method)
        runs[method] = read_run(path)
    evaluation = compare(judged, runs, measures, base=best)
    write_tables(evaluation, out)
    return flat(evaluation)


def open_library(place: Path, files: Sequence[Path], *, progress: Callable[[str], None]) -> Any:
    """The library at ``place`` with the documents of ``files`` and their vectors; a second run of
    a recipe takes up the first one's."""
    from osler.library import Library

    library = Library.open(place) if place.exists() else Library.create(place)
    progress(f"adding {', '.join(file.name for file in files)}")
    library.add(list(files))
    expected = {identity for file in files for identity in document_ids(file)}
    held = {document.id for document in library.documents()}
    if held != expected:
        raise InputError(
            f"the library at {place} does not hold exactly the recipe's documents",
            cure="give an empty folder with --out",
        )
    progress(f"embedding {len(held)} documents")
    library.embed()
    return library


def document_ids(corpus: Path) -> list[str]:
    """The ids of a BEIR corpus."""
    return [str(row["_id"]) for row in corpus_rows(corpus)]


def corpus_rows(corpus: Path) -> list[dict[str, Any]]:
    """The rows of a BEIR corpus."""
    from osler.files.source import Source

    return [msgspec.json.decode(line) for _, line in Source(corpus).lines() if line]


def flat(evaluation: Evaluation) -> dict[str, float]:
    """``"words nDCG@10"``: a mean; ``"hybrid over words nDCG@10"``: the difference; with ``p``
    behind it, the paired bootstrap's p-value after Holm's correction."""
    numbers = {
        f"{method} {measure}": interval.value
        for method, row in evaluation.means.items()
        for measure, interval in row.items()
    }
    for one in evaluation.comparisons:
        # The base is what is defended here, so the difference is turned round.
        key = f"{one.base} over {one.run} {one.measure}"
        numbers[key] = -one.difference.mean
        numbers[f"{key} p"] = one.bootstrap_holm
    return numbers


def write_tables(evaluation: Evaluation, out: Path) -> None:
    """``evaluation.json`` with everything, per query too, and ``table.md`` for people."""
    encoded = msgspec.json.format(msgspec.json.encode(evaluation), indent=1)
    (out / "evaluation.json").write_bytes(encoded + b"\n")
    lines = [
        f"Means over {evaluation.queries} queries with 95 % bootstrap intervals.",
        "",
        _row(["method", *evaluation.measures]),
        _row(["---"] * (len(evaluation.measures) + 1)),
    ]
    for method, row in evaluation.means.items():
        lines.append(_row([method, *(_interval(row, m) for m in evaluation.measures)]))
    if evaluation.comparisons:
        heads = ["comparison", "measure", "difference", "95 % interval"]
        heads += ["Wilcoxon", "t", "bootstrap"]
        lines += ["", "Differences, with p-values after Holm's correction.", ""]
        lines += [_row(heads), _row(["---"] * len(heads))]
    for one in evaluation.comparisons:
        pair = f"{one.base} over {one.run}"
        difference = one.difference
        lines.append(
            _row(
                [
                    pair,
                    one.measure,
                    f"{-difference.mean:+.4f}",
                    f"{-difference.high:+.4f} to {-difference.low:+.4f}",
                    *(f"{p:.4f}" for p in (one.wilcoxon_holm, one.t_holm, one.bootstrap_holm)),
                ]
            )
        )
    (out / "table.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _interval(row: Mapping[str, Any], measure: str) -> str:
    interval = row[measure]
    return f"{interval.value:.4f} ({interval.low:.4f} to {interval.high:.4f})"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
