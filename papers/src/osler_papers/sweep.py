"""The paper's threshold sweep: gain of nDCG over plain cosine, and recall by depth, as numbers
and, with matplotlib, as the curves of its Figures 3 and 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from osler.errors import MissingExtra
from osler.kinds import Run
from osler.measures.retrieval import evaluate
from osler.search.concepts_paper import ConceptsPaper, product
from osler.search.searcher import Searcher

THRESHOLDS = tuple(range(1, 11))
DEPTHS = (10, 20, 50, 100, 200, 500, 1000)
GAIN = "nDCG@100"

Judgements = Mapping[str, Mapping[str, int]]


class Sweep(msgspec.Struct, frozen=True):
    """Measures without enrichment (``plain``) and by threshold."""

    plain: dict[str, float]
    enriched: dict[int, dict[str, float]]

    @property
    def best(self) -> int:
        """The threshold with the highest nDCG@100, the lowest of equals."""
        return max(self.enriched, key=lambda t: (self.enriched[t][GAIN], -t))

    def gain(self, threshold: int) -> float:
        """Figure 3: percentage by which nDCG@100 grows."""
        plain = self.plain[GAIN]
        return 100.0 * (self.enriched[threshold][GAIN] - plain) / plain if plain else 0.0

    def recall(self, threshold: int | None = None) -> list[float]:
        """Figure 6: recall at the depths of ``DEPTHS``, plain or enriched."""
        row = self.plain if threshold is None else self.enriched[threshold]
        return [row[f"R@{depth}"] for depth in DEPTHS]


MEASURES = (
    "nDCG@10",
    GAIN,
    "nDCG-paper@10",
    "nDCG-paper@100",
    "P@5",
    "P@10",
    *(f"R@{depth}" for depth in DEPTHS),
)


def runs(
    searcher: Searcher,
    queries: Mapping[str, str],
    *,
    ranker: ConceptsPaper | None = None,
    thresholds: Sequence[int] = THRESHOLDS,
    depth: int = 1000,
    progress: Callable[[int, int], None] | None = None,
) -> dict[int, Run]:
    """A run for each threshold, and the plain cosine's as threshold 0."""
    ranker = ranker or ConceptsPaper()
    found: dict[int, Run] = {threshold: {} for threshold in (0, *thresholds)}
    for number, (id, text) in enumerate(queries.items(), 1):
        request = searcher.request(text, depth, None, plain=True)
        with searcher.truth.snapshot():
            candidates, counts = ranker.parts(request, searcher.view)
            names = ids_of(searcher, candidates.rows.tolist())
        for threshold, run in found.items():
            scores = (
                product(candidates.scores, counts, threshold) if threshold else candidates.scores
            )
            run[id] = {
                names[row]: round(float(score), 9)
                for row, score in zip(candidates.rows.tolist(), scores, strict=True)
                if row in names
            }
        if progress:
            progress(number, len(queries))
    return found


def ids_of(searcher: Searcher, rows: Sequence[int]) -> dict[int, str]:
    """The ids of the documents at some rows."""
    return {row: id for row, (id, _) in searcher.view.documents.current(rows).items()}


def measured(found: Mapping[int, Run], judgements: Judgements) -> Sweep:
    """The sweep's numbers over the questions of the judgements."""
    rows = {threshold: evaluate(judgements, run, MEASURES) for threshold, run in found.items()}
    return Sweep(rows[0], {t: row for t, row in rows.items() if t})


def by_relevant(judgements: Judgements, most: int = 6) -> dict[str, dict[str, dict[str, int]]]:
    """The paper's subsets: questions with at least n relevant documents, n = 1 .. ``most``."""
    counts = {q: sum(g > 0 for g in grades.values()) for q, grades in judgements.items()}
    return {
        f"at least {n}": {q: dict(judgements[q]) for q, count in counts.items() if count >= n}
        for n in range(1, most + 1)
        if any(count >= n for count in counts.values())
    }


def subset_tables(
    judgements: Judgements,
    subsets: Mapping[str, Mapping[str, Sweep]],
    thresholds: Mapping[str, int],
) -> list[str]:
    """Lines of three tables. Table 1: questions by how many relevant documents they have. Figures 2
    and 3a: nDCG@100 of each encoder, plain and at its threshold (``thresholds``), by such subset.
    Figure 4: the gain by subset, per cent."""
    parts = by_relevant(judgements)
    lines = ["| relevant documents | questions | judged relevant |", "| --- | --- | --- |"]
    for label, part in parts.items():
        relevant = sum(grade > 0 for grades in part.values() for grade in grades.values())
        lines.append(f"| {label} | {len(part)} | {relevant} |")
    heads = list(parts)
    rule = "| --- " * (len(heads) + 2) + "|"
    lines += ["", "| encoder | nDCG@100 | " + " | ".join(heads) + " |", rule]
    for encoder, by_label in subsets.items():
        threshold = thresholds[encoder]
        plain = [by_label[label].plain[GAIN] for label in heads]
        enriched = [by_label[label].enriched[threshold][GAIN] for label in heads]
        gains = [by_label[label].gain(threshold) for label in heads]
        rows = {
            "plain": [f"{value:.4f}" for value in plain],
            f"threshold {threshold}": [f"{value:.4f}" for value in enriched],
            "gain": [f"{value:+.1f} %" for value in gains],
        }
        lines += [f"| {encoder} | {name} | {' | '.join(row)} |" for name, row in rows.items()]
    return lines


def plot(sweeps: Mapping[str, Sweep], folder: Path) -> list[Path]:
    """Figures 3 (gain by threshold) and 6 (recall by depth), one line an encoder."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("drawing the curves (matplotlib)", "plots") from None
    gain: Any = Figure(figsize=(6, 4), layout="constrained")
    axes = gain.subplots()
    for name, sweep in sweeps.items():
        listed = sorted(sweep.enriched)
        axes.plot(listed, [sweep.gain(t) for t in listed], marker="o", label=name)
    axes.axhline(0.0, color="grey", linewidth=0.8)
    axes.set(xlabel="threshold", ylabel="gain of nDCG@100 (%)")
    axes.legend()
    recall: Any = Figure(figsize=(6, 4), layout="constrained")
    axes = recall.subplots()
    for name, sweep in sweeps.items():
        (line,) = axes.plot(DEPTHS, sweep.recall(), linestyle="--", label=f"{name}, plain")
        axes.plot(
            DEPTHS,
            sweep.recall(sweep.best),
            color=line.get_color(),
            label=f"{name}, threshold {sweep.best}",
        )
    axes.set(xlabel="N", ylabel="recall@N", xscale="log")
    axes.legend()
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / "gain-by-threshold.svg", folder / "recall-by-depth.svg"]
    for figure, path in zip((gain, recall), paths, strict=True):
        figure.savefig(path)
    return paths
